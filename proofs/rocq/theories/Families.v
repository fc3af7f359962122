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
apply: (generic_dense infF (_ : g != 0)); first by apply: contraNneq g0 => ->; rewrite meval0.
by move=> t /gen/p0.
Qed.

(** *** Grouped queries *)

(** [g] query heads that share one key: their queries are the blocks of [n] rows of
    one matrix. *)
Definition query_head g n N (W : 'M[F]_(g * n, N)) (i : 'I_g) : 'M[F]_(n, N) :=
  rowsub (mxvec_index i) W.

Definition group_coordinates g n N (W : 'M[F]_(g * n, N)) (K : 'M[F]_(n, N)) :
  'I_((g * n + n) * N) -> F := fun i => mxvec (col_mx W K) 0 i.

Theorem group_coordinates_surjective g n N (v : 'I_((g * n + n) * N) -> F) :
  exists W, exists K : 'M[F]_(n, N), group_coordinates W K =1 v :> ('I_((g * n + n) * N) -> F).
Proof.
pose M : 'M[F]_(g * n + n, N) := vec_mx (\row_i v i).
exists (usubmx M), (dsubmx M) => i.
by rewrite /group_coordinates vsubmxK vec_mxK mxE.
Qed.

(** The matrix of the variables, and the stacked matrix of head [i] in them. *)
Definition group_member g n N (i : 'I_g) : 'M[{mpoly F[(g * n + n) * N]}]_(n + n, N) :=
  let X := \matrix_(a, b) 'X_(mxvec_index a b) : 'M_(g * n + n, N) in
  col_mx (dsubmx X) (rowsub (mxvec_index i) (usubmx X)).

Lemma group_memberE g n N (W : 'M[F]_(g * n, N)) (K : 'M[F]_(n, N)) i :
  at_parameter (group_coordinates W K) (group_member n N i) = stacked (query_head W i) K.
Proof.
rewrite /at_parameter /group_member map_col_mx; congr col_mx; apply/matrixP => a b.
  by rewrite !mxE mevalXU /group_coordinates mxvecE col_mxEd.
by rewrite !mxE mevalXU /group_coordinates mxvecE col_mxEu.
Qed.

Theorem grouped_queries_generic g n N : (n + n <= N)%N ->
  exists2 q : {mpoly F[(g * n + n) * N]}, q != 0 &
    forall (W : 'M[F]_(g * n, N)) K, q.@[group_coordinates W K] != 0 ->
      forall i, nondegenerate (query_head W i) K.
Proof.
move=> le; pose W : 'M[F]_(g * n, N) :=
  \matrix_(r, b) mxvec (\matrix_(i < g, a < n) witness_query n N a b) 0 r.
pose t := group_coordinates W (witness_key n N).
have free i : row_free (at_parameter t (group_member n N i)).
  rewrite group_memberE; suff -> : query_head W i = witness_query n N.
    exact: nondegenerate_witness.
  by apply/matrixP => a b; rewrite mxE [W _ _]mxE mxvecE mxE.
have [q q0 gen] := families_generic (t0 := fun=> t) free.
by exists q => // W' K' nz i; have := gen _ nz i; rewrite group_memberE.
Qed.

Theorem grouped_queries_dense g n N (p : {mpoly F[(g * n + n) * N]}) :
  infinite_field F -> (n + n <= N)%N ->
  (forall (W : 'M[F]_(g * n, N)) K,
    (forall i, nondegenerate (query_head W i) K) -> p.@[group_coordinates W K] = 0) ->
  p = 0.
Proof.
move=> infF le p0; have [q q0 gen] := grouped_queries_generic g le.
apply: (generic_dense infF q0) => v; have [W [K /meval_eq e]] := group_coordinates_surjective v.
by rewrite -!e => /gen/p0.
Qed.

End Families.
