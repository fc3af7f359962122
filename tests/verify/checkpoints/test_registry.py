import re
from pathlib import Path

import pytest
import torch

from tests.verify.checkpoints.library_defaults import library_defaults, other_spellings
from verify.checkpoints import open_checkpoint, registry
from verify.checkpoints.registry import class_defaults, known_types, layout_file, registered
from verify.errors import LayoutError, SourceError


@pytest.mark.parametrize("model_type", known_types())
def test_every_entry_parses_and_says_where_its_facts_come_from(model_type: str) -> None:
    layout = registered(model_type)
    assert layout.name == model_type
    assert layout.source


def test_an_unknown_type_is_told_from_close_ones() -> None:
    with pytest.raises(LayoutError, match=r"^model type 'nobody' is not registered; 'headforms layouts' lists the \d+"):
        registered("nobody")
    with pytest.raises(LayoutError, match=r"'llamma' is not registered \(is it like llama, .*\?\); "):
        registered("llamma")


def test_a_users_file_may_build_on_a_registered_layout(tmp_path: Path) -> None:
    path = tmp_path / "my.toml"
    path.write_text('[mine]\nlike = "bert"\nheads = 12\n')
    assert layout_file(path).attentions[0].heads == (12,)


@pytest.mark.parametrize(
    ("text", "words", "kind"),
    [
        ("[a", "not valid TOML", SourceError),
        ("", "holds nothing; a layout file holds one table", LayoutError),
        ("[a]\nfused='x'\n[b]\nfused='x'", "holds a, b", LayoutError),
        ("stray = 1\n[a]\nfused='x'", "holds stray, a", LayoutError),
    ],
)
def test_bad_layout_files(tmp_path: Path, text: str, words: str, kind: type[Exception]) -> None:
    path = tmp_path / "my.toml"
    path.write_text(text)
    with pytest.raises(kind, match=words):
        layout_file(path)
    with pytest.raises(SourceError, match="No such file"):
        layout_file(tmp_path / "absent.toml")


def test_defaults_are_those_of_the_model_library() -> None:
    table = library_defaults()
    assert len(table) > 100
    for model_type, defaults in table.items():
        assert class_defaults(model_type) == defaults


def test_sizes_are_sought_under_every_spelling_of_the_model_library() -> None:
    """BLOOM's files say num_attention_heads where its class says n_head; a default in its place would be wrong."""
    assert other_spellings() == {("whisper", "heads"): {"num_key_value_heads"}}


def test_the_examples_of_the_guide_are_layouts(tmp_path: Path) -> None:
    guide = (Path(registry.__file__).parent / "layouts" / "README.md").read_text(encoding="utf-8")
    tables = [
        table for block in re.findall(r"```toml\n(.*?)```", guide, re.DOTALL) for table in re.split(r"\n(?=\[)", block)
    ]
    assert len(tables) == 3
    for table in tables:
        (tmp_path / "my.toml").write_text(table)
        assert layout_file(tmp_path / "my.toml").attentions


def test_pytorchs_own_attention_by_the_example_of_the_guide(tmp_path: Path) -> None:
    (tmp_path / "my.toml").write_text(
        "[mine]\nheads = 3\nfused = 'layers.{layer}.self_attn.in_proj_weight'\norder = 'cat'\n"
    )
    model = torch.nn.TransformerEncoder(torch.nn.TransformerEncoderLayer(12, 3, 8), 2, enable_nested_tensor=False)
    checkpoint = open_checkpoint(model, layout=tmp_path / "my.toml")
    plans = checkpoint.layers()
    assert len(plans) == 2
    own = model.layers[1].self_attn
    own.in_proj_bias.data.normal_()
    batch = checkpoint.read(plans[1], fold=["bias"])
    query, key, _ = own.in_proj_weight.detach().double().chunk(3)
    bias = own.in_proj_bias.detach().double().chunk(3)
    assert torch.equal(batch.Q, torch.cat([query, bias[0][:, None]], 1).unflatten(0, (3, 4)))
    assert torch.equal(batch.K, torch.cat([key, bias[1][:, None]], 1).unflatten(0, (3, 4)))
