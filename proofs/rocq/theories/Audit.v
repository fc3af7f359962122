(** * The axiom audit

    One tuple of all public theorems, one a line, and one query: the kernel lists
    everything that any of them rests on.  The answer must be "Closed under the
    global context": no axiom, nothing admitted. *)

From mathcomp Require Import all_ssreflect all_algebra.
From SsrMultinomials Require Import mpoly.
From Headforms Require Import Congruence Forms Head HyperbolicPlusZero RankRadical.
From Headforms Require Import ExactCondition Symmetries Pencil Infinite Locus Density.
From Headforms Require Import Diagonalisation Euclidean Inertia RankBalance Signature.
From Headforms Require Import FactorLemma Annihilator CorankBound.
From Headforms Require Import BigHeads Homogenisation Centring Distance Families.
From Headforms Require Import Necessity Counting IntegerLists Certificate Checker.

Import GRing.Theory.
Local Open Scope ring_scope.

Definition audited :=
  (@symmetric_partE,
   @antisymmetric_partE,
   @score_decomposition,
   @degenerate_big,
   @degenerate_tied,
   @hyperbolic_plus_zero_block,
   @hyperbolic_plus_zero,
   @diagonal_normal_form,
   @rank_symmetric_part_le,
   @rank_symmetric_part,
   @radical_is_common_kernel,
   @radical_dimension,
   @exact_condition_rank,
   @exact_condition,
   @gauge_score,
   @gauge_nondegenerate,
   @coordinates_nondegenerate,
   @coordinates_congruent,
   @invertible_position,
   @rotary_position,
   @pencil_polynomial,
   @pencil_bad_values,
   @char0_infinite,
   @mpoly_vanish,
   @minorE,
   @nondegenerate_open,
   @nondegenerate_nonempty,
   @locus_square,
   @nondegenerate_principal_minor,
   @nondegenerate_gram,
   @generic_hyperbolic_plus_zero,
   @nondegenerate_dense,
   @nondegenerate_dense_char0,
   @diagonalisation,
   @diagonal_signature,
   @congruent_signature,
   @signature_uniq,
   @signature_exists,
   @head_rank_balance,
   @rank_balance,
   @nondegenerate_signature,
   @generic_signature,
   @factor_lemma,
   @factorisation_exists,
   @annihilator_rank,
   @annihilator_signature,
   @corank_bound_witt,
   @corank_bound,
   @corank_bound_signature,
   @nondegenerate_witt_index,
   @big_head_rank,
   @big_head_signatures,
   @big_heads_fail,
   @affine_score,
   @homogenised_nondegenerate,
   @homogenised_hyperbolic_plus_zero,
   @homogenised_restriction,
   @centring_idempotent,
   @centred_exact_condition,
   @centred_degenerate,
   @centred_nonempty,
   @distance_lower,
   @distance_attained,
   @family_generic,
   @families_generic,
   @family_dense,
   @grouped_queries_witness,
   @characteristic_two_fails,
   @finite_field_not_dense,
   @card_row_free,
   @card_nondegenerate,
   @inverse_modulo_det,
   @minor_certificate,
   @minor_certificate_signature,
   @dyadic_certificate,
   @null_vectors_deficiency,
   @exact_certificate,
   @check_minor_sound,
   @check_minor_signature,
   @check_exact_sound).

Print Assumptions audited.
