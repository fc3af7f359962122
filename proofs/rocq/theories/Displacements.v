(** * Forms that depend on the displacement

    Statement.  Let [L_d] be forms indexed by integers [d] with [L_0] invertible.  The
    operators [T_d] with [L_d = L_0 T_d] exist and are unique.  [T_(d+e) = T_d T_e] for
    all [d], [e] if and only if [T_d = S^d] for one invertible [S], which is then [T_1].
    The powers of an orthogonal [R] depend on displacements in this sense:
    [(R^j)ᵀ R^i = R^(i-j)].

    Encoding.  Matrices of size at least 1, where integer powers are those of the unit
    ring.

    Reference.  Proposition 1 of O'Desky, arXiv 2609.22990. *)

From mathcomp Require Import all_ssreflect all_algebra.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory.
Local Open Scope ring_scope.

Section Displacements.
Variable F : fieldType.
Variable N : nat.
Variable L : int -> 'M[F]_N.+1.
Hypothesis L0 : L 0 \in unitmx.

Definition displacement_operator (d : int) : 'M[F]_N.+1 := invmx (L 0) *m L d.

Local Notation T := displacement_operator.

Theorem displacement_operator_uniq (d : int) (X : 'M[F]_N.+1) :
  L d = L 0 *m X <-> X = T d.
Proof. by split=> [e|->]; rewrite /T ?e ?mulKmx ?mulKVmx. Qed.

Theorem rotary_like : (forall d e, T (d + e) = T d *m T e) <->
  (exists2 S : 'M[F]_N.+1, S \is a GRing.unit & forall d, T d = S ^ d).
Proof.
split=> [add|[S uS e] c d]; last by rewrite !e exprzDr.
have T0 : T 0 = 1 by rewrite /T mulVmx.
have inv d : T d * T (- d) = 1 by have := add d (- d); rewrite subrr T0.
have u1 : T 1 \is a GRing.unit by case/mulmx1_unit: (inv 1).
have nat (k : nat) : T k%:Z = T 1 ^+ k.
  elim: k => [|k IH]; first by rewrite expr0.
  by rewrite intS add IH exprS.
exists (T 1) => // -[k|k]; first by rewrite nat.
rewrite NegzE -exprnN -nat; apply: (mulrI (_ : T k.+1 \is a GRing.unit)).
  by case/mulmx1_unit: (inv k.+1).
by rewrite inv divrr //; case/mulmx1_unit: (inv k.+1).
Qed.

(** The operator behind such forms is [T_1]. *)
Theorem rotary_like_operator (S : 'M[F]_N.+1) : (forall d, T d = S ^ d) -> S = T 1.
Proof. by move=> ->; rewrite expr1z. Qed.

End Displacements.

Theorem rotation_powers (F : fieldType) n (R : 'M[F]_n.+1) (i j : int) :
  R^T *m R = 1%:M -> (R ^ j)^T *m R ^ i = R ^ (i - j).
Proof.
move=> oR; have [uRT uR] := mulmx1_unit oR.
have tR : R^T = R^-1 by apply: (mulIr uR); rewrite mulVr //; exact: oR.
have -> : (R ^ j)^T = R ^ (- j).
  have trX k : (R ^+ k)^T = R ^- k.
    rewrite -exprVn -tR; elim: k => [|k IH]; first by rewrite !expr0 trmx1.
    by rewrite exprS exprSr [LHS]trmx_mul IH.
  case: j => k; first by rewrite -exprnN -trX.
  by rewrite NegzE opprK -exprnN -trX trmxK.
by rewrite addrC exprzDr.
Qed.
