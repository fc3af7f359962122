(** * How far a block moves the tokens

    Statement.  Let a block take the tokens [x] to [T(x) = y + f(y)], [y_r = x_r + Σ_j
    a_rj v(x_j)], with attention weights [a_rj >= 0] of sum 1 in every row, [‖v(x)‖ <=
    V‖x‖], and [f] Lipschitz with constant [L] and [f(0) = 0], all in the maximum norm.
    Then [‖T(x) - x‖ <= (L + V + LV)‖x‖].

    Encoding.  [within c x]: all coordinates of [x] are at most [c] in absolute value.
    The weights may depend on [x]: nothing else is asked of them.

    Reference.  Proposition 2 of O'Desky, arXiv 2609.22990. *)

From mathcomp Require Import all_ssreflect all_algebra.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Order.Theory Num.Theory.
Local Open Scope ring_scope.

Section Block.
Variable F : realFieldType.
Variables k N : nat.
Implicit Types (x y : 'cV[F]_N) (tokens : 'I_k -> 'cV[F]_N).

Definition within (c : F) x : Prop := forall i, `|x i 0| <= c.

Definition attended (a : 'I_k -> 'I_k -> F) (v : 'cV[F]_N -> 'cV[F]_N) tokens (r : 'I_k) :=
  tokens r + \sum_j a r j *: v (tokens j).

Definition block a v (f : 'cV[F]_N -> 'cV[F]_N) tokens r :=
  attended a v tokens r + f (attended a v tokens r).

Lemma within_add c d x y : within c x -> within d y -> within (c + d) (x + y).
Proof. by move=> cx dy i; rewrite mxE (le_trans (ler_norm_add _ _)) // ler_add. Qed.

(** A convex combination stays within the bound. *)
Lemma within_convex (a : 'I_k -> F) (y : 'I_k -> 'cV[F]_N) c :
  (forall j, 0 <= a j) -> \sum_j a j = 1 -> (forall j, within c (y j)) ->
  within c (\sum_j a j *: y j).
Proof.
move=> a0 a1 cy i; rewrite summxE -[c]mul1r -a1 mulr_suml.
apply: le_trans (ler_norm_sum _ _ _) _; apply: ler_sum => j _.
by rewrite mxE normrM ger0_norm // ler_wpmul2l //; apply: cy.
Qed.

Theorem block_displacement a v f (V L c : F) tokens :
  (forall r j, 0 <= a r j) -> (forall r, \sum_j a r j = 1) ->
  (forall d x, within d x -> within (V * d) (v x)) ->
  (forall d x y, within d (x - y) -> within (L * d) (f x - f y)) -> f 0 = 0 ->
  (forall r, within c (tokens r)) ->
  forall r, within ((L + V + L * V) * c) (block a v f tokens r - tokens r).
Proof.
move=> a0 a1 vV fL f0 small r.
have moved : within (V * c) (\sum_j a r j *: v (tokens j)).
  by apply: within_convex => // j; apply: vV.
have fy : within (L * (c + V * c)) (f (attended a v tokens r)).
  by rewrite -[f _]subr0 -f0; apply: fL; rewrite subr0; apply: within_add.
have -> : block a v f tokens r - tokens r
    = \sum_j a r j *: v (tokens j) + f (attended a v tokens r).
  by rewrite /block {1}/attended -[X in X - _]addrA [X in X - _]addrC addrK.
have -> : (L + V + L * V) * c = V * c + L * (c + V * c).
  by rewrite mulrDr [V * c + _]addrC !mulrDl -mulrA addrAC.
exact: within_add.
Qed.

End Block.
