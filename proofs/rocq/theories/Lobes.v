(** * The lobes of a spectrum and their pairing score

    Statement.  Let [α] and [β] be the lobes of a spectrum, [‖S‖² = ‖α‖² + ‖β‖²], and
    [P = 1 - ‖α-β‖ / ‖S‖].
    - [P = 1 - √(1 - 2⟨α,β⟩/‖S‖²) <= 1 - |1-ρ|/√(1+ρ²)] with [ρ = ‖β‖/‖α‖], with
      equality if and only if [β = ρα].
    - If [‖α‖² + ‖β‖² = 1], with [I = ‖α‖² - ‖β‖²] and [C = ⟨α,β⟩]: [‖α‖² = (1+I)/2],
      [‖β‖² = (1-I)/2], [‖α-β‖² = 1 - 2C], [P = 1 - √(1-2C)], and
      [Σ(α + iβ)² = I + 2iC] in any field that contains the real one and [i = √-1].
    - The involution [(ιλ)_k = -λ_(2m+1-k)] of spectra of length [2m] keeps the norm,
      swaps the lobes, and for a unit spectrum [P = 1 - ‖λ-ιλ‖/√2], so that [P = 1] if
      and only if [ιλ = λ].

    Encoding.  Lobes are families of [m] numbers of a real closed field, where square
    roots exist.  That they are sorted and not negative plays no part.

    Reference.  Lemmas 2, 7 and 8 of O'Desky, arXiv 2609.22990. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Headforms Require Import Euclidean Energies.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Order.Theory Num.Theory.
Local Open Scope ring_scope.

Section Definitions.
Variable F : rcfType.
Variable m : nat.
Implicit Types a b : 'I_m -> F.

Definition inner a b : F := \sum_i a i * b i.

Definition lobe_norm a : F := Num.sqrt (inner a a).

(** The norm of a spectrum with these lobes, and their pairing score. *)
Definition spectrum_norm a b : F := Num.sqrt (inner a a + inner b b).

Definition pairing_score a b : F := 1 - lobe_norm (fun i => a i - b i) / spectrum_norm a b.

End Definitions.

Section Lobes.
Variable F : rcfType.
Variable m : nat.
Implicit Types a b : 'I_m -> F.

Lemma inner_ge0 a : 0 <= inner a a.
Proof. by apply: sumr_ge0 => i _; rewrite -expr2 sqr_ge0. Qed.

Lemma inner_eq0 a : inner a a = 0 -> forall i, a i = 0.
Proof.
move=> e i; apply/eqP; rewrite -sqrf_eq0 expr2; apply/eqP.
by apply: (psumr_eq0P _ e) => // j _; rewrite -expr2 sqr_ge0.
Qed.

Lemma innerC a b : inner a b = inner b a.
Proof. by apply: eq_bigr => i _; rewrite mulrC. Qed.

Lemma inner_combination (s t : F) a b :
  inner (fun i => s * a i - t * b i) (fun i => s * a i - t * b i)
  = s ^+ 2 * inner a a - 2%:R * (s * t * inner a b) + t ^+ 2 * inner b b.
Proof.
rewrite /inner !mulr_sumr -sumrB -big_split /=; apply: eq_bigr => i _.
rewrite -expr2 sqrrB !exprMn -!expr2 mulr_natl; congr (_ - _ *+ 2 + _).
by rewrite mulrACA.
Qed.

Lemma inner_difference a b :
  inner (fun i => a i - b i) (fun i => a i - b i)
  = inner a a + inner b b - 2%:R * inner a b.
Proof.
have := inner_combination 1 1 a b; rewrite !expr1n !mul1r addrAC => <-.
by apply: eq_bigr => i _; rewrite !mul1r.
Qed.

(** Lemma 2, the two formulas. *)
Theorem pairing_formula a b : inner a a + inner b b != 0 ->
  pairing_score a b = 1 - Num.sqrt (1 - 2%:R * inner a b / (inner a a + inner b b)).
Proof.
move=> nz; have pos : 0 < inner a a + inner b b by rewrite lt_def nz addr_ge0 ?inner_ge0.
rewrite /pairing_score /lobe_norm /spectrum_norm inner_difference; congr (_ - _).
rewrite -sqrtrV ?ltW // -sqrtrM; last by rewrite -inner_difference inner_ge0.
by rewrite mulrBl mulfV.
Qed.

Lemma lobe_norm_sqr a : lobe_norm a ^+ 2 = inner a a.
Proof. by rewrite sqr_sqrtr ?inner_ge0. Qed.

(** Cauchy and Schwarz, with the case of equality. *)
Lemma inner_bound a b : inner a a != 0 -> let rho := lobe_norm b / lobe_norm a in
  inner a b <= rho * inner a a ?= iff [forall i, b i == rho * a i].
Proof.
move=> A0 rho; have Apos : 0 < inner a a by rewrite lt_def A0 inner_ge0.
have rho0 : 0 <= rho by rewrite divr_ge0 ?sqrtr_ge0.
have B : inner b b = rho ^+ 2 * inner a a.
  by rewrite expr_div_n !lobe_norm_sqr divfK.
clearbody rho; have gap : inner (fun i => 1 * b i - rho * a i) (fun i => 1 * b i - rho * a i)
    = 2%:R * (rho * (rho * inner a a - inner a b)).
  have double (x : F) : 2%:R * x = x + x by rewrite mulr_natl mulr2n.
  rewrite inner_combination expr1n !mul1r B [inner b a]innerC !double.
  by rewrite mulrBr expr2 -mulrA opprD !addrA [LHS]addrAC.
have eqP' : [forall i, b i == rho * a i]
    = (inner (fun i => 1 * b i - rho * a i) (fun i => 1 * b i - rho * a i) == 0).
  apply/forallP/eqP => [e|/inner_eq0 e i]; last by rewrite -subr_eq0 -[b i]mul1r e.
  by apply: big1 => i _; rewrite (eqP (e i)) mul1r subrr mul0r.
have [r0|r0] := eqVneq rho 0.
  have b0 : forall i, b i = 0 by apply: inner_eq0; rewrite B r0 expr0n mul0r.
  have -> : inner a b = rho * inner a a.
    by rewrite r0 mul0r; apply: big1 => i _; rewrite b0 mulr0.
  apply/leifP; rewrite ifT //; apply/forallP => i.
  by rewrite b0 r0 mul0r.
have rpos : 0 < rho by rewrite lt_def r0.
have := inner_ge0 (fun i => 1 * b i - rho * a i); rewrite eqP' gap pmulr_rge0 ?ltr0n //.
rewrite pmulr_rge0 // subr_ge0 => le; split=> //.
by rewrite !mulf_eq0 pnatr_eq0 (negbTE r0) /= subr_eq0 eq_sym.
Qed.

(** Lemma 2, the bound and when it is attained. *)
Theorem pairing_bound a b : inner a a != 0 ->
  let rho := lobe_norm b / lobe_norm a in
  pairing_score a b <= 1 - `|1 - rho| / Num.sqrt (1 + rho ^+ 2)
    ?= iff [forall i, b i == rho * a i].
Proof.
move=> A0 rho; have [le eq] := inner_bound b A0; rewrite -/rho in le eq.
have Apos : 0 < inner a a by rewrite lt_def A0 inner_ge0.
have B : inner b b = rho ^+ 2 * inner a a.
  by rewrite expr_div_n !lobe_norm_sqr divfK.
have AB : inner a a + inner b b = inner a a * (1 + rho ^+ 2).
  by rewrite B mulrDr mulr1 [inner a a * _]mulrC.
have Rpos : 0 < 1 + rho ^+ 2 by rewrite ltr_paddr ?sqr_ge0 ?ltr01.
have ABpos : 0 < inner a a + inner b b by rewrite AB mulr_gt0.
pose X c := 1 - 2%:R * c / (inner a a + inner b b).
have XE : X (rho * inner a a) = (1 - rho) ^+ 2 / (1 + rho ^+ 2).
  rewrite /X AB; have -> : 2%:R * (rho * inner a a) / (inner a a * (1 + rho ^+ 2))
      = 2%:R * rho / (1 + rho ^+ 2).
    by rewrite mulrA invfM mulrA mulfK.
  rewrite -[X in X - _ = _](mulfV (_ : 1 + rho ^+ 2 != 0)) ?gt_eqF //.
  by rewrite -mulrBl sqrrB expr1n mul1r mulr_natl addrAC.
have -> : `|1 - rho| / Num.sqrt (1 + rho ^+ 2) = Num.sqrt (X (rho * inner a a)).
  by rewrite XE -sqrtr_sqr -sqrtrV ?ltW // -sqrtrM ?sqr_ge0.
have posr : 0 <= X (rho * inner a a) by rewrite XE divr_ge0 ?sqr_ge0 ?ltW.
rewrite pairing_formula ?gt_eqF // -/(X (inner a b)).
have mono c d : (X c <= X d) = (d <= c).
  by rewrite ler_add2l ler_opp2 ler_pmul2r ?invr_gt0 // ler_pmul2l ?ltr0n.
have pos : 0 <= X (inner a b).
  have -> : X (inner a b)
      = inner (fun i => a i - b i) (fun i => a i - b i) / (inner a a + inner b b).
    by rewrite inner_difference mulrBl mulfV ?gt_eqF.
  by rewrite divr_ge0 ?inner_ge0 ?ltW.
split; first by rewrite ler_add2l ler_opp2 ler_wsqrtr // mono.
rewrite -eq (inj_eq (addrI _)) eqr_opp eqr_sqrt //.
have nz : (inner a a + inner b b)^-1 != 0 by rewrite invr_eq0 gt_eqF.
rewrite (inj_eq (addrI _)) eqr_opp (inj_eq (mulIf nz)).
by rewrite (inj_eq (mulfI (two_neq0 F))).
Qed.

(** Lemma 7. *)
Theorem unit_lobes a b : inner a a + inner b b = 1 ->
  let imbalance := inner a a - inner b b in
  [/\ inner a a = (1 + imbalance) / 2%:R, inner b b = (1 - imbalance) / 2%:R,
      inner (fun i => a i - b i) (fun i => a i - b i) = 1 - 2%:R * inner a b
    & pairing_score a b = 1 - Num.sqrt (1 - 2%:R * inner a b)].
Proof.
move=> e I; have half (x y : F) : x + x = y -> x = y / 2%:R.
  by move=> <-; rewrite mulrDl -mulrDr (halves (two_neq0 F)) mulr1.
split; first by apply: half; rewrite -e /I addrACA subrr addr0.
- by apply: half; rewrite -e /I opprB [inner b b - _]addrC addrACA subrr add0r.
- by rewrite inner_difference e.
- by rewrite pairing_formula e ?oner_eq0 // divr1.
Qed.

Theorem lobes_square_sum (E : comRingType) (f : {rmorphism F -> E}) (i : E) a b :
  i ^+ 2 = -1 ->
  \sum_k (f (a k) + i * f (b k)) ^+ 2
  = f (inner a a - inner b b) + 2%:R * i * f (inner a b).
Proof.
move=> ii; rewrite /inner -sumrB !rmorph_sum mulr_sumr -big_split; apply: eq_bigr => k _ /=.
rewrite sqrrD exprMn ii mulN1r rmorphB !rmorphM -!expr2 mulr2n addrAC; congr (_ + _).
by rewrite mulr_natl mulrnAl mulr2n mulrCA.
Qed.

End Lobes.

(** Lemma 8. *)
Section Involution.
Variable F : rcfType.
Variable m : nat.
Implicit Types l : 'I_(m + m) -> F.

Definition reversal l : 'I_(m + m) -> F := fun k => - l (rev_ord k).

(** The positive and the negative lobe of a sorted spectrum with [m] of each sign. *)
Definition upper_lobe l : 'I_m -> F := fun i => l (lshift m i).
Definition lower_lobe l : 'I_m -> F := fun i => - l (rev_ord (lshift m i)).

Theorem reversal_involutive l : reversal (reversal l) =1 l.
Proof. by move=> k; rewrite /reversal opprK rev_ordK. Qed.

Theorem reversal_orthogonal l l' : inner (reversal l) (reversal l') = inner l l'.
Proof.
rewrite /inner (reindex_inj rev_ord_inj) /=; apply: eq_bigr => k _.
by rewrite /reversal mulrNN rev_ordK.
Qed.

Theorem reversal_swaps l :
  upper_lobe (reversal l) =1 lower_lobe l /\ lower_lobe (reversal l) =1 upper_lobe l.
Proof. by split=> i //; rewrite /lower_lobe /reversal opprK rev_ordK. Qed.

(** The upper half of the indices is the lower half reversed. *)
Lemma sum_halves (g : 'I_(m + m) -> F) :
  \sum_k g k = \sum_(i < m) g (lshift m i) + \sum_(i < m) g (rev_ord (lshift m i)).
Proof.
rewrite big_split_ord; congr (_ + _); rewrite (reindex_inj rev_ord_inj) /=.
apply: eq_bigr => i _; congr g; apply/val_inj => /=.
by rewrite addnBA ?ltn_ord.
Qed.

Theorem norm_by_lobes l : inner l l
  = inner (upper_lobe l) (upper_lobe l) + inner (lower_lobe l) (lower_lobe l).
Proof.
rewrite {1}/inner sum_halves; congr (_ + _); apply: eq_bigr => i _.
by rewrite /lower_lobe mulrNN.
Qed.

Lemma reversal_difference l :
  inner (fun k => l k - reversal l k) (fun k => l k - reversal l k)
  = 2%:R * inner (fun i => upper_lobe l i - lower_lobe l i)
      (fun i => upper_lobe l i - lower_lobe l i).
Proof.
rewrite {1}/inner sum_halves mulr_natl mulr2n; congr (_ + _); apply: eq_bigr => i _.
by rewrite /reversal /lower_lobe !opprK rev_ordK [l (rev_ord _) + _]addrC.
Qed.

Theorem reversal_pairing l : inner l l = 1 ->
  let P := pairing_score (upper_lobe l) (lower_lobe l) in
  P = 1 - lobe_norm (fun k => l k - reversal l k) / Num.sqrt 2%:R
  /\ (P = 1 <-> reversal l =1 l).
Proof.
move=> e P; have s2 : Num.sqrt 2%:R != 0 :> F by rewrite sqrtr_eq0 -ltNge ltr0n.
have PE : P = 1 - lobe_norm (fun k => l k - reversal l k) / Num.sqrt 2%:R.
  rewrite /P /pairing_score /spectrum_norm -norm_by_lobes e sqrtr1 divr1; congr (_ - _).
  by rewrite /lobe_norm reversal_difference sqrtrM ?ler0n // mulrC mulKf.
split=> //; rewrite PE; split=> [/eqP|fix_l].
  rewrite -subr_eq0 addrAC subrr add0r oppr_eq0 mulf_eq0 invr_eq0 (negbTE s2) orbF.
  move=> /eqP z k; apply/esym/eqP; rewrite -subr_eq0; apply/eqP.
  apply: (inner_eq0 (_ : inner (fun k => l k - reversal l k) _ = 0) k).
  by rewrite -lobe_norm_sqr z expr0n.
rewrite /lobe_norm (_ : inner _ _ = 0) ?sqrtr0 ?mul0r ?subr0 //.
by apply: big1 => k _; rewrite fix_l subrr mul0r.
Qed.

End Involution.
