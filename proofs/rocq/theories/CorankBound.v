(** * The corank bound

    Statement.  Let [rank M = 2n - k] and let [A] be the Gram matrix of the
    annihilator of [im M], [t = k - rank A] the dimension of its radical.  Over any
    field of characteristic other than 2 the Witt index [w] of [S] satisfies
    [n <= w + k], and its anisotropic part has dimension
    [rank S - 2w <= rank A = k - t].  Over an ordered field
    [|n₊ - n₋| <= k - t].  A nondegenerate head ([k = 0]) has Witt index [n].

    Encoding.  [k] is the number of rows of [U], a basis of the left kernel of [M], and
    [A = UJUᵀ].  The isotropic subspace behind it all is [ker K + rad S]: the bound on
    the planes ([corank_planes]) names them and does not speak of the Witt index.

    Reference.  Not in the paper; theory 2.4 of this project.  Lam, I.4 (Witt index). *)

From mathcomp Require Import all_ssreflect all_algebra.
From Headforms Require Import Arithmetic Congruence Forms Head RankRadical WittIndex.
From Headforms Require Import FactorLemma Inertia Annihilator.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory.
Local Open Scope ring_scope.

Section AnyField.
Variable F : fieldType.
Implicit Types (k n N w m : nat).

(** [ker K] meets the radical in a space of codimension at least [n - k]. *)
Lemma key_kernel n N (Q K : 'M[F]_(n, N)) : 2%:R != 0 :> F ->
  let G := kermx K^T in let S := symmetric_part Q K in
  G *m S *m G^T = 0 /\ (\rank (stacked Q K) <= n + \rank (G *m S))%N.
Proof.
move=> n2 G S; have GK : G *m K^T = 0 by rewrite mulmx_ker.
have GS : G *m S = 2%:R^-1 *: (G *m Q^T *m K).
  rewrite /S /symmetric_part /symmetrised /score -scalemxAr mulmxDr mulmxA GK mul0mx add0r.
  by rewrite trmx_mul trmxK mulmxA.
split.
  rewrite GS -scalemxAl -mulmxA -[K]trmxK -trmx_mul GK trmx0 mulmx0.
  by rewrite scaler0.
rewrite GS (eqmx_scale _ (invr_neq0 n2)).
have e1 := mxrank_mul_min (G *m Q^T) K.
have e2 := mxrank_mul_ker G Q^T.
have rG : \rank G = (N - \rank K)%N by rewrite mxrank_ker mxrank_tr.
have e3 : \rank (G :&: kermx Q^T)%MS = (N - \rank (stacked Q K))%N.
  transitivity (\rank (kermx (stacked Q K)^T)); last by rewrite mxrank_ker mxrank_tr.
  rewrite /stacked tr_col_mx; apply: eqmx_rank.
  apply/andP; split; apply/rV_subP => x.
    rewrite sub_capmx => /andP[/sub_kermxP xK /sub_kermxP xQ].
    by apply/sub_kermxP; rewrite mul_mx_row xK xQ row_mx0.
  move/sub_kermxP; rewrite mul_mx_row => /eqP; rewrite row_mx_eq0.
  by case/andP=> /eqP xK /eqP xQ; rewrite sub_capmx; apply/andP; split; apply/sub_kermxP.
have := rank_leq_col (stacked Q K); have := rank_leq_col K.
by rewrite rG e3 in e2 => *; dimensions.
Qed.

(** The subspace that the bound rests on: isotropic, of dimension at least
    [rad S + rank M - n]. *)
Theorem corank_isotropic n N (Q K : 'M[F]_(n, N)) : 2%:R != 0 :> F ->
  exists m, exists2 E : 'M_(m, N), isotropic (symmetric_part Q K) E
    & (\rank (kermx (symmetric_part Q K)) + \rank (stacked Q K) <= n + m)%N.
Proof.
move=> n2; have [iG le] := key_kernel Q K n2.
have [E iE _] := isotropic_radical (symmetric_part_tr Q K) iG.
eexists; exists E => //.
set G := kermx K^T in le *; set S := symmetric_part Q K in le *.
have := mxrank_mul_ker G S; have := mxrank_sum_cap G (kermx S).
by move=> *; dimensions.
Qed.

(** At least [rank M - n = n - k] hyperbolic planes split off. *)
Theorem corank_planes n N (Q K : 'M[F]_(n, N)) w : 2%:R != 0 :> F ->
  (n + w <= \rank (stacked Q K))%N ->
  exists2 B : 'M[F]_(N - (w + w)), B^T = B
    & isometric (symmetric_part Q K) (orthogonal_sum (hyperbolic w) B).
Proof.
move=> n2 le; have [m [E iE lem]] := corank_isotropic Q K n2.
apply: (hyperbolic_planes n2 (symmetric_part_tr Q K) iE).
by dimensions.
Qed.

Theorem corank_bound_witt n N (Q K : 'M[F]_(n, N)) w : 2%:R != 0 :> F ->
  witt_index (symmetric_part Q K) w -> (\rank (stacked Q K) <= n + w)%N.
Proof.
move=> n2 [_ maxE]; have [m [E iE le]] := corank_isotropic Q K n2.
by have := maxE _ _ iE => *; dimensions.
Qed.

Theorem corank_bound k n N (Q K : 'M[F]_(n, N)) (U : 'M[F]_(k, n + n)) w :
  2%:R != 0 :> F -> left_kernel_basis U (stacked Q K) ->
  witt_index (symmetric_part Q K) w ->
  (n <= w + k)%N
  /\ (\rank (symmetric_part Q K) <= w + w + \rank (annihilator_gram U))%N.
Proof.
move=> n2 lk wi; have := corank_bound_witt n2 wi.
have := left_kernel_dimension lk; have := annihilator_rank n2 lk.
by move=> *; split; dimensions.
Qed.

(** The number [t] of the bound, the dimension of the radical of [A], is that of the
    radical of the matrix [½CᵀJC] of the factor lemma. *)
Theorem radical_dimensions k n N (Q K : 'M[F]_(n, N)) (U : 'M[F]_(k, n + n))
    (C : 'M[F]_(n + n, \rank (stacked Q K))) (B : 'M[F]_(\rank (stacked Q K), N)) :
  2%:R != 0 :> F -> left_kernel_basis U (stacked Q K) ->
  stacked Q K = C *m B -> row_free B ->
  \rank (kermx (2%:R^-1 *: (C^T *m hyperbolic n *m C)))
  = \rank (kermx (annihilator_gram U)).
Proof.
move=> n2 lk MCB fB; have rk := annihilator_rank n2 lk.
have := congruent_rank (factor_lemma MCB fB); rewrite rank_padded ?rank_leq_col // => rS.
have := rank_leq_row (annihilator_gram U); rewrite !mxrank_ker -rS.
have := rank_symmetric_part_le Q K.
by move=> *; dimensions.
Qed.

Theorem nondegenerate_witt_index n N (Q K : 'M[F]_(n, N)) : 2%:R != 0 :> F ->
  nondegenerate Q K -> witt_index (symmetric_part Q K) n.
Proof.
move=> n2 ndg; have rS := rank_symmetric_part n2 ndg; have le := nondegenerate_le ndg.
have max m (E : 'M_(m, N)) : isotropic (symmetric_part Q K) E ->
    (m <= \rank (kermx (symmetric_part Q K)) + n)%N.
  by move/isotropic_le; rewrite mxrank_ker rS => *; dimensions.
split=> //; have [m [E iE lem]] := corank_isotropic Q K n2.
suff -> : (\rank (kermx (symmetric_part Q K)) + n)%N = m by exists E.
have := max _ _ iE; move: lem; rewrite (eqP ndg).
by move=> *; dimensions.
Qed.

End AnyField.

(** The signature version. *)
Theorem corank_bound_signature (F : realFieldType) k n N (Q K : 'M[F]_(n, N))
    (U : 'M[F]_(k, n + n)) p q z :
  left_kernel_basis U (stacked Q K) -> signature (symmetric_part Q K) p q z ->
  (p <= q + \rank (annihilator_gram U))%N /\ (q <= p + \rank (annihilator_gram U))%N.
Proof.
move=> lk sS; have [a [b [t [sA e]]]] := signature_exists (annihilator_gram_tr U).
have [p' [q' [z' [sS' [e1 e2 e3]]]]] := annihilator_signature lk sA.
have [-> -> _] := signature_uniq sS sS'; have [_ _ ez] := sA.
have := rank_leq_row (annihilator_gram U); rewrite mxrank_ker in ez.
by move=> *; split; dimensions.
Qed.
