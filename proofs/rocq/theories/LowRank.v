(** * Low-rank projections

    Statement.  Let the queries and the keys be computed through latent spaces,
    [Q = AC] with [C : r x N] and [K = BD] with [D : s x N].  If [n <= r], [n <= s] and
    [2n <= N] then the parameters [(A, C, B, D)] of nondegenerate heads are Zariski
    open, non-empty, and over an infinite field dense.  If [r < n] or [s < n] there are
    none.

    Encoding.  The coordinates of the parameters are the entries of the four matrices,
    one after the other.

    Reference.  Not in the paper; theory 2.8 of this project (multi-head latent
    attention). *)

From mathcomp Require Import all_ssreflect all_algebra.
From SsrMultinomials Require Import mpoly.
From Headforms Require Import Arithmetic Congruence Forms Head Infinite Families.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory.
Local Open Scope ring_scope.

Section LowRank.
Variable F : fieldType.
Variables n r s N : nat.
Implicit Types (A : 'M[F]_(n, r)) (C : 'M[F]_(r, N)) (B : 'M[F]_(n, s)) (D : 'M[F]_(s, N)).

Notation parameters := (n * r + r * N + (n * s + s * N))%N.

Definition factor_coordinates A C B D : 'I_parameters -> F :=
  fun i => row_mx (row_mx (mxvec A) (mxvec C)) (row_mx (mxvec B) (mxvec D)) 0 i.

Theorem factor_coordinates_surjective (v : 'I_parameters -> F) :
  exists A C B D, factor_coordinates A C B D =1 v.
Proof.
pose w : 'rV[F]_parameters := \row_i v i.
exists (vec_mx (lsubmx (lsubmx w))), (vec_mx (rsubmx (lsubmx w))).
exists (vec_mx (lsubmx (rsubmx w))), (vec_mx (rsubmx (rsubmx w))) => i.
by rewrite /factor_coordinates !vec_mxK !hsubmxK mxE.
Qed.

(** The matrix of the variables of one factor. *)
Definition variables p q (place : 'I_(p * q) -> 'I_parameters) :
  'M[{mpoly F[parameters]}]_(p, q) := \matrix_(i, j) 'X_(place (mxvec_index i j)).

Definition low_rank_member : 'M[{mpoly F[parameters]}]_(n + n, N) :=
  col_mx (variables (fun i => rshift _ (lshift _ i)) *m variables (fun i => rshift _ (rshift _ i)))
    (variables (fun i => lshift _ (lshift _ i)) *m variables (fun i => lshift _ (rshift _ i))).

Lemma low_rank_memberE A C B D :
  at_parameter (factor_coordinates A C B D) low_rank_member = stacked (A *m C) (B *m D).
Proof.
have value p q (place : 'I_(p * q) -> 'I_parameters) (X : 'M[F]_(p, q)) :
    (forall i, factor_coordinates A C B D (place i) = mxvec X 0 i) ->
    map_mx (meval (factor_coordinates A C B D)) (variables place) = X.
  by move=> e; apply/matrixP => i j; rewrite !mxE mevalXU e mxvecE.
rewrite /at_parameter /stacked map_col_mx !map_mxM /=.
by rewrite (value _ _ _ A) ?(value _ _ _ B) ?(value _ _ _ C) ?(value _ _ _ D) // => i;
  rewrite /factor_coordinates ?row_mxEl ?row_mxEr ?row_mxEl ?row_mxEr.
Qed.

Theorem low_rank_generic : (n <= r)%N -> (n <= s)%N -> (n + n <= N)%N ->
  exists2 g : {mpoly F[parameters]}, g != 0 &
    forall A C B D, g.@[factor_coordinates A C B D] != 0 ->
      nondegenerate (A *m C) (B *m D).
Proof.
move=> ler les le.
pose A0 : 'M[F]_(n, r) := pid_mx n; pose C0 : 'M[F]_(r, N) := pid_mx n *m witness_query n N.
pose B0 : 'M[F]_(n, s) := pid_mx n; pose D0 : 'M[F]_(s, N) := pid_mx n *m witness_key n N.
have free : row_free (at_parameter (factor_coordinates A0 C0 B0 D0) low_rank_member).
  rewrite low_rank_memberE /A0 /C0 /B0 /D0 !mulmxA !pid_mx_id // !pid_mx_1 !mul1mx.
  exact: nondegenerate_witness.
have [g g0 gen] := family_generic free; exists g => [|A C B D /gen].
  by apply: contraNneq g0 => ->; rewrite meval0.
by rewrite low_rank_memberE.
Qed.

Theorem low_rank_dense (p : {mpoly F[parameters]}) : infinite_field F ->
  (n <= r)%N -> (n <= s)%N -> (n + n <= N)%N ->
  (forall A C B D, nondegenerate (A *m C) (B *m D) -> p.@[factor_coordinates A C B D] = 0) ->
  p = 0.
Proof.
move=> infF ler les le p0; have [g g0 gen] := low_rank_generic ler les le.
apply: (generic_dense infF g0) => v.
have [A [C [B [D /meval_eq e]]]] := factor_coordinates_surjective v.
by rewrite -!e => /gen/p0.
Qed.

Theorem low_rank_degenerate A C B D : (r < n)%N || (s < n)%N ->
  ~~ nondegenerate (A *m C) (B *m D).
Proof.
move=> lt; apply/negP => free.
have e : \rank (B *m D + A *m C)%MS = (n + n)%N by rewrite addsmxE; apply/eqP.
have le : (n <= \rank (A *m C))%N /\ (n <= \rank (B *m D))%N.
  have [+ _] := mxrank_adds_leqif (B *m D) (A *m C); rewrite e.
  have := rank_leq_row (A *m C); have := rank_leq_row (B *m D).
  by move=> *; split; dimensions.
have := leq_trans le.1 (mxrankM_maxr A C); have := leq_trans le.2 (mxrankM_maxr B D).
have := rank_leq_row C; have := rank_leq_row D.
by case/orP: lt => *; dimensions.
Qed.

End LowRank.
