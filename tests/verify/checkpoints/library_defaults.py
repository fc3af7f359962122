"""What the model library's configuration classes assume, for the table in ``verify/checkpoints/defaults.toml``.

``python -m tests.verify.checkpoints.library_defaults`` prints the table anew.
"""

from __future__ import annotations

import dataclasses
import json
from typing import Any

from verify.checkpoints.layout import Attention
from verify.checkpoints.registry import known_types, registered

SIZES = ("heads", "kv_heads", "head_dim")  # widths and layers follow from the tensors


def keys_of(attention: Attention) -> set[str]:
    """The configuration keys that an attention's sizes and conditions look at."""
    if attention.section != ("",):
        return set()
    sizes = {key for word in SIZES for key in getattr(attention, word) if isinstance(key, str)}
    conditions = [attention.when, *(p.when for p in attention.position), *(n.when for n in attention.qk_norm)]
    conditions += [remark.when for remark in (*attention.not_bilinear, *attention.notes)]
    return {key for key in sizes | {t.key for c in conditions for t in c.tests} if "." not in key}


def library_defaults() -> dict[str, dict[str, Any]]:
    """Model type → key → the class's own default; values that the class derives from others are left out."""
    from transformers import CONFIG_MAPPING

    found: dict[str, dict[str, Any]] = {}
    for model_type in known_types():
        if model_type not in CONFIG_MAPPING:
            continue
        kind: Any = CONFIG_MAPPING[model_type]
        fields = {field.name: field.default for field in dataclasses.fields(kind)}
        keys = {key for a in registered(model_type).attentions for key in keys_of(a)}
        named = {
            key: fields.get(kind.attribute_map.get(key, key)) for key in keys if kind.attribute_map.get(key) not in keys
        }
        named |= rotary_base(kind, model_type)
        plain = {key: value for key, value in sorted(named.items()) if type(value) in {int, bool, str, float}}
        if plain:
            found[model_type] = plain
    return found


def rotary_base(kind: Any, model_type: str) -> dict[str, Any]:
    """The rotary base of the class, where its layers all have one and the layout looks for it."""
    looked_for = {key for a in registered(model_type).attentions for p in a.position for key in p.theta}
    if "rope_theta" not in looked_for:
        return {}
    parameters = getattr(kind(), "rope_parameters", None) or {}
    bases = {
        table["rope_theta"]
        for table in [parameters, *parameters.values()]
        if isinstance(table, dict) and "rope_theta" in table
    }
    return {"rope_theta": bases.pop()} if len(bases) == 1 else {}


def other_spellings() -> dict[tuple[str, str], set[str]]:
    """(Model type, word) → keys under which the model class looks for a size too, and the layout does not."""
    from transformers import CONFIG_MAPPING

    found: dict[tuple[str, str], set[str]] = {}
    for model_type in set(known_types()) & set(CONFIG_MAPPING.keys()):
        spellings: dict[str, str] = CONFIG_MAPPING[model_type].attribute_map
        for attention in registered(model_type).attentions:
            for word in ("layers", "width", "heads", "kv_heads", "head_dim"):
                keys = {key for key in getattr(attention, word) if isinstance(key, str)}
                same = {other for other, key in spellings.items() if key in keys}
                same |= {spellings[key] for key in keys if key in spellings}
                if missing := same - keys:
                    found[model_type, word] = missing
    return found


HEADER = """\
# What the model classes assume of sizes and switches that config.json leaves out, by model type. A test compares them
# with the model library. An entry's own 'defaults' come first.
"""


def main() -> None:
    print(HEADER, end="")
    for model_type, table in library_defaults().items():
        print(f"\n[{model_type}]")
        for key, value in table.items():
            print(f"{key} = {json.dumps(value)}")


if __name__ == "__main__":
    main()
