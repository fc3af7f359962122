(** * The spectrum of a head from its Gram matrix

    Statement.  Let [G = MMᵀ], [2n x 2n], and [A = ½JG].  Over every field of
    characteristic other than 2
    - [tr S^k = tr A^k] for [k >= 1], and [‖S‖² = ¼ tr (JG)²];
    - [χ_S X^(2n) = χ_A X^N] for the characteristic polynomials: [S] and [A] have the
      same non-zero eigenvalues with multiplicities, for every head.
    Over an ordered field [A] is invertible when the head is nondegenerate, so that
    all its eigenvalues are non-zero ones of [S].
    For rank one, [n = 1], with [t = tr L] and [‖L‖ = 1]: the non-zero eigenvalues of [S]
    are those of [(t + 1)/2] and [(t - 1)/2] that are not zero.

    Encoding.  [matrix_power A k] is the k-th power of a square matrix of any size, 0 included.

    Reference.  Lemma 10 and the computation behind Proposition 4 of O'Desky,
    arXiv 2609.22990; the determinant identity is Sylvester's. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Headforms Require Import Congruence Forms Head Euclidean Energies Locus.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory.
Local Open Scope ring_scope.

Section AnyField.
Variable F : fieldType.
Implicit Types (k m n N : nat).

Definition gram n N (Q K : 'M[F]_(n, N)) : 'M[F]_(n + n) :=
  stacked Q K *m (stacked Q K)^T.

(** [½JG], the matrix that replaces [S]. *)
Definition reduced_form n N (Q K : 'M[F]_(n, N)) : 'M[F]_(n + n) :=
  2%:R^-1 *: (hyperbolic n *m gram Q K).

Definition matrix_power N (A : 'M[F]_N) k : 'M[F]_N := iter k (mulmx A) 1%:M.

Lemma trace_power_swap m N (A : 'M[F]_(m, N)) (B : 'M[F]_(N, m)) k : (0 < k)%N ->
  \tr (matrix_power (A *m B) k) = \tr (matrix_power (B *m A) k).
Proof.
have slide j : A *m matrix_power (B *m A) j = matrix_power (A *m B) j *m A.
  elim: j => [|j IH]; first by rewrite /= mulmx1 mul1mx.
  by rewrite /= -[RHS]mulmxA -IH !mulmxA.
case: k => // k _; rewrite /= -[X in _ = \tr X]mulmxA slide [RHS]mxtrace_mulC.
by rewrite -[X in _ = \tr X]mulmxA mxtrace_mulC.
Qed.

(** Sylvester: [AB] and [BA] have the same non-zero eigenvalues. *)
Lemma char_poly_swap m N (A : 'M[F]_(m, N)) (B : 'M[F]_(N, m)) :
  char_poly (A *m B) * 'X^N = char_poly (B *m A) * 'X^m.
Proof.
pose a : 'M[{poly F}]_(m, N) := map_mx polyC A; pose b : 'M[{poly F}]_(N, m) := map_mx polyC B.
pose T : 'M[{poly F}]_(m + N) := block_mx 'X%:M a b 1%:M.
have left : \det T = char_poly (A *m B).
  have -> : T = block_mx ('X%:M - a *m b) a 0 1%:M *m block_mx 1%:M 0 b 1%:M.
    by rewrite mulmx_block !(mulmx1, mulmx0, mul0mx, mul1mx, add0r, addr0) subrK.
  by rewrite det_mulmx det_ublock det_lblock !det1 !mulr1 /char_poly /char_poly_mx map_mxM.
have right : \det T * 'X^N = 'X^m * char_poly (B *m A).
  pose E : 'M[{poly F}]_(m + N) := block_mx 1%:M 0 (- b) 'X%:M.
  have <- : \det (E *m T) = \det T * 'X^N.
    by rewrite det_mulmx det_lblock det1 mul1r det_scalar mulrC.
  have -> : E *m T = block_mx 'X%:M a 0 ('X%:M - b *m a).
    rewrite mulmx_block !(mulmx1, mul0mx, mul1mx, addr0) !mulNmx.
    by rewrite scalar_mxC addNr addrC.
  by rewrite det_ublock det_scalar /char_poly /char_poly_mx map_mxM.
by rewrite -left right mulrC.
Qed.

Section Head.
Variables n N : nat.
Variables Q K : 'M[F]_(n, N).

Local Notation A := (2%:R^-1 *: (hyperbolic n *m stacked Q K)).

Lemma symmetric_part_factors : symmetric_part Q K = (stacked Q K)^T *m A.
Proof. by rewrite symmetric_partE -scalemxAr mulmxA. Qed.

Lemma reduced_form_factors : reduced_form Q K = A *m (stacked Q K)^T.
Proof. by rewrite /reduced_form /gram -scalemxAl mulmxA. Qed.

Theorem trace_powers k : (0 < k)%N ->
  \tr (matrix_power (symmetric_part Q K) k) = \tr (matrix_power (reduced_form Q K) k).
Proof. by move=> k0; rewrite symmetric_part_factors reduced_form_factors trace_power_swap. Qed.

Theorem symmetric_energy_gram :
  frobenius2 (symmetric_part Q K)
  = 4%:R^-1 * \tr (hyperbolic n *m gram Q K *m (hyperbolic n *m gram Q K)).
Proof.
rewrite frobenius2_trace symmetric_part_tr.
have := trace_powers (isT : (0 < 2)%N); rewrite /= !mulmx1 => ->.
rewrite /reduced_form -scalemxAl -scalemxAr scalerA mxtraceZ.
by rewrite -invfM -natrM.
Qed.

Theorem same_spectrum :
  char_poly (symmetric_part Q K) * 'X^(n + n) = char_poly (reduced_form Q K) * 'X^N.
Proof. by rewrite symmetric_part_factors reduced_form_factors char_poly_swap. Qed.

End Head.

Lemma det_2 (A : 'M[F]_2) : \det A = A 0 0 * A 1 1 - A 0 1 * A 1 0.
Proof.
rewrite (expand_det_row A ord0) !big_ord_recl big_ord0 addr0 /cofactor !det_mx11 !mxE.
rewrite /= expr0 expr1 mul1r mulN1r mulrN.
by congr (_ * A _ _ - A _ _ * A _ _); apply/val_inj.
Qed.

Lemma char_poly_2 (A : 'M[F]_2) : char_poly A = 'X^2 - (\tr A) *: 'X + (\det A)%:P.
Proof.
apply/polyP => i; rewrite !coefD coefN coefZ coefXn coefX coefC.
have := char_poly_trace A isT; have := char_poly_det A; have := char_poly_monic A.
rewrite monicE lead_coefE size_char_poly /= sqrrN expr1n mul1r => c2 c0 c1.
case: i => [|[|[|i]]]; rewrite /= ?mulr0 ?mulr1 ?subr0 ?sub0r ?add0r ?addr0.
- by rewrite c0.
- by rewrite c1.
- exact/eqP.
- by rewrite nth_default // size_char_poly.
Qed.

(** Rank one: [t = tr L = kq] and [‖L‖² = ‖k‖²‖q‖² = 1]. *)
Theorem rank_one_spectrum N (q k : 'rV[F]_N) : 2%:R != 0 :> F ->
  norm2 k * norm2 q = 1 ->
  let t := \tr (score q k) in
  char_poly (symmetric_part q k) * 'X^2
  = ('X - ((t + 1) / 2%:R)%:P) * ('X - ((t - 1) / 2%:R)%:P) * 'X^N.
Proof.
move=> n2 kq t; rewrite (same_spectrum q k); congr (_ * _).
have e0 : (0 : 'I_(1 + 1)) = lshift 1 0 by apply/val_inj.
have e1 : (1 : 'I_(1 + 1)) = rshift 1 0 by apply/val_inj.
have qk : (q *m k^T) 0 0 = t by rewrite /t /score mxtrace_mulC trace_mx11.
have kq' : (k *m q^T) 0 0 = t by rewrite -qk -[q *m _]trmxK trmx_mul trmxK [RHS]mxE.
have G : gram q k = block_mx (k *m k^T) (k *m q^T) (q *m k^T) (q *m q^T).
  by rewrite /gram /stacked tr_col_mx mul_col_row.
have dG : \det (gram q k) = 1 - t ^+ 2.
  pose kk := k *m k^T; pose kq0 := k *m q^T; pose qk0 := q *m k^T; pose qq := q *m q^T.
  rewrite det_2 e0 e1 G (block_mxEul kk kq0 qk0 qq) (block_mxEdr kk kq0 qk0 qq).
  rewrite (block_mxEur kk kq0 qk0 qq) (block_mxEdl kk kq0 qk0 qq) /kq0 /qk0 qk kq'.
  by rewrite -/(norm2 k) -/(norm2 q) kq expr2.
have trA : \tr (reduced_form q k) = t.
  have := trace_powers q k (isT : (0 < 1)%N); rewrite /= !mulmx1 => <-.
  by rewrite mxtraceZ mxtraceD mxtrace_tr -/t mulrDr -mulrDl halves // mul1r.
have detA : \det (reduced_form q k) = (t ^+ 2 - 1) / 4%:R.
  rewrite detZ det_mulmx det_hyperbolic dG expr1 mulN1r opprB mulrC.
  by rewrite exprVn -natrX.
rewrite char_poly_2 trA detA; set a := (t + 1) / 2%:R; set b := (t - 1) / 2%:R.
have -> : (t ^+ 2 - 1) / 4%:R = a * b.
  by rewrite mulrACA -invfM -natrM [(t + 1) * _]mulrC -subr_sqr expr1n.
have -> : t = a + b.
  by rewrite /a /b -mulrDl addrACA subrr addr0 mulrDl -mulrDr halves ?mulr1.
rewrite -mul_polyC polyCD polyCM mulrDl mulrBl !mulrBr -expr2 ['X * _]mulrC.
rewrite opprB opprD !addrA [in RHS]addrAC; congr (_ + _).
exact: addrAC.
Qed.


End AnyField.

(** For a nondegenerate head [½JG] is invertible. *)
Theorem reduced_form_unit (F : realFieldType) n N (Q K : 'M[F]_(n, N)) :
  nondegenerate Q K -> reduced_form Q K \in unitmx.
Proof.
rewrite nondegenerate_gram => G0; rewrite unitmxE unitfE detZ mulf_neq0 //.
  by rewrite expf_neq0 // invr_eq0 two_neq0.
by rewrite det_mulmx mulf_neq0 // det_hyperbolic expf_neq0 // oppr_eq0 oner_eq0.
Qed.
