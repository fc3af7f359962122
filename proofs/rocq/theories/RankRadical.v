(** * Rank and radical of a head

    Statement.  Always [rank S <= rank M].  For a nondegenerate head [rank S = 2n]
    and the radical of [S] is the common kernel of [Q] and [K], of dimension
    [N - 2n].

    Encoding.  The radical of a symmetric [S] is the space of [x] with [Sx = 0];
    its dimension is the rank of [kermx S].

    Reference.  O'Desky, arXiv 2609.22990, Theorem 3 (the zero part). *)

From mathcomp Require Import all_ssreflect all_algebra.
From Headforms Require Import Congruence Forms Head.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory.
Local Open Scope ring_scope.

Section RankRadical.
Variable F : fieldType.
Implicit Types (n N : nat).

Theorem rank_symmetric_part_le n N (Q K : 'M[F]_(n, N)) :
  (\rank (symmetric_part Q K) <= \rank (stacked Q K))%N.
Proof. by rewrite symmetric_partE scalemxAl mxrankM_maxr. Qed.

Theorem rank_symmetric_part n N (Q K : 'M[F]_(n, N)) :
  2%:R != 0 :> F -> nondegenerate Q K -> \rank (symmetric_part Q K) = (n + n)%N.
Proof.
move=> n2 ndg; rewrite symmetric_partE (eqmx_scale _ (invr_neq0 n2)).
rewrite mxrankMfree // mxrankMfree ?row_free_unit ?hyperbolic_unit // mxrank_tr.
exact/eqP.
Qed.

Theorem radical_is_common_kernel n N (Q K : 'M[F]_(n, N)) (x : 'cV[F]_N) :
  2%:R != 0 :> F -> nondegenerate Q K ->
  symmetric_part Q K *m x = 0 <-> Q *m x = 0 /\ K *m x = 0.
Proof.
move=> n2 ndg; split=> [Sx|[Qx Kx]]; last first.
  rewrite symmetric_partE -scalemxAl -mulmxA mul_col_mx Qx Kx col_mx0 mulmx0.
  by rewrite scaler0.
have JM0 : hyperbolic n *m (stacked Q K *m x) = 0.
  apply: trmx_inj; apply: (row_free_inj ndg).
  rewrite trmx0 mul0mx -[X in _ *m X]trmxK -trmx_mul; apply: trmx_inj.
  rewrite trmxK trmx0; move/eqP: Sx.
  rewrite symmetric_partE -scalemxAl scalemx_eq0 invr_eq0 (negbTE n2) /=.
  by move/eqP; rewrite -!mulmxA.
have : stacked Q K *m x = 0.
  by rewrite -[LHS]mul1mx -(hyperbolic_sq F n) -mulmxA JM0 mulmx0.
rewrite mul_col_mx => /eqP; rewrite col_mx_eq0 => /andP[/eqP Kx /eqP Qx].
by split.
Qed.

Theorem radical_dimension n N (Q K : 'M[F]_(n, N)) :
  2%:R != 0 :> F -> nondegenerate Q K ->
  \rank (kermx (symmetric_part Q K)) = (N - (n + n))%N.
Proof. by move=> n2 ndg; rewrite mxrank_ker rank_symmetric_part. Qed.

End RankRadical.
