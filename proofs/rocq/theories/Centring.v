(** * LayerNorm's mean removal

    Statement.  Let [P = I - 11ᵀ/N] be the centring projection, [N] invertible in
    [F].  The centred head [(QP, KP)] is nondegenerate if and only if the rows of [M]
    and the row [1ᵀ] are linearly independent.  If [2n >= N], in particular if
    [2n = N], it never is; if [2n < N], some head is.

    Encoding.  [1] is the constant column [const_mx 1].

    Reference.  Not in the paper; theory 2.8 of this project. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Headforms Require Import Congruence Forms Head.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory.
Local Open Scope ring_scope.

Section Centring.
Variable F : fieldType.
Variable N : nat.
Hypothesis N_neq0 : N%:R != 0 :> F.
Implicit Types (n : nat).

Definition ones : 'rV[F]_N := const_mx 1.

Definition centring : 'M[F]_N := 1%:M - N%:R^-1 *: (ones^T *m ones).

Lemma ones_norm : ones *m ones^T = (N%:R)%:M.
Proof.
apply/matrixP => i j; rewrite !ord1 !mxE eqxx mulr1n.
rewrite (eq_bigr (fun=> 1)) ?sumr_const ?card_ord // => k _.
by rewrite !mxE mulr1.
Qed.

Lemma ones_neq0 : ones != 0.
Proof.
apply: contraNneq N_neq0 => o0; have := ones_norm; rewrite o0 mul0mx.
by move/matrixP/(_ 0 0); rewrite !mxE eqxx mulr1n => <-.
Qed.

Lemma centring_ones : ones *m centring = 0.
Proof.
rewrite /centring mulmxBr mulmx1 -scalemxAr mulmxA ones_norm mul_scalar_mx scalerA.
by rewrite mulVf // scale1r subrr.
Qed.

(** It takes the mean away. *)
Theorem centring_mean (x : 'cV[F]_N) i :
  (centring *m x) i 0 = x i 0 - (\sum_j x j 0) / N%:R.
Proof.
rewrite /centring mulmxBl mul1mx -scalemxAl !mxE; congr (_ - _); rewrite mulrC; congr (_ * _).
by apply: eq_bigr => j _; rewrite !mxE big_ord1 !mxE !mul1r.
Qed.

Lemma centring_tr : centring^T = centring.
Proof. by rewrite /centring linearB /= trmx1 linearZ /= trmx_mul trmxK. Qed.

Theorem centring_idempotent : centring *m centring = centring.
Proof.
rewrite {1}/centring mulmxBl mul1mx -scalemxAl -mulmxA centring_ones mulmx0.
by rewrite scaler0 subr0.
Qed.

Lemma centring_rank_lt : (\rank centring < N)%N.
Proof.
rewrite ltnNge row_leq_rank; apply/negP => fC; case/negP: ones_neq0.
by apply/eqP/(row_free_inj fC); rewrite centring_ones mul0mx.
Qed.

Theorem centred_exact_condition n (Q K : 'M[F]_(n, N)) :
  nondegenerate (Q *m centring) (K *m centring)
  = row_free (col_mx (stacked Q K) ones).
Proof.
rewrite /nondegenerate /stacked -mul_col_mx; set M := col_mx K Q.
apply/idP/idP => free; rewrite -kermx_eq0; apply/negPn/negP => /rowV0Pn [c];
  rewrite sub_kermx => /eqP e; apply/negP/negPn.
  rewrite -[c]hsubmxK mul_row_col in e *.
  have l0 : lsubmx c = 0.
    apply: (row_free_inj free); have := congr1 (mulmx^~ centring) e.
    by rewrite mulmxDl -!mulmxA centring_ones mulmx0 addr0 !mul0mx.
  move: e; rewrite l0 mul0mx add0r [rsubmx c]mx11_scalar mul_scalar_mx => /eqP.
  rewrite scalemx_eq0 (negbTE ones_neq0) orbF => /eqP ->.
  by rewrite raddf0 row_mx0.
move: e; rewrite mulmxA /centring mulmxBr mulmx1 -scalemxAr mulmxA => /eqP.
rewrite subr_eq0 => /eqP e; pose s := - (N%:R^-1 *: (c *m M *m ones^T)).
have z : row_mx c s *m col_mx M ones = 0.
  by rewrite mul_row_col mulNmx -scalemxAl {1}e subrr.
have : row_mx c s = 0 by apply: (row_free_inj free); rewrite z mul0mx.
by move/eqP; rewrite row_mx_eq0 => /andP[/eqP -> _].
Qed.

(** So it fails as soon as [2n >= N]. *)
Theorem centred_degenerate n (Q K : 'M[F]_(n, N)) : (N <= n + n)%N ->
  ~~ nondegenerate (Q *m centring) (K *m centring).
Proof.
move=> le; rewrite /nondegenerate /stacked -mul_col_mx -row_leq_rank -ltnNge.
apply: leq_ltn_trans (mxrankM_maxr _ _) _.
exact: leq_trans centring_rank_lt le.
Qed.

(** And only then: below, the standard head stays nondegenerate. *)
Theorem centred_nonempty n : (n + n < N)%N ->
  nondegenerate (witness_query n N *m centring) (witness_key n N *m centring).
Proof.
move=> lt; rewrite centred_exact_condition stacked_witness.
rewrite -kermx_eq0; apply/negPn/negP => /rowV0Pn [c]; rewrite sub_kermx => /eqP e.
apply/negP/negPn; rewrite -[c]hsubmxK mul_row_col in e *.
have r0 : rsubmx c = 0.
  move/rowP: e => /(_ (Ordinal lt)); rewrite !mxE big1 => [|i _].
    rewrite add0r big_ord1 !mxE mulr1 => r; apply/rowP => j.
    by rewrite !ord1 [RHS]mxE -r !mxE.
  by rewrite !mxE /= ltn_eqF ?ltn_ord // mulr0.
have fE : row_free (pid_mx (n + n) : 'M[F]_(n + n, N)).
  by rewrite /row_free rank_pid_mx // ltnW.
have l0 : lsubmx c = 0.
  by apply: (row_free_inj fE); move: e; rewrite r0 !mul0mx addr0.
by rewrite l0 r0 row_mx0.
Qed.

End Centring.
