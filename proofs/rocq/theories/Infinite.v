(** * Polynomials over an infinite field

    Statement.  A polynomial in [k] variables that vanishes at every point of
    [F^k], or outside the zeros of a non-zero polynomial, is zero, when [F] is infinite.
    Fields of characteristic 0 are infinite, finite ones are not.

    Encoding.  A field is infinite when no finite list exhausts it.  Polynomials
    in several variables are those of the multinomials library; the proof is the
    usual induction, through [muni] (a polynomial in [k+1] variables as one in the
    last variable with coefficients in the others).

    Reference.  Lang, Algebra, IV.1, Corollary 1.6. *)

From mathcomp Require Import all_ssreflect all_algebra.
From SsrMultinomials Require Import mpoly.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory.
Local Open Scope ring_scope.

Definition infinite_field (F : fieldType) : Prop :=
  forall s : seq F, exists x, x \notin s.

Section Infinite.
Variable F : fieldType.

Lemma distinct_elements : infinite_field F ->
  forall k, exists2 s : seq F, uniq s & size s = k.
Proof.
move=> infF; elim=> [|k [s us <-]]; first by exists [::].
by have [x xs] := infF s; exists (x :: s) => //=; rewrite xs.
Qed.

Theorem characteristic_zero_infinite : [char F] =i pred0 -> infinite_field F.
Proof.
move=> /charf0P ch0 s; pose t := [seq i%:R : F | i <- iota 0 (size s).+1].
have ut : uniq t.
  rewrite map_inj_in_uniq ?iota_uniq // => i j _ _ /eqP.
  wlog le : i j / (i <= j)%N => [hw | ].
    case/orP: (leq_total i j) => le e; [|apply/esym]; apply: hw => //.
    by rewrite eq_sym.
  rewrite eq_sym -subr_eq0 -natrB // ch0 subn_eq0 => le'.
  by apply/eqP; rewrite eqn_leq le.
have /hasP [x _ xs] : has (fun x => x \notin s) t.
  rewrite has_predC; apply/negP => /allP sub.
  by have := uniq_leq_size ut sub; rewrite size_map size_iota ltnn.
by exists x.
Qed.

Theorem finite_field_not_infinite (E : finFieldType) : ~ infinite_field E.
Proof. by move=> inf; have [x] := inf (enum E); rewrite mem_enum. Qed.

Lemma univariate_vanish (q : {poly F}) :
  infinite_field F -> (forall t, q.[t] = 0) -> q = 0.
Proof.
move=> infF q0; have [s us ss] := distinct_elements infF (size q).
apply: (@roots_geq_poly_eq0 _ q s) => //; last by rewrite ss.
by apply/allP => t _; apply/rootP.
Qed.

(** A polynomial is recovered from its form [muni] by giving the last variable
    back. *)
Lemma muni_cancel k (p : {mpoly F[k.+1]}) :
  (map_poly (@mwiden k F) (muni p)).['X_ord_max] = p.
Proof.
rewrite muniE rmorph_sum /= horner_sum [RHS]mpolyE.
apply: eq_bigr => m _; rewrite map_polyZ /= map_polyXn hornerZ hornerXn.
rewrite mwidenZ mwidenX -scalerAl mpolyXn -mpolyXD; congr (_ *: 'X_[_]).
apply/mnmP => i; rewrite mnmDE mulmnE mnm1E.
have [<-|ne] := eqVneq ord_max i.
  by rewrite mnmwiden_ordmax muln1.
rewrite muln0 addn0.
have lti : (i < k)%N.
  rewrite ltn_neqAle -ltnS ltn_ord andbT.
  by apply: contraNneq ne => e; apply/eqP/val_inj.
have -> : i = widen_ord (leqnSn k) (Ordinal lti) by apply/val_inj.
by rewrite mnmwiden_widen mnmE.
Qed.

Lemma muni_zero k (p : {mpoly F[k.+1]}) : muni p = 0 -> p = 0.
Proof. by move=> p0; rewrite -(muni_cancel p) p0 rmorph0 horner0. Qed.

(** Evaluation at [v], last variable last. *)
Lemma evaluate_muni k (p : {mpoly F[k.+1]}) (v : 'I_k.+1 -> F) :
  p.@[v] =
  (map_poly (meval (fun i => v (widen_ord (leqnSn k) i))) (muni p)).[v ord_max].
Proof.
rewrite muniE rmorph_sum /= horner_sum mevalE.
apply: eq_bigr => m _; rewrite map_polyZ /= map_polyXn hornerZ hornerXn.
rewrite mevalZ mevalX -mulrA big_ord_recr /=; congr (_ * (_ * _)).
by apply: eq_bigr => i _; rewrite mnmE.
Qed.

Theorem polynomial_vanish k (p : {mpoly F[k]}) :
  infinite_field F -> (forall v, p.@[v] = 0) -> p = 0.
Proof.
move=> infF; elim: k p => [|k IHk] p p0.
  by have := p0 (fun=> 0); rewrite [p]nvar0_mpolyC mevalC => ->; rewrite mpolyC0.
apply: muni_zero; apply/polyP => i; rewrite coef0; apply: IHk => v.
pose w t (j : 'I_k.+1) : F := if unlift ord_max j is Some l then v l else t.
have wmax t : w t ord_max = t by rewrite /w unlift_none.
have wlow t j : w t (widen_ord (leqnSn k) j) = v j.
  have -> : widen_ord (leqnSn k) j = lift ord_max j.
    by apply/val_inj; rewrite /= /bump leqNgt ltn_ord.
  by rewrite /w liftK.
have : map_poly (meval v) (muni p) = 0.
  apply: univariate_vanish => // t; rewrite -[RHS](p0 (w t)) evaluate_muni wmax.
  by congr (_.[_]); apply: eq_map_poly => r; apply: meval_eq => j; rewrite wlow.
by move/(congr1 (fun q : {poly F} => q`_i)); rewrite coef_map coef0.
Qed.

(** What holds outside the zeros of a non-zero polynomial holds on a dense set. *)
Theorem generic_dense k (g p : {mpoly F[k]}) :
  infinite_field F -> g != 0 -> (forall v, g.@[v] != 0 -> p.@[v] = 0) -> p = 0.
Proof.
move=> infF g0 p0; suff /eqP : p * g = 0.
  by rewrite mulf_eq0 (negbTE g0) orbF => /eqP.
apply: polynomial_vanish => // v; rewrite mevalM.
by have [->|/p0 ->] := eqVneq g.@[v] 0; rewrite ?mulr0 ?mul0r.
Qed.

End Infinite.
