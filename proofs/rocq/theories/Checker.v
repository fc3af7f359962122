(** * The certificate checker

    Statement.  Two programs on lists of binary integers.  [check_minor] says whether a
    minor certificate proves its head nondegenerate; [check_exact] answers the signature
    of a head that need not be, or [None].  That their answers are true is proved in
    [Soundness.v].

    Encoding.  A weight is a dyadic rational, a pair [(m, e)] standing for [m 2^e];
    a head is the list of the [2n] rows of [M = [K; Q]].  The checker clears the
    powers of two itself.  A minor is shown to be invertible by an inverse modulo
    some [m > 1], given by its columns, so the check is one matrix product and needs
    no prime.  The null vectors [U] come with an invertible [P] that makes them
    [J]-orthogonal: [(PU)J(PU)ᵀ] is diagonal, and the annihilator lemma turns the
    signs of its diagonal into the signature.

    Nothing is assumed about the input: shapes, indices and exponents are checked. *)

From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect all_algebra.
From Headforms Require Import IntegerLists.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Local Open Scope ring_scope.

Definition dyadic := (Z * Z)%type.

Definition least_exponent (rows : seq (seq dyadic)) : Z :=
  foldr (fun row acc => foldr (fun x => Z.min x.2) acc row) Z0 rows.

(** [None] when some exponent is below [e]. *)
Definition exponents_above (e : Z) (rows : seq (seq dyadic)) : bool :=
  all (all (fun x => Z.leb e x.2)) rows.

Definition cleared (e : Z) (rows : seq (seq dyadic)) : seq (seq Z) :=
  [seq [seq Z.shiftl x.1 (x.2 - e)%ZZ | x <- row] | row <- rows].

Definition congruent_modulo (m a b : Z) : bool := Z.eqb (Z.modulo (a - b)%ZZ m) 0%ZZ.

Definition kronecker (i j : nat) : Z := if eqn i j then 1%ZZ else 0%ZZ.

Definition reduced (m : Z) (A : seq (seq Z)) : seq (seq Z) :=
  [seq [seq Z.modulo a m | a <- row] | row <- A].

(** [A] has the inverse [W] modulo [m]; [columns] are the columns of [W]. *)
Definition inverse_modulo (m : Z) (k : nat) (A columns : seq (seq Z)) : bool :=
  [&& Z.ltb 1 m, shaped k k A, shaped k k columns
    & let A' := reduced m A in
      all (fun i => let row := nth [::] A' i in
        all (fun j => congruent_modulo m (dot row (nth [::] columns j)) (kronecker i j))
          (iota 0 k)) (iota 0 k)].

Definition indices_below (k m : nat) (indices : seq nat) : bool :=
  eqn (size indices) k && all (fun i => Nat.ltb i m) indices.

Definition check_minor (n N : nat) (rows : seq (seq dyadic)) (modulus : Z)
    (columns : seq nat) (inverse : seq (seq Z)) : bool :=
  let e := least_exponent rows in
  [&& exponents_above e rows, shaped (n + n) N rows, indices_below (n + n) N columns
    & inverse_modulo modulus (n + n)
        (submatrix (iota 0 (n + n)) columns (cleared e rows)) inverse].

(** [(u₁, u₂) ↦ (u₂, u₁)], the product of a row with [J]. *)
Definition exchanged (n : nat) (u : seq Z) : seq Z := drop n u ++ take n u.

Definition orthogonal_rows (n : nat) (V : seq (seq Z)) : bool :=
  all (fun i => let u := exchanged n (nth [::] V i) in
    all (fun j => eqn i j || Z.eqb (dot u (nth [::] V j)) 0%ZZ) (iota 0 (size V)))
    (iota 0 (size V)).

Record exact_proof := ExactProof {
  claimed_rank : nat;
  minor_rows : seq nat;
  minor_columns : seq nat;
  minor_modulus : Z;
  minor_inverse : seq (seq Z);
  null_vectors : seq (seq Z);
  null_columns : seq nat;
  null_modulus : Z;
  null_inverse : seq (seq Z);
  orthogonaliser : seq (seq Z);
  orthogonaliser_modulus : Z;
  orthogonaliser_inverse : seq (seq Z)
}.

Definition check_exact (n N : nat) (rows : seq (seq dyadic)) (proof : exact_proof)
    : option (nat * nat * nat) :=
  let e := least_exponent rows in
  let M := cleared e rows in
  let r := claimed_rank proof in
  let U := null_vectors proof in
  let k := size U in
  let P := orthogonaliser proof in
  let V := [seq combination (n + n) x U | x <- P] in
  if [&& exponents_above e rows, shaped (n + n) N rows, eqn (r + k) (n + n),
       shaped k (n + n) U,
       indices_below r (n + n) (minor_rows proof),
       indices_below r N (minor_columns proof),
       indices_below k (n + n) (null_columns proof),
       inverse_modulo (minor_modulus proof) r
         (submatrix (minor_rows proof) (minor_columns proof) M) (minor_inverse proof),
       inverse_modulo (null_modulus proof) k
         (submatrix (iota 0 k) (null_columns proof) U) (null_inverse proof),
       inverse_modulo (orthogonaliser_modulus proof) k P (orthogonaliser_inverse proof),
       all (fun u => all (Z.eqb 0) (combination N u M)) U
     & orthogonal_rows n V]
  then
    let squares := [seq dot (exchanged n v) v | v <- V] in
    let p := count (Z.ltb 0) squares in
    let q := count (fun d => Z.ltb d 0) squares in
    let t := count (Z.eqb^~ 0%ZZ) squares in
    Some (n - (p + t), n - (q + t), N + (p + q + t + t) - (n + n))%N
  else None.
