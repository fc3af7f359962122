(** * The signature of a nondegenerate head

    Statement.  Over an ordered field the symmetric part of a nondegenerate head
    has signature [(n, n, N - 2n)]; so it has outside the zero set of one non-zero
    polynomial in the entries of [(Q, K)].

    Encoding.  Rank balance bounds both indices by [n], and their sum is the rank,
    which is [2n].

    Reference.  Theorem 3 of O'Desky, arXiv 2609.22990. *)

From mathcomp Require Import all_ssreflect all_algebra.
From SsrMultinomials Require Import mpoly.
From Headforms Require Import Congruence Forms Head RankRadical.
From Headforms Require Import Euclidean Inertia RankBalance Locus Density.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Signature.
Variable F : realFieldType.
Implicit Types (n N : nat).

Theorem nondegenerate_signature n N (Q K : 'M[F]_(n, N)) : nondegenerate Q K ->
  signature (symmetric_part Q K) n n (N - (n + n)).
Proof.
move=> ndg; have [p [q [z [sig eN]]]] := signature_exists (symmetric_part_tr Q K).
have [lep leq] := head_rank_balance sig; have [_ _ ez] := sig.
have le := nondegenerate_le ndg.
have z' : z = (N - (n + n))%N by rewrite -ez radical_dimension // two_neq0.
have pq : (p + q = n + n)%N.
  by apply/eqP; rewrite -(eqn_add2r z) eN z' subnKC.
have [ep eq] : p = n /\ q = n.
  have qn : q = n.
    by apply/eqP; rewrite eqn_leq leq -(leq_add2l n) -pq leq_add2r lep.
  by split=> //; apply/eqP; rewrite -(eqn_add2r n) -{1}qn pq.
by move: sig; rewrite ep eq z'.
Qed.

Theorem generic_signature n N : (n + n <= N)%N ->
  exists2 g : {mpoly F[(n + n) * N]}, g != 0 &
    forall Q K, g.@[coordinates Q K] != 0 ->
      signature (symmetric_part Q K) n n (N - (n + n)).
Proof.
move=> le; have [g g0 gen] := generic_hyperbolic_plus_zero le (two_neq0 F).
by exists g => // Q K /gen [ndg _]; apply: nondegenerate_signature.
Qed.

End Signature.
