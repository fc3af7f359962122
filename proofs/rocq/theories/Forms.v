(** * The standard forms: hyperbolic, symplectic, and a form padded by zeros

    Statement.  [J] squares to the identity, is invertible, and any non-zero
    multiple of it is congruent to it.

    Encoding.  [hyperbolic n] is the split symmetric form [J = [[0,I],[I,0]]] of
    size [n + n], [symplectic n] is [Ω = [[0,I],[-I,0]]].  [padded N A] is the
    form [A ⊥ 0] on [F^N]: with [E = [I 0] : r x N] it is [EᵀAE], so that no
    equality [N = r + m] has to be carried around; [padded_block] is the block
    form when there is one.  [hyperbolic_zero n N] is [nH ⊥ 0^(N - 2n)].

    Reference.  O'Desky, arXiv 2609.22990, section 2; Lam, I.2. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Headforms Require Import Congruence.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory.
Local Open Scope ring_scope.

Section Definitions.
Variable F : fieldType.

Definition hyperbolic n : 'M[F]_(n + n) := block_mx 0 1%:M 1%:M 0.

Definition symplectic n : 'M[F]_(n + n) := block_mx 0 1%:M (- 1%:M) 0.

(** [pid_mx r : 'M_(r, N)] is [[I 0]]. *)
Definition padded r N (A : 'M[F]_r) : 'M[F]_N :=
  (pid_mx r : 'M_(r, N))^T *m A *m pid_mx r.

Definition hyperbolic_zero n N : 'M[F]_N := padded N (hyperbolic n).

End Definitions.

Arguments hyperbolic {F} n.
Arguments symplectic {F} n.
Arguments padded {F r} N A.
Arguments hyperbolic_zero {F} n N.

Section Theory.
Variable F : fieldType.
Implicit Types (n m r N : nat).

(** The values of the two forms: [2⟨a, b⟩] and [⟨a, d⟩ - ⟨b, c⟩]. *)
Theorem hyperbolic_form n (a b : 'rV[F]_n) :
  row_mx a b *m hyperbolic n *m (row_mx a b)^T = 2%:R *: (a *m b^T).
Proof.
rewrite /hyperbolic mul_row_block !(mulmx0, mulmx1) add0r addr0 tr_row_mx mul_row_col.
rewrite scaler_nat mulr2n; congr (_ + _); apply: trmx_inj.
by rewrite trmx_mul trmxK; apply/matrixP => i j; rewrite !ord1 [RHS]mxE.
Qed.

Theorem symplectic_form n (a b c d : 'rV[F]_n) :
  row_mx a b *m symplectic n *m (row_mx c d)^T = a *m d^T - b *m c^T.
Proof.
rewrite /symplectic mul_row_block !(mulmx0, mulmx1) add0r addr0 mulmxN mulmx1 tr_row_mx.
by rewrite mul_row_col mulNmx addrC.
Qed.

Theorem padded_block r m (A : 'M[F]_r) : padded (r + m) A = block_mx A 0 0 0.
Proof.
rewrite /padded pid_mx_row tr_row_mx trmx1 trmx0 mul_col_mx mul1mx mul0mx.
by rewrite mul_col_row !mulmx1 !mulmx0.
Qed.

Theorem hyperbolic_zero_block n m :
  hyperbolic_zero n (n + n + m) = block_mx (hyperbolic n) 0 0 0 :> 'M[F]__.
Proof. exact: padded_block. Qed.

Lemma rank_padded r N (A : 'M[F]_r) : (r <= N)%N -> \rank (padded N A) = \rank A.
Proof.
move=> le; have fr : row_free (pid_mx r : 'M[F]_(r, N)).
  by rewrite /row_free rank_pid_mx.
rewrite /padded mxrankMfree // eqmxMfull //.
by rewrite /row_full mxrank_tr rank_pid_mx.
Qed.

(** Congruent forms stay congruent when padded. *)
Lemma padded_congruent r N (A B : 'M[F]_r) : (r <= N)%N ->
  congruent A B -> congruent (padded N A) (padded N B).
Proof.
move=> le [P uP <-]; rewrite -(subnKC le) !padded_block.
exists (block_mx P 0 0 1%:M); first by rewrite block_diag_mx_unit uP unitmx1.
rewrite tr_block_mx !trmx0 !mulmx_block.
by rewrite !(mulmx0, mul0mx, mulmx1, mul1mx, addr0, add0r).
Qed.

Lemma hyperbolic_sq n : hyperbolic n *m hyperbolic n = 1%:M :> 'M[F]_(n + n).
Proof.
rewrite /hyperbolic mulmx_block !(mulmx0, mul0mx, mulmx1) !(addr0, add0r).
by rewrite -scalar_mx_block.
Qed.

Lemma hyperbolic_unit n : (hyperbolic n : 'M[F]_(n + n)) \in unitmx.
Proof. by case/mulmx1_unit: (hyperbolic_sq n). Qed.

Lemma hyperbolic_tr n : (hyperbolic n)^T = hyperbolic n :> 'M[F]_(n + n).
Proof. by rewrite /hyperbolic tr_block_mx !trmx0 !trmx1. Qed.

Lemma symplectic_tr n : (symplectic n)^T = - symplectic n :> 'M[F]_(n + n).
Proof.
by rewrite /symplectic tr_block_mx opp_block_mx !trmx0 !linearN /= !trmx1 opprK oppr0.
Qed.

(** Scaling the first [n] coordinates scales [J]. *)
Lemma hyperbolic_scale n (a : F) : a != 0 ->
  congruent (a *: hyperbolic n) (hyperbolic n).
Proof.
move=> a0; exists (block_mx (a^-1)%:M 0 0 1%:M).
  rewrite block_diag_mx_unit unitmx1 andbT unitmxE det_scalar unitfE.
  by rewrite expf_neq0 // invr_eq0.
rewrite /hyperbolic scale_block_mx !scaler0 !scalemx1 tr_block_mx !trmx0 trmx1.
rewrite tr_scalar_mx !mulmx_block !(mulmx0, mul0mx, mulmx1, mul1mx).
by rewrite !(addr0, add0r) -!scalar_mxM ?mulmx0 ?mul0mx mulVf // mulfV.
Qed.

Theorem rank_hyperbolic_zero n N :
  (n + n <= N)%N -> \rank (hyperbolic_zero n N : 'M[F]_N) = (n + n)%N.
Proof.
by move=> le; rewrite rank_padded // mxrank_unit ?hyperbolic_unit.
Qed.

End Theory.
