(** * The energies of the two parts

    Statement.  For every square matrix [L] with symmetric part [S] and antisymmetric
    part [T], over any field of characteristic other than 2,
        [‖L‖² = ‖S‖² + ‖T‖²],  [‖S‖² = ½‖L‖² + ½ tr L²],  [‖T‖² = ½‖L‖² - ½ tr L²].

    Encoding.  [‖·‖²] is the sum of the squares of the entries.

    Reference.  Lemma 5 of O'Desky, arXiv 2609.22990. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Headforms Require Import Head Euclidean.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory.
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
