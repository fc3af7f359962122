(** * Nondegenerate heads are generic

    Statement.  Let [2n <= N].  Outside the zero set of one non-zero polynomial in
    the entries of [(Q,K)], [S] is hyperbolic plus zero.  Over an infinite field the
    nondegenerate heads are Zariski dense: a polynomial that vanishes on all of
    them is zero.

    Encoding.  Density is stated without topology, as above; [infinite_field] is
    needed (over a finite field a non-zero polynomial may vanish everywhere).

    Reference.  O'Desky, arXiv 2609.22990, Theorem 3. *)

From mathcomp Require Import all_ssreflect all_algebra.
From SsrMultinomials Require Import mpoly.
From Headforms Require Import Congruence Forms Head HyperbolicPlusZero.
From Headforms Require Import Infinite Locus.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory.
Local Open Scope ring_scope.

Section Density.
Variable F : fieldType.
Implicit Types (n N : nat).

Theorem generic_hyperbolic_plus_zero n N : (n + n <= N)%N -> 2%:R != 0 :> F ->
  exists2 g : {mpoly F[(n + n) * N]}, g != 0 &
    forall Q K, g.@[coordinates Q K] != 0 ->
      nondegenerate Q K /\ congruent (symmetric_part Q K) (hyperbolic_zero n N).
Proof.
move=> le n2; exists (first_minor F le); first exact: nondegenerate_nonempty.
move=> Q K nz; have ndg : nondegenerate Q K.
  by apply/nondegenerate_open; exists (widen_ord le).
by split=> //; apply: hyperbolic_plus_zero.
Qed.

Theorem nondegenerate_dense n N (p : {mpoly F[(n + n) * N]}) :
  infinite_field F -> (n + n <= N)%N ->
  (forall Q K : 'M[F]_(n, N), nondegenerate Q K -> p.@[coordinates Q K] = 0) ->
  p = 0.
Proof.
move=> infF le p0; apply: (generic_dense infF (nondegenerate_nonempty F le)) => v.
have [Q [K /meval_eq e]] := coordinates_surjective v; rewrite -!e => nz.
by apply: p0; apply/nondegenerate_open; exists (widen_ord le).
Qed.

End Density.

(** ℚ, ℝ and ℂ among others. *)
Theorem number_field_infinite (F : numFieldType) : infinite_field F.
Proof. by apply: characteristic_zero_infinite; apply: Num.Theory.char_num. Qed.

Corollary nondegenerate_dense_char0 (F : numFieldType) n N
    (p : {mpoly F[(n + n) * N]}) : (n + n <= N)%N ->
  (forall Q K : 'M[F]_(n, N), nondegenerate Q K -> p.@[coordinates Q K] = 0) ->
  p = 0.
Proof. by apply: nondegenerate_dense; apply: number_field_infinite. Qed.
