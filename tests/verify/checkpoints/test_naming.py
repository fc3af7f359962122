import pytest

from verify.checkpoints.naming import Template, choose_prefix, clean, lookup, matches, prefixes
from verify.errors import LayoutError

QUERY = Template("encoder.layer.{layer}.q")


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("_orig_mod.encoder.q", "encoder.q"),
        ("model.layers.3._checkpoint_wrapped_module.q", "model.layers.3.q"),
        ("a._fsdp_wrapped_module._orig_mod.q", "a.q"),
        ("my_orig_mod.q", "my_orig_mod.q"),
        ("module.q", "module.q"),
    ],
)
def test_wrapper_components_vanish(name: str, plain: str) -> None:
    assert clean(name) == plain


def test_a_weight_is_found_with_and_without_its_ending() -> None:
    assert lookup({"a.weight": "", "b": ""}, "a") == "a.weight"
    assert lookup(["a.weight", "b"], "b") == "b"
    assert lookup([], "b") is None


@pytest.mark.parametrize(
    ("names", "found"),
    [
        (["encoder.layer.0.q.weight"], ("",)),
        (["bert.encoder.layer.0.q.weight", "bert.encoder.layer.11.q.weight"], ("bert.",)),
        (["module.bert.encoder.layer.0.q"], ("module.bert.",)),
        (["text/encoder.layer.0.q"], ("text/",)),
        (["reencoder.layer.0.q.weight", "encoder.layer.x.q", "encoder.layer.0.q.bias", "encoder.layer.0.query"], ()),
        (["a.encoder.layer.0.q", "b.encoder.layer.0.q"], ("a.", "b.")),
    ],
)
def test_prefixes(names: list[str], found: tuple[str, ...]) -> None:
    assert prefixes(names, QUERY) == found


def test_an_ambiguous_prefix_is_an_error_that_lists_the_candidates() -> None:
    with pytest.raises(LayoutError, match=r"ckpt: queries are found under 2 prefixes \('a.', 'b.'\); say which"):
        choose_prefix(["a.", "b."], [], "queries", "ckpt")
    assert choose_prefix(["a.", "b."], ["b."], "queries", "ckpt") == "b."
    assert choose_prefix(["x.b.c.", "a."], ["b."], "queries", "ckpt") == "x.b.c."
    assert choose_prefix(["a."], ["b."], "queries", "ckpt") is None


def test_layer_numbers_are_read_behind_the_prefix() -> None:
    names = ["bert.encoder.layer.0.q.weight", "bert.encoder.layer.11.q.weight", "bert.encoder.layer.2.k.weight"]
    assert matches(names, "bert.", QUERY) == {0: names[0], 11: names[1]}
    listed = Template(names=("first", "second", "absent"))
    assert matches(["first", "second.weight"], "", listed) == {0: "first", 1: "second.weight"}
    assert prefixes(["second.weight"], listed) == ("",)


def test_templates_expand() -> None:
    assert Template("h.{layer}.{previous}").expand(3) == "h.3.2"
    assert Template("g.{outer}.{inner}").expand(5, inner=2) == "g.2.1"
    assert Template(names=("a", "b")).expand(1) == "b"
    assert Template(names=("a", "b")).expand(2) == ""
