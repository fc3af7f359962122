(** * The distance to degeneracy

    Statement.  Over an ordered field let [s] be a lower bound of [‖uM‖² / ‖u‖²].
    Every matrix [M'] with dependent rows satisfies [‖M' - M‖² >= s] (Frobenius
    norm).  If the bound is attained at a unit row [u] then [M' = M - uᵀuM] has
    dependent rows and [‖M' - M‖² = s]: a rank-one change attains the distance.

    Encoding.  [s] is the square of the smallest singular value; no square root and
    no spectral theorem are needed.  A head is at this distance from the degeneracy
    locus because the heads are all matrices [M].

    Reference.  Eckart and Young, Psychometrika 1 (1936); theory 2.6. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Headforms Require Import Euclidean.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Order.Theory Num.Theory.
Local Open Scope ring_scope.

Section Distance.
Variable F : realFieldType.
Variables m N : nat.
Implicit Types (M : 'M[F]_(m, N)) (u : 'rV[F]_m).

Theorem distance_lower M M' (s : F) :
  (forall u, s * norm2 u <= norm2 (u *m M)) -> ~~ row_free M' ->
  s <= frobenius2 (M' - M).
Proof.
move=> bound; rewrite -kermx_eq0 => /rowV0Pn [u]; rewrite sub_kermx => /eqP uM' u0.
have e : norm2 (u *m M) = norm2 (u *m (M' - M)).
  by rewrite mulmxBr uM' sub0r /norm2 linearN /= mulNmx mulmxN opprK.
have le : norm2 (u *m M) <= norm2 u * frobenius2 (M' - M) by rewrite e norm2_mul.
by have := le_trans (bound u) le; rewrite mulrC ler_pmul2l ?norm2_gt0.
Qed.

Lemma frobenius2_outer u (w : 'rV[F]_N) : frobenius2 (u^T *m w) = norm2 u * norm2 w.
Proof.
rewrite /frobenius2 !norm2E mulr_suml; apply: eq_bigr => i _.
rewrite mulr_sumr; apply: eq_bigr => j _.
by rewrite mxE big_ord1 mxE exprMn.
Qed.

Theorem distance_attained M u (s : F) : norm2 u = 1 -> norm2 (u *m M) = s ->
  let M' := M - u^T *m (u *m M) in
  ~~ row_free M' /\ frobenius2 (M' - M) = s.
Proof.
move=> u1 us M'; have uu : u *m u^T = 1%:M by rewrite [LHS]mx11_scalar -/(norm2 u) u1.
split.
  apply/negP => free; have u0 : u != 0 by rewrite -norm2_eq0 u1 oner_eq0.
  case/negP: u0; apply/eqP/(row_free_inj free).
  by rewrite mul0mx /M' mulmxBr [u *m (_ *m _)]mulmxA uu mul1mx subrr.
have -> : M' - M = (- u)^T *m (u *m M).
  by rewrite /M' addrC addKr linearN /= mulNmx.
rewrite frobenius2_outer us /norm2 linearN /= mulNmx mulmxN opprK.
by rewrite -/(norm2 u) u1 mul1r.
Qed.

End Distance.
