(** * The distance to degeneracy

    Statement.  Over an ordered field let [s] be a lower bound of [‖uM‖² / ‖u‖²].
    Every matrix [M'] with dependent rows satisfies [‖M' - M‖² >= s] (Frobenius
    norm).  If the bound is attained at a unit row [u] then [M' = M - uᵀuM] has
    dependent rows and [‖M' - M‖² = s]: a rank-one change attains the distance.
    In exact terms: a matrix with dependent rows at distance at most [√s] exists if and
    only if [‖uM‖² <= s‖u‖²] for some [u ≠ 0].

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

(** Both at once, with no minimum to be attained: within distance [√s] of [M] there
    is a matrix with dependent rows exactly when [MMᵀ - s] is not positive definite. *)
Theorem distance_exact M (s : F) :
  (exists2 M', ~~ row_free M' & frobenius2 (M' - M) <= s)
  <-> (exists2 u : 'rV_m, u != 0 & norm2 (u *m M) <= s * norm2 u).
Proof.
split=> [[M']|[u u0 le]].
  rewrite -kermx_eq0 => /rowV0Pn [u]; rewrite sub_kermx => /eqP uM' u0 near; exists u => //.
  have -> : norm2 (u *m M) = norm2 (u *m (M' - M)).
    by rewrite mulmxBr uM' sub0r /norm2 linearN /= mulNmx mulmxN opprK.
  by apply: le_trans (norm2_mul _ _) _; rewrite mulrC ler_wpmul2r ?norm2_ge0.
pose c := (norm2 u)^-1; have nu := norm2_gt0 u0; have uu : u *m u^T = (norm2 u)%:M by rewrite [LHS]mx11_scalar.
exists (M - c *: (u^T *m (u *m M))).
  apply/negP => free; case/negP: u0; apply/eqP/(row_free_inj free).
  rewrite mul0mx mulmxBr -scalemxAr [u *m (_ *m _)]mulmxA uu mul_scalar_mx scalerA.
  by rewrite mulVf ?gt_eqF // scale1r subrr.
have -> : M - c *: (u^T *m (u *m M)) - M = (- c *: u)^T *m (u *m M).
  by rewrite addrC addKr [(_ *: u)^T]linearZ /= -scalemxAl scaleNr.
have -> : frobenius2 ((- c *: u)^T *m (u *m M)) = c * norm2 (u *m M).
  rewrite frobenius2_outer; have -> : norm2 (- c *: u) = c * (c * norm2 u).
    by rewrite /norm2 [(_ *: u)^T]linearZ /= -scalemxAl -scalemxAr scalerA mulrNN mxE mulrA.
  by rewrite /c mulVf ?gt_eqF // mulr1.
by rewrite /c mulrC ler_pdivr_mulr.
Qed.

End Distance.
