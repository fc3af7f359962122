(** * Rank balance

    Statement.  If [L] has rank at most [n] then the symmetric part of [L] has at
    most [n] positive and at most [n] negative squares.  In particular this holds
    for every head, degenerate or big.

    Encoding.  A matrix of rank at most [n] is [KᵀQ] with [n] rows each.  Where
    [(Q + K)x = 0] the quadratic form of [KᵀQ] is [-‖Kx‖²], and that is a subspace
    of codimension at most [n].

    Reference.  Lemma 3 of O'Desky, arXiv 2609.22990. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Headforms Require Import Congruence Forms Head Euclidean Inertia.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Order.Theory Num.Theory.
Local Open Scope ring_scope.

Section RankBalance.
Variable F : realFieldType.
Implicit Types (n p q z N : nat).

Lemma positive_index_head n N (Q K : 'M[F]_(n, N)) p :
  positive_index (symmetric_part Q K) p -> (p <= n)%N.
Proof.
case=> -[U pd] _; rewrite leqNgt; apply/negP => lt_np.
have : kermx (U *m (Q + K)^T) != 0.
  rewrite kermx_eq0 -row_leq_rank -ltnNge.
  by apply: leq_ltn_trans lt_np; apply: rank_leq_col.
case/rowV0Pn => x; rewrite sub_kermx mulmxA => /eqP yA /pd; apply/negP; rewrite -leNgt.
move: (x *m U) yA => y yA; have yQ : Q *m y^T = - (K *m y^T).
  apply/eqP; rewrite -addr_eq0 -mulmxDl; apply/eqP; apply: trmx_inj.
  by rewrite trmx_mul trmxK trmx0.
have := symmetric_part_quadratic Q K y^T (two_neq0 F); rewrite trmxK /form => ->.
rewrite /score mulmxA -mulmxA yQ mulmxN mxE oppr_le0 -[K *m _]trmxK.
by rewrite trmx_mul trmxK norm2_ge0.
Qed.

Theorem head_rank_balance n N (Q K : 'M[F]_(n, N)) p q z :
  signature (symmetric_part Q K) p q z -> (p <= n)%N /\ (q <= n)%N.
Proof.
case=> ip iq _; split; first exact: positive_index_head ip.
by move: iq; rewrite -symmetric_partN; apply: positive_index_head.
Qed.

(** Any matrix of rank at most [n] is the score of a head of dimension [n]. *)
Lemma score_of_rank n N (L : 'M[F]_N) : (\rank L <= n)%N ->
  exists Q, exists K : 'M[F]_(n, N), L = score Q K.
Proof.
move=> le; have := mulmx_base L; move: (col_base L) (row_base L) => C R defL.
exists ((pid_mx (\rank L) : 'M_(n, \rank L)) *m R).
exists ((pid_mx (\rank L) : 'M_(n, \rank L)) *m C^T).
rewrite /score trmx_mul trmxK !mulmxA -[C *m _ *m _]mulmxA tr_pid_mx.
by rewrite pid_mx_id // pid_mx_1 mulmx1 defL.
Qed.

Theorem rank_balance n N (L : 'M[F]_N) p q z : (\rank L <= n)%N ->
  signature (symmetrised L) p q z -> (p <= n)%N /\ (q <= n)%N.
Proof. by case/score_of_rank => Q [K ->]; apply: head_rank_balance. Qed.

End RankBalance.
