(** * Linear arithmetic on dimensions

    [dimensions] decides linear equalities and inequalities between natural numbers
    written with MathComp's operations: it hands them to [lia] in the form that
    [lia] knows. *)

From Coq Require Import Lia.
From mathcomp Require Import all_ssreflect.

Ltac to_peano :=
  repeat match goal with
  | H : is_true (leq _ _) |- _ => apply (elimT ssrnat.leP) in H
  | H : is_true (@eq_op nat_eqType _ _) |- _ => apply (elimT eqP) in H
  end;
  repeat match goal with
  | |- is_true (leq _ _) => apply (introT ssrnat.leP)
  | |- is_true (@eq_op nat_eqType _ _) => apply (introT eqP)
  end;
  change addn with Nat.add in *; change subn with Nat.sub in *;
  change muln with Nat.mul in *.

Ltac dimensions := to_peano; lia.
