(** * Inertia: the signature of a symmetric form over an ordered field

    Statement.  Every symmetric matrix over an ordered field has a signature
    [(p, q, z)], unique, unchanged by congruence, with [p + q + z = N]: Sylvester's
    law.

    Encoding.  [positive_index S p]: [p] is the largest dimension of a subspace on
    which [S] is positive definite.  The definition asks for no square roots and no
    eigenvalues, so it is meaningful over ℚ as well as over ℝ.
    [signature S p q z]: positive index [p] for [S], [q] for [-S], and a radical of
    dimension [z].

    Reference.  Lam, II.3 (inertia theorem); O'Desky, arXiv 2609.22990, section 2. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Headforms Require Import Congruence Diagonalisation Euclidean.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Order.Theory Num.Theory.
Local Open Scope ring_scope.

Section Definitions.
Variable F : realFieldType.

(** The value of the form at the row [x]. *)
Definition form N (S : 'M[F]_N) (x : 'rV[F]_N) : F := (x *m S *m x^T) 0 0.

(** [S] is positive definite on the space with basis the rows of [U]. *)
Definition positive_definite_on N (S : 'M[F]_N) p (U : 'M[F]_(p, N)) : Prop :=
  forall x : 'rV[F]_p, x != 0 -> 0 < form S (x *m U).

Definition positive_index N (S : 'M[F]_N) p : Prop :=
  (exists U : 'M[F]_(p, N), positive_definite_on S U) /\
  (forall q (U : 'M[F]_(q, N)), positive_definite_on S U -> (q <= p)%N).

Definition signature N (S : 'M[F]_N) p q z : Prop :=
  [/\ positive_index S p, positive_index (- S) q & \rank (kermx S) = z].

End Definitions.

Section Theory.
Variable F : realFieldType.
Implicit Types (p q z m N : nat).

Lemma formN N (S : 'M[F]_N) x : form (- S) x = - form S x.
Proof. by rewrite /form mulmxN mulNmx mxE. Qed.

Lemma form0 N (S : 'M[F]_N) : form S 0 = 0.
Proof. by rewrite /form !mul0mx mxE. Qed.

(** Orthogonal vectors: the values add. *)
Lemma form_orthogonal N (S : 'M[F]_N) (a b : 'rV_N) :
  S^T = S -> a *m S *m b^T = 0 -> form S (a + b) = form S a + form S b.
Proof.
move=> sS ab; have ba : b *m S *m a^T = 0.
  by apply: trmx_inj; rewrite trmx0 -ab !trmx_mul trmxK sS mulmxA.
by rewrite /form [(a + b)^T]linearD /= !mulmxDl !mulmxDr ab ba addr0 add0r mxE.
Qed.

(** Adding a vector of the radical changes nothing. *)
Lemma form_radical N (S : 'M[F]_N) (a b : 'rV_N) :
  S^T = S -> b *m S = 0 -> form S (a + b) = form S a.
Proof.
move=> sS bS; rewrite /form mulmxDl bS addr0 linearD /= mulmxDr -[a *m S *m b^T]mulmxA.
have -> : S *m b^T = 0 by apply: trmx_inj; rewrite trmx_mul trmxK sS bS trmx0.
by rewrite mulmx0 addr0.
Qed.

Lemma positive_definite_free N (S : 'M[F]_N) p (U : 'M[F]_(p, N)) :
  positive_definite_on S U -> row_free U.
Proof.
move=> pd; rewrite -kermx_eq0; apply/negPn/negP => /rowV0Pn [x].
by rewrite sub_kermx => /eqP xU0 /pd; rewrite xU0 form0 ltxx.
Qed.

(** A positive definite space and a space where the form is nowhere positive
    meet only in zero. *)
Lemma definite_dimension N (S : 'M[F]_N) p m (U : 'M[F]_(p, N)) (V : 'M[F]_(m, N)) :
  positive_definite_on S U -> row_free V -> (forall y, form S (y *m V) <= 0) ->
  (p + m <= N)%N.
Proof.
move=> pd fV neg; have fU := positive_definite_free pd.
suff : row_free (col_mx U V) by move/eqP <-; apply: rank_leq_col.
rewrite -kermx_eq0; apply/negPn/negP => /rowV0Pn [c]; rewrite sub_kermx => /eqP cUV.
apply/negP/negPn; rewrite -[c]hsubmxK in cUV *; move: cUV.
set x := lsubmx c; set y := rsubmx c; rewrite mul_row_col => e.
have x0 : x = 0.
  apply/eqP/negPn/negP => /pd; rewrite (_ : x *m U = (- y) *m V).
    by rewrite ltNge neg.
  by rewrite mulNmx; apply/eqP; rewrite -addr_eq0 e.
move: e; rewrite x0 mul0mx add0r => yV.
have -> : y = 0 by apply: (row_free_inj fV); rewrite yV mul0mx.
by rewrite row_mx0.
Qed.

(** Hence such a pair with [p + m >= N] certifies the positive index. *)
Lemma positive_index_certificate N (S : 'M[F]_N) p m
    (U : 'M[F]_(p, N)) (V : 'M[F]_(m, N)) :
  positive_definite_on S U -> row_free V -> (forall y, form S (y *m V) <= 0) ->
  (N <= p + m)%N -> positive_index S p.
Proof.
move=> pd fV neg le; split; first by exists U.
move=> q W pdW; have := definite_dimension pdW fV neg.
by move/leq_trans/(_ le); rewrite leq_add2r.
Qed.

Lemma positive_index_uniq N (S : 'M[F]_N) p q :
  positive_index S p -> positive_index S q -> p = q.
Proof.
case=> [[U pU] maxp] [[V qV] maxq]; apply/eqP.
by rewrite eqn_leq (maxp _ _ qV) (maxq _ _ pU).
Qed.

Theorem signature_uniq N (S : 'M[F]_N) p q z p' q' z' :
  signature S p q z -> signature S p' q' z' -> [/\ p = p', q = q' & z = z'].
Proof.
case=> ip iq iz [ip' iq' iz']; split; [exact: positive_index_uniq ip ip'| |].
  exact: positive_index_uniq iq iq'.
by rewrite -iz -iz'.
Qed.

Lemma signatureN N (S : 'M[F]_N) p q z : signature S p q z -> signature (- S) q p z.
Proof.
case=> ip iq iz; split; rewrite ?opprK //.
by rewrite -iz !mxrank_ker mxrank_opp.
Qed.

(** *** Existence *)

(** A diagonalised form splits into a positive, a negative and a zero part, of the
    dimensions read off the diagonal. *)
Lemma inertia_split N (S P : 'M[F]_N) d : P \in unitmx -> P *m S *m P^T = diag_mx d ->
  let p := #|[set i | 0 < d 0 i]| in let q := #|[set i | d 0 i < 0]| in
  let z := #|[set i | d 0 i == 0]| in
  exists (U : 'M[F]_(p, N)) (V : 'M[F]_(q, N)) (R : 'M[F]_(z, N)),
    [/\ (p + q + z = N)%N, positive_definite_on S U, positive_definite_on (- S) V,
        row_free R & R *m S = 0].
Proof.
move=> uP PSP.
pose part (A : {set 'I_N}) := rowsub (enum_val : 'I_#|A| -> 'I_N) P.
have valA (A : {set 'I_N}) (x : 'rV_#|A|) :
    form S (x *m part A) = \sum_i d 0 (enum_val i) * x 0 i ^+ 2.
  have -> : form S (x *m part A) = (x *m mxsub enum_val enum_val (P *m S *m P^T) *m x^T) 0 0.
    congr (fun_of_matrix _ 0 0); rewrite trmx_mul trmx_mxsub -!mulmxA; congr (x *m _).
    by rewrite !mulmxA mul_rowsub_mx -mxsub_mul.
  rewrite PSP mxE; apply: eq_bigr => i _; rewrite !mxE (bigD1 i) //= big1 => [|j ji].
    by rewrite !mxE eqxx mulr1n addr0 mulrAC mulrC expr2.
  by rewrite !mxE (inj_eq enum_val_inj) (negbTE ji) mulr0n mulr0.
have definite (A : {set 'I_N}) (s : F) : (forall i, i \in A -> 0 < s * d 0 i) ->
    forall x : 'rV_#|A|, x != 0 -> 0 < s * form S (x *m part A).
  move=> posA x x0; rewrite valA mulr_sumr lt_def.
  have ge0 (i : 'I_#|A|) : 0 <= s * (d 0 (enum_val i) * x 0 i ^+ 2).
    by rewrite mulrA mulr_ge0 ?sqr_ge0 // ltW // posA // enum_valP.
  rewrite sumr_ge0 ?andbT => [|i _]; last exact: ge0.
  apply: contraNneq x0 => s0; apply/eqP/rowP => i; rewrite mxE.
  have /psumr_eq0P /(_ s0 i isT)/eqP := (fun i (_ : true) => ge0 i).
  rewrite mulrA mulf_eq0 expf_eq0 /= => /orP[/eqP e|/eqP //].
  by have := posA _ (enum_valP i); rewrite e ltxx.
pose Ap := [set i | 0 < d 0 i]; pose An := [set i | d 0 i < 0].
pose Az := [set i | d 0 i == 0].
exists (part Ap), (part An), (part Az); split.
- have cardE (A : {set 'I_N}) : #|A| = (\sum_i (i \in A : nat))%N.
    by rewrite -sum1_card big_mkcond; apply: eq_bigr => i _; case: (i \in A).
  rewrite !cardE -!big_split /= -[RHS]card_ord -sum1_card.
  by apply: eq_bigr => i _; rewrite !inE; case: (ltgtP (d 0 i) 0).
- move=> x /(definite Ap 1); rewrite mul1r; apply => i.
  by rewrite mul1r inE.
- move=> x /(definite An (- 1)); rewrite mulN1r formN; apply => i.
  by rewrite mulN1r inE oppr_gt0.
- apply/row_freeP; exists (colsub enum_val (invmx P)).
  rewrite -mxsub_mul mulmxV //; apply/matrixP => i j.
  by rewrite !mxE (inj_eq enum_val_inj).
- apply: (row_free_inj (_ : row_free P^T)); first by rewrite row_free_unit unitmx_tr.
  rewrite mul0mx /part !mul_rowsub_mx PSP; apply/matrixP => i j.
  rewrite !mxE; have := enum_valP i; rewrite inE => /eqP ->.
  by rewrite mul0rn.
Qed.

(** The signature is read off any diagonalisation. *)
Theorem diagonal_signature N (S P : 'M[F]_N) d : S^T = S ->
  P \in unitmx -> P *m S *m P^T = diag_mx d ->
  signature S #|[set i | 0 < d 0 i]| #|[set i | d 0 i < 0]| #|[set i | d 0 i == 0]|.
Proof.
move=> sS uP PSP; have /= [U [V [R [eN pU pV fR RS]]]] := inertia_split uP PSP.
move: U V R eN pU pV fR RS; set p := #|_|; set q := #|_|; set z := #|_|.
move=> U V R eN pU pV fR RS.
have orth m (W : 'M[F]_(m, N)) (y : 'rV_(m + z)) :
    form S (y *m col_mx W R) = form S (lsubmx y *m W).
  by rewrite -{1}[y]hsubmxK mul_row_col form_radical // -mulmxA RS mulmx0.
have free m (W : 'M[F]_(m, N)) (s : F) :
    (forall x : 'rV_m, x != 0 -> 0 < s * form S (x *m W)) -> row_free (col_mx W R).
  move=> pd; rewrite -kermx_eq0; apply/negPn/negP => /rowV0Pn [c].
  rewrite sub_kermx => /eqP cWR; apply/negP/negPn.
  have l0 : lsubmx c = 0.
    apply/eqP/negPn/negP => /pd; rewrite -orth cWR form0 mulr0.
    by rewrite ltxx.
  move: cWR; rewrite -[c]hsubmxK l0 mul_row_col mul0mx add0r => rR.
  have -> : rsubmx c = 0 by apply: (row_free_inj fR); rewrite rR mul0mx.
  by rewrite row_mx0.
split.
- apply: (@positive_index_certificate _ _ p (q + z) U (col_mx V R)) => //.
  + by apply: (free _ _ (- 1)) => x /pV; rewrite formN mulN1r.
  + move=> y; rewrite orth; have [->|/pV] := eqVneq (lsubmx y) 0.
      by rewrite mul0mx form0.
    by rewrite formN oppr_gt0 => /ltW.
  + by rewrite addnA eN.
- apply: (@positive_index_certificate _ _ q (p + z) V (col_mx U R)) => //.
  + by apply: (free _ _ 1) => x /pU; rewrite mul1r.
  + move=> y; rewrite formN orth oppr_le0; have [->|/pU/ltW //] := eqVneq (lsubmx y) 0.
    by rewrite mul0mx form0.
  + by rewrite addnA [(q + p)%N]addnC eN.
- have : (z <= \rank (kermx S))%N.
    by rewrite -(eqP fR) mxrankS //; apply/sub_kermxP.
  move=> le; apply/eqP; rewrite eqn_leq le andbT mxrank_ker.
  have leN : (p + q <= \rank S)%N.
    suff fUV : row_free (col_mx U V *m S).
      by rewrite -(eqP fUV) mxrankM_maxr.
    rewrite -kermx_eq0; apply/negPn/negP => /rowV0Pn [c].
    rewrite sub_kermx => /eqP cUVS; apply/negP/negPn.
    set u := lsubmx c; set v := rsubmx c.
    have e : u *m U *m S = - (v *m V *m S).
      apply/eqP; rewrite -addr_eq0 -mulmxDl -mul_row_col hsubmxK -mulmxA.
      exact/eqP.
    have cross : form S (u *m U) = form S (v *m V).
      move: (u *m U) (v *m V) e => x y e; rewrite /form e mulNmx.
      have -> : y *m S *m x^T = (x *m S *m y^T)^T.
        by rewrite trmx_mul trmxK trmx_mul sS mulmxA.
      by rewrite e mulNmx linearN opprK [LHS]mxE.
    have u0 : u = 0.
      apply/eqP/negPn/negP => /pU; rewrite cross.
      have [->|/pV] := eqVneq v 0; first by rewrite mul0mx form0 ltxx.
      by rewrite formN oppr_gt0 => /lt_trans h /h; rewrite ltxx.
    have v0 : v = 0.
      apply/eqP/negPn/negP => /pV; rewrite formN -cross u0 mul0mx form0 oppr0.
      by rewrite ltxx.
    by rewrite -[c]hsubmxK -/u -/v u0 v0 row_mx0.
  by rewrite leq_subLR -[X in (X <= _)%N]eN leq_add2r.
Qed.

Theorem signature_exists N (S : 'M[F]_N) : S^T = S ->
  exists p q z, signature S p q z /\ (p + q + z = N)%N.
Proof.
move=> sS; have [P uP [d PSP]] := diagonalisation (two_neq0 F) sS.
have [_ [_ [_ [eN _ _ _ _]]]] := inertia_split uP PSP.
by do 3!eexists; split; first exact: diagonal_signature sS uP PSP.
Qed.

(** *** Invariance *)

Lemma positive_definite_congruent N (A P : 'M[F]_N) p (U : 'M[F]_(p, N)) :
  P \in unitmx -> positive_definite_on A U ->
  positive_definite_on (P^T *m A *m P) (U *m invmx P^T).
Proof.
move=> uP pd x /pd; rewrite /form !trmx_mul !mulmxA trmx_inv trmxK.
have uPT : P^T \in unitmx by rewrite unitmx_tr.
by rewrite -[_ *m P *m invmx P]mulmxA mulmxV // mulmx1 mulmxKV.
Qed.

Lemma positive_index_congruent N (A B : 'M[F]_N) p :
  congruent A B -> positive_index A p -> positive_index B p.
Proof.
move=> AB [[U pU] maxA]; have [R uR eR] := congruent_sym AB.
case: AB => P uP eP; split.
  by exists (U *m invmx P^T); rewrite -eP; apply: positive_definite_congruent.
move=> q V; rewrite -eP => pV; apply: (maxA q (V *m invmx R^T)).
by rewrite -eR; apply: positive_definite_congruent; rewrite // -eP.
Qed.

Theorem congruent_signature N (A B : 'M[F]_N) p q z :
  congruent A B -> signature A p q z -> signature B p q z.
Proof.
move=> AB [ip iq iz]; split; first exact: positive_index_congruent AB ip.
  apply: positive_index_congruent iq; case: AB => P uP <-.
  by exists P; rewrite // mulmxN mulNmx.
by rewrite -iz !mxrank_ker (congruent_rank AB).
Qed.

End Theory.
