(** * Binary integers and lists as MathComp integers and matrices

    Statement.  The standard library's binary integers [Z] map to MathComp's [int]
    by a ring homomorphism that keeps zero, and the operations of the checker on
    lists (scalar product, linear combination, choice of rows and columns) are those
    of matrices.

    Encoding.  Computation runs on [Z] and lists, which extract to plain OCaml;
    proofs run on ['M[int]].  [matrix_of m n l] reads a list of rows; entries that
    are not there are 0. *)

From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Order.Theory Num.Theory.
Local Open Scope ring_scope.

(** MathComp takes the key [%Z] for its own integers; ours is [%ZZ]. *)
Delimit Scope Z_scope with ZZ.

(** ** Integers *)

Definition int_of_Z (z : Z) : int :=
  match z with
  | Z0 => 0
  | Zpos p => Posz (Pos.to_nat p)
  | Zneg p => - Posz (Pos.to_nat p)
  end.

Lemma int_of_ZN a : int_of_Z (- a) = - int_of_Z a.
Proof. by case: a => [|p|p] /=; rewrite ?oppr0 ?opprK. Qed.

Lemma int_of_pos_sub p q :
  int_of_Z (Z.pos_sub p q) = Posz (Pos.to_nat p) - Posz (Pos.to_nat q).
Proof.
rewrite Z.pos_sub_spec; case: Pos.compare_spec => [->|lt|lt]; first by rewrite subrr.
  rewrite /= Pos2Nat.inj_sub // -[in RHS]opprB; congr (- _); apply/esym; apply: subzn.
  by apply/ssrnat.leP; move: lt; rewrite Pos2Nat.inj_lt; lia.
rewrite /= Pos2Nat.inj_sub //; apply/esym; apply: subzn.
by apply/ssrnat.leP; move: lt; rewrite Pos2Nat.inj_lt; lia.
Qed.

Lemma int_of_ZD a b : int_of_Z (a + b) = int_of_Z a + int_of_Z b.
Proof.
case: a => [|p|p]; case: b => [|q|q]; rewrite ?add0r ?addr0 //=.
- by rewrite Pos2Nat.inj_add PoszD.
- exact: int_of_pos_sub.
- by rewrite int_of_pos_sub addrC.
- by rewrite Pos2Nat.inj_add PoszD opprD.
Qed.

Lemma int_of_ZM a b : int_of_Z (a * b) = int_of_Z a * int_of_Z b.
Proof.
case: a => [|p|p]; case: b => [|q|q]; rewrite ?mul0r ?mulr0 //=;
  by rewrite Pos2Nat.inj_mul PoszM ?mulrN ?mulNr ?opprK.
Qed.

Lemma int_of_Z_nat n : int_of_Z (Z.of_nat n) = n.
Proof. by case: n => //= n; rewrite SuccNat2Pos.id_succ. Qed.

(** All of it in one: [int_of_Z] is the isomorphism of the two rings of integers. *)
Theorem int_of_Z_isomorphism :
  [/\ int_of_Z 1 = 1, forall a b, int_of_Z (a + b) = int_of_Z a + int_of_Z b,
      forall a b, int_of_Z (a * b) = int_of_Z a * int_of_Z b & bijective int_of_Z].
Proof.
split; [by [] | exact: int_of_ZD | exact: int_of_ZM |].
exists (fun i => match i with Posz n => Z.of_nat n | Negz n => Z.opp (Z.of_nat n.+1) end).
  case=> [|q|q] //=; first by rewrite positive_nat_Z.
  case e: (Pos.to_nat q) (Pos2Nat.is_pos q) => [|k] lt; first by case: (Nat.lt_irrefl 0).
  by have := positive_nat_Z q; rewrite e /= => -[->].
by case=> n; rewrite ?int_of_ZN int_of_Z_nat.
Qed.

Lemma int_of_Z_gt0 a : (0 < int_of_Z a) = Z.ltb 0 a.
Proof.
case: a => [|p|p] //=; first by rewrite ltz_nat; apply/ssrnat.leP; exact: Pos2Nat.is_pos.
by rewrite oppr_gt0; apply/negbTE; rewrite -leNgt lez_nat.
Qed.

Lemma int_of_Z_lt0 a : (int_of_Z a < 0) = Z.ltb a 0.
Proof. by rewrite -[int_of_Z a]opprK oppr_lt0 -int_of_ZN int_of_Z_gt0; case: a. Qed.

Lemma int_of_Z_eq0 a : (int_of_Z a == 0) = Z.eqb a 0.
Proof.
have := int_of_Z_gt0 a; have := int_of_Z_lt0 a.
by case: a => [|p|p] // neg pos; apply/negbTE; rewrite neq_lt neg pos.
Qed.

(** ** Lists *)

Fixpoint dot (u v : seq Z) : Z :=
  match u, v with
  | a :: u', b :: v' => (a * b + dot u' v')%ZZ
  | _, _ => 0%ZZ
  end.

Fixpoint add_rows (u v : seq Z) : seq Z :=
  match u, v with
  | a :: u', b :: v' => (a + b)%ZZ :: add_rows u' v'
  | _, _ => [::]
  end.

(** The linear combination of the rows with coefficients [u]. *)
Fixpoint combination (N : nat) (u : seq Z) (rows : seq (seq Z)) : seq Z :=
  match u, rows with
  | a :: u', r :: rows' => add_rows [seq (a * x)%ZZ | x <- r] (combination N u' rows')
  | _, _ => nseq N 0%ZZ
  end.

Definition lookup (l : seq (seq Z)) i j : Z := nth 0%ZZ (nth [::] l i) j.

Definition shaped T (m n : nat) (l : seq (seq T)) : bool :=
  eqn (size l) m && all (fun r => eqn (size r) n) l.

Definition submatrix (rows columns : seq nat) (l : seq (seq Z)) : seq (seq Z) :=
  [seq let r := nth [::] l i in [seq nth 0%ZZ r j | j <- columns] | i <- rows].

(** ** Matrices *)

Definition matrix_of m n (l : seq (seq Z)) : 'M[int]_(m, n) :=
  \matrix_(i, j) int_of_Z (lookup l i j).

Lemma shapedP T m n (l : seq (seq T)) : shaped m n l ->
  size l = m /\ forall i, (i < m)%N -> size (nth [::] l i) = n.
Proof.
case/andP=> /eqnP sl /all_nthP al; split=> // i lt.
by apply/eqnP/al; rewrite sl.
Qed.

Lemma dotE k u v : size u = k -> size v = k ->
  int_of_Z (dot u v) = \sum_(i < k) int_of_Z (nth 0%ZZ u i) * int_of_Z (nth 0%ZZ v i).
Proof.
elim: k u v => [|k IH] [|a u] [|b v] //=; first by rewrite big_ord0.
by move=> [su] [sv]; rewrite int_of_ZD int_of_ZM big_ord_recl IH.
Qed.

Lemma size_add_rows u v : size u = size v -> size (add_rows u v) = size v.
Proof. by elim: u v => [|a u IH] [|b v] //= [e]; rewrite IH. Qed.

Lemma nth_add_rows u v j : size u = size v ->
  nth 0%ZZ (add_rows u v) j = (nth Z0 u j + nth Z0 v j)%ZZ.
Proof.
elim: u v j => [|a u IH] [|b v] // j; first by rewrite /= !nth_nil.
by case: j => [|j] //= [e]; apply: IH.
Qed.

Lemma size_combination N u rows : all (fun r => eqn (size r) N) rows ->
  size (combination N u rows) = N.
Proof.
elim: u rows => [|a u IH] [|r rows] //=; rewrite ?size_nseq // => /andP[/eqnP sr al].
by rewrite size_add_rows ?size_map ?sr IH.
Qed.

Lemma combinationE N k u rows j : all (fun r => eqn (size r) N) rows ->
  size u = k -> size rows = k ->
  int_of_Z (nth 0%ZZ (combination N u rows) j)
  = \sum_(i < k) int_of_Z (nth 0%ZZ u i) * int_of_Z (lookup rows i j).
Proof.
elim: k u rows => [|k IH] [|a u] [|r rows] //=.
  by rewrite big_ord0 nth_nseq if_same.
move=> /andP[/eqnP sr al] [su] [sk]; rewrite nth_add_rows; last first.
  by rewrite size_map sr size_combination.
rewrite int_of_ZD IH // big_ord_recl; congr (_ + _).
have [lt|ge] := ltnP j (size r); first by rewrite (nth_map 0%ZZ) // int_of_ZM.
by rewrite /lookup /= !nth_default ?size_map // mulr0.
Qed.

(** The rows of [U] annihilate the matrix when all combinations vanish. *)
Lemma combination_zero k m N (U rows : seq (seq Z)) :
  shaped k m U -> shaped m N rows ->
  all (fun u => all (Z.eqb 0) (combination N u rows)) U ->
  matrix_of k m U *m matrix_of m N rows = 0.
Proof.
move=> /shapedP[sU sUi] sr zero; have [srs _] := shapedP sr; case/andP: sr => _ sr.
apply/matrixP => i j; rewrite !mxE.
have ltU : (i < size U)%N by rewrite sU.
have := all_nthP [::] zero i ltU; set u := nth [::] U i => zu.
transitivity (int_of_Z (nth 0%ZZ (combination N u rows) j)).
  by rewrite (combinationE _ sr (sUi _ (ltn_ord i)) srs); apply: eq_bigr => l _; rewrite !mxE.
have ltj : (j < size (combination N u rows))%N by rewrite size_combination.
by have /Z.eqb_eq <- := all_nthP 0%ZZ zu j ltj.
Qed.

(** A list of combinations is a matrix product. *)
Lemma shaped_combinations k l m (P U : seq (seq Z)) : shaped l k P -> shaped k m U ->
  shaped l m [seq combination m x U | x <- P].
Proof.
move=> /andP[/eqnP sP _] /andP[_ sU]; rewrite /shaped size_map sP eqnE eqxx /= all_map.
rewrite (@eq_all _ _ predT) ?all_predT // => x /=.
by rewrite size_combination // eqxx.
Qed.

Lemma combinations_matrix k l m (P U : seq (seq Z)) : shaped l k P -> shaped k m U ->
  matrix_of l m [seq combination m x U | x <- P] = matrix_of l k P *m matrix_of k m U.
Proof.
move=> /shapedP[sP sPi] sU; have [sUs _] := shapedP sU; case/andP: sU => _ sU.
apply/matrixP => i j; rewrite mxE [RHS]mxE {1}/lookup (nth_map [::]) ?sP //.
rewrite (combinationE _ sU (sPi _ (ltn_ord i)) sUs).
by apply: eq_bigr => a _; rewrite !mxE.
Qed.

(** Rows and columns chosen by lists of indices. *)
Lemma lookup_submatrix rows columns l i j :
  (i < size rows)%N -> (j < size columns)%N ->
  lookup (submatrix rows columns l) i j = lookup l (nth 0%N rows i) (nth 0%N columns j).
Proof.
by move=> li lj; rewrite /lookup /submatrix (nth_map 0%N) // (nth_map 0%N).
Qed.
