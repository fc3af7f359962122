(** * Biases

    Statement.  The affine score [⟨Kx + b_k, Qy + b_q⟩] of a head with biases is the
    bilinear score of the homogenised head [Q^ = [Q b_q]], [K^ = [K b_k]] on [N + 1]
    columns at [x^ = (x, 1)], [y^ = (y, 1)].  If [(Q, K)] is nondegenerate then so is
    [(Q^, K^)], whatever the biases; and [S] is the restriction of [S^] to the first
    [N] coordinates.  With relative positions there is one such form for each
    displacement, and weights of sum 1 keep the last coordinate 1.

    Encoding.  [x^] is [col_mx x 1%:M].

    Reference.  Proposition 3 of O'Desky, arXiv 2609.22990. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Headforms Require Import Congruence Forms Head HyperbolicPlusZero Symmetries.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory.
Local Open Scope ring_scope.

Section Homogenisation.
Variable F : fieldType.
Variables n N : nat.
Implicit Types (Q K : 'M[F]_(n, N)) (b : 'cV[F]_n) (x y : 'cV[F]_N).

Definition homogenised Q b : 'M[F]_(n, N + 1) := row_mx Q b.

Theorem affine_score Q K bq bk x y :
  (K *m x + bk)^T *m (Q *m y + bq) =
  (col_mx x 1%:M)^T *m score (homogenised Q bq) (homogenised K bk) *m col_mx y 1%:M.
Proof.
rewrite /score mulmxA -[_^T *m (homogenised K bk)^T]trmx_mul -mulmxA.
by rewrite /homogenised !mul_row_col !mulmx1.
Qed.

Theorem homogenised_nondegenerate Q K bq bk :
  nondegenerate Q K -> nondegenerate (homogenised Q bq) (homogenised K bk).
Proof.
rewrite /nondegenerate -!row_leq_rank => /leq_trans; apply.
have -> : stacked Q K
    = stacked (homogenised Q bq) (homogenised K bk) *m col_mx 1%:M 0.
  by rewrite /stacked mul_col_mx /homogenised !mul_row_col !mulmx1 !mulmx0 !addr0.
exact: mxrankM_maxl.
Qed.

Theorem homogenised_hyperbolic_plus_zero Q K bq bk : 2%:R != 0 :> F ->
  nondegenerate Q K ->
  congruent (symmetric_part (homogenised Q bq) (homogenised K bk))
    (hyperbolic_zero n (N + 1)).
Proof.
by move=> n2 /(homogenised_nondegenerate bq bk); apply: hyperbolic_plus_zero.
Qed.

Theorem homogenised_restriction Q K bq bk :
  let E : 'M[F]_(N + 1, N) := col_mx 1%:M 0 in
  E^T *m symmetric_part (homogenised Q bq) (homogenised K bk) *m E
  = symmetric_part Q K.
Proof.
move=> E; rewrite -symmetric_part_coordinates /homogenised !mul_row_col.
by rewrite !mulmx1 !mulmx0 !addr0.
Qed.

(** Relative positions: if [R_jᵀR_i] depends on [i - j] alone, as for the powers of a
    rotation ([rotation_powers] in [Displacements.v]), there is one form for each
    displacement. *)
Theorem relative_score (R : int -> 'M[F]_n) Q K bq bk x y (i j : int) :
  (forall d e, (R d)^T *m R e = R (e - d)) ->
  (R j *m (K *m x + bk))^T *m (R i *m (Q *m y + bq)) =
  (col_mx x 1%:M)^T
  *m score (R (i - j) *m homogenised Q bq) (homogenised K bk) *m col_mx y 1%:M.
Proof.
move=> rel; rewrite score_pairing -mulmxA /homogenised !mul_row_col !mulmx1 -rel.
by rewrite trmx_mul !mulmxA.
Qed.

(** Values: with weights of sum 1 the homogenised values give the output with last
    coordinate 1 again. *)
Theorem homogenised_values (m k : nat) (V : 'M[F]_(m, N)) (bv : 'cV_m) (a : 'I_k -> F)
    (x : 'I_k -> 'cV[F]_N) : \sum_j a j = 1 ->
  \sum_j a j *: (block_mx V bv 0 1%:M *m col_mx (x j) 1%:M)
  = col_mx (\sum_j a j *: (V *m x j + bv)) 1%:M.
Proof.
move=> a1; transitivity (\sum_j col_mx (a j *: (V *m x j + bv)) (a j *: 1%:M : 'M_1)).
  apply: eq_bigr => j _; rewrite mul_block_col !mulmx1 mul0mx add0r.
  by rewrite scale_col_mx.
rewrite -[RHS]vsubmxK col_mxKu col_mxKd -[LHS]vsubmxK !linear_sum /=; congr col_mx.
  by apply: eq_bigr => j _; rewrite col_mxKu.
rewrite (eq_bigr (fun j => a j *: 1%:M)) => [|j _]; last by rewrite col_mxKd.
by rewrite -scaler_suml a1 scale1r.
Qed.

End Homogenisation.
