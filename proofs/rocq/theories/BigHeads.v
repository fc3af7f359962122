(** * Big heads

    Statement.  Let [2n >= N], in particular let the head be big, [2n > N].
    - Over any field of characteristic other than 2, [rank S = N] outside the zero
      set of one non-zero polynomial in the entries of [(Q, K)].
    - Over an ordered field every signature [(p, q)] with [p + q = N] and
      [p, q <= n] occurs on a non-empty open set of heads.
    - No other signature occurs on a box.
    - So if [2n > N > 0], [S] is not hyperbolic plus zero on a non-empty open set:
      the hypothesis [2n <= N] of the theorem is necessary.

    Encoding.  A box ([Boxes.v]) is the closure of a non-empty open set.  The witness is
    [K = [E_p E_q]], [Q = [E_p -E_q]] with [E_r] the first [r] unit vectors, whose [S] is
    [diag(1^p, (-1)^q)].

    Reference.  Not in the paper; theory 2.7 of this project. *)

From mathcomp Require Import all_ssreflect all_algebra.
From SsrMultinomials Require Import mpoly.
From Headforms Require Import Arithmetic Congruence Forms Head HyperbolicPlusZero.
From Headforms Require Import Infinite Locus Boxes Euclidean Inertia RankBalance Signature.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Order.Theory Num.Theory.
Local Open Scope ring_scope.

Section AnyField.
Variable F : fieldType.
Implicit Types (n p q N : nat).

Definition split_key n p q : 'M[F]_(n, p + q) := row_mx (pid_mx p) (pid_mx q).
Definition split_query n p q : 'M[F]_(n, p + q) := row_mx (pid_mx p) (- pid_mx q).

(** [diag(1^p, (-1)^q)]. *)
Definition signs p q : 'M[F]_(p + q) := block_mx 1%:M 0 0 (- 1%:M).

Lemma symmetric_part_paired n p q (A : 'M[F]_(n, p)) (B : 'M[F]_(n, q)) :
  2%:R != 0 :> F ->
  symmetric_part (row_mx A (- B)) (row_mx A B)
  = block_mx (A^T *m A) 0 0 (- (B^T *m B)).
Proof.
move=> n2; have half k (X : 'M[F]_k) : X^T = X -> 2%:R^-1 *: (X + X^T) = X.
  by move=> ->; rewrite -mulr2n -scaler_nat scalerA mulVf // scale1r.
have gram k (X : 'M[F]_(n, k)) : (X^T *m X)^T = X^T *m X by rewrite trmx_mul trmxK.
rewrite /symmetric_part /symmetrised /score tr_row_mx mul_col_row tr_block_mx add_block_mx.
rewrite scale_block_mx half // half; last by rewrite mulmxN linearN /= gram.
have -> : A^T *m (- B) + (B^T *m A)^T = 0 by rewrite trmx_mul trmxK mulmxN addNr.
have -> : B^T *m A + (A^T *m (- B))^T = 0.
  by rewrite mulmxN linearN /= trmx_mul trmxK subrr.
by rewrite !scaler0 mulmxN.
Qed.

Lemma symmetric_part_split n p q : 2%:R != 0 :> F -> (p <= n)%N -> (q <= n)%N ->
  symmetric_part (split_query n p q) (split_key n p q) = signs p q.
Proof.
move=> n2 lep leq; rewrite symmetric_part_paired // /signs !tr_pid_mx.
by rewrite !pid_mx_id // !pid_mx_1.
Qed.

Lemma signs_unit p q : signs p q \in unitmx.
Proof.
have : signs p q *m signs p q = 1%:M.
  rewrite /signs mulmx_block !(mulmx0, mul0mx, mulmx1, addr0, add0r) mulNmx mul1mx opprK.
  by rewrite -scalar_mx_block.
by case/mulmx1_unit.
Qed.

(** Twice the symmetric part of the generic head, and its determinant. *)
Definition generic_determinant n N : {mpoly F[(n + n) * N]} :=
  \det ((generic_matrix F n N)^T *m map_mx (@mpolyC _ F) (hyperbolic n)
        *m generic_matrix F n N).

Lemma generic_determinantE n N (Q K : 'M[F]_(n, N)) : 2%:R != 0 :> F ->
  (generic_determinant n N).@[coordinates Q K] = \det (2%:R *: symmetric_part Q K).
Proof.
move=> n2; rewrite symmetric_partE scalerA mulfV // scale1r.
have gE : map_mx (meval (coordinates Q K)) (generic_matrix F n N) = stacked Q K.
  by apply/matrixP => i j; rewrite !mxE mevalXU /coordinates mxvecE mxE.
rewrite /generic_determinant -det_map_mx !map_mxM -map_trmx gE.
congr (\det (_ *m _ *m _)); apply/matrixP => i j.
by rewrite !mxE /= mevalC.
Qed.

Lemma generic_determinant_witness n N : 2%:R != 0 :> F -> (N <= n + n)%N ->
  exists Q, exists K : 'M[F]_(n, N), (generic_determinant n N).@[coordinates Q K] != 0.
Proof.
move=> n2 le.
have [p [q [defN lep leq]]] : exists p q, [/\ N = p + q, p <= n & q <= n]%N.
  exists (minn n N), (N - minn n N)%N; rewrite subnKC ?geq_minr // geq_minl.
  by split=> //; case: (leqP n N) => *; dimensions.
subst N; exists (split_query n p q), (split_key n p q).
rewrite generic_determinantE // symmetric_part_split // detZ mulf_neq0 ?expf_neq0 //.
by rewrite -unitfE -unitmxE signs_unit.
Qed.

Lemma generic_determinant_rank n N (Q K : 'M[F]_(n, N)) : 2%:R != 0 :> F ->
  (generic_determinant n N).@[coordinates Q K] != 0 -> \rank (symmetric_part Q K) = N.
Proof.
move=> n2; rewrite generic_determinantE // -unitfE -unitmxE => u.
by have := mxrank_unit u; rewrite (eqmx_scale _ n2).
Qed.

Theorem big_head_rank n N : 2%:R != 0 :> F -> (N <= n + n)%N ->
  exists2 g : {mpoly F[(n + n) * N]}, g != 0 &
    forall Q K, g.@[coordinates Q K] != 0 -> \rank (symmetric_part Q K) = N.
Proof.
move=> n2 le; exists (generic_determinant n N) => [|Q K]; last exact: generic_determinant_rank.
have [Q [K nz]] := generic_determinant_witness n2 le.
by apply: contraNneq nz => ->; rewrite meval0.
Qed.

(** So over an infinite field [rank S = N] on a dense set. *)
Theorem big_head_dense n N (p : {mpoly F[(n + n) * N]}) : 2%:R != 0 :> F ->
  infinite_field F -> (N <= n + n)%N ->
  (forall Q K : 'M[F]_(n, N), \rank (symmetric_part Q K) = N -> p.@[coordinates Q K] = 0) ->
  p = 0.
Proof.
move=> n2 infF le p0; have [g g0 gen] := big_head_rank n2 le.
apply: (generic_dense infF g0) => v; have [Q [K /meval_eq e]] := coordinates_surjective v.
by rewrite -!e => /gen/p0.
Qed.

End AnyField.

Section OrderedField.
Variable F : realFieldType.
Implicit Types (n m p q N : nat).

Lemma sum_of_sums m (x : 'rV[F]_m) :
  (\sum_i `|x 0 i|) ^+ 2 <= m%:R * norm2 x.
Proof.
have := cauchy_schwarz (fun=> 1) (fun i : 'I_m => `|x 0 i|).
have -> : \sum_(i < m) 1 * `|x 0 i| = \sum_i `|x 0 i| by apply: eq_bigr => i _; rewrite mul1r.
have -> : \sum_(i < m) (1 : F) ^+ 2 = m%:R by rewrite (eq_bigr (fun=> 1)) ?sumr_const ?card_ord // => i _; rewrite expr1n.
by rewrite norm2E; under [X in _ <= _ * X]eq_bigr do rewrite real_normK ?num_real //.
Qed.

(** A matrix of small entries has a small form. *)
Lemma form_small m (E : 'M[F]_m) (d : F) (x : 'rV[F]_m) : 0 <= d ->
  (forall i j, `|E i j| <= d) -> `|form E x| <= d * m%:R * norm2 x.
Proof.
move=> d0 small; apply: (@le_trans _ _ (d * (\sum_i `|x 0 i|) ^+ 2)); last first.
  by rewrite -mulrA ler_wpmul2l // sum_of_sums.
rewrite /form mxE expr2 mulr_sumr mulr_sumr.
apply: le_trans (ler_norm_sum _ _ _) _; apply: ler_sum => j _.
rewrite normrM [x^T j 0]mxE mulrA ler_wpmul2r // mulr_sumr mxE.
apply: le_trans (ler_norm_sum _ _ _) _; apply: ler_sum => i _.
by rewrite normrM mulrC ler_wpmul2r.
Qed.

(** A symmetric matrix entrywise close to [diag(1^p, (-1)^q)] has signature [(p, q)]. *)
Lemma near_signs p q (S : 'M[F]_(p + q)) (d : F) : S^T = S -> 0 <= d ->
  d * (p + q)%:R < 1 -> (forall i j, `|S i j - signs F p q i j| <= d) ->
  signature S p q 0.
Proof.
move=> sS d0 dN near; pose E := S - signs F p q.
have smallE i j : `|E i j| <= d by rewrite /E mxE [X in _ + X]mxE.
have SE x : form S x = form (signs F p q) x + form E x.
  by rewrite -[in LHS](subrK (signs F p q) S) -/E addrC /form mulmxDr mulmxDl mxE.
have bound x : `|form E x| <= d * (p + q)%:R * norm2 x by apply: form_small.
have strict x : x != 0 -> `|form E x| < norm2 x.
  move=> x0; apply: le_lt_trans (bound x) _.
  by rewrite -[X in _ < X]mul1r ltr_pmul2r // norm2_gt0.
pose U : 'M[F]_(p, p + q) := row_mx 1%:M 0; pose V : 'M[F]_(q, p + q) := row_mx 0 1%:M.
have fU x : form (signs F p q) (x *m U) = norm2 (x *m U).
  rewrite /form /norm2 /U /signs mul_mx_row mulmx1 mulmx0 mul_row_block.
  by rewrite !(mulmx0, mul0mx, mulmx1, addr0, add0r).
have fV x : form (signs F p q) (x *m V) = - norm2 (x *m V).
  rewrite /form /norm2 /V /signs mul_mx_row mulmx1 mulmx0 mul_row_block.
  rewrite !(mulmx0, mul0mx, mulmx1, addr0, add0r) !tr_row_mx !mul_row_col trmx0.
  by rewrite !mul0mx !add0r mulmxN mulmx1 mulNmx mxE.
have rU : row_free U by rewrite /row_free /U -[row_mx _ _]pid_mx_row rank_pid_mx ?leq_addr.
have rV : row_free V.
  by apply/row_freeP; exists (col_mx 0 1%:M); rewrite /V mul_row_col mul0mx mulmx1 add0r.
have nz m (W : 'M[F]_(m, p + q)) (x : 'rV_m) : row_free W -> x != 0 -> x *m W != 0.
  by move=> fW; apply: contraNneq => xW; apply/eqP/(row_free_inj fW); rewrite xW mul0mx.
have pU : positive_definite_on S U.
  move=> x x0; rewrite SE fU -ltr_subl_addr sub0r.
  by rewrite (le_lt_trans _ (strict _ (nz _ _ _ rU x0))) // -normrN ler_norm.
have pV : positive_definite_on (- S) V.
  move=> x x0; rewrite formN SE fV opprD opprK subr_gt0.
  by rewrite (le_lt_trans (ler_norm _)) // strict // nz.
have nonneg m (W : 'M[F]_(m, p + q)) (T : 'M[F]_(p + q)) y :
    positive_definite_on T W -> 0 <= form T (y *m W).
  by move=> pd; have [->|/pd/ltW //] := eqVneq y 0; rewrite mul0mx form0.
have ip : positive_index S p.
  apply: (positive_index_certificate pU rV) => // y.
  by rewrite -oppr_ge0 -formN nonneg.
have iq : positive_index (- S) q.
  apply: (positive_index_certificate pV rU); last by rewrite addnC.
  by move=> y; rewrite formN oppr_le0 nonneg.
split=> //; have [p' [q' [z' [[ip' iq' <-] e]]]] := signature_exists sS.
by move: e; rewrite (positive_index_uniq ip' ip) (positive_index_uniq iq' iq) => *; dimensions.
Qed.

Lemma split_entries n p q i j :
  `|split_query F n p q i j| <= 1 /\ `|split_key F n p q i j| <= 1.
Proof.
rewrite /split_query /split_key !mxE; case: splitP => k _; rewrite !mxE ?normrN;
  by case: (_ && _); rewrite ?normr1 ?normr0.
Qed.

Lemma near_product (a b a0 b0 e : F) : 0 <= e -> e <= 1 -> `|a0| <= 1 -> `|b0| <= 1 ->
  `|a - a0| <= e -> `|b - b0| <= e -> `|a * b - a0 * b0| <= 3%:R * e.
Proof.
move=> e0 e1 la lb na nb.
have -> : a * b - a0 * b0 = (a - a0) * (b - b0) + (a - a0) * b0 + a0 * (b - b0).
  by rewrite -mulrDr subrK mulrBl mulrBr addrA subrK.
apply: le_trans (ler_norm_add _ _) _.
have -> : 3%:R * e = e + e + e by rewrite mulr_natl !mulrSr mulr0n add0r.
apply: ler_add; last by rewrite normrM -[e]mul1r ler_pmul.
apply: le_trans (ler_norm_add _ _) _; apply: ler_add; rewrite normrM -[e]mulr1 ler_pmul //.
exact: le_trans nb e1.
Qed.

Theorem big_head_signatures n p q : (p <= n)%N -> (q <= n)%N ->
  exists Q, exists K : 'M[F]_(n, p + q), exists2 e : F, 0 < e &
    forall Q' K', in_box Q K e Q' K' -> signature (symmetric_part Q' K') p q 0.
Proof.
move=> lep leq; exists (split_query F n p q), (split_key F n p q).
pose c : F := (n * 3 * (p + q))%:R + 1; have c0 : 0 < c by rewrite ltr_paddl ?ler0n ?ltr01.
have e1 : c^-1 <= 1 by rewrite invf_le1 // ler_addr ler0n.
exists c^-1; first by rewrite invr_gt0.
move=> Q' K' box; apply: (@near_signs _ _ _ (n%:R * (3%:R * c^-1))).
- exact: symmetric_part_tr.
- by rewrite !mulr_ge0 ?ler0n // invr_ge0 ltW.
- rewrite mulrA mulrAC -!natrM ltr_pdivr_mulr // mul1r /c ltr_addl.
  exact: ltr01.
- have nearL i j : `|score Q' K' i j - score (split_query F n p q) (split_key F n p q) i j|
      <= n%:R * (3%:R * c^-1).
    rewrite !mxE -sumrB; apply: le_trans (ler_norm_sum _ _ _) _.
    have -> : n%:R * (3%:R * c^-1) = \sum_(k < n) 3%:R * c^-1.
      by rewrite sumr_const card_ord mulr_natl.
    apply: ler_sum => k _; rewrite !mxE; apply: near_product => //.
    + by rewrite invr_ge0 ltW.
    + by have [_ ] := split_entries k i; rewrite mxE.
    + by have [+ _] := split_entries k j; rewrite mxE.
    + by have [_ ] := box k i; rewrite !mxE.
    + by have [+ _] := box k j; rewrite !mxE.
  move=> i j; rewrite -(symmetric_part_split (two_neq0 F) lep leq).
  have SE (A B : 'M[F]_(n, p + q)) :
      symmetric_part A B i j = 2%:R^-1 * (score A B i j + score A B j i).
    by rewrite mxE [X in _ * X]mxE [X in _ + X]mxE.
  rewrite !SE -mulrBr normrM ger0_norm ?invr_ge0 ?ler0n // ler_pdivr_mull ?ltr0n //.
  rewrite opprD addrACA; apply: le_trans (ler_norm_add _ _) _.
  by rewrite [2%:R * _]mulr_natl mulr2n ler_add.
Qed.

(** And no other signature is that of a whole box. *)
Theorem big_head_no_other n N (Q K : 'M[F]_(n, N)) (e : F) p q z :
  (N <= n + n)%N -> 0 < e ->
  (forall Q' K', in_box Q K e Q' K' -> signature (symmetric_part Q' K') p q z) ->
  [/\ (p + q = N)%N, (p <= n)%N, (q <= n)%N & z = 0%N].
Proof.
move=> le e0 box; have sig := box _ _ (in_box_centre Q K e0).
have [lep leq] := head_rank_balance sig.
have [Q0 [K0 nz]] := generic_determinant_witness (two_neq0 F) le.
have [w near gw] := generic_in_every_box (coordinates Q K) nz e0.
have [Q' [K' wE]] := coordinates_surjective w.
have rk : \rank (symmetric_part Q' K') = N.
  by apply: generic_determinant_rank; rewrite ?two_neq0 // (meval_eq _ wE).
have [_ _] : signature (symmetric_part Q' K') p q z.
  by apply/box/near_in_box => i; rewrite wE.
rewrite mxrank_ker rk subnn => z0; subst z; split=> //.
have [p' [q' [z' [sig' <-]]]] := signature_exists (symmetric_part_tr Q K).
by have [-> -> <-] := signature_uniq sig sig'; rewrite addn0.
Qed.

(** The conclusion of the theorem fails on a non-empty open set of big heads. *)
Theorem big_heads_fail n N : (0 < N < n + n)%N ->
  exists Q, exists K : 'M[F]_(n, N), exists2 e : F, 0 < e &
    forall Q' K', in_box Q K e Q' K' ->
      forall m, (m + m <= N)%N -> ~ congruent (symmetric_part Q' K') (hyperbolic_zero m N).
Proof.
case/andP=> N0 big; pose p := minn n N; pose q := (N - p)%N.
have defN : N = (p + q)%N by rewrite subnKC // geq_minr.
have lep : (p <= n)%N by rewrite geq_minl.
have [leq pq] : (q <= n)%N /\ p <> q.
  by rewrite /q /p; case: (leqP n N) => *; split; dimensions.
move: p q defN lep leq pq => p q defN lep leq pq; subst N.
have [Q [K [e e0 box]]] := big_head_signatures lep leq.
exists Q, K, e => // Q' K' /box sig m le cong.
have ndg := nondegenerate_witness F le.
have sigW := nondegenerate_signature ndg.
have := congruent_signature cong sig.
have := congruent_signature (hyperbolic_plus_zero (two_neq0 F) ndg) sigW.
by move=> s1 s2; have [e1 e2 _] := signature_uniq s1 s2; rewrite -e1 -e2 in pq.
Qed.

End OrderedField.
