(** * The squared Euclidean norm

    Statement.  [norm2 x = xxᵀ] is the sum of the squares of the entries; the squared
    Frobenius norm is [tr AAᵀ].  Over an ordered field [norm2] is non-negative, zero only
    at zero, and satisfies the Cauchy-Schwarz inequality [norm2 (uE) <= norm2 u * ‖E‖²].

    Encoding.  No square roots: an ordered field need not have them. *)

From mathcomp Require Import all_ssreflect all_algebra.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Order.Theory Num.Theory.
Local Open Scope ring_scope.

Section AnyField.
Variable F : fieldType.
Implicit Types (k m N : nat).

Definition norm2 k (x : 'rV[F]_k) : F := (x *m x^T) 0 0.

Definition frobenius2 m N (E : 'M[F]_(m, N)) : F := \sum_i \sum_j E i j ^+ 2.

Theorem norm2E k (x : 'rV[F]_k) : norm2 x = \sum_j x 0 j ^+ 2.
Proof. by rewrite /norm2 mxE; apply: eq_bigr => j _; rewrite mxE expr2. Qed.

Theorem frobenius2_trace m N (E : 'M[F]_(m, N)) : frobenius2 E = \tr (E *m E^T).
Proof.
apply: eq_bigr => i _; rewrite mxE; apply: eq_bigr => j _.
by rewrite mxE expr2.
Qed.

End AnyField.

Section OrderedField.
Variable F : realFieldType.
Implicit Types (k m N : nat).

Lemma two_neq0 : 2%:R != 0 :> F.
Proof. by rewrite pnatr_eq0. Qed.

Lemma norm2_ge0 k (x : 'rV[F]_k) : 0 <= norm2 x.
Proof. by rewrite norm2E sumr_ge0 // => i _; apply: sqr_ge0. Qed.

Lemma norm2_eq0 k (x : 'rV[F]_k) : (norm2 x == 0) = (x == 0).
Proof.
apply/idP/eqP => [|->]; last by rewrite /norm2 mul0mx mxE.
rewrite norm2E psumr_eq0 => [/allP x0|i _]; last exact: sqr_ge0.
apply/rowP => i; rewrite mxE; apply/eqP.
by have := x0 i (mem_index_enum _); rewrite expf_eq0.
Qed.

Lemma norm2_gt0 k (x : 'rV[F]_k) : x != 0 -> 0 < norm2 x.
Proof. by move=> x0; rewrite lt_def norm2_eq0 x0 norm2_ge0. Qed.

(** Cauchy-Schwarz for two finite families, by the discriminant. *)
Lemma cauchy_schwarz (I : finType) (a b : I -> F) :
  (\sum_i a i * b i) ^+ 2 <= (\sum_i a i ^+ 2) * (\sum_i b i ^+ 2).
Proof.
set A := \sum_i a i ^+ 2; set B := \sum_i b i ^+ 2; set C := \sum_i a i * b i.
have A0 : 0 <= A by apply: sumr_ge0 => i _; apply: sqr_ge0.
have [A00|A00] := eqVneq A 0.
  suff -> : C = 0 by rewrite expr0n mulr_ge0 // sumr_ge0 // => i _; apply: sqr_ge0.
  apply: big1 => i _; move/eqP: A00; rewrite psumr_eq0 => [/allP a0|j _].
    have := a0 i (mem_index_enum _); rewrite expf_eq0 /= => /eqP ->.
    by rewrite mul0r.
  exact: sqr_ge0.
have : 0 <= \sum_i (A * b i - C * a i) ^+ 2.
  by apply: sumr_ge0 => i _; apply: sqr_ge0.
have -> : \sum_i (A * b i - C * a i) ^+ 2 = A * (A * B - C ^+ 2).
  transitivity (\sum_i (A ^+ 2 * b i ^+ 2 - (A * C *+ 2) * (a i * b i)
                        + C ^+ 2 * a i ^+ 2)).
    apply: eq_bigr => i _; rewrite sqrrB !exprMn; congr (_ - _ + _).
    by rewrite mulrnAl; congr (_ *+ 2); rewrite mulrACA [b i * _]mulrC.
  rewrite big_split /= sumrB -!mulr_sumr -/A -/B -/C mulrBr.
  rewrite -addrA mulrA -expr2; congr (_ + _).
  by rewrite [C ^+ 2 * A]mulrC mulrnAl -mulrA -expr2 mulr2n opprD addrNK.
by rewrite pmulr_rge0 ?subr_ge0 // lt_def A00.
Qed.

Lemma norm2_mul k N (u : 'rV[F]_k) (E : 'M[F]_(k, N)) :
  norm2 (u *m E) <= norm2 u * frobenius2 E.
Proof.
rewrite !norm2E /frobenius2 exchange_big mulr_sumr; apply: ler_sum => j _.
rewrite mxE (le_trans (cauchy_schwarz (fun i => u 0 i) (fun i => E i j))) //.
Qed.

Lemma frobenius2_ge0 m N (E : 'M[F]_(m, N)) : 0 <= frobenius2 E.
Proof. by apply: sumr_ge0 => i _; apply: sumr_ge0 => j _; apply: sqr_ge0. Qed.

End OrderedField.
