(** * Counting nondegenerate heads over a finite field

    Statement.  Over a field of [q] elements there are
    [(q^N - 1)(q^N - q)⋯(q^N - q^(2n-1))] nondegenerate heads among [q^(2nN)].

    Encoding.  The count is of stacked matrices with independent rows, row by row:
    the next row avoids the span of the rows before it.

    Reference.  Lidl and Niederreiter, Finite Fields, 6.2. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Headforms Require Import Congruence Forms Head.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory.
Local Open Scope ring_scope.

Section Counting.
Variable F : finFieldType.
Variable N : nat.

(** A space with basis the rows of [A] has [q^k] elements. *)
Lemma card_span k (A : 'M[F]_(k, N)) : row_free A ->
  #|[set v : 'rV[F]_N | (v <= A)%MS]| = (#|F| ^ k)%N.
Proof.
move=> fA; rewrite -[k in RHS]mul1n -card_mx -cardsT.
rewrite -(card_imset [set: 'rV[F]_k] (row_free_inj fA)).
apply: eq_card => v; rewrite !inE; apply/submxP/imsetP => [[u ->]|[u _ ->]].
  by exists u; rewrite ?inE.
by exists u.
Qed.

Lemma row_free_cons k (v : 'rV[F]_N) (A : 'M[F]_(k, N)) :
  row_free (col_mx v A) = row_free A && ~~ (v <= A)%MS.
Proof.
have r1 : (\rank v <= 1)%N by apply: rank_leq_row.
apply/idP/andP => [free|[fA nv]].
  have fA : row_free A.
    rewrite -kermx_eq0; apply/negPn/negP => /rowV0Pn [c].
    rewrite sub_kermx => /eqP cA c0; case/negP: c0; apply/eqP.
    have /eqP : row_mx 0 c = 0 :> 'rV_(1 + k).
      by apply: (row_free_inj free); rewrite mul_row_col mul0mx cA addr0 mul0mx.
    by rewrite row_mx_eq0 => /andP[_ /eqP].
  split=> //; apply/negP => /submxP [D vD].
  have /eqP : row_mx 1%:M (- D) = 0 :> 'rV_(1 + k).
    by apply: (row_free_inj free); rewrite mul_row_col mul1mx mulNmx -vD subrr mul0mx.
  by rewrite row_mx_eq0 -[1%:M == 0]/(1%:M == 0 :> 'M_1) oner_eq0.
rewrite -kermx_eq0; apply/negPn/negP => /rowV0Pn [c].
rewrite sub_kermx -[c]hsubmxK mul_row_col => /eqP e; apply/negP/negPn.
set a := lsubmx c in e *; set u := rsubmx c in e *.
have a0 : a = 0.
  apply/eqP; apply: contraNT nv => an0; have uA : a \in unitmx.
    by rewrite unitmxE [a]mx11_scalar det_scalar1 unitfE; apply: contraNneq an0 => z;
       rewrite [a]mx11_scalar z raddf0.
  apply/submxP; exists (- (invmx a *m u)).
  move/eqP: e; rewrite addr_eq0 => /eqP e.
  by rewrite mulNmx -mulmxA -[v in LHS](mulKmx uA) e mulmxN.
move: e; rewrite a0 mul0mx add0r => uA.
have -> : u = 0 by apply: (row_free_inj fA); rewrite uA mul0mx.
by rewrite row_mx0.
Qed.

Theorem card_row_free k : (k <= N)%N ->
  #|[set A : 'M[F]_(k, N) | row_free A]| = (\prod_(i < k) (#|F| ^ N - #|F| ^ i))%N.
Proof.
elim: k => [|k IH] le.
  rewrite big_ord0 (eq_card (B := [set: 'M[F]_(0, N)])) ?cardsT ?card_mx ?mul0n ?expn0 //.
rewrite big_ord_recr /= -IH 1?ltnW // -[LHS]sum1_card.
rewrite -[X in (X * _)%N]sum1_card big_distrl /=.
pose glue (p : 'M[F]_(k, N) * 'rV[F]_N) : 'M[F]_(1 + k, N) := col_mx p.2 p.1.
have bij_glue : bijective glue.
  exists (fun A : 'M[F]_(1 + k, N) => (dsubmx A, usubmx A)).
    by move=> [A v]; rewrite /glue col_mxKd col_mxKu.
  by move=> A; rewrite /glue vsubmxK.
rewrite (reindex glue) /=; last exact: onW_bij.
transitivity (\sum_(A : 'M[F]_(k, N) | row_free A) \sum_(v : 'rV[F]_N | ~~ (v <= A)%MS) 1)%N.
  rewrite pair_big_dep /=; apply: eq_bigl => -[A v].
  by rewrite inE /glue row_free_cons.
apply: eq_big => [A|A fA]; first by rewrite inE.
rewrite mul1n sum1_card.
rewrite (eq_card (B := ~: [set v : 'rV[F]_N | (v <= A)%MS])); last first.
  by move=> v; rewrite !inE.
by rewrite cardsCs setCK card_span // card_mx mul1n.
Qed.

(** The stacked matrices of the nondegenerate heads. *)
Theorem card_nondegenerate n : (n + n <= N)%N ->
  #|[set QK : 'M[F]_(n, N) * 'M[F]_(n, N) | nondegenerate QK.1 QK.2]|
  = (\prod_(i < n + n) (#|F| ^ N - #|F| ^ i))%N.
Proof.
move=> le; rewrite -card_row_free //.
pose stack (QK : 'M[F]_(n, N) * 'M[F]_(n, N)) := stacked QK.1 QK.2.
have inj : injective stack.
  by move=> [Q K] [Q' K'] /eq_col_mx[/= -> ->].
rewrite -(card_imset _ inj); apply: eq_card => M; rewrite inE.
apply/imsetP/idP => [[QK]|fM]; first by rewrite inE => ? ->.
exists (dsubmx M, usubmx M); last by rewrite /stack /stacked vsubmxK.
by rewrite inE /nondegenerate /stacked vsubmxK.
Qed.

End Counting.
