"""What is written, our reader finds: every registered layout, every head, number by number."""

from collections import Counter
from random import Random

import pytest
import torch
from hypothesis import find, given, settings
from hypothesis import strategies as st
from hypothesis.errors import InvalidArgument

import verify
from verify.checkpoints import Status, open_checkpoint, planner
from verify.checkpoints.orders import Order
from verify.checkpoints.registry import known_types
from verify.fuzzing.searching import search
from verify.strategies import TinyCheckpoint, checkpoints
from verify.strategies.checkpoints.variants import variants


def place(batch):
    return batch.ids[0].stack, batch.ids[0].layer


def compare(tiny, source):
    checkpoint = open_checkpoint(source)
    assert checkpoint.model_type == tiny.model_type
    plans = {(plan.stack, plan.layer): plan for plan in checkpoint.layers() if plan.query is not None}
    assert set(plans) == {place(batch) for batch in tiny.heads}
    for known in tiny.heads:
        found = checkpoint.read(plans[place(known)])
        assert found.ids == known.ids
        assert torch.equal(found.Q.double(), known.Q)
        assert torch.equal(found.K.double(), known.K)
    empty = {(plan.stack, plan.layer) for plan in checkpoint.layers() if plan.status is Status.NO_ATTENTION}
    assert empty == set(tiny.without_heads)
    assert not [plan.reason for plan in checkpoint.layers() if plan.status is Status.UNREADABLE]


@pytest.mark.parametrize("model_type", known_types())
def test_every_layout_is_read_back(model_type):
    @settings(max_examples=8)
    @given(checkpoints(model_type=model_type))
    def check(tiny):
        assert tiny.heads
        compare(tiny, tiny.model())

    check()


@settings(max_examples=40)
@given(checkpoints())
def test_an_audit_judges_the_heads_that_were_written(tiny):
    signatures = {}
    for batch in tiny.heads:
        signatures |= dict(zip(map(str, batch.ids), verify.inertia(batch), strict=True))
    records = verify.audit(tiny.model()).records
    assert records
    for record in records:
        if record["signature"] is not None:
            name = f"{record['stack']} layer {record['layer']} head {record['head']}"
            assert tuple(record["signature"].values()) == signatures[name]


@settings(max_examples=10)
@given(checkpoints(dtype=st.sampled_from([torch.bfloat16, torch.float64])))
def test_files_hold_the_same(tmp_path_factory, tiny):
    compare(tiny, str(tiny.save(tmp_path_factory.mktemp("tiny"))))


def test_every_variant_is_drawn():
    """The three orders of Falcon, told apart by two switches."""
    seen = Counter()

    @settings(max_examples=200, database=None)
    @given(checkpoints(model_type="falcon"))
    def look(tiny):
        seen[tiny.config["new_decoder_architecture"], tiny.config["multi_query"]] += 1

    look()
    assert len(seen) == len(variants("falcon")) == 4


def drawn(model_type, condition):
    return search(checkpoints(model_type=model_type), condition, examples=500, random=Random(0), shrinks=False)


def same_keys(tiny, one, other):
    return torch.equal(tiny.heads[one].K, tiny.heads[other].K)


@pytest.mark.parametrize(
    ("model_type", "condition"),
    [
        ("llama", lambda tiny: tiny.heads[0].ids[-1].kv_head == 1 and tiny.heads[0].heads == 4),
        ("llama", lambda tiny: any(name.endswith("q_proj.bias") for name in tiny.tensors)),
        ("llama", lambda tiny: any(name.startswith("base_model.model.layers.") for name in tiny.tensors)),
        ("jamba", lambda tiny: len(tiny.without_heads) == 2),
        ("jamba", lambda tiny: len(tiny.heads) == 2),
        ("gpt2", lambda tiny: any("crossattention" in name for name in tiny.tensors)),
        ("t5", lambda tiny: {place(batch)[0] for batch in tiny.heads} == {"encoder"}),
        ("exaone", lambda tiny: "layers.0.attn.attention.q_proj.weight" in tiny.tensors),
        ("falcon", lambda tiny: "n_head" in tiny.config),
        ("deepseek_v3", lambda tiny: any("q_a_proj" in name for name in tiny.tensors)),
        ("gguf", lambda tiny: any("attn_k_b" in name for name in tiny.tensors)),
        ("gemma3n_text", lambda tiny: len({str(batch.K) for batch in tiny.heads}) < len(tiny.heads)),
        (
            "gemma3n_text",
            lambda tiny: len(tiny.heads) == 3 and same_keys(tiny, 2, 1) and not same_keys(tiny, 1, 0),
        ),
        ("kimi_linear", lambda tiny: "linear_attn_config" in tiny.config and tiny.without_heads),
        ("gemma4_text", lambda tiny: len({batch.n for batch in tiny.heads}) == 2),
        ("llava", lambda tiny: {place(batch)[0] for batch in tiny.heads} == {"text", "vision"}),
        ("encoder-decoder", lambda tiny: tiny.config["decoder"]["model_type"] == "gpt2"),
    ],
)
def test_what_a_layout_admits_is_drawn(model_type, condition):
    tiny = drawn(model_type, condition)
    assert tiny is not None
    compare(tiny, tiny.model())


def test_heads_of_every_verdict_are_drawn():
    seen = Counter()

    @settings(max_examples=60, database=None)
    @given(checkpoints())
    def look(tiny):
        seen.update(verdict.verdict for batch in tiny.heads for verdict in verify.prove(batch))

    look()
    assert min(seen["proved"], seen["refuted"]) > 20, seen
    assert drawn("mistral", lambda tiny: tiny.heads[0].is_big) is not None


@pytest.mark.parametrize(
    ("model_type", "wrong"),
    [("gpt_neox", Order.CAT), ("falcon", Order.CAT), ("codegen", Order.CAT), ("internlm2", Order.CAT)],
)
def test_a_reader_of_another_order_is_caught(monkeypatch, model_type, wrong):
    right = planner.fused_starts
    monkeypatch.setattr(planner, "fused_starts", lambda order, *sizes: right(wrong, *sizes))

    def differs(tiny):
        """Whether heads are read and others than were written; a refusal would be no sign of that."""
        checkpoint = open_checkpoint(tiny.model())
        known = {place(batch): batch for batch in tiny.heads}
        read = [(plan, known[plan.stack, plan.layer]) for plan in checkpoint.layers() if plan.status is Status.READABLE]
        return any(not torch.equal(checkpoint.read(plan).stacked(), batch.stacked()) for plan, batch in read)

    assert drawn(model_type, differs) is not None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"model_type": "nothing"}, "model_type: model type 'nothing' is not registered; 'headforms layouts' lists"),
        ({"model_type": "Llama"}, r"model type 'Llama' is not registered \(is it like llama, "),
        ({"model_type": st.just("lama")}, r"model_type: model type 'lama' is not registered \(is it like llama, "),
        ({"model_type": st.just(["gpt2"])}, r"model_type=\['gpt2'\] is not a name; pass that of a model type"),
        ({"dtype": "float16"}, "dtype='float16' is not supported"),
        ({"dtype": torch.int8}, "dtype=torch.int8 is not supported; pass one of torch.float64"),
    ],
)
def test_impossible_arguments(arguments, message):
    lazy = checkpoints(**arguments)
    with pytest.raises(InvalidArgument, match=message):
        find(lazy, lambda _: True)


def test_names_with_nothing_in_front():
    outside = ("blk.", "enc.", "dec.", "v.", "a.", "token")

    @settings(max_examples=30)
    @given(checkpoints(model_type="gguf"))
    def check(tiny):
        assert all(name.startswith(outside) for name in tiny.tensors)

    check()


def test_they_shrink_to_one_layer_of_zeros():
    tiny = search(checkpoints(model_type="mistral"), lambda _: True, examples=10, random=Random(0))
    assert isinstance(tiny, TinyCheckpoint)
    assert tiny.config["num_hidden_layers"] == 1
    assert not any(X.any() for name, X in tiny.tensors.items() if "proj" in name)
