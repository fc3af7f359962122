(** * Diagonalisation by congruence

    Statement.  Over a field of characteristic other than 2 every symmetric matrix
    is congruent to a diagonal one.

    Encoding.  Bases are written by rows: [P A Pᵀ = diag d] with [P] invertible.
    The proof is the textbook induction: a non-zero form has a vector [x] with
    [xAxᵀ] non-zero, and the space is the orthogonal sum of its line and of its
    orthogonal complement.

    Reference.  Lam, I.2.4. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Headforms Require Import Congruence.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory.
Local Open Scope ring_scope.

Section Diagonalisation.
Variable F : fieldType.
Hypothesis two_neq0 : 2%:R != 0 :> F.
Implicit Types (N k : nat).

(** A subspace contains independent rows up to its dimension. *)
Lemma row_free_within k m N (A : 'M[F]_(m, N)) : (k <= \rank A)%N ->
  exists2 B : 'M[F]_(k, N), row_free B & (B <= A)%MS.
Proof.
move=> le; exists ((pid_mx k : 'M_(k, \rank A)) *m row_base A).
  by rewrite /row_free mxrankMfree ?row_base_free // rank_pid_mx.
by rewrite (submx_trans (submxMl _ _)) // eq_row_base.
Qed.

(** Polarisation: a symmetric matrix with no non-isotropic vector is zero. *)
Lemma anisotropic_vector N (A : 'M[F]_N) : A^T = A -> A != 0 ->
  exists x : 'rV_N, (x *m A *m x^T) 0 0 != 0.
Proof.
move=> sA A0; pose q (x : 'rV[F]_N) := (x *m A *m x^T) 0 0.
have e i j : delta_mx 0 i *m A *m (delta_mx 0 j)^T = (A i j)%:M :> 'M_1.
  apply/matrixP => a b; rewrite !ord1 -rowE trmx_delta -colE !mxE.
  by rewrite eqxx mulr1n.
have [i /existsP [j nz]] : exists i, [exists j, A i j != 0].
  apply/existsP; apply: contraR A0; rewrite negb_exists => /forallP A0.
  apply/eqP/matrixP => i j; rewrite mxE; have := A0 i.
  by rewrite negb_exists => /forallP /(_ j) /negPn /eqP.
have [qi|qi] := boolP (q (delta_mx 0 i) != 0); first by exists (delta_mx 0 i).
have [qj|qj] := boolP (q (delta_mx 0 j) != 0); first by exists (delta_mx 0 j).
exists (delta_mx 0 i + delta_mx 0 j).
move/negPn/eqP: qi; rewrite /q e mxE eqxx mulr1n => qi.
move/negPn/eqP: qj; rewrite /q e mxE eqxx mulr1n => qj.
rewrite [(_ + _)^T]linearD /= !mulmxDl !mulmxDr !e qi qj !mxE eqxx !mulr1n.
rewrite add0r addr0.
have -> : A j i = A i j by rewrite -[in LHS]sA mxE.
by rewrite -mulr2n -mulr_natl mulf_neq0 //; apply: contraNneq nz => ->.
Qed.

Theorem diagonalisation N (A : 'M[F]_N) : A^T = A ->
  exists2 P : 'M[F]_N, P \in unitmx & exists d, P *m A *m P^T = diag_mx d.
Proof.
elim: N A => [|N IH] A sA.
  by exists 1%:M; rewrite ?unitmx1 //; exists 0; apply/matrixP => -[].
have [->|A0] := eqVneq A 0.
  exists 1%:M; rewrite ?unitmx1 //; exists 0.
  by rewrite mulmx0 mul0mx; apply/matrixP => i j; rewrite !mxE mul0rn.
have [x nz] := anisotropic_vector sA A0.
have rAx : \rank (A *m x^T) = 1%N.
  apply/eqP; rewrite eqn_leq (leq_trans (rank_leq_col _)) // lt0n mxrank_eq0.
  by apply: contraNneq nz => Ax0; rewrite -mulmxA Ax0 mulmx0 mxE.
have [|V fV /sub_kermxP VAx] := @row_free_within N _ _ (kermx (A *m x^T)).
  by rewrite mxrank_ker rAx subn1.
have xAV : x *m A *m V^T = 0.
  by apply: trmx_inj; rewrite !trmx_mul !trmxK sA trmx0.
pose a : 'M[F]_1 := x *m A *m x^T.
have [R uR [d Rd]] := IH (V *m A *m V^T) ltac:(by rewrite !trmx_mul trmxK sA mulmxA).
pose B : 'M[F]_(1 + N) := col_mx x V.
have BAB : B *m A *m B^T = block_mx a 0 0 (V *m A *m V^T).
  by rewrite /B mul_col_mx tr_col_mx mul_col_row xAV -[V *m A *m x^T]mulmxA VAx.
have fB : B \in unitmx.
  rewrite -row_free_unit -kermx_eq0; apply/negPn/negP => /rowV0Pn [c].
  rewrite sub_kermx => /eqP cB c0; move/negP: c0; apply.
  rewrite -[c]hsubmxK in cB *; move: cB.
  set s := lsubmx c; set v := rsubmx c; rewrite /B mul_row_col => e.
  have s0 : s = 0.
    have := congr1 (mulmx^~ (A *m x^T)) e.
    rewrite mulmxDl mul0mx -[v *m V *m _]mulmxA VAx mulmx0 addr0.
    rewrite -mulmxA [x *m _]mulmxA -/a [a]mx11_scalar mul_mx_scalar => /eqP.
    by rewrite scalemx_eq0 (negbTE nz) => /eqP.
  move: e; rewrite s0 mul0mx add0r => /eqP vV0.
  suff -> : v = 0 by rewrite row_mx0.
  by apply: (row_free_inj fV); rewrite mul0mx; apply/eqP.
pose D : 'M[F]_(1 + N) := block_mx 1%:M 0 0 R.
have uD : D \in unitmx by rewrite /D block_diag_mx_unit unitmx1 uR.
pose d' : 'rV[F]_(1 + N) := row_mx (\row_j a 0 0) d.
have DBABD : D *m B *m A *m (D *m B)^T = diag_mx d'.
  rewrite trmx_mul !mulmxA -[D *m B *m A]mulmxA -[D *m _ *m B^T]mulmxA BAB.
  rewrite /D tr_block_mx !trmx0 trmx1 !mulmx_block.
  rewrite !(mulmx0, mul0mx, mulmx1, mul1mx, addr0, add0r) Rd /d' diag_mx_row.
  congr block_mx; apply/matrixP => i j; rewrite !ord1 [RHS]mxE eqxx mulr1n.
  by rewrite [RHS]mxE.
by exists (D *m B); [rewrite unitmx_mul uD | exists d'].
Qed.

End Diagonalisation.
