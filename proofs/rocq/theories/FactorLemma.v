(** * The factor lemma

    Statement.  If [M = CB] with [B] ([r x N]) of full row rank then
    [S ≅ ½CᵀJC ⊥ 0^(N-r)] over any field, in every characteristic but 2; every
    head has such a factorisation with [r = rank M].  So all invariants of [S] are
    those of an [r x r] matrix.

    Encoding.  [padded N A] is [A ⊥ 0^(N-r)] ([Forms.v]).

    Reference.  Not in the paper; theory 2.3 of this project. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Headforms Require Import Congruence Forms Head HyperbolicPlusZero.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory.
Local Open Scope ring_scope.

Section FactorLemma.
Variable F : fieldType.
Implicit Types (n r N : nat).

Theorem factor_lemma n r N (Q K : 'M[F]_(n, N)) (C : 'M[F]_(n + n, r))
    (B : 'M[F]_(r, N)) : stacked Q K = C *m B -> row_free B ->
  congruent (symmetric_part Q K)
    (padded N (2%:R^-1 *: (C^T *m hyperbolic n *m C))).
Proof.
move=> MCB fB; have le : (r <= N)%N by rewrite -(eqP fB) rank_leq_col.
have [m defN] : exists m, N = (r + m)%N by exists (N - r)%N; rewrite subnKC.
subst N; have [P uP BP] := independent_rows_normal_form fB (unitmx1 F r).
have pidE : row_mx 1%:M 0 = pid_mx r :> 'M[F]_(r, r + m) by rewrite pid_mx_row.
exists P => //; rewrite symmetric_partE MCB /padded -pidE -BP.
rewrite -!scalemxAr -!scalemxAl; congr (_ *: _).
by rewrite !trmx_mul !mulmxA.
Qed.

Theorem factorisation_exists n N (Q K : 'M[F]_(n, N)) :
  exists C, exists2 B : 'M[F]_(\rank (stacked Q K), N),
    stacked Q K = C *m B & row_free B.
Proof.
exists (col_base (stacked Q K)), (row_base (stacked Q K)).
  by rewrite mulmx_base.
exact: row_base_free.
Qed.

End FactorLemma.
