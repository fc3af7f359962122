(** * Parametrised families of heads

    Statement.  Let the entries of [M] be polynomials in parameters [t] (a low-rank
    factorisation, an adapter, a shared projection, …).  If one parameter gives a
    nondegenerate head, then all parameters outside the zero set of one non-zero
    polynomial do, and over an infinite field they are dense.  The same holds for
    finitely many heads at once, each with a witness of its own: so for the query
    heads of grouped-query attention that share one key.  A family inside the locus,
    as [K = AQ], has no witness ([degenerate_tied] in [Head.v]).

    Encoding.  A family is a matrix of polynomials, [at_parameter t A] its member
    at [t].

    Reference.  Not in the paper; theory 2.8 of this project. *)

From mathcomp Require Import all_ssreflect all_algebra.
From SsrMultinomials Require Import mpoly.
From Headforms Require Import Congruence Forms Head Infinite Locus.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory.
Local Open Scope ring_scope.

Section Families.
Variable F : fieldType.
Implicit Types (k m N : nat).

Definition at_parameter k m N (t : 'I_k -> F) (A : 'M[{mpoly F[k]}]_(m, N)) :
  'M[F]_(m, N) := map_mx (meval t) A.

Theorem family_generic k m N (A : 'M[{mpoly F[k]}]_(m, N)) t0 :
  row_free (at_parameter t0 A) ->
  exists2 g : {mpoly F[k]}, g.@[t0] != 0 &
    forall t, g.@[t] != 0 -> row_free (at_parameter t A).
Proof.
move=> free; have full : row_full (at_parameter t0 A)^T by rewrite /row_full mxrank_tr.
pose f := fullrankfun full.
have gE t : (\det (colsub f A)).@[t] = \det (colsub f (at_parameter t A)).
  by rewrite -det_map_mx map_mxsub.
exists (\det (colsub f A)).
  rewrite gE -det_tr trmx_mxsub -unitfE -unitmxE.
  exact: fullrowsub_unit.
move=> t; rewrite gE -unitfE -unitmxE => /mxrank_unit r.
rewrite -row_leq_rank -{1}r.
have -> : colsub f (at_parameter t A) = at_parameter t A *m colsub f 1%:M.
  by rewrite mulmx_colsub mulmx1.
exact: mxrankM_maxl.
Qed.

(** Finitely many families over the same parameters, each with its own witness. *)
Theorem families_generic k (I : finType) (m N : I -> nat)
    (A : forall i, 'M[{mpoly F[k]}]_(m i, N i)) (t0 : I -> 'I_k -> F) :
  (forall i, row_free (at_parameter (t0 i) (A i))) ->
  exists2 g : {mpoly F[k]}, g != 0 &
    forall t, g.@[t] != 0 -> forall i, row_free (at_parameter t (A i)).
Proof.
move=> free.
have witness i : exists g : {mpoly F[k]}, (g != 0) /\
    forall t, g.@[t] != 0 -> row_free (at_parameter t (A i)).
  have [g g0 gen] := family_generic (free i); exists g; split=> //.
  by apply: contraNneq g0 => ->; rewrite meval0.
have [g gP] := fin_all_exists witness.
exists (\prod_i g i); first by apply/prodf_neq0 => i _; case: (gP i).
move=> t; rewrite rmorph_prod /= => /prodf_neq0 nz i.
by have [_ gen] := gP i; apply/gen/nz.
Qed.

Theorem family_dense k m N (A : 'M[{mpoly F[k]}]_(m, N)) t0 (p : {mpoly F[k]}) :
  infinite_field F -> row_free (at_parameter t0 A) ->
  (forall t, row_free (at_parameter t A) -> p.@[t] = 0) -> p = 0.
Proof.
move=> infF free p0; have [g g0 gen] := family_generic free.
have gn0 : g != 0 by apply: contraNneq g0 => ->; rewrite meval0.
suff /eqP : p * g = 0 by rewrite mulf_eq0 (negbTE gn0) orbF => /eqP.
apply: mpoly_vanish => // t; rewrite mevalM.
by have [->|/gen/p0 ->] := eqVneq g.@[t] 0; rewrite ?mulr0 ?mul0r.
Qed.

(** Several query heads that share one key are nondegenerate together. *)
Theorem grouped_queries_witness n N (I : finType) : (n + n <= N)%N ->
  exists K : 'M[F]_(n, N), exists Q : I -> 'M[F]_(n, N),
    forall i, nondegenerate (Q i) K.
Proof.
move=> le; exists (witness_key n N), (fun=> witness_query n N) => i.
exact: nondegenerate_witness.
Qed.

End Families.
