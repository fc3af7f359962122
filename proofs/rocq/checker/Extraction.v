(** * The checker as an OCaml program

    Only booleans, lists, pairs and options are mapped to OCaml's own; integers
    stay binary and natural numbers unary, so that the program computed with is the
    one proved correct. *)

From Coq Require Import Extraction ExtrOcamlBasic.
From Coq Require Import ZArith.
From Headforms Require Import Checker.

Extraction Language OCaml.
Extraction "extracted.ml" Z.add Z.mul Z.opp check_minor check_exact.
