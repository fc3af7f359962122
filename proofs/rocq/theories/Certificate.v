(** * Certificates on integer matrices are sound

    Statement.  Let [M] be an integer matrix, [2n x N].
    - If a maximal minor of [M] is not divisible by some [p], then over every field
      of characteristic 0 the head with stacked matrix [M] is nondegenerate, its [S]
      is hyperbolic plus zero, and over an ordered field the signature is
      [(n, n, N - 2n)].
    - Every nondegenerate head has a minor that is not divisible by any large enough [p].
    - The same for rationals [M = A / d] reduced modulo a prime that does not divide [d],
      in particular for dyadic ones and an odd prime.
    - If [k] independent integer vectors annihilate [M] from the left then
      [rank M <= 2n - k]; with an [r x r] minor that is not divisible by some [p] and
      [r + k = 2n], the rank is [r] and these vectors are a basis of the left kernel.

    Encoding.  [F : numFieldType] is a field of characteristic 0 (ℚ, ℝ, ℂ); integer
    matrices are mapped into it.  A minor is given by maps [f], [g] of its row and
    column indices.  The invertibility of a minor modulo [m] is witnessed by an
    inverse; primality of [m] is not needed.

    Reference.  Ours; the certificates are those of an audit record. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Headforms Require Import Arithmetic Congruence Forms Head HyperbolicPlusZero.
From Headforms Require Import Locus Inertia Signature Annihilator.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** A matrix with an inverse modulo [m] has a non-zero determinant. *)
Theorem inverse_modulo_det m k (A W : 'M[int]_k) : (1 < m)%N ->
  map_mx intr A *m map_mx intr W = 1%:M :> 'M['Z_m]_k -> \det A != 0.
Proof.
move=> m1 AW; apply/eqP => A0; have := congr1 determinant AW.
rewrite det_mulmx !det_map_mx A0 rmorph0 mul0r det1 => /esym/eqP.
by rewrite oner_eq0.
Qed.

(** A non-zero minor bounds the rank from below. *)
Lemma minor_rank (F : fieldType) m N r (M : 'M[F]_(m, N)) (f : 'I_r -> 'I_m)
    (g : 'I_r -> 'I_N) : \det (mxsub f g M) != 0 -> (r <= \rank M)%N.
Proof.
rewrite -unitfE -unitmxE => /mxrank_unit <-.
have -> : mxsub f g M = rowsub f 1%:M *m M *m colsub g 1%:M.
  rewrite mul_rowsub_mx mul1mx mulmx_colsub mulmx1.
  by apply/matrixP => i j; rewrite !mxE.
by rewrite (leq_trans (mxrankM_maxl _ _)) // mxrankM_maxr.
Qed.

Section CharacteristicZero.
Variable F : numFieldType.
Implicit Types (k m n r N : nat).

Definition embedded m N (M : 'M[int]_(m, N)) : 'M[F]_(m, N) := map_mx intr M.

Lemma det_embedded_minor m N r (M : 'M[int]_(m, N)) (f : 'I_r -> 'I_m)
    (g : 'I_r -> 'I_N) :
  (\det (mxsub f g (embedded M)) != 0) = (\det (mxsub f g M) != 0).
Proof. by rewrite /embedded -map_mxsub det_map_mx intr_eq0. Qed.

Lemma not_divisible_neq0 (p : nat) (a : int) : ~~ (p %| a)%Z -> a != 0.
Proof. by apply: contraNneq => ->; rewrite dvdz0. Qed.

(** The head with stacked matrix [M]. *)
Definition query_of n N (M : 'M[F]_(n + n, N)) : 'M[F]_(n, N) := dsubmx M.
Definition key_of n N (M : 'M[F]_(n + n, N)) : 'M[F]_(n, N) := usubmx M.

Lemma stacked_of n N (M : 'M[F]_(n + n, N)) : stacked (query_of M) (key_of M) = M.
Proof. exact: vsubmxK. Qed.

Lemma two_neq0_num : 2%:R != 0 :> F.
Proof. by rewrite pnatr_eq0. Qed.

Lemma minor_nondegenerate n N (M : 'M[int]_(n + n, N)) (g : 'I_(n + n) -> 'I_N) :
  \det (colsub g M) != 0 ->
  nondegenerate (query_of (embedded M)) (key_of (embedded M)).
Proof.
move=> nz; rewrite /nondegenerate stacked_of -row_leq_rank.
by apply: (@minor_rank _ _ _ _ _ id g); rewrite det_embedded_minor.
Qed.

Theorem minor_certificate n N (M : 'M[int]_(n + n, N)) (g : 'I_(n + n) -> 'I_N)
    (p : nat) : ~~ (p %| \det (colsub g M))%Z ->
  let Q := query_of (embedded M) in let K := key_of (embedded M) in
  nondegenerate Q K /\ congruent (symmetric_part Q K) (hyperbolic_zero n N).
Proof.
move=> /not_divisible_neq0/minor_nondegenerate ndg Q K; split=> //.
exact: hyperbolic_plus_zero two_neq0_num ndg.
Qed.

(** And every nondegenerate head has such a certificate, for all primes but finitely many. *)
Theorem minor_certificate_exists n N (M : 'M[int]_(n + n, N)) :
  nondegenerate (query_of (embedded M)) (key_of (embedded M)) ->
  exists (g : 'I_(n + n) -> 'I_N) (b : nat),
    forall p : nat, (b < p)%N -> ~~ (p %| \det (colsub g M))%Z.
Proof.
case/nondegenerate_open=> g; rewrite minorE stacked_of => nz.
have det0 : (0 < `|\det (colsub g M)|)%N by rewrite absz_gt0 -(det_embedded_minor M id g).
exists g, `|\det (colsub g M)|%N => p lt; apply/negP => /(dvdn_leq det0) /=.
by rewrite leqNgt lt.
Qed.

(** Rationals with a common denominator [d], reduced modulo a prime that does not divide
    it: that is what gives the residue of [a/d] its meaning. *)
Theorem rational_certificate n N (A : 'M[int]_(n + n, N)) (d : nat)
    (g : 'I_(n + n) -> 'I_N) (p : nat) : prime p -> ~~ (p %| d)%N ->
  let M := d%:R^-1 *: embedded A in
  let R := d%:R^-1 *: map_mx intr A : 'M['F_p]_(n + n, N) in
  \det (colsub g R) != 0 ->
  let Q := query_of M in let K := key_of M in
  nondegenerate Q K /\ congruent (symmetric_part Q K) (hyperbolic_zero n N).
Proof.
move=> pp pd M R nz Q K; suff ndg : nondegenerate Q K.
  by split=> //; apply: hyperbolic_plus_zero two_neq0_num ndg.
have d0 : d%:R != 0 :> F by rewrite pnatr_eq0; apply: contraNneq pd => ->; rewrite dvdn0.
rewrite /nondegenerate stacked_of /M /row_free (eqmx_scale _ (invr_neq0 d0)).
suff /minor_nondegenerate : \det (colsub g A) != 0.
  by rewrite /nondegenerate stacked_of.
apply: contraNneq nz => A0.
have -> : colsub g R = d%:R^-1 *: map_mx intr (colsub g A).
  by apply/matrixP => i j; rewrite !mxE.
by rewrite detZ det_map_mx A0 rmorph0 mulr0.
Qed.

(** Stored weights are dyadic: there every odd prime will do. *)
Corollary dyadic_certificate n N (A : 'M[int]_(n + n, N)) (E : nat)
    (g : 'I_(n + n) -> 'I_N) (p : nat) : prime p -> odd p ->
  let M := (2 ^ E)%:R^-1 *: embedded A in
  let R := (2 ^ E)%:R^-1 *: map_mx intr A : 'M['F_p]_(n + n, N) in
  \det (colsub g R) != 0 ->
  let Q := query_of M in let K := key_of M in
  nondegenerate Q K /\ congruent (symmetric_part Q K) (hyperbolic_zero n N).
Proof.
move=> pp op; apply: rational_certificate => //; rewrite Euclid_dvdX //.
by rewrite dvdn_prime2 //; apply/negP => /andP[/eqP p2 _]; move: op; rewrite p2.
Qed.

Theorem null_vectors_deficiency k m N (M : 'M[int]_(m, N)) (U : 'M[int]_(k, m))
    (h : 'I_k -> 'I_m) : U *m M = 0 -> \det (colsub h U) != 0 ->
  (\rank (embedded M) + k <= m)%N.
Proof.
move=> UM nz; have rU : \rank (embedded U) = k.
  apply/eqP; rewrite eqn_leq rank_leq_row /=; apply: (@minor_rank _ _ _ _ _ id h).
  by rewrite det_embedded_minor.
have : (\rank (embedded U) + \rank (embedded M) - m <= 0)%N.
  rewrite -(mxrank0 F k N); have <- : embedded U *m embedded M = 0.
    by rewrite /embedded -map_mxM UM map_mx0.
  exact: mxrank_mul_min.
by rewrite rU => *; dimensions.
Qed.

Theorem exact_certificate k m N r (M : 'M[int]_(m, N)) (U : 'M[int]_(k, m))
    (f : 'I_r -> 'I_m) (g : 'I_r -> 'I_N) (h : 'I_k -> 'I_m) :
  \det (mxsub f g M) != 0 -> U *m M = 0 -> \det (colsub h U) != 0 -> (r + k = m)%N ->
  \rank (embedded M) = r /\ left_kernel_basis (embedded U) (embedded M).
Proof.
move=> nzM UM nzU dim; have le1 := null_vectors_deficiency UM nzU.
have le2 : (r <= \rank (embedded M))%N.
  by apply: (@minor_rank _ _ _ _ _ f g); rewrite det_embedded_minor.
have rM : \rank (embedded M) = r by dimensions.
split=> //; have rU : (k <= \rank (embedded U))%N.
  apply: (@minor_rank _ _ _ _ _ id h).
  by rewrite det_embedded_minor.
have sub : (embedded U <= kermx (embedded M))%MS.
  by apply/sub_kermxP; rewrite /embedded -map_mxM UM map_mx0.
rewrite /left_kernel_basis -row_leq_rank rU sub /=.
rewrite -(geq_leqif (mxrank_leqif_sup sub)) mxrank_ker rM.
by dimensions.
Qed.

End CharacteristicZero.

(** Over an ordered field: the signature. *)
Theorem minor_certificate_signature (F : realFieldType) n N (M : 'M[int]_(n + n, N))
    (g : 'I_(n + n) -> 'I_N) (p : nat) : ~~ (p %| \det (colsub g M))%Z ->
  signature (symmetric_part (query_of (embedded F M)) (key_of (embedded F M)))
    n n (N - (n + n)).
Proof.
move=> nd; have [ndg _] := minor_certificate F nd.
exact: nondegenerate_signature.
Qed.
