(** * The bilinear form of an attention head

    Statement.  For a head [(Q, K)] with score form [L = KᵀQ] and stacked matrix
    [M = [K; Q]], the symmetric and antisymmetric parts of [L] are
        [S = ½ MᵀJM]   and   [T = ½ MᵀΩM],   [L = S + T],
    and [S] has the same quadratic form as [L].  A head is nondegenerate when there is
    no relation between the rows of [K] and [Q]; then [2n <= N].

    Encoding.  [Q K : 'M[F]_(n, N)] act on column vectors; [xᵀLy = ⟨Kx, Qy⟩]: key
    on the left, query on the right, and [K] is the upper half of [M].  A head is
    [nondegenerate] when the [2n] rows of [M] are linearly independent; that
    forces [2n <= N] ([nondegenerate_le]).

    Reference.  O'Desky, arXiv 2609.22990, section 2. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Headforms Require Import Congruence Forms.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory.
Local Open Scope ring_scope.

(** The two parts of any square matrix. *)
Section Parts.
Variable F : fieldType.
Variable N : nat.
Implicit Types L : 'M[F]_N.

Definition symmetrised L : 'M[F]_N := 2%:R^-1 *: (L + L^T).

Definition antisymmetrised L : 'M[F]_N := 2%:R^-1 *: (L - L^T).

Lemma symmetrised_tr L : (symmetrised L)^T = symmetrised L.
Proof. by rewrite /symmetrised linearZ /= linearD /= trmxK addrC. Qed.

Lemma antisymmetrised_tr L : (antisymmetrised L)^T = - antisymmetrised L.
Proof. by rewrite /antisymmetrised linearZ /= linearB /= trmxK -scalerN opprB. Qed.

Lemma parts_sum L : 2%:R != 0 :> F -> L = symmetrised L + antisymmetrised L.
Proof.
move=> n2; rewrite -scalerDr addrACA subrr addr0 -mulr2n -scaler_nat scalerA.
by rewrite mulVf // scale1r.
Qed.

End Parts.

Section Definitions.
Variable F : fieldType.
Variables n N : nat.
Implicit Types Q K : 'M[F]_(n, N).

Definition score Q K : 'M[F]_N := K^T *m Q.

Definition stacked Q K : 'M[F]_(n + n, N) := col_mx K Q.

Definition symmetric_part Q K : 'M[F]_N := symmetrised (score Q K).

Definition antisymmetric_part Q K : 'M[F]_N := antisymmetrised (score Q K).

Definition nondegenerate Q K : bool := row_free (stacked Q K).

End Definitions.

Section Witness.
Variable F : fieldType.

(** The standard nondegenerate head: [K = [I 0 0]], [Q = [0 I 0]]. *)
Definition witness_key n N : 'M[F]_(n, N) := \matrix_(i, j) (j == i :> nat)%:R.

Definition witness_query n N : 'M[F]_(n, N) :=
  \matrix_(i, j) (j == n + i :> nat)%N%:R.

End Witness.

Arguments witness_key {F} n N.
Arguments witness_query {F} n N.

Section Theory.
Variable F : fieldType.
Implicit Types (n N : nat).

(** The score of the tokens [x] and [y]: [xᵀLy = ⟨Kx, Qy⟩]. *)
Theorem score_pairing n N (Q K : 'M[F]_(n, N)) (x y : 'cV_N) :
  x^T *m score Q K *m y = (K *m x)^T *m (Q *m y).
Proof. by rewrite /score trmx_mul !mulmxA. Qed.

Theorem symmetric_partE n N (Q K : 'M[F]_(n, N)) :
  symmetric_part Q K =
  2%:R^-1 *: ((stacked Q K)^T *m hyperbolic n *m stacked Q K).
Proof.
rewrite /symmetric_part /symmetrised /score /hyperbolic /stacked tr_col_mx mul_row_block.
rewrite !mulmx0 !mulmx1 add0r addr0 mul_row_col trmx_mul trmxK.
by rewrite [in RHS]addrC.
Qed.

Theorem antisymmetric_partE n N (Q K : 'M[F]_(n, N)) :
  antisymmetric_part Q K =
  2%:R^-1 *: ((stacked Q K)^T *m symplectic n *m stacked Q K).
Proof.
rewrite /antisymmetric_part /antisymmetrised /score /symplectic /stacked tr_col_mx mul_row_block.
rewrite !mulmx0 mulmxN !mulmx1 add0r addr0 mul_row_col trmx_mul trmxK.
by rewrite mulNmx [in RHS]addrC.
Qed.

Theorem score_decomposition n N (Q K : 'M[F]_(n, N)) : 2%:R != 0 :> F ->
  score Q K = symmetric_part Q K + antisymmetric_part Q K.
Proof. exact: parts_sum. Qed.

Theorem symmetric_part_tr n N (Q K : 'M[F]_(n, N)) :
  (symmetric_part Q K)^T = symmetric_part Q K.
Proof. exact: symmetrised_tr. Qed.

Theorem antisymmetric_part_tr n N (Q K : 'M[F]_(n, N)) :
  (antisymmetric_part Q K)^T = - antisymmetric_part Q K.
Proof. exact: antisymmetrised_tr. Qed.

(** The quadratic form of [S] is that of [L]: [xᵀSx = xᵀLx]. *)
Theorem symmetric_part_quadratic n N (Q K : 'M[F]_(n, N)) (x : 'cV_N) :
  2%:R != 0 :> F -> x^T *m symmetric_part Q K *m x = x^T *m score Q K *m x.
Proof.
move=> n2; rewrite /symmetric_part /symmetrised -scalemxAr -scalemxAl mulmxDr mulmxDl.
have -> : x^T *m (score Q K)^T *m x = x^T *m score Q K *m x.
  have tr1 (X : 'M[F]_1) : X^T = X by apply/matrixP=> i j; rewrite mxE !ord1.
  by rewrite -[LHS]tr1 !trmx_mul !trmxK mulmxA.
by rewrite -mulr2n -scaler_nat scalerA mulVf // scale1r.
Qed.

(** Changing the sign of the query changes the sign of [S]. *)
Lemma symmetric_partN n N (Q K : 'M[F]_(n, N)) :
  symmetric_part (- Q) K = - symmetric_part Q K.
Proof. by rewrite /symmetric_part /symmetrised /score mulmxN linearN -opprD scalerN. Qed.

(** The definition in words: no relation between the rows of [K] and [Q]. *)
Theorem nondegenerate_independent n N (Q K : 'M[F]_(n, N)) :
  nondegenerate Q K <->
  (forall u v : 'rV_n, u *m K + v *m Q = 0 -> u = 0 /\ v = 0).
Proof.
rewrite /nondegenerate /stacked; split=> [free u v uv|ind].
  apply/eq_row_mx; rewrite row_mx0; apply: (row_free_inj free).
  by rewrite mul_row_col uv mul0mx.
rewrite -kermx_eq0; apply/negPn/negP => /rowV0Pn [c]; rewrite sub_kermx => /eqP e.
apply/negP/negPn; move: e; rewrite -[c]hsubmxK mul_row_col => /ind[-> ->].
by rewrite row_mx0.
Qed.

Lemma nondegenerate_le n N (Q K : 'M[F]_(n, N)) :
  nondegenerate Q K -> (n + n <= N)%N.
Proof. by move=> /eqP <-; apply: rank_leq_col. Qed.

Lemma stacked_witness n N :
  stacked (witness_query n N) (witness_key n N) = pid_mx (n + n) :> 'M[F]__.
Proof.
apply/matrixP=> i j; rewrite [RHS]mxE ltn_ord andbT mxE eq_sym.
by case: splitP => k ek; rewrite mxE ek.
Qed.

Lemma nondegenerate_witness n N : (n + n <= N)%N ->
  nondegenerate (witness_query n N) (witness_key n N : 'M[F]__).
Proof. by move=> le; rewrite /nondegenerate stacked_witness /row_free rank_pid_mx. Qed.

(** The predicate is not always true: wide heads, and heads with [K = AQ]. *)
Theorem degenerate_big n N (Q K : 'M[F]_(n, N)) :
  (N < n + n)%N -> ~~ nondegenerate Q K.
Proof. by rewrite ltnNge; apply: contra; apply: nondegenerate_le. Qed.

Theorem degenerate_tied n N (A : 'M[F]_n) (Q : 'M[F]_(n, N)) :
  (0 < n)%N -> ~~ nondegenerate Q (A *m Q).
Proof.
move=> n0; rewrite /nondegenerate -row_leq_rank -ltnNge.
have -> : stacked Q (A *m Q) = col_mx A 1%:M *m Q by rewrite mul_col_mx mul1mx.
apply: leq_ltn_trans (mxrankM_maxr _ _) _.
by apply: leq_ltn_trans (rank_leq_row _) _; rewrite -addn1 leq_add2l.
Qed.

(** A non-zero [2n x 2n] minor (here any [det (ME)]) forces nondegeneracy. *)
Lemma det_nondegenerate n N (Q K : 'M[F]_(n, N)) (E : 'M[F]_(N, n + n)) :
  \det (stacked Q K *m E) != 0 -> nondegenerate Q K.
Proof.
rewrite -unitfE -unitmxE => /mxrank_unit rME.
by rewrite /nondegenerate -row_leq_rank (leq_trans _ (mxrankM_maxl _ E)) // rME.
Qed.

End Theory.
