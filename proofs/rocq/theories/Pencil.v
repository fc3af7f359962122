(** * Lines of heads: at most 2n bad members

    Statement.  On the line from any head to a nondegenerate one at most [2n] members
    are degenerate.

    Encoding.  The head at time [t] is [(1-t)(Q,K) + t(Q0,K0)].  The bound is first
    stated by one non-zero polynomial of degree at most [2n], a minor along the line
    ([pencil_polynomial]), then by counting ([pencil_bad_values]).

    Reference.  Elementary form of the density statement in Theorem 3 of O'Desky,
    arXiv 2609.22990. *)

From mathcomp Require Import all_ssreflect perm all_algebra.
From Headforms Require Import Congruence Forms Head.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory.
Local Open Scope ring_scope.

Section Pencil.
Variable F : fieldType.
Implicit Types (n N : nat).

(** [at_time X Y t] goes from [X] at [t = 0] to [Y] at [t = 1]. *)
Definition at_time n N (X Y : 'M[F]_(n, N)) (t : F) : 'M[F]_(n, N) := X + t *: (Y - X).

(** The determinant of a [k x k] matrix of linear polynomials has degree at
    most [k]. *)
Lemma degree_det_linear k (A : 'M[{poly F}]_k) :
  (forall i j, size (A i j) <= 2)%N -> (size (\det A) <= k.+1)%N.
Proof.
move=> sA; apply: (leq_trans (size_sum _ _ _)); apply/bigmax_leqP => s _.
apply: (@leq_trans (size (\prod_i A i (s i)))).
  by case: (perm.odd_perm s); rewrite ?expr0 ?mul1r ?expr1 ?mulN1r ?size_opp.
apply: (leq_trans (size_prod_leq _ _)); rewrite leq_subLR.
rewrite cardT size_enum_ord addnS ltnS.
apply: (@leq_trans (\sum_(i < k) 2)%N); first by apply: leq_sum.
by rewrite sum_nat_const card_ord muln2 addnn.
Qed.

Theorem pencil_polynomial n N (Q K Q0 K0 : 'M[F]_(n, N)) : nondegenerate Q0 K0 ->
  exists q : {poly F},
    [/\ q != 0, (size q <= (n + n).+1)%N
      & forall t, q.[t] != 0 -> nondegenerate (at_time Q Q0 t) (at_time K K0 t)].
Proof.
move=> ndg; pose M := stacked Q K; pose M0 := stacked Q0 K0.
have full : row_full M0^T by rewrite /row_full mxrank_tr.
pose E : 'M[F]_(N, n + n) := colsub (fullrankfun full) 1%:M.
have det0 : \det (M0 *m E) != 0.
  rewrite mulmx_colsub mulmx1 -det_tr trmx_mxsub -unitfE -unitmxE.
  exact: fullrowsub_unit.
pose A : 'M[{poly F}]_(n + n) :=
  map_mx polyC (M *m E) + 'X *: map_mx polyC ((M0 - M) *m E).
have A_t t : (\det A).[t] = \det (stacked (at_time Q Q0 t) (at_time K K0 t) *m E).
  transitivity (\det (map_mx (horner_eval t) A)); first by rewrite det_map_mx.
  congr (\det _).
  have -> : stacked (at_time Q Q0 t) (at_time K K0 t) = M + t *: (M0 - M).
    by rewrite /M /M0 /stacked opp_col_mx add_col_mx scale_col_mx add_col_mx.
  rewrite mulmxDl -scalemxAl; apply/matrixP=> i j.
  by rewrite !mxE /horner_eval hornerD hornerM hornerX !hornerC.
exists (\det A); split.
- apply: contraNneq det0 => detA0; have := A_t 1; rewrite detA0 horner0 => /esym/eqP.
  by rewrite /at_time !scale1r ![_ + (_ - _)]addrC !subrK.
- apply: degree_det_linear => i j; rewrite !mxE; apply: (leq_trans (size_add _ _)).
  rewrite geq_max (leq_trans (size_polyC_leq1 _)) //= mulrC.
  rewrite (leq_trans (size_mul_leq _ _)) // size_polyX addn2 /= ltnS.
  exact: size_polyC_leq1.
- by move=> t qt; apply: (@det_nondegenerate _ _ _ _ _ E); rewrite -A_t.
Qed.

Theorem pencil_bad_values n N (Q K Q0 K0 : 'M[F]_(n, N)) (ts : seq F) :
  nondegenerate Q0 K0 -> uniq ts ->
  all (fun t => ~~ nondegenerate (at_time Q Q0 t) (at_time K K0 t)) ts ->
  (size ts <= n + n)%N.
Proof.
move=> ndg uts /allP bad; have [q [q0 sq nd]] := pencil_polynomial Q K ndg.
rewrite -ltnS (leq_trans _ sq) //; apply: max_poly_roots => //.
by apply/allP => t /bad; apply: contraR; apply: nd.
Qed.

End Pencil.
