(** * The notions are neither empty nor everything

    Statement.  An axiom audit does not notice a definition that no object satisfies, or
    that all do.  Here every notion that the theorems assume or conclude meets an object
    that has it and one that has not:
    - the form [diag(1^p, (-1)^q, 0^z)] has the signature [(p, q, z)];
    - the scalar product has Witt index 0, and only dimension 0 is then isotropic;
    - a tied head with [K = Q] has rank [n], and its form is not hyperbolic plus zero;
    - the checker accepts a certificate of a nondegenerate head, finds the signature of
      a tied one, and refuses both where one number is changed or the modulus is 1.

    Encoding.  The checker's answers are computed by the kernel.

    Reference.  None. *)

From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect all_algebra.
From Headforms Require Import Congruence Forms Head Euclidean Energies Inertia WittIndex.
From Headforms Require Import RankRadical ExactCondition IntegerLists Checker.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Order.Theory Num.Theory.
Local Open Scope ring_scope.

Section OrderedField.
Variable F : realFieldType.
Implicit Types (n p q z N : nat).

(** [diag(1^p, (-1)^q, 0^z)] *)
Definition standard_diagonal p q z : 'rV[F]_(p + q + z) :=
  row_mx (row_mx (const_mx 1) (const_mx (- 1))) 0.

Theorem standard_signature p q z : signature (diag_mx (standard_diagonal p q z)) p q z.
Proof.
set d := standard_diagonal p q z.
have d1 i : d 0 (lshift z (lshift q i)) = 1 by rewrite row_mxEl row_mxEl mxE.
have d2 i : d 0 (lshift z (rshift p i)) = -1 by rewrite row_mxEl row_mxEr mxE.
have d3 i : d 0 (rshift (p + q) i) = 0 by rewrite row_mxEr mxE.
have count (a : pred F) : #|[set i | a (d 0 i)]| = (a 1%R * p + a (-1)%R * q + a 0%R * z)%N.
  rewrite -sum1_card big_mkcond (eq_bigr (fun i => a (d 0 i) : nat)) => [|i _]; last first.
    by rewrite inE; case: (a _).
  rewrite !big_split_ord /=.
  rewrite (eq_bigr (fun=> a 1 : nat)) => [|i _]; last by rewrite d1.
  rewrite [X in (_ + X + _)%N](eq_bigr (fun=> a (-1) : nat)) => [|i _]; last by rewrite d2.
  rewrite [X in (_ + X)%N](eq_bigr (fun=> a 0 : nat)) => [|i _]; last by rewrite d3.
  by rewrite !sum_nat_const !card_ord !(mulnC (a _)).
have := @diagonal_signature F _ (diag_mx d) 1%:M d (tr_diag_mx d) (unitmx1 _ _).
rewrite trmx1 mul1mx mulmx1 => /(_ erefl).
rewrite (count (fun x => 0 < x)) (count (fun x => x < 0)) (count (fun x => x == 0)).
by rewrite ltr01 ltr10 ltxx ltrN10 oppr_gt0 ltr10 eqxx oppr_eq0 oner_eq0 !mul1n !mul0n ?addn0 ?add0n.
Qed.

(** The scalar product: no isotropic vectors. *)
Theorem scalar_product_witt_index N : witt_index (1%:M : 'M[F]_N) 0.
Proof.
have max m (E : 'M[F]_(m, N)) : isotropic 1%:M E -> (m <= 0)%N.
  case=> fE; rewrite mulmx1 => EE; rewrite leqn0 -(eqP fE) mxrank_eq0.
  by apply/eqP/frobenius2_eq0; rewrite frobenius2_trace EE mxtrace0.
have rad : \rank (kermx (1%:M : 'M[F]_N)) = 0%N by rewrite mxrank_ker mxrank1 subnn.
rewrite /witt_index rad; split=> //.
by exists 0; split; [rewrite /row_free mxrank0 | rewrite !mul0mx].
Qed.

(** A tied head: [S = KᵀK]. *)
Theorem tied_head_fails n N (K : 'M[F]_(n, N)) : (0 < n)%N -> (n + n <= N)%N ->
  ~ congruent (symmetric_part K K) (hyperbolic_zero n N).
Proof.
move=> n0 le; have := exact_condition K K (two_neq0 F) le => -[H _] /H.
by have := degenerate_tied 1%:M K n0; rewrite mul1mx => /negP.
Qed.

End OrderedField.

(** The head [K = (1/2, 0, 3)], [Q = (0, 2, 5)]; the minor on the columns 0 and 1. *)
Definition weights : seq (seq dyadic) :=
  [:: [:: (1, -1); (0, 0); (3, 0)]; [:: (0, 0); (1, 1); (5, 0)] ]%ZZ.

Definition accepts (modulus : Z) (columns : seq nat) (inverse : seq (seq Z)) : bool :=
  check_minor 1 3 weights modulus columns inverse.

Theorem checker_accepts : accepts 7%ZZ [:: 0; 1]%N [:: [:: 1; 0]; [:: 0; 2]]%ZZ.
Proof. by vm_compute. Qed.

Theorem checker_refuses :
  [/\ ~~ accepts 7%ZZ [:: 0; 1]%N [:: [:: 1; 0]; [:: 0; 3]]%ZZ,
      ~~ accepts 7%ZZ [:: 0; 0]%N [:: [:: 1; 0]; [:: 0; 2]]%ZZ,
      ~~ accepts 1%ZZ [:: 0; 0]%N [:: [:: 1; 0]; [:: 0; 2]]%ZZ
    & ~~ accepts 7%ZZ [:: 0; 3]%N [:: [:: 1; 0]; [:: 0; 2]]%ZZ].
Proof. by vm_compute. Qed.

(** The tied head [K = Q = (1, 2)], with the null vector [(1, -1)] of square [-2]. *)
Definition tied_proof (modulus : Z) : exact_proof :=
  ExactProof 1 [:: 0]%N [:: 0]%N modulus [:: [:: 1%ZZ]] [:: [:: 1; -1]]%ZZ
    [:: 0]%N 7%ZZ [:: [:: 1%ZZ]] [:: [:: 1%ZZ]] 7%ZZ [:: [:: 1%ZZ]].

Theorem checker_answers :
  check_exact 1 2 [:: [:: (1, 0); (2, 0)]; [:: (1, 0); (2, 0)]]%ZZ (tied_proof 7%ZZ)
    = Some (1, 0, 1)%N
  /\ check_exact 1 2 [:: [:: (1, 0); (2, 0)]; [:: (1, 0); (2, 1)]]%ZZ (tied_proof 7%ZZ) = None
  /\ check_exact 1 2 [:: [:: (1, 0); (2, 0)]; [:: (1, 0); (2, 0)]]%ZZ (tied_proof 1%ZZ) = None.
Proof. by vm_compute. Qed.
