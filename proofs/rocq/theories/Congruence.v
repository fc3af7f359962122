(** * Congruence and isometry of symmetric bilinear forms

    Statement.  Two square matrices are matrices of one bilinear form in two
    bases exactly when [B = PᵀAP] with [P] invertible ([congruent]).  The same
    relation between forms on spaces that are only afterwards seen to have the
    same dimension is [isometric].  Both are equivalence relations where that
    makes sense, and both preserve the rank.

    Encoding.  A form on [F^N] is its Gram matrix [A : 'M[F]_N].  An isometry is
    a [p x q] matrix that is both injective ([row_free]) and surjective
    ([row_full]); then [p = q], but no cast along that equality is needed.

    Reference.  Lam, Introduction to Quadratic Forms over Fields, I.1. *)

From mathcomp Require Import all_ssreflect all_algebra.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory.
Local Open Scope ring_scope.

Section Definitions.
Variable F : fieldType.

Definition congruent N (A B : 'M[F]_N) : Prop :=
  exists2 P : 'M[F]_N, P \in unitmx & P^T *m A *m P = B.

Definition isometric p q (A : 'M[F]_p) (B : 'M[F]_q) : Prop :=
  exists2 P : 'M[F]_(p, q), row_free P && row_full P & P^T *m A *m P = B.

(** The orthogonal sum of two forms. *)
Definition orthogonal_sum p q (A : 'M[F]_p) (B : 'M[F]_q) : 'M[F]_(p + q) :=
  block_mx A 0 0 B.

End Definitions.

Section Theory.
Variable F : fieldType.
Implicit Types (N p q r : nat).

Theorem congruent_refl N (A : 'M[F]_N) : congruent A A.
Proof. by exists 1%:M; rewrite ?unitmx1 // trmx1 mul1mx mulmx1. Qed.

Theorem congruent_sym N (A B : 'M[F]_N) : congruent A B -> congruent B A.
Proof.
case=> P uP <-; exists (invmx P); first by rewrite unitmx_inv.
rewrite -!mulmxA mulmxV // mulmx1 !mulmxA -trmx_mul mulmxV //.
by rewrite trmx1 mul1mx.
Qed.

Theorem congruent_trans N (A B C : 'M[F]_N) :
  congruent A B -> congruent B C -> congruent A C.
Proof.
case=> P uP <- [R uR <-]; exists (P *m R); first by rewrite unitmx_mul uP.
by rewrite trmx_mul !mulmxA.
Qed.

Theorem congruent_rank N (A B : 'M[F]_N) : congruent A B -> \rank A = \rank B.
Proof.
case=> P uP <-; rewrite mxrankMfree ?row_free_unit // eqmxMfull //.
by rewrite row_full_unit unitmx_tr.
Qed.

Theorem isometric_congruent N (A B : 'M[F]_N) : isometric A B <-> congruent A B.
Proof.
split=> [[P /andP[fP _] e]|[P uP e]]; exists P => //.
  by rewrite -row_free_unit.
by rewrite row_free_unit row_full_unit uP.
Qed.

(** Isometric forms live on spaces of one dimension. *)
Theorem isometric_dim p q (A : 'M[F]_p) (B : 'M[F]_q) : isometric A B -> p = q.
Proof. by case=> P /andP[/eqP fP /eqP uP] _; rewrite -fP uP. Qed.

Lemma isometric_sym p q (A : 'M[F]_p) (B : 'M[F]_q) :
  isometric A B -> isometric B A.
Proof.
move=> iso; have e := isometric_dim iso; subst q; move: iso.
by move/isometric_congruent/congruent_sym/isometric_congruent.
Qed.

Lemma isometric_trans p q r (A : 'M[F]_p) (B : 'M[F]_q) (C : 'M[F]_r) :
  isometric A B -> isometric B C -> isometric A C.
Proof.
move=> isoAB isoBC; have e := isometric_dim isoAB; have e' := isometric_dim isoBC.
subst q r; apply/isometric_congruent.
by apply: congruent_trans; apply/isometric_congruent; [apply: isoAB|].
Qed.

Lemma isometric_rank p q (A : 'M[F]_p) (B : 'M[F]_q) :
  isometric A B -> \rank A = \rank B.
Proof.
move=> iso; have e := isometric_dim iso; subst q.
exact/congruent_rank/isometric_congruent.
Qed.

(** Symmetry is kept. *)
Lemma congruent_symmetric N (A B : 'M[F]_N) : congruent A B -> A^T = A -> B^T = B.
Proof. by case=> P _ <- sA; rewrite !trmx_mul trmxK sA mulmxA. Qed.

End Theory.
