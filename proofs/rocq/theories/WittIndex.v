(** * The Witt index

    Statement.  Every symmetric form [S] has one Witt index [w], and then
        [S ≅ wH ⊥ B],   [B] anisotropic up to its radical,
    over any field of characteristic other than 2.  More explicitly, an isotropic
    subspace of dimension [rad S + w] splits off [w] hyperbolic planes.

    Encoding.  [witt_index S w]: the totally isotropic subspaces of largest dimension
    have dimension [rad S + w].  The anisotropic part of [S] is [B] without its
    radical; its dimension is the rank of [B], which is [rank S - 2w].

    Reference.  Lam, Introduction to Quadratic Forms over Fields, I.3 and I.4. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Headforms Require Import Arithmetic Congruence Forms.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory.
Local Open Scope ring_scope.

Section WittIndex.
Variable F : fieldType.
Implicit Types (d m w N : nat).

(** The rows of [E] span a totally isotropic subspace of dimension [m]. *)
Definition isotropic N (S : 'M[F]_N) m (E : 'M[F]_(m, N)) : Prop :=
  row_free E /\ E *m S *m E^T = 0.

Definition isotropy_dimension N (S : 'M[F]_N) d : Prop :=
  (exists E : 'M[F]_(d, N), isotropic S E) /\
  (forall m (E : 'M[F]_(m, N)), isotropic S E -> (m <= d)%N).

Definition witt_index N (S : 'M[F]_N) w : Prop :=
  isotropy_dimension S (\rank (kermx S) + w).

(** There is at most one Witt index. *)
Theorem witt_index_uniq N (S : 'M[F]_N) w w' : witt_index S w -> witt_index S w' -> w = w'.
Proof.
case=> -[E iE] maxE [[E' iE'] maxE']; have := maxE _ _ iE'; have := maxE' _ _ iE.
by rewrite !leq_add2l => le le'; apply/eqP; rewrite eqn_leq le le'.
Qed.

(** Isotropic subspaces have at most half the dimension, up to the radical. *)
Lemma isotropic_le N (S : 'M[F]_N) m (E : 'M[F]_(m, N)) :
  isotropic S E -> (m + m <= N + \rank (kermx S))%N.
Proof.
case=> fE iE; have fE' : \rank E = m by apply/eqP.
have : (\rank (E *m S) + \rank E^T - N <= 0)%N.
  by rewrite -(mxrank0 F m m) -iE mxrank_mul_min.
rewrite mxrank_tr fE' => le; have := mxrank_mul_ker E S; rewrite fE'.
have : (\rank (E :&: kermx S)%MS <= \rank (kermx S))%N by rewrite mxrankS ?capmxSr.
by move=> *; dimensions.
Qed.

Lemma witt_index_le N (S : 'M[F]_N) w : witt_index S w -> (w + w <= \rank S)%N.
Proof.
case=> -[E iE] _; have := isotropic_le iE; have := rank_leq_row S.
by rewrite mxrank_ker => *; dimensions.
Qed.

(** An isotropic subspace stays isotropic when the radical is added to it. *)
Lemma isotropic_radical N (S : 'M[F]_N) m (G : 'M[F]_(m, N)) :
  S^T = S -> G *m S *m G^T = 0 ->
  exists2 E : 'M[F]_(\rank (G + kermx S)%MS, N), isotropic S E & (E :=: G + kermx S)%MS.
Proof.
move=> sS iG; exists (row_base (G + kermx S)%MS); last exact: eq_row_base.
split; first exact: row_base_free.
pose C := col_mx G (kermx S); have CSC : C *m S *m C^T = 0.
  have GSk : G *m S *m (kermx S)^T = 0.
    apply: trmx_inj; rewrite trmx_mul trmxK trmx_mul sS mulmxA mulmx_ker.
    by rewrite mul0mx trmx0.
  rewrite /C mul_col_mx mulmx_ker tr_col_mx mul_col_row iG GSk !mul0mx.
  exact: block_mx0.
have /submxP [D e] : (row_base (G + kermx S)%MS <= C)%MS.
  by rewrite eq_row_base addsmxE.
rewrite e trmx_mul !mulmxA -[D *m C *m S]mulmxA -[D *m _ *m C^T]mulmxA CSC.
by rewrite mulmx0 mul0mx.
Qed.

(** A bounded set of numbers has a largest element, classically. *)
Lemma largest_classically (P : nat -> Prop) b d : P d -> (forall e, P e -> (e <= b)%N) ->
  classically (exists2 e, P e & forall e', P e' -> (e' <= e)%N).
Proof.
move=> Pd max; elim: {d}(b - d)%N {-2}d (leqnn (b - d)) Pd => [|k IH] d le Pd.
  apply: classicW; exists d => // e /max; move/leq_trans; apply.
  by rewrite -subn_eq0 -leqn0.
apply: (classic_bind _ (@classic_EM (exists2 e, P e & (d < e)%N))).
case=> [[e Pe lt]|no].
  by apply: (IH e) => //; have := max _ Pe => ?; dimensions.
apply: classicW; exists d => // e Pe; rewrite leqNgt; apply/negP => lt.
by apply: no; exists e.
Qed.

(** Every symmetric form has a Witt index.  To name it over a field where isotropy is
    undecidable takes the law of excluded middle: hence [classically]. *)
Theorem witt_index_exists N (S : 'M[F]_N) : S^T = S ->
  classically (exists w, witt_index S w).
Proof.
move=> sS; pose has d := exists E : 'M[F]_(d, N), isotropic S E.
have rad : has (\rank (kermx S)).
  exists (row_base (kermx S)); split; first exact: row_base_free.
  have -> : row_base (kermx S) *m S = 0 by apply/sub_kermxP; rewrite eq_row_base.
  exact: mul0mx.
have bounded d : has d -> (d <= N)%N by case=> E [/eqP fE _]; move: (rank_leq_col E); rewrite fE.
apply: (classic_bind _ (largest_classically rad bounded)) => -[d hd max].
apply: classicW; exists (d - \rank (kermx S))%N.
rewrite /witt_index subnKC; last exact: max.
by split=> // m E iE; apply: max; exists E.
Qed.

(** *** Hyperbolic planes *)

(** Independent vectors modulo the radical that span an isotropic subspace are half
    of a hyperbolic basis. *)
Lemma hyperbolic_basis N (S : 'M[F]_N) w (E : 'M[F]_(w, N)) :
  2%:R != 0 :> F -> S^T = S -> row_free (E *m S) -> E *m S *m E^T = 0 ->
  exists X : 'M[F]_(w, N), col_mx E X *m S *m (col_mx E X)^T = hyperbolic w.
Proof.
move=> n2 sS /row_freeP [Y EY] EE; pose h : F := 2%:R^-1.
have hh : h + h = 1 by rewrite -mulr2n -mulr_natl mulfV.
pose G := Y^T *m S *m Y; have sG : G^T = G by rewrite /G !trmx_mul trmxK sS mulmxA.
have YE : Y^T *m S *m E^T = 1%:M.
  by apply: trmx_inj; rewrite !trmx_mul !trmxK sS trmx1 mulmxA.
exists (Y^T - h *: (G *m E)); set X := Y^T - _.
have XE : X *m S *m E^T = 1%:M.
  by rewrite /X !mulmxBl YE -!scalemxAl -[G *m E *m S]mulmxA -mulmxA EE mulmx0 scaler0 subr0.
have EX : E *m S *m X^T = 1%:M.
  by apply: trmx_inj; rewrite !trmx_mul trmxK sS trmx1 mulmxA.
have XX : X *m S *m X^T = 0.
  have -> : X^T = Y - h *: (E^T *m G) by rewrite /X linearB linearZ /= trmxK trmx_mul sG.
  rewrite mulmxBr -scalemxAr mulmxA XE mul1mx /X !mulmxBl -/G -!scalemxAl.
  rewrite -[G *m E *m S *m Y]mulmxA -[G *m E *m _]mulmxA [E *m (S *m Y)]mulmxA EY mulmx1.
  by rewrite -addrA -opprD -scalerDl hh scale1r subrr.
by rewrite tr_col_mx !mul_col_mx !mul_mx_row EE EX XE XX /hyperbolic -block_mxEv.
Qed.

(** A subspace on which the form is [J] is an orthogonal summand. *)
Lemma hyperbolic_summand N (S : 'M[F]_N) w (H : 'M[F]_(w + w, N)) : S^T = S ->
  H *m S *m H^T = hyperbolic w ->
  exists2 B : 'M[F]_(N - (w + w)), B^T = B & isometric S (orthogonal_sum (hyperbolic w) B).
Proof.
move=> sS HH; pose C := kermx (S *m H^T).
have HSf : row_full (S *m H^T).
  apply/row_fullP; exists (hyperbolic w *m H).
  by rewrite -mulmxA [H *m _]mulmxA HH hyperbolic_sq.
have rC : \rank C = (N - (w + w))%N by rewrite mxrank_ker (eqP HSf).
have [R [fR eR]] : exists R : 'M[F]_(N - (w + w), N), row_free R /\ (R :=: C)%MS.
  rewrite -rC; exists (row_base C); split; first exact: row_base_free.
  exact: eq_row_base.
have RH : R *m S *m H^T = 0 by rewrite -mulmxA; apply/sub_kermxP; rewrite eR.
have HR : H *m S *m R^T = 0.
  by apply: trmx_inj; rewrite !trmx_mul trmxK sS trmx0 mulmxA.
exists (R *m S *m R^T); first by rewrite !trmx_mul trmxK sS mulmxA.
exists (col_mx H R)^T; last first.
  rewrite trmxK tr_col_mx !mul_col_mx !mul_mx_row HH HR RH /orthogonal_sum.
  by rewrite -block_mxEv.
have fP : row_free (col_mx H R).
  rewrite -kermx_eq0; apply/negPn/negP => /rowV0Pn [c]; rewrite sub_kermx => /eqP e.
  apply/negP/negPn; move: e; rewrite -[c]hsubmxK mul_row_col => e.
  have l0 : lsubmx c = 0.
    have := congr1 (mulmx^~ (S *m H^T *m hyperbolic w)) e.
    rewrite mulmxDl mul0mx !mulmxA -[lsubmx c *m H *m S]mulmxA -[lsubmx c *m _ *m H^T]mulmxA.
    rewrite HH -[rsubmx c *m R *m S]mulmxA -[rsubmx c *m _ *m H^T]mulmxA RH mulmx0 mul0mx.
    by rewrite addr0 -mulmxA hyperbolic_sq mulmx1.
  move: e; rewrite l0 mul0mx add0r => r0; rewrite (_ : rsubmx c = 0) ?row_mx0 //.
  by apply: (row_free_inj fR); rewrite r0 mul0mx.
rewrite /row_free /row_full !mxrank_tr andbC; apply/andP; split; first exact: fP.
have le : (w + w <= N)%N by rewrite -(eqP HSf) rank_leq_row.
by rewrite (eqP fP) subnKC.
Qed.

(** An isotropic subspace of dimension [rad S + w] splits off [w] planes. *)
Theorem hyperbolic_planes N (S : 'M[F]_N) w m (E : 'M[F]_(m, N)) : 2%:R != 0 :> F ->
  S^T = S -> isotropic S E -> (\rank (kermx S) + w <= m)%N ->
  exists2 B : 'M[F]_(N - (w + w)), B^T = B & isometric S (orthogonal_sum (hyperbolic w) B).
Proof.
move=> n2 sS [fE iE] le.
have leES : (w <= \rank (E *m S))%N.
  have := mxrank_mul_ker E S; rewrite (eqP fE).
  have : (\rank (E :&: kermx S)%MS <= \rank (kermx S))%N by rewrite mxrankS ?capmxSr.
  by move=> *; dimensions.
have [D fD] : exists D : 'M[F]_(w, m), row_free (D *m (E *m S)).
  exists ((pid_mx w : 'M_(w, \rank (E *m S))) *m row_base (E *m S) *m pinvmx (E *m S)).
  rewrite mulmxKpV; last by rewrite (submx_trans (submxMl _ _)) // eq_row_base.
  by rewrite /row_free mxrankMfree ?row_base_free // rank_pid_mx.
have iDE : D *m E *m S *m (D *m E)^T = 0.
  by rewrite trmx_mul !mulmxA -[D *m E *m S]mulmxA -[D *m _ *m E^T]mulmxA iE mulmx0 mul0mx.
have [X HX] : exists X, col_mx (D *m E) X *m S *m (col_mx (D *m E) X)^T = hyperbolic w.
  by apply: hyperbolic_basis => //; rewrite -mulmxA.
exact: hyperbolic_summand HX.
Qed.

(** Zero is the only value zero, up to the radical. *)
Definition anisotropic N (B : 'M[F]_N) : Prop :=
  forall x : 'rV_N, x *m B *m x^T = 0 -> x *m B = 0.

(** Isotropic subspaces of an orthogonal summand, beside half of the planes. *)
Lemma isotropic_sum w N (B : 'M[F]_N) m (Z : 'M[F]_(m, N)) : isotropic B Z ->
  isotropic (orthogonal_sum (hyperbolic w) B) (block_mx (row_mx 1%:M 0) 0 0 Z).
Proof.
case=> fZ iZ; split; last first.
  rewrite /orthogonal_sum tr_block_mx !mulmx_block !trmx0 tr_row_mx trmx1 trmx0.
  rewrite !(mulmx0, mul0mx, addr0, add0r) iZ /hyperbolic mul_row_block.
  rewrite !(mulmx0, mul0mx, mul1mx, mulmx1, addr0) mul_row_col mulmx0 mul0mx addr0.
  exact: block_mx0.
rewrite -kermx_eq0; apply/negPn/negP => /rowV0Pn [c]; rewrite sub_kermx => /eqP e.
apply/negP/negPn; move: e; rewrite -[c]hsubmxK mul_row_block mul_mx_row.
rewrite !(mulmx0, mulmx1, addr0, add0r) => /eqP; rewrite !row_mx_eq0 -andbA => /and3P[/eqP -> _ /eqP rZ].
rewrite (_ : rsubmx c = 0) ?row_mx0 ?eqxx //.
by apply: (row_free_inj fZ); rewrite rZ mul0mx.
Qed.

Lemma isotropic_isometric p q (A : 'M[F]_p) (B : 'M[F]_q) m (E : 'M[F]_(m, q)) :
  isometric A B -> isotropic B E -> exists E' : 'M[F]_(m, p), isotropic A E'.
Proof.
case=> P /andP[_ uP] <- [fE iE]; exists (E *m P^T); split.
  by rewrite /row_free mxrankMfree // /row_free mxrank_tr.
by move: iE; rewrite trmx_mul trmxK !mulmxA.
Qed.

Theorem witt_decomposition N (S : 'M[F]_N) w : 2%:R != 0 :> F -> S^T = S ->
  witt_index S w ->
  exists B : 'M[F]_(N - (w + w)),
    [/\ isometric S (orthogonal_sum (hyperbolic w) B), B^T = B, anisotropic B
      & (w + w + \rank B = \rank S)%N].
Proof.
move=> n2 sS [[E iE] max]; have [B sB iso] := hyperbolic_planes n2 sS iE (leqnn _).
have rank : (w + w + \rank B = \rank S)%N.
  rewrite (isometric_rank iso) /orthogonal_sum rank_diag_block_mx.
  by rewrite (mxrank_unit (hyperbolic_unit F w)).
exists B; split=> // x xBx; apply/eqP/negPn/negP => xB.
have [R [fR RB]] : exists R : 'M_(\rank (kermx B), N - (w + w)), row_free R /\ R *m B = 0.
  exists (row_base (kermx B)); split; first exact: row_base_free.
  by apply/sub_kermxP; rewrite eq_row_base.
have iZ : isotropic B (col_mx R x).
  split; last first.
    have xR : x *m B *m R^T = 0.
      by apply: trmx_inj; rewrite !trmx_mul trmxK sB trmx0 mulmxA RB mul0mx.
    rewrite mul_col_mx RB tr_col_mx mul_col_row !mul0mx xBx xR.
    exact: block_mx0.
  rewrite -kermx_eq0; apply/negPn/negP => /rowV0Pn [c]; rewrite sub_kermx => /eqP e.
  apply/negP/negPn; move: e; rewrite -[c]hsubmxK mul_row_col => e.
  have r0 : rsubmx c = 0.
    have := congr1 (mulmx^~ B) e; rewrite mulmxDl mul0mx -mulmxA RB mulmx0 add0r.
    rewrite [rsubmx c]mx11_scalar mul_scalar_mx -scalemxAl => /eqP.
    by rewrite scalemx_eq0 (negbTE xB) orbF => /eqP ->; rewrite raddf0.
  move: e; rewrite r0 mul0mx addr0 => l0; rewrite (_ : lsubmx c = 0) ?row_mx0 //.
  by apply: (row_free_inj fR); rewrite l0 mul0mx.
have [E' iE'] := isotropic_isometric iso (isotropic_sum w iZ).
have := max _ _ iE'; have := isometric_dim iso; have := rank_leq_row B.
by rewrite !mxrank_ker => *; dimensions.
Qed.

End WittIndex.
