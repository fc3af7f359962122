(** * The exact condition

    Statement.  [rank S = 2n] if and only if the head is nondegenerate; for
    [2n <= N], [S] is congruent to [nH ⊥ 0^(N-2n)] if and only if the head is
    nondegenerate.

    Encoding.  [2n <= N] is needed in the second form: without it
    [hyperbolic_zero n N] is truncated and has smaller rank.

    Reference.  The converse of Theorem 3 of O'Desky, arXiv 2609.22990. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Headforms Require Import Congruence Forms Head HyperbolicPlusZero RankRadical.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory.
Local Open Scope ring_scope.

Section ExactCondition.
Variable F : fieldType.
Implicit Types (n N : nat).

Theorem exact_condition_rank n N (Q K : 'M[F]_(n, N)) : 2%:R != 0 :> F ->
  (\rank (symmetric_part Q K) == n + n)%N = nondegenerate Q K.
Proof.
move=> n2; apply/idP/idP => [/eqP rS|/(rank_symmetric_part n2) -> //].
rewrite /nondegenerate -row_leq_rank.
by rewrite (leq_trans _ (rank_symmetric_part_le Q K)) // rS.
Qed.

Theorem exact_condition n N (Q K : 'M[F]_(n, N)) :
  2%:R != 0 :> F -> (n + n <= N)%N ->
  congruent (symmetric_part Q K) (hyperbolic_zero n N) <-> nondegenerate Q K.
Proof.
move=> n2 le; split=> [/congruent_rank rS|/(hyperbolic_plus_zero n2) //].
by rewrite -(exact_condition_rank Q K n2) rS rank_hyperbolic_zero.
Qed.

End ExactCondition.
