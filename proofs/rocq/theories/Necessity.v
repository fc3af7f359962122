(** * The hypotheses are needed

    Statement.
    - Characteristic 2: if [2 = 0] in [F] then [½(L + Lᵀ)], read with MathComp's
      [2⁻¹ = 0], is zero, so for [0 < n], [2n <= N] even a nondegenerate head is not
      hyperbolic plus zero.
    - Finite fields: over a finite field and for [0 < n], [0 < N] a non-zero
      polynomial vanishes on all heads, so density fails.

    Encoding.  That [2n <= N] and nondegeneracy are needed is [big_heads_fail]
    ([BigHeads.v]) and [exact_condition] ([ExactCondition.v]).

    Reference.  Counterexamples to weakenings of [hyperbolic_plus_zero] and
    [nondegenerate_dense]. *)

From mathcomp Require Import all_ssreflect all_algebra.
From SsrMultinomials Require Import mpoly.
From Headforms Require Import Congruence Forms Head Locus.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory.
Local Open Scope ring_scope.

Theorem characteristic_two_fails (F : fieldType) n N : 2%:R = 0 :> F ->
  (0 < n)%N -> (n + n <= N)%N ->
  exists Q, exists K : 'M[F]_(n, N),
    nondegenerate Q K /\ ~ congruent (symmetric_part Q K) (hyperbolic_zero n N).
Proof.
move=> two0 n0 le; exists (witness_query n N), (witness_key n N).
split; first exact: nondegenerate_witness.
rewrite /symmetric_part /symmetrised two0 invr0 scale0r => /congruent_rank.
rewrite mxrank0 rank_hyperbolic_zero // => /eqP.
by rewrite eq_sym addn_eq0 andbb; apply/negP; rewrite -lt0n.
Qed.

Theorem finite_field_not_dense (F : finFieldType) n N : (0 < n)%N -> (0 < N)%N ->
  exists2 p : {mpoly F[(n + n) * N]}, p != 0 &
    forall Q K : 'M[F]_(n, N), p.@[coordinates Q K] = 0.
Proof.
move=> n0 N0; have pos : (0 < (n + n) * N)%N by rewrite muln_gt0 addn_gt0 n0 N0.
pose i : 'I_((n + n) * N) := Ordinal pos.
exists (\prod_(a : F) ('X_i - a%:MP)).
  apply/prodf_neq0 => a _; apply/eqP => /(congr1 (fun p : {mpoly F[_]} => p@_U_(i)%MM)).
  rewrite mcoeffB mcoeffC mcoeffX eqxx mcoeff0 mnm1_eq0 mulr0 subr0 => /eqP.
  by rewrite oner_eq0.
move=> Q K; rewrite rmorph_prod /= (bigD1 (coordinates Q K i)) //=.
by rewrite mevalB mevalXU mevalC subrr mul0r.
Qed.
