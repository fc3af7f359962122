(** * What keeps a head nondegenerate

    Statement.
    - gauge: [(Q,K) -> (A⁻ᵀQ, AK)] with [A] invertible leaves [L] itself fixed; any
      invertible changes [(AQ, BK)] of the two head spaces keep the row space of [M],
      hence nondegeneracy;
    - coordinates: [M -> MU] with [U] invertible keeps nondegeneracy and replaces
      [S] by the congruent [UᵀSU];
    - rotary embedding: [K -> RK] with [R] orthogonal (or only invertible) changes
      nothing about nondegeneracy, so one check settles every relative position.

    Encoding.  Orthogonal means [RᵀR = 1].

    Reference.  O'Desky, arXiv 2609.22990, section 2 (change of basis) and
    Proposition 1 (rotary embeddings). *)

From mathcomp Require Import all_ssreflect all_algebra.
From Headforms Require Import Congruence Forms Head HyperbolicPlusZero.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory.
Local Open Scope ring_scope.

Section Symmetries.
Variable F : fieldType.
Implicit Types (n N : nat).

Theorem gauge_score n N (A : 'M[F]_n) (Q K : 'M[F]_(n, N)) :
  A \in unitmx -> score ((invmx A)^T *m Q) (A *m K) = score Q K.
Proof.
move=> uA; rewrite /score trmx_mul -!mulmxA; congr (_ *m _).
by rewrite mulmxA -trmx_mul mulVmx // trmx1 mul1mx.
Qed.

Theorem gauge_row_space n N (A B : 'M[F]_n) (Q K : 'M[F]_(n, N)) :
  A \in unitmx -> B \in unitmx ->
  (stacked (A *m Q) (B *m K) :=: stacked Q K)%MS.
Proof.
move=> uA uB; have -> : stacked (A *m Q) (B *m K) = block_mx B 0 0 A *m stacked Q K.
  by rewrite mul_block_col !mul0mx addr0 add0r.
by apply: eqmxMfull; rewrite row_full_unit block_diag_mx_unit uA uB.
Qed.

Theorem gauge_nondegenerate n N (A B : 'M[F]_n) (Q K : 'M[F]_(n, N)) :
  A \in unitmx -> B \in unitmx ->
  nondegenerate (A *m Q) (B *m K) = nondegenerate Q K.
Proof.
by move=> uA uB; rewrite /nondegenerate /row_free gauge_row_space.
Qed.

Theorem coordinates_nondegenerate n N (U : 'M[F]_N) (Q K : 'M[F]_(n, N)) :
  U \in unitmx -> nondegenerate (Q *m U) (K *m U) = nondegenerate Q K.
Proof.
move=> uU; rewrite /nondegenerate /stacked -mul_col_mx /row_free.
by rewrite mxrankMfree ?row_free_unit.
Qed.

(** [U] need not be square: this is restriction to a subspace as well. *)
Lemma symmetric_part_coordinates n N N' (U : 'M[F]_(N, N')) (Q K : 'M[F]_(n, N)) :
  symmetric_part (Q *m U) (K *m U) = U^T *m symmetric_part Q K *m U.
Proof.
rewrite /symmetric_part /symmetrised /score -scalemxAr -scalemxAl; congr (_ *: _).
by rewrite mulmxDr mulmxDl !trmx_mul !trmxK !mulmxA.
Qed.

Theorem coordinates_congruent n N (U : 'M[F]_N) (Q K : 'M[F]_(n, N)) :
  U \in unitmx -> congruent (symmetric_part Q K) (symmetric_part (Q *m U) (K *m U)).
Proof. by exists U; rewrite ?symmetric_part_coordinates. Qed.

(** A position acts on the keys (or on the queries) by an invertible matrix [R]. *)
Theorem position_nondegenerate n N (R : 'M[F]_n) (Q K : 'M[F]_(n, N)) :
  R \in unitmx ->
  (nondegenerate Q (R *m K) = nondegenerate Q K)
  * (nondegenerate (R *m Q) K = nondegenerate Q K).
Proof.
by move=> uR; split; [rewrite -{1}[Q]mul1mx | rewrite -{1}[K]mul1mx];
  rewrite gauge_nondegenerate ?unitmx1.
Qed.

(** Rotary embeddings: [R] orthogonal, so one check settles every relative position. *)
Theorem rotary_position n N (R : 'M[F]_n) (Q K : 'M[F]_(n, N)) :
  R^T *m R = 1%:M -> nondegenerate Q (R *m K) = nondegenerate Q K.
Proof. by case/mulmx1_unit=> _ uR; rewrite position_nondegenerate. Qed.

Theorem rotary_hyperbolic_plus_zero n N (R : 'M[F]_n) (Q K : 'M[F]_(n, N)) :
  2%:R != 0 :> F -> R^T *m R = 1%:M -> nondegenerate Q K ->
  congruent (symmetric_part Q (R *m K)) (hyperbolic_zero n N).
Proof. by move=> n2 oR ndg; apply: hyperbolic_plus_zero; rewrite // rotary_position. Qed.

End Symmetries.
