(** * Polynomials of bidegree at most (1, 1)

    Statement.  A polynomial [f(x, y)] in two groups of variables, of degree at most 1 in
    [x] and at most 1 in [y], is in one way the sum of a bilinear form, a linear form in
    [x], a linear form in [y] and a constant:
        [xᵀBy = f(x,y) - f(x,0) - f(0,y) + f(0,0)],  [aᵀx = f(x,0) - f(0,0)],
        [bᵀy = f(0,y) - f(0,0)],  [c = f(0,0)].

    Encoding.  [{mpoly F[p + q]}], the first [p] variables are [x].  The degree of a
    monomial in a group is the sum of its exponents there.

    Reference.  Lemma 1 of O'Desky, arXiv 2609.22990. *)

From mathcomp Require Import all_ssreflect all_algebra.
From SsrMultinomials Require Import mpoly.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory.
Local Open Scope ring_scope.

Section Bidegree.
Variable F : fieldType.
Variables p q : nat.
Implicit Types (f : {mpoly F[p + q]}) (x : 'cV[F]_p) (y : 'cV[F]_q).

Definition bidegree_one f : Prop := forall m, m \in msupp f ->
  (\sum_(i < p) m (lshift q i) <= 1)%N /\ (\sum_(j < q) m (rshift p j) <= 1)%N.

Definition value_at f x y : F := f.@[fun i => col_mx x y i 0].

(** The four parts. *)
Definition bilinear_part f : 'M[F]_(p, q) :=
  \matrix_(i, j) (value_at f (delta_mx i 0) (delta_mx j 0) - value_at f (delta_mx i 0) 0
                  - value_at f 0 (delta_mx j 0) + value_at f 0 0).
Definition left_part f : 'rV[F]_p := \row_i (value_at f (delta_mx i 0) 0 - value_at f 0 0).
Definition right_part f : 'rV[F]_q := \row_j (value_at f 0 (delta_mx j 0) - value_at f 0 0).

(** A product of powers of total degree at most 1 is affine in its variables. *)
Lemma affine_monomial k (e : 'I_k -> nat) (v : 'cV[F]_k) : (\sum_i e i <= 1)%N ->
  let g (w : 'cV[F]_k) := \prod_i w i 0 ^+ e i in
  g v = g 0 + \sum_i (g (delta_mx i 0) - g 0) * v i 0.
Proof.
move=> le g; have [e0|e1] : (\sum_i e i = 0 \/ \sum_i e i = 1)%N.
  by case: (\sum_i e i)%N le => [|[|]]; auto.
  have g1 w : g w = 1.
    rewrite /g big1 // => i _; move/eqP: e0; rewrite sum_nat_eq0 => /forallP/(_ i)/eqP ->.
    by rewrite expr0.
  by rewrite !g1 big1 ?addr0 // => i _; rewrite g1 subrr mul0r.
have [j ej] : exists j, (0 < e j)%N.
  apply/existsP; apply: contraT => /existsPn none; move: e1; rewrite big1 // => i _.
  by apply/eqP; rewrite -leqn0 leqNgt none.
have rest i : i != j -> e i = 0%N.
  move: e1; rewrite (bigD1 j) //= => e1 ij; apply/eqP; rewrite -leqn0 -ltnS -e1.
  by rewrite (leq_trans _ (leq_add ej (leqnn _))) // add1n ltnS (bigD1 i) //= leq_addr.
have ej1 : e j = 1%N by rewrite -e1 (bigD1 j) //= big1 ?addn0 // => i /rest.
have gE w : g w = w j 0.
  by rewrite /g (bigD1 j) //= ej1 expr1 big1 ?mulr1 // => i /rest ->; rewrite expr0.
rewrite !gE mxE add0r (bigD1 j) //= gE !mxE !eqxx subr0 mul1r big1 ?addr0 // => i ij.
by rewrite gE !mxE eq_sym (negbTE ij) subrr mul0r.
Qed.

Lemma value_at_monomial m x y :
  value_at 'X_[m] x y
  = (\prod_i x i 0 ^+ m (lshift q i)) * \prod_j y j 0 ^+ m (rshift p j).
Proof.
rewrite /value_at mevalX big_split_ord /=; congr (_ * _); apply: eq_bigr => i _.
  by rewrite col_mxEu.
by rewrite col_mxEd.
Qed.

Lemma value_at_sum f x y : value_at f x y = \sum_(m <- msupp f) f@_m * value_at 'X_[m] x y.
Proof. by rewrite /value_at {1}(mpolyE f) rmorph_sum /=; apply: eq_bigr => m _; rewrite mevalZ. Qed.

(** In each group of variables the polynomial is affine. *)
Lemma affine_left f x y : bidegree_one f ->
  value_at f x y = value_at f 0 y + \sum_i (value_at f (delta_mx i 0) y - value_at f 0 y) * x i 0.
Proof.
move=> deg; rewrite !value_at_sum [X in X + _]big_seq [in LHS]big_seq.
transitivity (\sum_(m <- msupp f | m \in msupp f) (f@_m * value_at 'X_[m] 0 y
  + \sum_i (f@_m * value_at 'X_[m] (delta_mx i 0) y - f@_m * value_at 'X_[m] 0 y) * x i 0)).
  apply: eq_bigr => m /deg [dx _]; rewrite !value_at_monomial.
  have /= -> := affine_monomial x dx; rewrite mulrDl mulrDr; congr (_ + _).
  rewrite mulr_suml mulr_sumr; apply: eq_bigr => i _; rewrite !value_at_monomial.
  by rewrite -mulrBr -mulrBl [X in f@_m * X = _]mulrAC !mulrA.
rewrite big_split /= -big_seq; congr (_ + _); rewrite exchange_big /=.
apply: eq_bigr => i _; rewrite !value_at_sum -sumrB mulr_suml big_seq.
by [].
Qed.

Lemma affine_right f x y : bidegree_one f ->
  value_at f x y = value_at f x 0 + \sum_j (value_at f x (delta_mx j 0) - value_at f x 0) * y j 0.
Proof.
move=> deg; rewrite !value_at_sum [X in X + _]big_seq [in LHS]big_seq.
transitivity (\sum_(m <- msupp f | m \in msupp f) (f@_m * value_at 'X_[m] x 0
  + \sum_j (f@_m * value_at 'X_[m] x (delta_mx j 0) - f@_m * value_at 'X_[m] x 0) * y j 0)).
  apply: eq_bigr => m /deg [_ dy]; rewrite !value_at_monomial.
  have /= -> := affine_monomial y dy; rewrite !mulrDr; congr (_ + _).
  rewrite !mulr_sumr; apply: eq_bigr => j _; rewrite !value_at_monomial.
  by rewrite -!mulrBr !mulrA.
rewrite big_split /= -big_seq; congr (_ + _); rewrite exchange_big /=.
apply: eq_bigr => j _; rewrite !value_at_sum -sumrB mulr_suml big_seq.
by [].
Qed.

Theorem bidegree_decomposition f x y : bidegree_one f ->
  value_at f x y = (x^T *m bilinear_part f *m y) 0 0 + (left_part f *m x) 0 0
                + (right_part f *m y) 0 0 + value_at f 0 0.
Proof.
move=> deg; rewrite (affine_left x y deg).
have -> : (x^T *m bilinear_part f *m y) 0 0
    = \sum_i (\sum_j bilinear_part f i j * y j 0) * x i 0.
  rewrite -mulmxA mxE; apply: eq_bigr => i _; rewrite mxE [RHS]mulrC; congr (_ * _).
  by rewrite mxE.
have -> : (right_part f *m y) 0 0 = value_at f 0 y - value_at f 0 0.
  rewrite (affine_right 0 y deg) addrAC subrr add0r mxE.
  by apply: eq_bigr => j _; rewrite mxE.
rewrite -addrA subrK addrC; congr (_ + _); rewrite mxE -big_split /=.
apply: eq_bigr => i _; rewrite mxE -mulrDl; congr (_ * _).
rewrite (affine_right (delta_mx i 0) y deg) (affine_right 0 y deg) opprD addrACA addrC.
congr (_ + _); rewrite -sumrB; apply: eq_bigr => j _; rewrite -mulrBl mxE; congr (_ * _).
by rewrite opprB addrA addrAC.
Qed.

Lemma value_at_parts (B : 'M[F]_(p, q)) (a : 'rV_p) (b : 'rV_q) (c : F) f :
  (forall x y, value_at f x y
    = (x^T *m B *m y) 0 0 + (a *m x) 0 0 + (b *m y) 0 0 + c) ->
  [/\ value_at f 0 0 = c,
      forall x, value_at f x 0 - value_at f 0 0 = (a *m x) 0 0,
      forall y, value_at f 0 y - value_at f 0 0 = (b *m y) 0 0
    & forall x y, value_at f x y - value_at f x 0 - value_at f 0 y + value_at f 0 0
        = (x^T *m B *m y) 0 0].
Proof.
move=> e; have z (m : nat) (X : 'M[F]_(1, m)) : (X *m 0 : 'M_1) 0 0 = 0 by rewrite mulmx0 mxE.
have l (y : 'cV[F]_q) : ((0 : 'cV[F]_p)^T *m B *m y) 0 0 = 0 by rewrite trmx0 !mul0mx mxE.
have f00 : value_at f 0 0 = c by rewrite e l !z !add0r.
have fx x : value_at f x 0 - value_at f 0 0 = (a *m x) 0 0 by rewrite f00 e !z addrK addr0 add0r.
have fy y : value_at f 0 y - value_at f 0 0 = (b *m y) 0 0 by rewrite f00 e l z addrK !add0r.
split=> // x y.
have -> : value_at f x y - value_at f x 0 - value_at f 0 y + value_at f 0 0
    = value_at f x y - value_at f 0 0 - (value_at f x 0 - value_at f 0 0) - (value_at f 0 y - value_at f 0 0).
  by rewrite !opprB !addrA [in RHS]addrAC subrK [in RHS]addrAC [in LHS]addrAC.
by rewrite fx fy f00 e addrK -addrA -opprD -[X in X - _]addrA addrK.
Qed.

(** The difference formulas. *)
Theorem bidegree_differences f : bidegree_one f ->
  [/\ forall x, value_at f x 0 - value_at f 0 0 = (left_part f *m x) 0 0,
      forall y, value_at f 0 y - value_at f 0 0 = (right_part f *m y) 0 0
    & forall x y, value_at f x y - value_at f x 0 - value_at f 0 y + value_at f 0 0
        = (x^T *m bilinear_part f *m y) 0 0].
Proof.
move=> deg; have [] := @value_at_parts (bilinear_part f) (left_part f) (right_part f) (value_at f 0 0) f.
  by move=> x y; apply: bidegree_decomposition.
by [].
Qed.

(** There is no other decomposition. *)
Theorem bidegree_uniq f (B : 'M[F]_(p, q)) (a : 'rV_p) (b : 'rV_q) (c : F) :
  (forall x y, value_at f x y
    = (x^T *m B *m y) 0 0 + (a *m x) 0 0 + (b *m y) 0 0 + c) ->
  [/\ B = bilinear_part f, a = left_part f, b = right_part f & c = value_at f 0 0].
Proof.
case/value_at_parts=> <- fx fy fxy; split=> //.
- apply/matrixP => i j; rewrite [RHS]mxE fxy trmx_delta -rowE -colE.
  by rewrite !mxE.
- by apply/rowP => i; rewrite [RHS]mxE fx -colE mxE.
- by apply/rowP => j; rewrite [RHS]mxE fy -colE mxE.
Qed.

End Bidegree.
