(** * The degeneracy locus

    Statement.  A head is nondegenerate if and only if one of the maximal minors
    of [M] is non-zero: the degeneracy locus is cut out by the [2n x 2n] minors, so
    its complement is Zariski open.  In terms of [S] alone: if and only if some
    principal [2n x 2n] minor of [S] is non-zero.  For [2n = N] the locus is the
    hypersurface [det M = 0], and [det (L + Lᵀ) = (-1)^n (det M)²].  Over an ordered
    field one polynomial is enough: [det (MMᵀ)].

    Encoding.  The space of heads is affine space with coordinates the [2nN]
    entries of [M] ([coordinates], onto by [coordinates_surjective]); a minor is a
    polynomial in these variables, the determinant of columns [f] of the generic
    matrix.  Column choices [f] are arbitrary maps; repeated columns give the zero
    minor.

    Reference.  O'Desky, arXiv 2609.22990, Theorem 3 (the open set); Bruns and
    Vetter, Determinantal Rings, for the locus. *)

From mathcomp Require Import all_ssreflect perm all_algebra.
From SsrMultinomials Require Import mpoly.
From Headforms Require Import Congruence Forms Head Euclidean.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory.
Local Open Scope ring_scope.

Section Minors.
Variable F : fieldType.
Implicit Types (n N : nat).

Definition coordinates n N (Q K : 'M[F]_(n, N)) : 'I_((n + n) * N) -> F :=
  fun i => mxvec (stacked Q K) 0 i.

(** Every point of affine space is the list of coordinates of exactly one head. *)
Theorem coordinates_surjective n N (v : 'I_((n + n) * N) -> F) :
  exists Q, exists K, coordinates Q K =1 v :> ('I_((n + n) * N) -> F).
Proof.
pose M : 'M[F]_(n + n, N) := vec_mx (\row_i v i).
exists (dsubmx M), (usubmx M) => i.
by rewrite /coordinates /stacked vsubmxK vec_mxK mxE.
Qed.

Theorem coordinates_injective n N (Q K Q' K' : 'M[F]_(n, N)) :
  coordinates Q K =1 coordinates Q' K' -> Q = Q' /\ K = K'.
Proof.
move=> e; suff /eq_col_mx[] : stacked Q K = stacked Q' K' by [].
by apply: (can_inj mxvecK); apply/rowP => i; apply: e.
Qed.

Definition generic_matrix n N : 'M[{mpoly F[(n + n) * N]}]_(n + n, N) :=
  \matrix_(i, j) 'X_(mxvec_index i j).

Definition minor n N (f : 'I_(n + n) -> 'I_N) : {mpoly F[(n + n) * N]} :=
  \det (colsub f (generic_matrix n N)).

Theorem minorE n N (Q K : 'M[F]_(n, N)) (f : 'I_(n + n) -> 'I_N) :
  (minor f).@[coordinates Q K] = \det (colsub f (stacked Q K)).
Proof.
rewrite /minor -det_map_mx /=; congr (\det _); apply/matrixP => i j.
by rewrite !mxE mevalXU /coordinates mxvecE mxE.
Qed.

Theorem nondegenerate_open n N (Q K : 'M[F]_(n, N)) :
  nondegenerate Q K
  <-> exists f : 'I_(n + n) -> 'I_N, (minor f).@[coordinates Q K] != 0.
Proof.
split=> [ndg | [f]].
  have fullMT : row_full (stacked Q K)^T by rewrite /row_full mxrank_tr.
  exists (fullrankfun fullMT); rewrite minorE -det_tr trmx_mxsub -unitfE -unitmxE.
  exact: fullrowsub_unit.
rewrite minorE => nz; apply: (@det_nondegenerate _ _ _ _ _ (colsub f 1%:M)).
by rewrite mulmx_colsub mulmx1.
Qed.

(** The minor on the first [2n] columns. *)
Definition first_minor n N (le : (n + n <= N)%N) := @minor n N (widen_ord le).

Lemma first_minor_witness n N (le : (n + n <= N)%N) :
  (first_minor le).@[coordinates (witness_query n N) (witness_key n N)] = 1.
Proof.
rewrite minorE stacked_witness -[RHS](det1 _ (n + n)); congr (\det _).
by apply/matrixP => i j; rewrite !mxE ltn_ord andbT.
Qed.

(** The open set is not empty, over every field. *)
Theorem nondegenerate_nonempty n N (le : (n + n <= N)%N) : first_minor le != 0.
Proof.
apply/eqP => m0; have := first_minor_witness le; rewrite m0 meval0 => /esym/eqP.
by rewrite oner_eq0.
Qed.

Lemma det_hyperbolic n : \det (hyperbolic n : 'M[F]_(n + n)) = (- 1) ^+ n.
Proof.
pose D : 'M[F]_(n + n) := block_mx (- 1%:M) 0 0 1%:M.
pose A : 'M[F]_(n + n) := block_mx 1%:M 1%:M 0 1%:M.
pose B : 'M[F]_(n + n) := block_mx 1%:M 0 (- 1%:M) 1%:M.
have e : B *m (A *m hyperbolic n) = block_mx 1%:M 1%:M 0 (- 1%:M).
  rewrite /A /B /hyperbolic !mulmx_block.
  rewrite !(mulmx0, mul0mx, mulmx1, mul1mx, mulNmx, addr0, add0r).
  by rewrite addNr.
have := congr1 determinant e; rewrite !det_mulmx /A /B det_lblock !det_ublock.
rewrite !det1 !mul1r => ->.
by rewrite -scaleN1r detZ det1 mulr1.
Qed.

Theorem locus_square n (Q K : 'M[F]_(n, n + n)) :
  \det (score Q K + (score Q K)^T) = (- 1) ^+ n * \det (stacked Q K) ^+ 2.
Proof.
have -> : score Q K + (score Q K)^T
    = (stacked Q K)^T *m hyperbolic n *m stacked Q K.
  rewrite /score /hyperbolic /stacked tr_col_mx mul_row_block.
  by rewrite !mulmx0 !mulmx1 add0r addr0 mul_row_col trmx_mul trmxK addrC.
by rewrite !det_mulmx det_tr det_hyperbolic mulrC mulrA -expr2 mulrC.
Qed.

Lemma colsub_stacked n N N' (f : 'I_N' -> 'I_N) (Q K : 'M[F]_(n, N)) :
  colsub f (stacked Q K) = stacked (colsub f Q) (colsub f K).
Proof. by apply/matrixP => i j; rewrite !mxE; case: splitP => k _; rewrite !mxE. Qed.

(** The principal minor of [L + Lᵀ] on the columns [f] is the square of the minor of
    [M] on them, up to sign. *)
Theorem principal_minor_square n N (Q K : 'M[F]_(n, N)) (f : 'I_(n + n) -> 'I_N) :
  \det (mxsub f f (score Q K + (score Q K)^T))
  = (- 1) ^+ n * \det (colsub f (stacked Q K)) ^+ 2.
Proof.
rewrite colsub_stacked -locus_square; congr (\det _); apply/matrixP => i j; rewrite !mxE.
by congr (_ + _); apply: eq_bigr => k _; rewrite !mxE.
Qed.

(** So in terms of [S] alone principal minors suffice. *)
Theorem nondegenerate_principal_minor n N (Q K : 'M[F]_(n, N)) : 2%:R != 0 :> F ->
  nondegenerate Q K
  <-> exists f : 'I_(n + n) -> 'I_N, \det (mxsub f f (symmetric_part Q K)) != 0.
Proof.
move=> n2.
have e f : (\det (mxsub f f (symmetric_part Q K)) != 0)
    = ((minor f).@[coordinates Q K] != 0).
  have -> : mxsub f f (symmetric_part Q K)
      = 2%:R^-1 *: mxsub f f (score Q K + (score Q K)^T).
    by apply/matrixP => i j; rewrite !mxE.
  rewrite minorE detZ principal_minor_square.
  rewrite !mulf_eq0 !expf_eq0 invr_eq0 oppr_eq0 oner_eq0 (negbTE n2) /= !andbF.
  by rewrite /= orbb.
by split=> [/nondegenerate_open[f nz]|[f nz]]; [|apply/nondegenerate_open]; exists f; rewrite ?e // -e.
Qed.

End Minors.

Section OrderedField.
Variable F : realFieldType.
Implicit Types (n N k : nat).
Import Order.Theory Num.Theory.

Lemma gram_row_free k N (M : 'M[F]_(k, N)) : (\det (M *m M^T) != 0) = row_free M.
Proof.
rewrite -unitfE -unitmxE -row_free_unit; apply/idP/idP => [|fM].
  by rewrite -!row_leq_rank => /leq_trans; apply; apply: mxrankM_maxl.
rewrite -kermx_eq0; apply/negPn/negP => /rowV0Pn [x].
rewrite sub_kermx => /eqP xG x0; have xM : x *m M != 0.
  by apply: contraNneq x0 => xM0; apply/eqP/(row_free_inj fM); rewrite xM0 mul0mx.
have := norm2_gt0 xM; rewrite /norm2 trmx_mul mulmxA -[x *m M *m _]mulmxA xG.
by rewrite mul0mx mxE ltxx.
Qed.

(** One polynomial is enough over an ordered field: the Gram determinant. *)
Theorem nondegenerate_gram n N (Q K : 'M[F]_(n, N)) :
  nondegenerate Q K = (\det (stacked Q K *m (stacked Q K)^T) != 0).
Proof. by rewrite gram_row_free. Qed.

End OrderedField.
