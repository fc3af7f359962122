(** * The energies of the two parts

    Statement.  For every square matrix [L] with symmetric part [S] and antisymmetric
    part [T], over any field of characteristic other than 2,
        [‖L‖² = ‖S‖² + ‖T‖²],  [‖S‖² = ½‖L‖² + ½ tr L²],  [‖T‖² = ½‖L‖² - ½ tr L²].
    Over an ordered field [‖T‖ = 0] if and only if [L] is symmetric, and [‖S‖ = 0] if and
    only if it is antisymmetric.

    Encoding.  [‖·‖²] is the sum of the squares of the entries.

    Reference.  Lemma 5, and the faces a = 0 and a = 1 of Theorem 4, of O'Desky, arXiv 2609.22990. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Headforms Require Import Head Euclidean.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Order.Theory Num.Theory.
Local Open Scope ring_scope.

Section Energies.
Variable F : fieldType.
Variable N : nat.
Hypothesis two_neq0 : 2%:R != 0 :> F.
Implicit Types L : 'M[F]_N.

Local Notation half := (2%:R^-1 : F).

Lemma halves : half + half = 1.
Proof. by have := mulfV two_neq0; rewrite mulr_natl mulr2n. Qed.

Lemma quarter (x : F) : half * half * (x + x) = half * x.
Proof. by rewrite mulrDr -mulrDl -mulrDr halves mulr1. Qed.

Lemma trace_square_tr L : \tr (L^T *m L^T) = \tr (L *m L).
Proof. by rewrite -trmx_mul mxtrace_tr. Qed.

Theorem symmetric_energy L :
  frobenius2 (symmetrised L) = half * frobenius2 L + half * \tr (L *m L).
Proof.
rewrite !frobenius2_trace symmetrised_tr /symmetrised -scalemxAl -scalemxAr scalerA.
rewrite mxtraceZ mulmxDl !mulmxDr !mxtraceD trace_square_tr [\tr (L^T *m L)]mxtrace_mulC.
by rewrite [X in _ * (X + _)]addrC quarter mulrDr.
Qed.

Theorem antisymmetric_energy L :
  frobenius2 (antisymmetrised L) = half * frobenius2 L - half * \tr (L *m L).
Proof.
rewrite !frobenius2_trace antisymmetrised_tr mulmxN /antisymmetrised -scalemxAl -scalemxAr.
rewrite scalerA linearN /= mxtraceZ mulmxBl !mulmxBr !raddfB /= trace_square_tr.
by rewrite [\tr (L^T *m L)]mxtrace_mulC opprK [X in _ * (_ + X)]addrC quarter -mulrN opprB mulrBr.
Qed.

Theorem energy_sum L :
  frobenius2 L = frobenius2 (symmetrised L) + frobenius2 (antisymmetrised L).
Proof.
rewrite symmetric_energy antisymmetric_energy addrACA subrr addr0 -mulrDl halves.
by rewrite mul1r.
Qed.

End Energies.

(** Over an ordered field an energy vanishes with the part itself: the faces on which
    [L] is symmetric or antisymmetric. *)
Section OrderedField.
Variable F : realFieldType.
Variable N : nat.
Implicit Types L : 'M[F]_N.

Lemma frobenius2_eq0 m (A : 'M[F]_(m, N)) : frobenius2 A = 0 -> A = 0.
Proof.
have row_ge0 i : 0 <= \sum_j A i j ^+ 2 by apply: sumr_ge0 => j _; apply: sqr_ge0.
move=> e; apply/matrixP => i j; rewrite mxE; apply/eqP; rewrite -sqrf_eq0; apply/eqP.
have ei : \sum_j A i j ^+ 2 = 0 by apply: (psumr_eq0P _ e) => // l _; apply: row_ge0.
by apply: (psumr_eq0P _ ei) => // l _; apply: sqr_ge0.
Qed.

Theorem symmetric_face L : frobenius2 (antisymmetrised L) = 0 <-> L^T = L.
Proof.
split=> [/frobenius2_eq0 T0|sL].
  by rewrite {2}(parts_sum L (two_neq0 F)) {1}(parts_sum L (two_neq0 F)) T0 !addr0 symmetrised_tr.
by rewrite /antisymmetrised sL subrr scaler0 frobenius2_trace mul0mx mxtrace0.
Qed.

Theorem antisymmetric_face L : frobenius2 (symmetrised L) = 0 <-> L^T = - L.
Proof.
split=> [/frobenius2_eq0 S0|aL].
  by rewrite {2}(parts_sum L (two_neq0 F)) {1}(parts_sum L (two_neq0 F)) S0 !add0r antisymmetrised_tr.
by rewrite /symmetrised aL subrr scaler0 frobenius2_trace mul0mx mxtrace0.
Qed.

End OrderedField.
