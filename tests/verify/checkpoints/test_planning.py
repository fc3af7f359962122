import tomllib
import tracemalloc
from typing import Any

import pytest

from verify.checkpoints.config import Config
from verify.checkpoints.files import TensorInfo
from verify.checkpoints.inventory import Inventory
from verify.checkpoints.layout import Layout
from verify.checkpoints.parsing import parse_layouts
from verify.checkpoints.plan import LayerPlan, Status
from verify.checkpoints.planning import plan_layers
from verify.checkpoints.registry import registered
from verify.errors import LayoutError

BASIC = "query = 'l.{layer}.q'\nkey = 'l.{layer}.k'\nheads = 2\nlayers = 'n'\n"


def layout(text: str) -> Layout:
    return next(iter(parse_layouts({"toy": tomllib.loads(text)}, "toy.toml", known={}).values()))


def plans(text: str, shapes: dict[str, tuple[int, ...]], **config: Any) -> list[LayerPlan]:
    inventory = Inventory({name: TensorInfo(shape, "F32") for name, shape in shapes.items()}, "ckpt")
    return plan_layers(layout(text), Config(config, "config.json"), inventory)


def square(*names: str, rows: int = 8, width: int = 8) -> dict[str, tuple[int, ...]]:
    return dict.fromkeys(names, (rows, width))


def test_dimensions_come_from_the_configuration_or_the_tensors() -> None:
    [plan] = plans(BASIC, square("m.l.0.q.weight", "m.l.0.k.weight"))
    assert (plan.heads, plan.n, plan.N, plan.tensors) == (2, 4, 8, ("m.l.0.q.weight", "m.l.0.k.weight"))
    [plan] = plans(BASIC, square("l.0.q", "l.0.k", rows=20), n=1, head_dim=10)
    assert (plan.n, plan.query.starts if plan.query else ()) == (10, (0, 10))


@pytest.mark.parametrize(
    ("config", "words"),
    [
        (
            {"hidden_size": 16},
            r"tensor l.0.q has shape \[8, 8\]; 2 query and 2 key heads of dimension 8 on width 16 need",
        ),
        ({"head_dim": 3}, r"need \[6, 8\]: check config.json or the layout"),
        ({"num_key_value_heads": 4}, "2 heads cannot share 4 key heads"),
        ({"num_key_value_heads": 1}, r"tensor l.0.k has shape \[8, 8\]"),
    ],
)
def test_a_shape_that_does_not_fit_is_an_error(config: dict[str, Any], words: str) -> None:
    with pytest.raises(LayoutError, match=words):
        plans(BASIC, square("l.0.q", "l.0.k"), **config)


def test_heads_must_be_known_and_divide_the_width() -> None:
    with pytest.raises(LayoutError, match="does not say how many heads there are, under 'num_attention_heads'"):
        plans(BASIC.replace("heads = 2\n", ""), square("l.0.q", "l.0.k"))
    with pytest.raises(LayoutError, match="3 heads do not divide a width of 8"):
        plans(BASIC.replace("heads = 2", "heads = 3"), square("l.0.q", "l.0.k"))


def test_no_tensor_of_that_name() -> None:
    with pytest.raises(LayoutError, match=r"ckpt: no tensor named like 'l.{layer}.q.weight', where a toy model keeps"):
        plans(BASIC, square("other"))


def test_a_missing_tensor_makes_its_layer_unreadable_and_no_other() -> None:
    found = plans(BASIC, square("m.l.0.q", "m.l.0.k", "m.l.1.q", "m.l.2.q", "m.l.2.k"), n=4)
    assert [plan.status for plan in found] == [
        Status.READABLE,
        Status.UNREADABLE,
        Status.READABLE,
        Status.UNREADABLE,
    ]
    assert found[1].reason == "tensor m.l.1.k.weight is missing"
    assert found[1].heads == 2


def test_a_small_model_beside_the_large_one_is_told_from_it() -> None:
    """Files of models that predict several tokens at once hold a layer or two of the same names."""
    names = [f"{prefix}l.{i}.{x}" for prefix, count in (("model.", 3), ("mtp.", 1)) for i in range(count) for x in "qk"]
    found = plans(BASIC, square(*names), n=3)
    assert [plan.tensors[0] for plan in found] == ["model.l.0.q", "model.l.1.q", "model.l.2.q"]
    with pytest.raises(LayoutError, match=r"under 2 prefixes \('model.', 'mtp.'\)"):
        plans(BASIC, square(*names), n=2)


def test_layers_beyond_the_announced_ones_are_listed() -> None:
    found = plans(BASIC, square("l.0.q", "l.0.k", "l.7.q", "l.7.k"), n=1)
    assert [(plan.layer, plan.status) for plan in found] == [(0, Status.READABLE), (7, Status.NO_ATTENTION)]
    assert "lies beyond the 1 layers" in found[1].reason


def test_layers_without_attention_say_what_they_are() -> None:
    text = BASIC + "only = { key = 'types', among = ['full'] }\notherwise = 'is a recurrent layer'\n"
    found = plans(text, square("l.1.q", "l.1.k"), n=2, types=["rnn", "full"])
    assert [(plan.status, plan.reason) for plan in found] == [
        (Status.NO_ATTENTION, "is a recurrent layer"),
        (Status.READABLE, ""),
    ]


def test_a_layer_may_have_no_heads_at_all() -> None:
    text = BASIC.replace("heads = 2", "heads = 'per_layer'") + "if_absent = 'has no attention tensors'\n"
    found = plans(text, square("l.1.q", "l.1.k"), n=2, per_layer=[0, 2])
    assert [(plan.heads, plan.status) for plan in found] == [(0, Status.NO_ATTENTION), (2, Status.READABLE)]


def test_reasons_and_notes() -> None:
    text = BASIC + (
        "not_bilinear = [{ text = 'soft-capped', when = { cap = { given = true } } }]\n"
        "qk_norm = [{ kind = 'rms', when = { qk = true } }]\n"
        "notes = [{ text = 'sinks', present = 'l.{layer}.sinks' }]\n"
        "position = 'alibi'\n"
    )
    shapes = square("m.l.0.q", "m.l.0.k", "m.l.0.sinks")
    [plan] = plans(text, shapes)
    assert plan.status is Status.READABLE
    assert plan.notes[0].startswith("linear position biases")
    assert plan.notes[1] == "sinks"
    [plan] = plans(text, shapes, cap=50.0, qk=True)
    assert plan.status is Status.NOT_APPLICABLE
    assert plan.reason.startswith("soft-capped; queries and keys are normalised")


def test_cross_attention_is_listed_and_never_read() -> None:
    text = "[[attention]]\n" + BASIC + "[[attention]]\nrole = 'cross'\nquery = 'x.{layer}.q'\nheads = 2\nlayers = 'n'\n"
    found = plans(text, square("l.0.q", "l.0.k", "x.0.q"), n=1)
    assert [plan.status for plan in found] == [Status.READABLE, Status.NOT_APPLICABLE]
    assert found[1].query is None
    assert found[1].reason.startswith("cross-attention")


def test_the_first_attention_that_fits_is_used() -> None:
    text = (
        f"[[attention]]\nwhen = {{ new = true }}\n{BASIC}"
        f"[[attention]]\nfused = 'l.{{layer}}.qkv'\nheads = 2\nlayers = 'n'\n"
        f"[[attention]]\n{BASIC}"
    )
    both = square("l.0.q", "l.0.k") | {"l.0.qkv": (24, 8)}
    assert plans(text, both, new=True)[0].tensors == ("l.0.q", "l.0.k")
    assert plans(text, both)[0].tensors == ("l.0.qkv",)
    assert plans(text, square("l.0.q", "l.0.k"))[0].tensors == ("l.0.q", "l.0.k")


def test_biases_and_norms_are_found_beside_the_weights() -> None:
    text = BASIC + "norm = { kind = 'layer', tensor = 'l.{previous}.n', first = 'emb.n' }\n"
    shapes = square("m.l.0.q.weight", "m.l.0.k.weight", "m.l.1.q.weight", "m.l.1.k.weight") | {
        "m.l.1.q.bias": (8,),
        "m.emb.n.gamma": (8,),
        "m.emb.n.beta": (8,),
        "m.l.0.n.weight": (8,),
    }
    first, second = plans(text, shapes, n=2)
    assert first.norm is not None
    assert second.norm is not None
    assert (first.norm.weight, first.norm.bias) == ("m.emb.n.gamma", "m.emb.n.beta")
    assert (second.norm.weight, second.norm.bias) == ("m.l.0.n.weight", None)
    assert second.query is not None
    assert second.key is not None
    assert (second.query.bias, second.key.bias) == ("m.l.1.q.bias", None)


@pytest.mark.parametrize(
    ("scale", "value"),
    [
        ("1", 1.0),
        ("{ inverse_sqrt = 'pre' }", 0.25),
        ("{ inverse_sqrt = [] , factor = 'mult' }", 0.5),
        ("{ inverse_sqrt = ['absent', 'head_dim'] }", 0.5),
        ("{ factor = 3, exactly = 'absent' }", 1.5),
        ("{ factor = 3, exactly = ['absent', 'mult'] }", 0.5),
    ],
)
def test_scales(scale: str, value: float) -> None:
    [plan] = plans(BASIC + f"scale = {scale}\n", square("l.0.q", "l.0.k"), pre=16, mult=0.5)
    assert plan.scale == (value if scale != "1" else 0.5)


def test_parts_are_planned_as_their_own_types() -> None:
    composite = layout("part = [{ stack = 'text', section = 'text_config', under = 'lm.' }]")
    names = [f"{p}.layers.0.self_attn.{x}_proj.weight" for p in ("lm.model", "vision") for x in "qk"]
    inventory = Inventory({name: TensorInfo((8, 8), "F32") for name in names}, "ckpt")
    config = Config(
        {"text_config": {"model_type": "llama", "num_attention_heads": 2, "num_hidden_layers": 1}}, "config.json"
    )
    [plan] = plan_layers(composite, config, inventory)
    assert plan.stack == "text"
    assert plan.tensors == ("lm.model.layers.0.self_attn.q_proj.weight", "lm.model.layers.0.self_attn.k_proj.weight")


def test_sizes_that_the_model_class_assumes_are_used_and_said() -> None:
    names = [f"model.layers.0.self_attn.{x}_proj.weight" for x in "qk"]
    inventory = Inventory({name: TensorInfo((64, 64), "F32") for name in names}, "ckpt")
    [plan, *_] = plan_layers(registered("llama"), Config({"hidden_size": 64, "num_hidden_layers": 1}, "c"), inventory)
    assert (plan.heads, plan.kv_heads, plan.n) == (32, 32, 2)
    assert "c does not give the number of heads; the model class assumes it" in plan.notes


@pytest.mark.parametrize(
    "shapes",
    [
        {"l.0.q.qweight": (1, 8), "l.0.k.qweight": (1, 8)},
        {"l.0.q.weight_packed": (1, 8), "l.0.k.weight_packed": (1, 8)},
        {
            "l.0.q.weight": (32, 1),
            "l.0.k.weight": (32, 1),
            "l.0.q.weight.absmax": (4,),
            "l.0.q.weight.quant_map": (16,),
        },
    ],
)
def test_packed_integers_are_named_for_what_they_are(shapes: dict[str, tuple[int, ...]]) -> None:
    with pytest.raises(LayoutError, match=r"l.0.q.* belongs to packed integers .*audit the original checkpoint"):
        plans(BASIC, shapes, hidden_size=8)


@pytest.mark.parametrize(
    ("text", "shapes", "config", "words"),
    [
        (BASIC, square("l.0.q", "l.0.k"), {"n": 10**9}, "announces .* layers and more, with .* heads; at most 4096"),
        (BASIC, square("l.0.q", "l.0.k"), {"n": 10**300}, "the number of layers is 1000.* a natural number was"),
        (BASIC.replace("layers = 'n'\n", ""), square("l.0.q", "l.0.k", "l.999999.q"), {}, "at most 4096 layers"),
        (BASIC.replace("= 2", "= 'h'"), square("l.0.q", "l.0.k"), {"n": 1, "h": 10**9}, "announces 1000000000 heads"),
        (
            BASIC.replace("= 2", "= 'h'"),
            square("l.9.q", "l.9.k"),
            {"n": 9, "h": 90_000},
            "2 layers and more, with 1800",
        ),
        (BASIC, square("l.0.q", "l.0.k"), {"n": 1, "head_dim": 10**9}, "has shape .* of dimension 1000000000 on width"),
        (BASIC, square("l.0.q", "l.0.k"), {"n": 1, "head_dim": 0}, "gives a head dimension of 0"),
        (BASIC, {"l.0.q": (), "l.0.k": (8, 8)}, {"n": 1}, r"ckpt: tensor l.0.q has shape \[\]; a matrix was expected"),
        (BASIC, {"l.0.q": (8,), "l.0.k": (8, 8)}, {"n": 1}, r"ckpt: tensor l.0.q has shape \[8\]; a matrix was"),
        (BASIC, {"l.0.q": (8, 8), "l.0.k": ()}, {"n": 1}, r"tensor l.0.k has shape \[\]; 2 query and 2 key heads"),
        (BASIC + "scale = 's'\n", square("l.0.q", "l.0.k"), {"n": 1, "s": "x"}, "the factor of the scale is 'x'"),
        (
            BASIC + "scale = { inverse_sqrt = 's' }\n",
            square("l.0.q", "l.0.k"),
            {"n": 1, "s": -4},
            "the number under the root in the scale is -4",
        ),
        (BASIC.replace("2", "[]"), square("l.0.q", "l.0.k"), {"n": 1}, "does not say how many heads there are"),
    ],
)
def test_sizes_no_model_has_are_refused_before_anything_is_made_of_them(
    text: str, shapes: dict[str, tuple[int, ...]], config: dict[str, Any], words: str
) -> None:
    tracemalloc.start()
    with pytest.raises(LayoutError, match=words):
        plans(text, shapes, **config)
    assert tracemalloc.get_traced_memory()[1] < 20_000_000
    tracemalloc.stop()


def test_numbers_of_layers_are_read_as_they_are_written() -> None:
    odd = ("l.00.q", "l.٠.q", "l.+0.q", "l." + "9" * 5000 + ".q", "l.9999999.q")
    [plan] = plans(BASIC.replace("layers = 'n'\n", ""), square("l.0.q", "l.0.k", *odd))
    assert (plan.layer, plan.status) == (0, Status.READABLE)


def test_angles_nobody_knows_do_not_stand_in_the_way_of_a_verdict() -> None:
    text = BASIC + "position = { method = 'rotary', style = 'half' }\n"
    [plan] = plans(text, square("l.0.q", "l.0.k"), n=1, rope_scaling={"type": "spiral"})
    assert plan.status is Status.READABLE
    assert plan.rotary is None
    assert "rotary scaling 'spiral' is not known; its distances cannot be profiled" in plan.rotary_unknown
    assert plan.rotary_unknown in plan.notes


def test_models_within_models_end_somewhere() -> None:
    composite = {"model_type": "llava"}
    for _ in range(300):
        composite = {"model_type": "llava", "text_config": composite, "vision_config": composite}
    inventory = Inventory({"x": TensorInfo((8, 8), "F32")}, "ckpt")
    with pytest.raises(LayoutError, match="a model in a model, 5 times over"):
        plan_layers(registered("llava"), Config(composite, "config.json"), inventory)


def test_first_releases_keep_the_sizes_of_the_text_part_at_the_top() -> None:
    names = [f"model.layers.0.self_attn.{x}_proj.weight" for x in "qk"]
    shapes = square(*names) | {"visual.blocks.0.attn.qkv.weight": (36, 12)}
    inventory = Inventory({name: TensorInfo(shape, "F32") for name, shape in shapes.items()}, "ckpt")
    vision = {"model_type": "qwen2_vl", "depth": 1, "embed_dim": 12, "hidden_size": 8, "num_heads": 3}
    config = {"model_type": "qwen2_vl", "num_attention_heads": 2, "num_key_value_heads": 2, "num_hidden_layers": 1}
    found = plan_layers(registered("qwen2_vl"), Config({**config, "vision_config": vision}, "c"), inventory)
    assert [(plan.stack, plan.heads, plan.n) for plan in found] == [("text", 2, 4), ("vision", 3, 4)]


def test_a_part_that_nobody_registered_does_not_hide_the_others() -> None:
    names = [f"language_model.model.layers.0.self_attn.{x}_proj.weight" for x in "qk"]
    names.append("vision_tower.blocks.0.attn.qkv.weight")
    inventory = Inventory({name: TensorInfo((8, 8), "F32") for name in names}, "ckpt")
    text = {"model_type": "llama", "num_attention_heads": 2, "num_hidden_layers": 1}
    config = Config({"text_config": text, "vision_config": {"model_type": "novel"}}, "c")
    first, second = plan_layers(registered("llava"), config, inventory)
    assert (first.stack, first.heads) == ("text", 2)
    assert (second.stack, second.status) == ("vision", Status.NO_ATTENTION)
    assert second.reason == "this part is a 'novel' model, which is not registered"
    [first] = plan_layers(registered("llava"), Config({"text_config": text}, "c"), inventory)
    assert first.stack == "text"
    both = plan_layers(registered("encoder-decoder"), Config({"encoder": text}, "c"), inventory)
    assert both[-1].reason == "c does not say what this part is, under decoder"
    assert [pattern.name for pattern in inventory.unclaimed()] == ["vision_tower.blocks.{layer}.attn.qkv.weight"]


def test_thirteen_billion_parameters_of_baichuan_have_biases_by_distance() -> None:
    for width, heads, notes in ((4096, 32, "rotary positions"), (5120, 40, "linear position biases")):
        shapes = {"model.layers.0.self_attn.W_pack.weight": (3 * width, width)}
        inventory = Inventory({name: TensorInfo(shape, "F32") for name, shape in shapes.items()}, "ckpt")
        config = {"hidden_size": width, "num_attention_heads": heads, "num_hidden_layers": 1}
        [plan] = plan_layers(registered("baichuan"), Config(config, "c"), inventory)
        assert plan.notes[0].startswith(notes)
        assert (plan.n, plan.rotary is None) == (128, width == 5120)


@pytest.mark.parametrize("spoilt", ["q_a_proj", "q_b_proj", "kv_a_proj_with_mqa", "kv_b_proj"])
@pytest.mark.parametrize("shape", [(), (8,)])
def test_a_factor_of_latent_attention_that_is_no_matrix_is_named(spoilt: str, shape: tuple[int, ...]) -> None:
    names = ("q_a_proj", "q_b_proj", "kv_a_proj_with_mqa", "kv_b_proj")
    found = {f"model.layers.0.self_attn.{name}.weight": TensorInfo((8, 8), "F32") for name in names}
    found[f"model.layers.0.self_attn.{spoilt}.weight"] = TensorInfo(shape, "F32")
    config = Config({"num_attention_heads": 2, "num_hidden_layers": 1}, "config.json")
    with pytest.raises(
        LayoutError, match=rf"(config.json|ckpt): tensor .*{spoilt}.weight has shape .*; a matrix was expected"
    ):
        plan_layers(registered("deepseek_v3"), config, Inventory(found, "ckpt"))


def test_latent_attention_needs_a_way_to_its_queries() -> None:
    latent = {"key_down": "l.{layer}.kd", "key_norm": "l.{layer}.kn", "key_up": "l.{layer}.ku"}
    for more in ({}, {"query_down": "l.{layer}.qd"}):
        with pytest.raises(LayoutError, match="latent attention needs its query, or query_down and query_up"):
            parse_layouts({"toy": {"heads": 2, "latent": {**latent, **more}}}, "toy.toml", known={})
