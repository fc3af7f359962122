(** * The corank bound

    Statement.  Let [rank M = 2n - k] and let [A] be the Gram matrix of the
    annihilator of [im M], [t = k - rank A] the dimension of its radical.  Over any
    field of characteristic other than 2 the Witt index [w] of [S] satisfies
    [n <= w + k], and its anisotropic part has dimension
    [rank S - 2w <= rank A = k - t].  Over an ordered field
    [|n₊ - n₋| <= k - t].  A nondegenerate head ([k = 0]) has Witt index [n].

    Encoding.  [witt_index S w]: the totally isotropic subspaces of largest dimension
    have dimension [rad S + w].  The isotropic subspace used here is
    [ker K + rad S].

    Reference.  Not in the paper; theory 2.4 of this project.  Lam, I.4 (Witt index). *)

From mathcomp Require Import all_ssreflect all_algebra.
From Headforms Require Import Arithmetic Congruence Diagonalisation Forms Head RankRadical.
From Headforms Require Import Inertia Annihilator.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory.
Local Open Scope ring_scope.

Section AnyField.
Variable F : fieldType.
Implicit Types (k n N w m : nat).

(** The rows of [E] span a totally isotropic subspace of dimension [m]. *)
Definition isotropic N (S : 'M[F]_N) m (E : 'M[F]_(m, N)) : Prop :=
  row_free E /\ E *m S *m E^T = 0.

Definition isotropy_dimension N (S : 'M[F]_N) d : Prop :=
  (exists E : 'M[F]_(d, N), isotropic S E) /\
  (forall m (E : 'M[F]_(m, N)), isotropic S E -> (m <= d)%N).

Definition witt_index N (S : 'M[F]_N) w : Prop :=
  isotropy_dimension S (\rank (kermx S) + w).

(** Isotropic subspaces have at most half the dimension, up to the radical. *)
Lemma isotropic_le N (S : 'M[F]_N) m (E : 'M[F]_(m, N)) :
  isotropic S E -> (m + m <= N + \rank (kermx S))%N.
Proof.
case=> fE iE; have fE' : \rank E = m by apply/eqP.
have : (\rank (E *m S) + \rank E^T - N <= 0)%N.
  by rewrite -(mxrank0 F m m) -iE mxrank_mul_min.
rewrite mxrank_tr fE' => le; have := mxrank_mul_ker E S; rewrite fE'.
have : (\rank (E :&: kermx S)%MS <= \rank (kermx S))%N by rewrite mxrankS ?capmxSr.
by move=> *; dimensions.
Qed.

Lemma witt_index_le N (S : 'M[F]_N) w : witt_index S w -> (w + w <= \rank S)%N.
Proof.
case=> -[E iE] _; have := isotropic_le iE; have := rank_leq_row S.
by rewrite mxrank_ker => *; dimensions.
Qed.

(** An isotropic subspace stays isotropic when the radical is added to it. *)
Lemma isotropic_radical N (S : 'M[F]_N) m (G : 'M[F]_(m, N)) :
  S^T = S -> G *m S *m G^T = 0 ->
  exists2 E : 'M[F]_(\rank (G + kermx S)%MS, N), isotropic S E & (E :=: G + kermx S)%MS.
Proof.
move=> sS iG; exists (row_base (G + kermx S)%MS); last exact: eq_row_base.
split; first exact: row_base_free.
pose C := col_mx G (kermx S); have CSC : C *m S *m C^T = 0.
  have GSk : G *m S *m (kermx S)^T = 0.
    apply: trmx_inj; rewrite trmx_mul trmxK trmx_mul sS mulmxA mulmx_ker.
    by rewrite mul0mx trmx0.
  rewrite /C mul_col_mx mulmx_ker tr_col_mx mul_col_row iG GSk !mul0mx.
  exact: block_mx0.
have /submxP [D e] : (row_base (G + kermx S)%MS <= C)%MS.
  by rewrite eq_row_base addsmxE.
rewrite e trmx_mul !mulmxA -[D *m C *m S]mulmxA -[D *m _ *m C^T]mulmxA CSC.
by rewrite mulmx0 mul0mx.
Qed.

(** [ker K] meets the radical in a space of codimension at least [n - k]. *)
Lemma key_kernel n N (Q K : 'M[F]_(n, N)) : 2%:R != 0 :> F ->
  let G := kermx K^T in let S := symmetric_part Q K in
  G *m S *m G^T = 0 /\ (\rank (stacked Q K) <= n + \rank (G *m S))%N.
Proof.
move=> n2 G S; have GK : G *m K^T = 0 by rewrite mulmx_ker.
have GS : G *m S = 2%:R^-1 *: (G *m Q^T *m K).
  rewrite /S /symmetric_part /score -scalemxAr mulmxDr mulmxA GK mul0mx add0r.
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

Theorem corank_bound_witt n N (Q K : 'M[F]_(n, N)) w : 2%:R != 0 :> F ->
  witt_index (symmetric_part Q K) w -> (\rank (stacked Q K) <= n + w)%N.
Proof.
move=> n2 [_ maxE]; have [iG le] := key_kernel Q K n2.
have [E iE _] := isotropic_radical (symmetric_part_tr Q K) iG.
have := maxE _ _ iE; set G := kermx K^T in iG le iE *; set S := symmetric_part Q K in iG le iE *.
have := mxrank_mul_ker G S; have := mxrank_sum_cap G (kermx S).
by move=> *; dimensions.
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

Theorem nondegenerate_witt_index n N (Q K : 'M[F]_(n, N)) w : 2%:R != 0 :> F ->
  nondegenerate Q K -> witt_index (symmetric_part Q K) w -> w = n.
Proof.
move=> n2 ndg wi; have := corank_bound_witt n2 wi; have := witt_index_le wi.
by rewrite rank_symmetric_part // (eqP ndg) => *; dimensions.
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
