(** * Density in the order topology

    Statement.  Over an ordered field a polynomial that is non-zero somewhere is non-zero
    somewhere in every box.  So every box of heads contains a nondegenerate one, if
    [2n <= N].

    Encoding.  A box of radius [e > 0] around a point: all points whose coordinates
    differ by at most [e].  Over ℝ the boxes are a basis of neighbourhoods, so this is
    density in the usual sense.  The proof restricts the polynomial to the line to a
    point where it is not zero.

    Reference.  Theorem 3 of O'Desky, arXiv 2609.22990 (dense). *)

From mathcomp Require Import all_ssreflect all_algebra.
From SsrMultinomials Require Import mpoly.
From Headforms Require Import Congruence Forms Head Locus.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Order.Theory Num.Theory.
Local Open Scope ring_scope.

Section Boxes.
Variable F : realFieldType.
Implicit Types (k n N : nat) (e : F).

(** All heads in the box of radius [e] around [(Q, K)]. *)
Definition in_box n N (Q K : 'M[F]_(n, N)) e (Q' K' : 'M[F]_(n, N)) : Prop :=
  forall i j, `|Q' i j - Q i j| <= e /\ `|K' i j - K i j| <= e.

(** No box is empty: it contains its centre. *)
Theorem in_box_centre n N (Q K : 'M[F]_(n, N)) e : 0 < e -> in_box Q K e Q K.
Proof. by move=> e0 i j; rewrite !subrr normr0 ltW. Qed.

(** A polynomial along the line from [v] to [u]. *)
Lemma restriction k (g : {mpoly F[k]}) (u v : 'I_k -> F) :
  exists q : {poly F}, forall t, q.[t] = g.@[fun i => v i + t * (u i - v i)].
Proof.
exists (mmap (@polyC F) (fun i => (v i)%:P + (u i - v i) *: 'X) g) => t.
rewrite /mmap horner_sum [RHS]mevalE; apply: eq_bigr => m _; rewrite hornerM hornerC.
congr (_ * _); rewrite /mmap1 horner_prod; apply: eq_bigr => i _.
by rewrite horner_exp hornerD hornerC hornerZ hornerX mulrC.
Qed.

(** A non-zero polynomial in one variable has a small positive value of the argument
    where it is not zero. *)
Lemma small_parameter (q : {poly F}) e : q != 0 -> 0 < e ->
  exists2 t, 0 <= t <= e & q.[t] != 0.
Proof.
move=> q0 e0; pose ts := [seq e / i.+1%:R | i <- iota 0 (size q)].
have uts : uniq ts.
  rewrite map_inj_uniq ?iota_uniq // => i j /(mulfI (lt0r_neq0 e0))/invr_inj/eqP.
  by rewrite eqr_nat eqSS => /eqP.
have [al|] := boolP (all (root q) ts).
  by have := max_poly_roots q0 al uts; rewrite size_map size_iota ltnn.
case/allPn => t /mapP[i _ ->] nz; exists (e / i.+1%:R); last by apply: contra nz => /eqP; rewrite rootE => ->.
apply/andP; split; first by rewrite divr_ge0 ?ler0n // ltW.
by rewrite ler_pdivr_mulr ?ltr0n // ler_pmulr // ler1n.
Qed.

Theorem generic_in_every_box k (g : {mpoly F[k]}) (u v : 'I_k -> F) e :
  g.@[u] != 0 -> 0 < e ->
  exists2 w, forall i, `|w i - v i| <= e & g.@[w] != 0.
Proof.
move=> gu e0; have [q qE] := restriction g u v.
have q0 : q != 0.
  apply: contraNneq gu => q0; rewrite -[X in X == 0](_ : q.[1] = _); first by rewrite q0 horner0.
  by rewrite qE; apply: meval_eq => i; rewrite mul1r addrC subrK.
pose c := 1 + \sum_i `|u i - v i|; have c1 : 1 <= c by rewrite ler_addl sumr_ge0.
have c0 : 0 < c := lt_le_trans ltr01 c1.
have [t /andP[t0 te] qt] := small_parameter q0 (divr_gt0 e0 c0).
exists (fun i => v i + t * (u i - v i)); last by rewrite -qE.
move=> i; rewrite addrAC subrr add0r normrM ger0_norm //.
apply: le_trans (_ : t * c <= e); last by rewrite -ler_pdivl_mulr.
rewrite ler_wpmul2l // /c (bigD1 i) //= addrCA ler_addl addr_ge0 ?ler01 // sumr_ge0 //.
Qed.

Lemma near_in_box n N (Q K Q' K' : 'M[F]_(n, N)) e :
  (forall i, `|coordinates Q' K' i - coordinates Q K i| <= e) -> in_box Q K e Q' K'.
Proof.
move=> near i j; have := near (mxvec_index (rshift n i) j).
have := near (mxvec_index (lshift n i) j).
by rewrite /coordinates /stacked !mxvecE !col_mxEu !col_mxEd.
Qed.

Theorem nondegenerate_in_every_box n N (Q K : 'M[F]_(n, N)) e :
  (n + n <= N)%N -> 0 < e ->
  exists Q', exists2 K', in_box Q K e Q' K' & nondegenerate Q' K'.
Proof.
move=> le e0; pose u := coordinates (witness_query n N) (witness_key n N : 'M[F]_(n, N)).
have gu : (first_minor F le).@[u] != 0 by rewrite first_minor_witness oner_eq0.
have [w near gw] := generic_in_every_box (coordinates Q K) gu e0.
have [Q' [K' wE]] := coordinates_surjective w; exists Q', K'.
  by apply: near_in_box => i; rewrite wE.
by apply/nondegenerate_open; exists (widen_ord le); rewrite (meval_eq _ wE).
Qed.

End Boxes.
