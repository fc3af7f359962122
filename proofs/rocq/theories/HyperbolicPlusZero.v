(** * Hyperbolic plus zero

    Statement.  Over any field of characteristic other than 2 the symmetric part
    of a nondegenerate head is congruent to [nH ⊥ 0^(N-2n)].

    Encoding.  The proof is the explicit one: a basis [P] of [F^N] in which
    [MP = [D 0]], where [D = diag(2,…,2,1,…,1)]; then
    [PᵀSP = ½ [D 0]ᵀ J [D 0] = J ⊥ 0].  [hyperbolic_plus_zero_block] is for
    [N = 2n + m], [hyperbolic_plus_zero] for any [N].

    Reference.  Theorem 3 of O'Desky, arXiv 2609.22990, there over the reals and
    for the signature; here over every field and for the isometry class. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Headforms Require Import Congruence Forms Head.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory.
Local Open Scope ring_scope.

Section HyperbolicPlusZero.
Variable F : fieldType.
Implicit Types (n m N : nat).

(** Independent rows can be brought to [[D 0]] for any invertible [D] by an
    invertible change of the columns. *)
Lemma independent_rows_normal_form k m (M : 'M[F]_(k, k + m)) (D : 'M_k) :
  row_free M -> D \in unitmx ->
  exists2 P : 'M_(k + m), P \in unitmx & M *m P = row_mx D 0.
Proof.
move=> /eqP rM uD; have := mulmx_ebase M; rewrite rM pid_mx_row.
set C := col_ebase M; set R := row_ebase M => defM.
have uC : C \in unitmx by apply: col_ebase_unit.
have uR : R \in unitmx by apply: row_ebase_unit.
exists (invmx R *m block_mx (invmx C *m D) 0 0 1%:M).
  rewrite unitmx_mul unitmx_inv uR block_diag_mx_unit unitmx1 unitmx_mul.
  by rewrite unitmx_inv uC uD.
rewrite -defM !mulmxA mulmxK // -mulmxA mul_row_block.
by rewrite !(mulmx0, mul0mx, mul1mx) !addr0 mul_mx_row mulmx0 mulKVmx.
Qed.

Theorem hyperbolic_plus_zero_block n m (Q K : 'M[F]_(n, n + n + m)) :
  2%:R != 0 :> F -> nondegenerate Q K ->
  exists2 P : 'M[F]_(n + n + m), P \in unitmx &
    P^T *m symmetric_part Q K *m P = block_mx (hyperbolic n) 0 0 0.
Proof.
move=> n2 ndg; pose D : 'M[F]_(n + n) := block_mx (2%:R%:M) 0 0 1%:M.
have uD : D \in unitmx.
  rewrite block_diag_mx_unit unitmx1 andbT unitmxE det_scalar unitfE.
  by rewrite expf_neq0.
have [P uP MP] := independent_rows_normal_form ndg uD; exists P => //.
rewrite symmetric_partE -scalemxAr -scalemxAl -!mulmxA MP !mulmxA -trmx_mul MP.
rewrite tr_row_mx trmx0 mul_col_mx !mul0mx mul_col_row mulmx0 !mul0mx.
rewrite /D /hyperbolic tr_block_mx !trmx0 trmx1 tr_scalar_mx !mulmx_block.
rewrite !(mulmx0, mul0mx, mulmx1, mul1mx) !(addr0, add0r).
rewrite mul1mx mul0mx !scale_block_mx !scaler0.
by rewrite scale_scalar_mx mulVf.
Qed.

Theorem hyperbolic_plus_zero n N (Q K : 'M[F]_(n, N)) :
  2%:R != 0 :> F -> nondegenerate Q K ->
  congruent (symmetric_part Q K) (hyperbolic_zero n N).
Proof.
move=> n2 ndg; have le := nondegenerate_le ndg.
have [m defN] : exists m, N = (n + n + m)%N by exists (N - (n + n))%N; rewrite subnKC.
subst N; have [P uP e] := hyperbolic_plus_zero_block n2 ndg.
by exists P => //; rewrite e hyperbolic_zero_block.
Qed.

(** The diagonal normal form [diag(1^n, (-1)^n, 0^m)]. *)
Theorem diagonal_normal_form n m (Q K : 'M[F]_(n, n + n + m)) :
  2%:R != 0 :> F -> nondegenerate Q K ->
  congruent (symmetric_part Q K)
    (block_mx (block_mx 1%:M 0 0 (- 1%:M)) 0 0 0).
Proof.
move=> n2 ndg; apply: congruent_trans (hyperbolic_plus_zero n2 ndg) _.
rewrite /hyperbolic_zero -padded_block; apply: padded_congruent; first exact: leq_addr.
pose h : F := 2%:R^-1; have hh : h + h = 1 by rewrite -mulr2n -mulr_natl mulfV.
pose P : 'M[F]_(n + n) := block_mx 1%:M 1%:M h%:M (- h%:M).
pose P' : 'M[F]_(n + n) := block_mx h%:M 1%:M h%:M (- 1%:M).
have PP' : P *m P' = 1%:M.
  rewrite /P /P' mulmx_block !(mul1mx, mulmx1, mulNmx, mulmxN) opprK.
  by rewrite !subrr -!raddfD /= hh -scalar_mx_block.
exists P; first by have [] := mulmx1_unit PP'.
rewrite /P /hyperbolic tr_block_mx !linearN /= !tr_scalar_mx !mulmx_block.
rewrite !(mulmx0, mul0mx, mulmx1, mul1mx, mulmxN, mulNmx) !(addr0, add0r).
by rewrite !mul1mx subrr addNr -opprD -raddfD /= hh.
Qed.

End HyperbolicPlusZero.
