"""The wrong neighbour of every rule must make a conformance row fail: the suite can tell right from wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from tests.verify.checkpoints.conformance.comparison import compare_recorded
from tests.verify.checkpoints.conformance.models import Row, build
from tests.verify.checkpoints.conformance.recording import Recorder
from tests.verify.checkpoints.conformance.table import ROWS
from verify.checkpoints import Checkpoint, LayerPlan
from verify.checkpoints.layout import Attention, Extent, Gain, Layout, Orientation, Scale, Style
from verify.checkpoints.naming import Template
from verify.checkpoints.orders import Order
from verify.checkpoints.registry import registered
from verify.checkpoints.source import resolve
from verify.errors import HeadformsError
from verify.heads import HeadBatch, HeadId


def row_named(name: str) -> Row:
    return next(row for row in ROWS if str(row) == name)


_SAVED: dict[str, tuple[Path, Recorder]] = {}


@pytest.fixture
def saved(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], tuple[Path, Recorder]]]:
    def make(name: str) -> tuple[Path, Recorder]:
        if name not in _SAVED:
            folder = tmp_path_factory.mktemp(name)
            torch.manual_seed(0)
            row = row_named(name)
            model = build(row)
            model.save_pretrained(folder)
            recorder = Recorder()
            with torch.no_grad(), recorder:
                model(**row.inputs(model))
            _SAVED[name] = folder, recorder
        return _SAVED[name]

    return make


def outcome(name: str, folder: Path, recorder: Recorder, change: Callable[[Layout], Layout]) -> tuple[float, float]:
    """The errors of a row read through a changed layout; infinite where it cannot be read at all."""
    row = row_named(name)
    try:
        found = compare_recorded(row, Checkpoint(resolve(str(folder)), change(registered(row.model_type))), recorder)
    except (HeadformsError, AssertionError):
        return float("inf"), float("inf")
    return found.error, found.norm or 0.0


def every(change: Callable[[Attention], Attention]) -> Callable[[Layout], Layout]:
    return lambda layout: replace(layout, attentions=tuple(change(a) for a in layout.attentions))


def order(to: Order) -> Callable[[Layout], Layout]:
    return every(lambda a: replace(a, order=to))


def values_for_keys(a: Attention) -> Attention:
    return replace(a, key=tuple(Template(t.pattern.replace("k_proj", "v_proj")) for t in a.key))


def swapped(a: Attention) -> Attention:
    return replace(a, query=a.key, key=a.query)


def style(to: Style) -> Callable[[Layout], Layout]:
    return every(lambda a: replace(a, position=tuple(replace(p, style=to) for p in a.position)))


def gain(to: Gain) -> Callable[[Layout], Layout]:
    return every(lambda a: replace(a, norm=replace(a.norm, gain=to)))


def scale(a: Attention) -> Attention:
    return replace(a, scale=replace(a.scale, factor=(2,)))


def key_norm_gain(a: Attention) -> Attention:
    return replace(a, qk_norm=tuple(replace(norm, gain=Gain.ONE_PLUS_WEIGHT) for norm in a.qk_norm))


def rotation_everywhere(a: Attention) -> Attention:
    return replace(a, position=tuple(replace(position, layers=None) for position in a.position))


def norm_after(a: Attention) -> Attention:
    tensor = tuple(Template(t.pattern.replace("self_attn_layer_norm", "final_layer_norm")) for t in a.norm.tensor)
    return replace(a, norm=replace(a.norm, tensor=tensor))


def rotation_of_all_rows(a: Attention) -> Attention:
    return replace(a, position=tuple(replace(position, dims=(8,)) for position in a.position))


def norms_of_keys(**change: Any) -> Callable[[Attention], Attention]:
    return lambda a: replace(a, qk_norm=tuple(replace(norm, **change) for norm in a.qk_norm))


def latent(**change: Any) -> Callable[[Attention], Attention]:
    def changed(a: Attention) -> Attention:
        assert a.latent is not None
        return replace(a, latent=replace(a.latent, **change))

    return changed


MUTATIONS: list[tuple[str, str, Callable[[Layout], Layout]]] = [
    ("gpt_neox", "head read as cat", order(Order.CAT)),
    ("bloom", "head read as cat", order(Order.CAT)),
    ("codegen", "mp4_qvk read as cat", order(Order.CAT)),
    ("codegen", "mp4_qvk read as head", order(Order.HEAD)),
    ("gpt2", "cat read as head", order(Order.HEAD)),
    ("phi3", "cat read as group", order(Order.GROUP)),
    ("modernbert", "cat read as head", order(Order.HEAD)),
    ("falcon-40b", "group read as cat", order(Order.CAT)),
    ("internlm2", "group read as cat", order(Order.CAT)),
    ("gpt2", "columns read as rows", every(lambda a: replace(a, orientation=Orientation.LINEAR))),
    ("qwen3_next", "gates read as queries", every(lambda a: replace(a, gated=False))),
    ("mistral", "values read as keys", every(values_for_keys)),
    ("opt", "keys read as queries", every(swapped)),
    ("llama", "half pairs turned as interleaved", style(Style.INTERLEAVED)),
    ("cohere", "interleaved pairs turned as half", style(Style.HALF)),
    ("gemma", "gain 1 + w taken as w", gain(Gain.WEIGHT)),
    ("llama", "gain w taken as 1 + w", gain(Gain.ONE_PLUS_WEIGHT)),
    ("qwen3", "gain of the key norm", every(key_norm_gain)),
    ("gpt_neo", "scale", every(scale)),
    ("gemma3n_text", "own keys in place of shared ones", every(lambda a: replace(a, shared_keys=None))),
    ("smollm3", "rotation in every layer", every(rotation_everywhere)),
    ("whisper", "the norm after attention", every(norm_after)),
    ("opt", "rows read as columns", every(lambda a: replace(a, orientation=Orientation.CONV1D))),
    ("phi", "all rows turned", every(rotation_of_all_rows)),
    ("olmo2", "each head normalised by itself", every(norms_of_keys(extent=Extent.HEADS))),
    ("hunyuan_v1_dense", "keys normalised before rotation", every(norms_of_keys(after_rotary=False))),
    ("deepseek_v3", "interleaved pairs turned as half", style(Style.HALF)),
    ("deepseek_v3", "no norm of the key latent", every(latent(key_norm=()))),
    ("deepseek_v3", "no norm of the query latent", every(latent(query_norm=()))),
    ("deepseek_v3", "values before keys", every(latent(value=("qk_nope_head_dim",), plain=("v_head_dim",)))),
    ("falcon_h1", "no multiplier of keys", every(lambda a: replace(a, scale=Scale()))),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "what", "change"), MUTATIONS, ids=lambda value: value if isinstance(value, str) else ""
)
def test_a_wrong_layout_fails_its_row(saved: Any, name: str, what: str, change: Callable[[Layout], Layout]) -> None:
    folder, recorder = saved(name)
    error, norm = outcome(name, folder, recorder, lambda layout: layout)
    assert error < 1e-6
    assert norm < 3e-3
    assert max(outcome(name, folder, recorder, change)) > 0.01, what


def test_pairing_by_remainder_fails(saved: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, recorder = saved("mistral")

    def wrong(plan: LayerPlan) -> tuple[HeadId, ...]:
        return tuple(HeadId(plan.stack, plan.layer, h, h % plan.kv_heads) for h in range(plan.heads))

    monkeypatch.setattr(LayerPlan, "ids", property(wrong))
    assert outcome("mistral", folder, recorder, lambda layout: layout)[0] > 0.01


def test_rows_permuted_on_one_side_fail(saved: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, recorder = saved("llama")
    read = Checkpoint.read

    def permuted(self: Checkpoint, plan: LayerPlan, **options: Any) -> HeadBatch:
        batch = read(self, plan, **options)
        rows = torch.arange(plan.n).reshape(2, -1).T.flatten()
        return replace(batch, K=batch.K[:, rows])

    monkeypatch.setattr(Checkpoint, "read", permuted)
    assert outcome("llama", folder, recorder, lambda layout: layout)[0] > 0.01
