(** * The annihilator lemma

    Statement.  Let the rows of [U] ([k x 2n]) be a basis of the left kernel of [M]
    and [A = UJUᵀ].  Then [rank S + k = rank M + rank A].  Over an ordered field, if
    [A] has signature [(p, q, t)] then [S] has signature
    [(n-p-t, n-q-t, N-2n+p+q+2t)].

    Encoding.  [left_kernel_basis U M]: [U] has independent rows and the row space of
    the kernel of [u ↦ uM].  The image of [M] is the [J]-orthogonal complement of the
    space spanned by the rows of [UJ], on which [J] has Gram matrix [A]; the two
    spaces have the same radical.  A space on which [J] is nowhere negative has
    dimension at most [n], which bounds both indices; the rank identity makes the
    bounds equalities.  Natural subtraction is avoided by stating sums.

    Reference.  Not in the paper; ours.  Lam, I.3 (orthogonal complements). *)

From Coq Require Import Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From Headforms Require Import Congruence Forms Head Euclidean Inertia.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Order.Theory Num.Theory.
Local Open Scope ring_scope.

(** The count at the end of the proof, on Peano numbers for [lia]. *)
Lemma balance (n p q t p' q' z' N r : nat) :
  (p' + q' + (p + q + t) = r + (p + q) -> p + q + t + r = n + n ->
   le (p' + p + t) n -> le (q' + q + t) n -> p' + q' + z' = N ->
   [/\ p' + p + t = n, q' + q + t = n & z' + (n + n) = N + (p + q + t + t)])%N.
Proof. by rewrite -!plusE => *; split; lia. Qed.

Section AnyField.
Variable F : fieldType.
Implicit Types (k n N : nat).

Definition left_kernel_basis k m N (U : 'M[F]_(k, m)) (M : 'M[F]_(m, N)) : bool :=
  row_free U && (U == kermx M)%MS.

Theorem left_kernel_basis_exists m N (M : 'M[F]_(m, N)) :
  left_kernel_basis (row_base (kermx M)) M.
Proof. by rewrite /left_kernel_basis row_base_free; apply/eqmxP/eq_row_base. Qed.

Lemma left_kernel_mul k m N (U : 'M[F]_(k, m)) (M : 'M[F]_(m, N)) :
  left_kernel_basis U M -> U *m M = 0.
Proof. by case/andP=> _ /eqmxP e; apply/sub_kermxP; rewrite e. Qed.

Theorem left_kernel_dimension k m N (U : 'M[F]_(k, m)) (M : 'M[F]_(m, N)) :
  left_kernel_basis U M -> (k + \rank M = m)%N.
Proof.
case/andP=> /eqP rU /eqmxP e; rewrite -[X in (X + _)%N]rU e mxrank_ker.
by rewrite subnK // rank_leq_row.
Qed.

Definition annihilator_gram k n (U : 'M[F]_(k, n + n)) : 'M[F]_k :=
  U *m hyperbolic n *m U^T.

Lemma annihilator_gram_tr k n (U : 'M[F]_(k, n + n)) :
  (annihilator_gram U)^T = annihilator_gram U.
Proof. by rewrite /annihilator_gram !trmx_mul trmxK hyperbolic_tr mulmxA. Qed.

Theorem annihilator_rank k n N (Q K : 'M[F]_(n, N)) (U : 'M[F]_(k, n + n)) :
  2%:R != 0 :> F -> left_kernel_basis U (stacked Q K) ->
  (\rank (symmetric_part Q K) + k
   = \rank (stacked Q K) + \rank (annihilator_gram U))%N.
Proof.
move=> n2 lk; have UM := left_kernel_mul lk; have dim := left_kernel_dimension lk.
have /andP[/eqP rU /eqmxP eU] := lk.
set M := stacked Q K in lk UM dim eU *; pose J : 'M[F]_(n + n) := hyperbolic n.
have fJ : row_free J by rewrite row_free_unit hyperbolic_unit.
rewrite symmetric_partE -/M (eqmx_scale _ (invr_neq0 n2)).
have rS := mxrank_mul_ker (M^T *m J) M.
have rA := mxrank_mul_ker (U *m J) U^T.
rewrite [\rank (M^T *m J)]mxrankMfree // mxrank_tr in rS.
rewrite [\rank (U *m J)]mxrankMfree // rU in rA.
have kU : (kermx U^T :=: M^T)%MS.
  apply/eqmxP; rewrite andbC (_ : (M^T <= kermx U^T)%MS) /=; last first.
    by apply/sub_kermxP; rewrite -trmx_mul UM trmx0.
  have le : (M^T <= kermx U^T)%MS.
    by apply/sub_kermxP; rewrite -trmx_mul UM trmx0.
  rewrite -(geq_leqif (mxrank_leqif_sup le)) mxrank_ker !mxrank_tr rU.
  by rewrite leq_subLR dim.
have e : \rank (M^T *m J :&: kermx M)%MS = \rank (U *m J :&: kermx U^T)%MS.
  have swap (a b : nat) (X : 'M[F]_(a, n + n)) (Y : 'M[F]_(b, n + n)) :
      (\rank (X *m J :&: Y)%MS <= \rank (Y *m J :&: X)%MS)%N.
    rewrite -(mxrankMfree _ fJ) mxrankS // (submx_trans (capmxMr _ _ _)) //.
    by rewrite capmxC capmxS // -mulmxA hyperbolic_sq mulmx1.
  have eqU := cap_eqmx (eqmx_refl (M^T *m J)) (eqmx_sym eU).
  have eqM := cap_eqmx (eqmx_refl (U *m J)) kU.
  by rewrite eqU eqM; apply/eqP; rewrite eqn_leq !swap.
rewrite e in rS; rewrite -[k in LHS]rA /annihilator_gram -/J.
by rewrite addnCA addnC rS.
Qed.

End AnyField.

Section OrderedField.
Variable F : realFieldType.
Implicit Types (k n N p q t : nat).

(** [J] has signature [(n, n)]: a space where it is nowhere negative has dimension
    at most [n]. *)
Lemma hyperbolic_nonnegative n m (B : 'M[F]_(m, n + n)) : row_free B ->
  (forall x, 0 <= form (hyperbolic n) (x *m B)) -> (m <= n)%N.
Proof.
move=> fB nn; pose D : 'M[F]_(n, n + n) := row_mx 1%:M (- 1%:M).
have pD : positive_definite_on (- hyperbolic n) D.
  move=> x x0; rewrite formN /form /D mul_mx_row mulmxN mulmx1 /hyperbolic.
  rewrite tr_row_mx mul_row_block !(mulmx0, mulmx1) add0r addr0 mul_row_col.
  rewrite linearN /= mulNmx mulmxN -opprD [in X in - X]mxE opprK [in X in _ < X]mxE.
  by rewrite addr_gt0 // norm2_gt0.
have := definite_dimension pD fB; rewrite leq_add2l; apply => y.
by rewrite formN oppr_le0.
Qed.

Lemma annihilator_bound k n N (Q K : 'M[F]_(n, N)) (U : 'M[F]_(k, n + n)) p' p q t :
  left_kernel_basis U (stacked Q K) ->
  signature (annihilator_gram U) p q t ->
  positive_index (symmetric_part Q K) p' -> (p' + p + t <= n)%N.
Proof.
move=> lk [[[P pP] _] _ rt] [[E pE] _]; have UM := left_kernel_mul lk.
have /andP[fU _] := lk.
set M := stacked Q K in lk UM *; pose J : 'M[F]_(n + n) := hyperbolic n.
set A := annihilator_gram U in pP rt.
have sA : A^T = A := annihilator_gram_tr U.
have fJ : row_free J by rewrite row_free_unit hyperbolic_unit.
pose R := row_base (kermx A); have fR : row_free R := row_base_free _.
have RA : R *m A = 0 by apply/sub_kermxP; rewrite eq_row_base.
(* w is a vector of the image of M, v one of the space spanned by UJ *)
pose W (x : 'rV_p') := (x *m E) *m M^T.
pose V (y : 'rV_p) (z : 'rV_(\rank (kermx A))) := (y *m P + z *m R) *m U *m J.
have formW x : form J (W x) = 2%:R * form (symmetric_part Q K) (x *m E).
  rewrite /form symmetric_partE -/M -scalemxAr -scalemxAl [in RHS]mxE.
  rewrite mulrA mulfV ?two_neq0 // mul1r /W trmx_mul trmxK !mulmxA.
  by congr (fun_of_matrix _ 0 0); rewrite !trmx_mul !mulmxA.
have formV y z : form J (V y z) = form A (y *m P).
  have zRA : z *m R *m A = 0 by rewrite -mulmxA RA mulmx0.
  rewrite -(form_radical (y *m P) sA zRA).
  rewrite /form /V /A /annihilator_gram !trmx_mul hyperbolic_tr -/J !mulmxA.
  by rewrite -[_ *m J *m J]mulmxA hyperbolic_sq mulmx1.
have cross x y z : W x *m J *m (V y z)^T = 0.
  rewrite /W /V !trmx_mul hyperbolic_tr -/J !mulmxA -[_ *m J *m J]mulmxA.
  rewrite hyperbolic_sq mulmx1 -[_ *m M^T *m U^T]mulmxA -trmx_mul UM trmx0.
  by rewrite mulmx0 mul0mx.
have formWV x y z : form J (W x + V y z) =
    2%:R * form (symmetric_part Q K) (x *m E) + form A (y *m P).
  by rewrite form_orthogonal ?hyperbolic_tr // formW formV.
have posS x : 0 <= 2%:R * form (symmetric_part Q K) (x *m E).
  rewrite mulr_ge0 ?ler0n //; have [->|/pE/ltW //] := eqVneq x 0.
  by rewrite mul0mx form0.
have posA y : 0 <= form A (y *m P).
  by have [->|/pP/ltW //] := eqVneq y 0; rewrite mul0mx form0.
pose B := col_mx (E *m M^T) (col_mx (P *m U *m J) (R *m U *m J)).
have BE c : c *m B = W (lsubmx c) + V (lsubmx (rsubmx c)) (rsubmx (rsubmx c)).
  rewrite -{1}[c]hsubmxK -{1}[rsubmx c]hsubmxK /B !mul_row_col /W /V.
  by rewrite !mulmxDl !mulmxA.
rewrite -rt -addnA; apply: (@hyperbolic_nonnegative _ _ B); last first.
  by move=> c; rewrite BE formWV addr_ge0.
rewrite -kermx_eq0; apply/negPn/negP => /rowV0Pn [c]; rewrite sub_kermx => /eqP cB.
apply/negP/negPn; move: cB; rewrite BE.
set x := lsubmx c; set y := lsubmx _; set z := rsubmx _ => e.
have := formWV x y z; rewrite e form0.
move/esym/eqP; rewrite paddr_eq0 // mulf_eq0 (negbTE (two_neq0 F)) /=.
case/andP=> /eqP Sx /eqP Ay.
have x0 : x = 0 by apply/eqP/negPn/negP => /pE; rewrite Sx ltxx.
have y0 : y = 0 by apply/eqP/negPn/negP => /pP; rewrite Ay ltxx.
move: e; rewrite x0 y0 /W /V !mul0mx !add0r => zRUJ.
have zRU : z *m R *m U = 0 by apply: (row_free_inj fJ); rewrite zRUJ mul0mx.
have zR : z *m R = 0 by apply: (row_free_inj fU); rewrite zRU mul0mx.
have z0 : z = 0 by apply: (row_free_inj fR); rewrite zR mul0mx.
by rewrite -[c]hsubmxK -[rsubmx c]hsubmxK -/x -/y -/z x0 y0 z0 !row_mx0.
Qed.

(** The image of [M] for the head [(-Q, K)], whose form is [-S]. *)
Lemma left_kernel_basisN k n N (Q K : 'M[F]_(n, N)) (U : 'M[F]_(k, n + n)) :
  left_kernel_basis U (stacked Q K) ->
  exists2 V : 'M[F]_(k, n + n), left_kernel_basis V (stacked (- Q) K)
    & annihilator_gram V = - annihilator_gram U.
Proof.
pose D : 'M[F]_(n + n) := block_mx 1%:M 0 0 (- 1%:M).
have DD : D *m D = 1%:M.
  rewrite /D mulmx_block !(mulmx0, mul0mx, mulmx1, mulNmx, mulmxN, addr0, add0r).
  by rewrite opprK ?oppr0 -scalar_mx_block.
have uD : D \in unitmx by case/mulmx1_unit: DD.
have tD : D^T = D by rewrite /D tr_block_mx !trmx0 linearN /= !trmx1.
have DJD : D *m hyperbolic n *m D = - hyperbolic n.
  rewrite /D /hyperbolic !mulmx_block opp_block_mx.
  rewrite !(mulmx0, mul0mx, mulmx1, mul1mx, mulNmx, mulmxN, addr0, add0r, oppr0).
  by [].
have DM : stacked (- Q) K = D *m stacked Q K.
  by rewrite /stacked /D mul_block_col !mul0mx mul1mx mulNmx mul1mx addr0 add0r.
case/andP=> fU /eqmxP eU; exists (U *m D); last first.
  rewrite /annihilator_gram trmx_mul tD !mulmxA -[U *m D *m _]mulmxA.
  by rewrite -[U *m _ *m D]mulmxA DJD mulmxN mulNmx.
rewrite /left_kernel_basis /row_free mxrankMfree ?row_free_unit // (eqP fU) eqxx /=.
rewrite DM; apply/andP; split.
  apply/sub_kermxP; rewrite mulmxA -[U *m D *m D]mulmxA DD mulmx1.
  by apply/sub_kermxP; rewrite eU.
have : (kermx (D *m stacked Q K) *m D <= U)%MS.
  by rewrite eU; apply/sub_kermxP; rewrite -mulmxA mulmx_ker.
by move/(submxMr D); rewrite -mulmxA DD mulmx1.
Qed.

Theorem annihilator_signature k n N (Q K : 'M[F]_(n, N)) (U : 'M[F]_(k, n + n))
    p q t : left_kernel_basis U (stacked Q K) ->
  signature (annihilator_gram U) p q t ->
  exists p' q' z', signature (symmetric_part Q K) p' q' z'
    /\ [/\ p' + p + t = n, q' + q + t = n & z' + (n + n) = N + (p + q + t + t)]%N.
Proof.
move=> lk sA; have [p' [q' [z' [sS eN]]]] := signature_exists (symmetric_part_tr Q K).
exists p', q', z'; split=> //.
have [p0 [q0 [t0 [sA0 ek]]]] := signature_exists (annihilator_gram_tr U).
have [ep eq et] := signature_uniq sA sA0; subst p0 q0 t0.
have [V lkV eV] := left_kernel_basisN lk.
have lep : (p' + p + t <= n)%N by case: (sS) => ip' _ _; apply: annihilator_bound lk sA ip'.
have leq : (q' + q + t <= n)%N.
  case: (sS) => _ iq' _; move: iq'; rewrite -symmetric_partN => iq'; apply: (annihilator_bound lkV _ iq').
  by rewrite eV; apply: signatureN sA.
have rk := annihilator_rank (two_neq0 F) lk; have dim := left_kernel_dimension lk.
have rS : (\rank (symmetric_part Q K) = p' + q')%N.
  have [_ _ ez] := sS; apply/eqP; rewrite -(eqn_add2r z') eN -ez mxrank_ker.
  by rewrite subnKC // rank_leq_row.
have rA : (\rank (annihilator_gram U) = p + q)%N.
  have [_ _ ez] := sA; apply/eqP; rewrite -(eqn_add2r t) ek -ez mxrank_ker.
  by rewrite subnKC // rank_leq_row.
move: rk dim; rewrite rS rA -ek; set r := \rank _ => rk dim.
move/ssrnat.leP: lep => lep; move/ssrnat.leP: leq => leq; move: rk dim lep leq eN.
exact: (@balance n p q t p' q' z' N r).
Qed.

End OrderedField.
