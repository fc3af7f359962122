(** * The checker is sound

    Statement.  If [check_minor] says yes, the head is nondegenerate, [S] is hyperbolic
    plus zero over every field of characteristic 0 and its signature is [(n, n, N-2n)]
    over every ordered field.  If [check_exact] answers [(p, q, z)], that is the
    signature of [S] over every ordered field, and the rank of [M] is the one claimed.

    Encoding.  [head_matrix F m N rows] is the matrix over [F] that the list of dyadic
    weights stands for.

    Reference.  Ours; [Certificate.v] for minors and null vectors, [Annihilator.v] for
    the signature. *)

From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect all_algebra.
From Headforms Require Import Arithmetic Congruence Forms Head Euclidean Inertia.
From Headforms Require Import RankBalance Signature Annihilator.
From Headforms Require Import IntegerLists Certificate Checker.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Order.Theory Num.Theory.
Local Open Scope ring_scope.

(** The value of a weight, and the matrix of the head, in any field. *)
Definition dyadic_value (F : fieldType) (x : dyadic) : F :=
  (int_of_Z x.1)%:~R * 2%:R ^ int_of_Z x.2.

Definition head_matrix (F : fieldType) m N (rows : seq (seq dyadic)) : 'M[F]_(m, N) :=
  \matrix_(i, j) dyadic_value F (nth (0%ZZ, 0%ZZ) (nth [::] rows i) j).

Lemma int_of_pow2 (d : Z) : Z.le 0 d -> int_of_Z (2 ^ d)%ZZ = 2%:Z ^+ Z.to_nat d.
Proof.
move=> d0; rewrite -{1}(Z2Nat.id d) //; elim: (Z.to_nat d) => [|k IH] //.
rewrite Nat2Z.inj_succ Z.pow_succ_r; last exact: Nat2Z.is_nonneg.
by rewrite int_of_ZM IH exprS.
Qed.

Lemma int_of_to_nat (d : Z) : Z.le 0 d -> int_of_Z d = Z.to_nat d.
Proof. by move=> d0; rewrite -{1}(Z2Nat.id d) // int_of_Z_nat. Qed.

(** The pair [(m, e)] is [m 2^e], with [e] of either sign. *)
Theorem dyadic_value_power (F : fieldType) (m : Z) (e : nat) :
  dyadic_value F (m, Z.of_nat e) = (int_of_Z m)%:~R * 2%:R ^+ e
  /\ dyadic_value F (m, (- Z.of_nat e)%ZZ) = (int_of_Z m)%:~R / 2%:R ^+ e.
Proof. by rewrite /dyadic_value /= int_of_ZN int_of_Z_nat -exprnN. Qed.

Lemma dyadic_valueE (F : numFieldType) (x : dyadic) (e : Z) : Z.leb e x.2 ->
  dyadic_value F x = 2%:R ^ int_of_Z e * (int_of_Z (Z.shiftl x.1 (x.2 - e)%ZZ))%:~R.
Proof.
move=> /Z.leb_le le; have d0 : Z.le 0 (x.2 - e)%ZZ by apply/Z.le_0_sub.
rewrite Z.shiftl_mul_pow2 // int_of_ZM int_of_pow2 // intrM mulrCA; congr (_ * _).
have two0 : 2%:R != 0 :> F by rewrite pnatr_eq0.
have -> : int_of_Z x.2 = int_of_Z e + Z.to_nat (x.2 - e)%ZZ.
  rewrite -int_of_to_nat // -int_of_ZD.
  by congr int_of_Z; rewrite Z.add_sub_assoc Z.add_comm Z.add_simpl_r.
by rewrite expfzDr // rmorphX.
Qed.

Lemma size_cleared e rows : size (cleared e rows) = size rows.
Proof. by rewrite /cleared size_map. Qed.

Lemma shaped_cleared m N e rows : shaped m N (cleared e rows) = shaped m N rows.
Proof.
rewrite /shaped size_cleared; congr andb; rewrite /cleared all_map; apply: eq_all => r /=.
by rewrite size_map.
Qed.

(** The head matrix is a power of two times the cleared integer matrix. *)
Lemma head_matrixE (F : numFieldType) m N rows e : exponents_above e rows ->
  shaped m N rows ->
  head_matrix F m N rows
  = 2%:R ^ int_of_Z e *: embedded F (matrix_of m N (cleared e rows)).
Proof.
move=> above /shapedP[sr sri]; apply/matrixP => i j; rewrite !mxE /lookup.
have lti : (i < size rows)%N by rewrite sr.
have ltj : (j < size (nth [::] rows i))%N by rewrite sri.
rewrite (nth_map [::]) // (nth_map (0%ZZ, 0%ZZ)) // -dyadic_valueE //.
have := all_nthP [::] above i lti => ai.
exact: (all_nthP (0%ZZ, 0%ZZ) ai j ltj).
Qed.

Lemma congruent_moduloP m a b (R : ringType) : (int_of_Z m)%:~R = 0 :> R ->
  congruent_modulo m a b -> (int_of_Z a)%:~R = (int_of_Z b)%:~R :> R.
Proof.
move=> m0 /Z.eqb_eq e; apply/eqP; rewrite -subr_eq0 -rmorphB -int_of_ZN -int_of_ZD.
have -> : Z.add a (- b) = Z.mul m (Z.div (a - b)%ZZ m).
  case: (Z.eq_dec m 0) => [m00|nz].
    by rewrite m00 Z.mul_0_l Z.add_opp_r; move: e; rewrite m00 Zmod_0_r.
  by rewrite Z.add_opp_r {1}(Z.div_mod (a - b)%ZZ m nz) e Z.add_0_r.
by rewrite int_of_ZM rmorphM /= m0 mul0r.
Qed.

Lemma lookup_matrix m n l (i : 'I_m) (j : 'I_n) :
  matrix_of m n l i j = int_of_Z (lookup l i j).
Proof. by rewrite mxE. Qed.

Lemma inverse_moduloP m k A columns : inverse_modulo m k A columns ->
  \det (matrix_of k k A) != 0.
Proof.
case/and4P=> /Z.ltb_lt m1 sA sW /allP ok; have [sAs sAi] := shapedP sA.
have [sWs sWi] := shapedP sW.
pose m' := Z.to_nat m; have m'1 : (1 < m')%N.
  by apply/ssrnat.leP; apply/Nat2Z.inj_le; rewrite Z2Nat.id //; auto with zarith.
have mE : int_of_Z m = m' by apply: int_of_to_nat; auto with zarith.
have m0 : (int_of_Z m)%:~R = 0 :> 'Z_m'.
  by rewrite mE -pmulrn; apply/eqP; have := char_Zp m'1 => c; rewrite c.
apply: (@inverse_modulo_det m' k _ (matrix_of k k columns)^T) => //.
apply/matrixP => i j; rewrite !mxE.
have ik : (i : nat) \in iota 0 k by rewrite mem_iota ltn_ord.
have jk : (j : nat) \in iota 0 k by rewrite mem_iota ltn_ord.
have /= /allP /(_ _ jk) := ok _ ik.
move/(congruent_moduloP m0); set row := nth _ (reduced _ _) _ => e.
have srow : size row = k.
  by rewrite /row (nth_map [::]) ?size_map ?sAi ?sAs.
rewrite (dotE srow (sWi _ (ltn_ord j))) rmorph_sum /= in e.
transitivity ((int_of_Z (kronecker i j))%:~R : 'Z_m').
  rewrite -e; apply: eq_bigr => l _; rewrite rmorphM !mxE; congr (_ * _).
  apply: (congruent_moduloP m0); rewrite /lookup /row (nth_map [::]) ?sAs //.
  rewrite (nth_map 0%ZZ) ?sAi //; apply/Z.eqb_eq.
  rewrite Zminus_mod Zmod_mod -Zminus_mod Z.sub_diag.
  exact: Zmod_0_l.
by rewrite /kronecker -val_eqE -eqnE; case: eqn.
Qed.

(** Indices that pass the check, as a map of ordinals. *)
Lemma indices_map k m indices : indices_below k m indices ->
  size indices = k /\ exists f : 'I_k -> 'I_m, forall i, f i = nth 0%N indices i :> nat.
Proof.
case/andP=> /eqnP sz /all_nthP below; split=> //.
have lt (i : 'I_k) : (nth 0%N indices i < m)%N.
  by apply/ssrnat.ltP/Nat.ltb_lt/below; rewrite sz.
by exists (fun i => Ordinal (lt i)).
Qed.

Lemma minor_of k m N rows (columns : seq nat) l (f : 'I_k -> 'I_m) (g : 'I_k -> 'I_N) :
  size rows = k -> size columns = k ->
  (forall i, f i = nth 0%N rows i :> nat) -> (forall i, g i = nth 0%N columns i :> nat) ->
  matrix_of k k (submatrix rows columns l) = mxsub f g (matrix_of m N l).
Proof.
move=> sr sc fE gE; apply/matrixP => i j; rewrite !mxE.
by rewrite lookup_submatrix ?sr ?sc // fE gE.
Qed.

Lemma minor_columns_of k N (columns : seq nat) l (g : 'I_k -> 'I_N) :
  size columns = k -> (forall i, g i = nth 0%N columns i :> nat) ->
  matrix_of k k (submatrix (iota 0 k) columns l) = colsub g (matrix_of k N l).
Proof.
move=> sc gE; apply: minor_of => //; first by rewrite size_iota.
by move=> i; rewrite nth_iota ?ltn_ord.
Qed.

Lemma power_neq0 (F : numFieldType) (e : int) : 2%:R ^ e != 0 :> F.
Proof. by rewrite expfz_neq0 // pnatr_eq0. Qed.

Theorem check_minor_sound (F : numFieldType) n N rows modulus columns inverse :
  check_minor n N rows modulus columns inverse ->
  let M := head_matrix F (n + n) N rows in
  let Q := query_of M in let K := key_of M in
  nondegenerate Q K /\ congruent (symmetric_part Q K) (hyperbolic_zero n N).
Proof.
case/and4P=> above sr /indices_map[sc [g gE]] /inverse_moduloP.
rewrite (minor_columns_of _ sc gE) => nz M Q K.
suff ndg : nondegenerate Q K.
  by split=> //; apply: HyperbolicPlusZero.hyperbolic_plus_zero (two_neq0_num F) ndg.
have := minor_nondegenerate F nz; rewrite /nondegenerate !stacked_of.
by rewrite /M (head_matrixE F above sr) /row_free (eqmx_scale _ (power_neq0 F _)).
Qed.

Theorem check_minor_signature (F : realFieldType) n N rows modulus columns inverse :
  check_minor n N rows modulus columns inverse ->
  let M := head_matrix F (n + n) N rows in
  signature (symmetric_part (query_of M) (key_of M)) n n (N - (n + n)).
Proof. by move=> ok M; have [ndg _] := check_minor_sound F ok; apply: nondegenerate_signature. Qed.

(** ** The exact proof of a degenerate head *)

Lemma size_exchanged n u : size u = (n + n)%N -> size (exchanged n u) = (n + n)%N.
Proof. by move=> su; rewrite size_cat size_drop size_takel su ?addnK ?leq_addr. Qed.

Lemma nth_exchanged n u j : size u = (n + n)%N -> (j < n + n)%N ->
  nth 0%ZZ (exchanged n u) j = nth 0%ZZ u (if (j < n)%N then n + j else j - n)%N.
Proof.
move=> su lt; rewrite nth_cat size_drop su addnK; case: ltnP => [ltn|ge].
  by rewrite nth_drop.
by rewrite nth_take //; dimensions.
Qed.

Section Exact.
Variable F : realFieldType.

(** The Gram matrix of the annihilator, entry by entry. *)
Lemma annihilator_gram_lists k n V : shaped k (n + n) V ->
  forall i j : 'I_k, annihilator_gram (embedded F (matrix_of k (n + n) V)) i j
    = (int_of_Z (dot (exchanged n (nth [::] V i)) (nth [::] V j)))%:~R.
Proof.
move=> /shapedP[sV sVi] i j; set X := embedded F _.
have XJ : X *m hyperbolic n = row_mx (rsubmx X) (lsubmx X).
  rewrite -{1}[X]hsubmxK /hyperbolic mul_row_block.
  by rewrite !(mulmx0, mulmx1) add0r addr0.
rewrite /annihilator_gram XJ mxE (dotE (size_exchanged (sVi _ (ltn_ord i)))); last first.
  exact: sVi.
rewrite rmorph_sum /=; apply: eq_bigr => l _; rewrite [X^T l j]mxE rmorphM /=.
congr (_ * _); last by rewrite !mxE.
rewrite nth_exchanged ?sVi // mxE; case: splitP => m ml; rewrite !mxE /lookup /= ml //.
by rewrite addKn.
Qed.

Lemma card_count (k : nat) (a : pred Z) s : size s = k ->
  #|[set i : 'I_k | a (nth 0%ZZ s i)]| = count a s.
Proof.
move=> <-; rewrite -sum1_count (big_nth 0%ZZ) big_mkord -sum1_card.
by apply: eq_bigl => i; rewrite inE.
Qed.

Theorem check_exact_sound n N rows proof p q z :
  check_exact n N rows proof = Some (p, q, z) ->
  let M := head_matrix F (n + n) N rows in
  \rank M = claimed_rank proof
  /\ signature (symmetric_part (query_of M) (key_of M)) p q z.
Proof.
rewrite /check_exact; set e := least_exponent rows; set U := null_vectors proof.
set k := size U; set P := orthogonaliser proof.
set V := [seq combination (n + n) x U | x <- P]; set r := claimed_rank proof; case: ifP => [ok answer|_ //].
set M := head_matrix F (n + n) N rows.
case/and5P: ok => above sr /eqnP rk sU /and5P[].
move=> /indices_map[szf [f fE]] /indices_map[szg [g gE]] /indices_map[szh [h hE]].
move=> /inverse_moduloP nzM /and4P[/inverse_moduloP nzU invP zero orth].
rewrite (minor_of _ szf szg fE gE) in nzM; rewrite (minor_columns_of _ szh hE) in nzU.
have sM : shaped (n + n) N (cleared e rows) by rewrite shaped_cleared.
have UM := combination_zero sU sM zero.
have [rM lk] := exact_certificate F nzM UM nzU rk.
have sP : shaped k k P by case/and4P: invP.
have uP : embedded F (matrix_of k k P) \in unitmx.
  by rewrite unitmxE unitfE /embedded det_map_mx intr_eq0 (inverse_moduloP invP).
have sV : shaped k (n + n) V by apply: shaped_combinations sP sU.
have VE : matrix_of k (n + n) V = matrix_of k k P *m matrix_of k (n + n) U.
  exact: combinations_matrix sP sU.
pose c : F := 2%:R ^ int_of_Z e; have c0 : c != 0 by apply: power_neq0.
have ME : M = c *: embedded F (matrix_of (n + n) N (cleared e rows)).
  by rewrite /M (head_matrixE F above sr).
split; first by rewrite ME (eqmx_scale _ c0).
have lkM : left_kernel_basis (embedded F (matrix_of k (n + n) U))
    (stacked (query_of M) (key_of M)).
  rewrite stacked_of ME; case/andP: lk => fU /eqmxP eU.
  rewrite /left_kernel_basis fU; apply/eqmxP; apply: eqmx_trans eU _.
  apply/eqmxP; apply/andP; split; apply/sub_kermxP.
    by rewrite -scalemxAr mulmx_ker scaler0.
  apply: (scalerI c0); rewrite scaler0 scalemxAr; exact: mulmx_ker.
pose squares := [seq dot (exchanged n v) v | v <- V].
have ssv : size V = k by have [] := shapedP sV.
have ssq : size squares = k by rewrite size_map ssv.
have squaresE (i : 'I_k) : nth 0%ZZ squares i = dot (exchanged n (nth [::] V i)) (nth [::] V i).
  by rewrite /squares (@nth_map _ [::] _ 0%ZZ (fun v => dot (exchanged n v) v)) ?ssv.
pose d : 'rV[F]_k := \row_i (int_of_Z (nth 0%ZZ squares i))%:~R.
set A := annihilator_gram (embedded F (matrix_of k (n + n) U)).
have Ad : embedded F (matrix_of k k P) *m A *m (embedded F (matrix_of k k P))^T = diag_mx d.
  transitivity (annihilator_gram (embedded F (matrix_of k (n + n) V))).
    by rewrite VE /A /annihilator_gram /embedded map_mxM trmx_mul !mulmxA.
  apply/matrixP => i j; rewrite annihilator_gram_lists // !mxE.
  have [<-|ne] := eqVneq i j; first by rewrite mulr1n squaresE.
  have ik : (i : nat) \in iota 0 (size V) by rewrite mem_iota ssv ltn_ord.
  have jk : (j : nat) \in iota 0 (size V) by rewrite mem_iota ssv ltn_ord.
  have /allP /(_ _ jk) := allP orth _ ik.
  by rewrite eqnE val_eqE (negbTE ne) /= => /Z.eqb_eq ->.
have sA := diagonal_signature (annihilator_gram_tr _) uP Ad.
have cp : #|[set i | 0 < d 0 i]| = count (Z.ltb 0) squares.
  rewrite -(card_count _ ssq); apply: eq_card => i; rewrite !inE mxE.
  by rewrite ltr0z int_of_Z_gt0.
have cq : #|[set i | d 0 i < 0]| = count (fun x => Z.ltb x 0) squares.
  rewrite -(card_count _ ssq); apply: eq_card => i; rewrite !inE mxE.
  by rewrite ltrz0 int_of_Z_lt0.
have ct : #|[set i | d 0 i == 0]| = count (Z.eqb^~ 0%ZZ) squares.
  rewrite -(card_count _ ssq); apply: eq_card => i; rewrite !inE mxE.
  by rewrite intr_eq0 int_of_Z_eq0.
rewrite cp cq ct in sA.
have [p' [q' [z' [sS [e1 e2 e3]]]]] := annihilator_signature lkM sA.
have [ep eq ez] : [/\ p = p', q = q' & z = z'].
  by case: answer => <- <- <-; move: e1 e2 e3; rewrite -/squares => *; split; dimensions.
by rewrite ep eq ez.
Qed.

End Exact.
