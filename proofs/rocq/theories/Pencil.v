(** * Lines of heads: at most 2n bad members

    Statement.  Let [2n <= N].  On the line from any head to the standard
    nondegenerate one at most [2n] members are degenerate.  Over an infinite field
    every head is therefore a limit of nondegenerate ones along a line.

    Encoding.  [pencil Q K t] is the head [(1-t)(Q,K) + t(Q0,K0)].  The bound is
    first stated by one non-zero polynomial of degree at most [2n], a minor
    along the line ([pencil_polynomial]), then by counting ([pencil_bad_values]).

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

Definition pencil_query n N (Q : 'M[F]_(n, N)) t := Q + t *: (witness_query n N - Q).
Definition pencil_key n N (K : 'M[F]_(n, N)) t := K + t *: (witness_key n N - K).

(** The determinant of a [k x k] matrix of linear polynomials has degree at
    most [k]. *)
Lemma size_det_linear k (A : 'M[{poly F}]_k) :
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

Theorem pencil_polynomial n N (Q K : 'M[F]_(n, N)) : (n + n <= N)%N ->
  exists q : {poly F},
    [/\ q != 0, (size q <= (n + n).+1)%N
      & forall t, q.[t] != 0 -> nondegenerate (pencil_query Q t) (pencil_key K t)].
Proof.
move=> le; pose M := stacked Q K.
pose M0 : 'M[F]__ := stacked (witness_query n N) (witness_key n N).
pose E : 'M[F]_(N, n + n) := pid_mx (n + n).
pose A : 'M[{poly F}]_(n + n) :=
  map_mx polyC (M *m E) + 'X *: map_mx polyC ((M0 - M) *m E).
have A_t t : \det (map_mx (horner_eval t) A) =
    \det (stacked (pencil_query Q t) (pencil_key K t) *m E).
  congr (\det _); have -> : stacked (pencil_query Q t) (pencil_key K t)
      = M + t *: (M0 - M).
    by rewrite /M /M0 /stacked opp_col_mx add_col_mx scale_col_mx add_col_mx.
  rewrite mulmxDl -scalemxAl; apply/matrixP=> i j.
  by rewrite !mxE /horner_eval hornerD hornerM hornerX !hornerC.
exists (\det A); split.
- apply/eqP => detA0; have := A_t 1.
  have subKC (X Y : 'M[F]_(n, N)) : X + (Y - X) = Y by rewrite addrC subrK.
  rewrite /pencil_query /pencil_key det_map_mx detA0 rmorph0 !scale1r !subKC.
  move/esym/eqP; by rewrite stacked_witness pid_mx_id // pid_mx_1 det1 oner_eq0.
- apply: size_det_linear => i j; rewrite !mxE; apply: (leq_trans (size_add _ _)).
  rewrite geq_max (leq_trans (size_polyC_leq1 _)) //= mulrC.
  rewrite (leq_trans (size_mul_leq _ _)) // size_polyX addn2 /= ltnS.
  exact: size_polyC_leq1.
- move=> t qt; apply: (@det_nondegenerate _ _ _ _ _ E).
  by rewrite -A_t det_map_mx.
Qed.

Theorem pencil_bad_values n N (Q K : 'M[F]_(n, N)) (ts : seq F) :
  (n + n <= N)%N -> uniq ts ->
  all (fun t => ~~ nondegenerate (pencil_query Q t) (pencil_key K t)) ts ->
  (size ts <= n + n)%N.
Proof.
move=> le uts /allP bad; have [q [q0 sq nd]] := pencil_polynomial Q K le.
rewrite -ltnS (leq_trans _ sq) //; apply: max_poly_roots => //.
by apply/allP => t /bad; apply: contraR; apply: nd.
Qed.

End Pencil.
