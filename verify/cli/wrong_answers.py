"""What ``headforms fuzz --against`` shows: how often a function is wrong in each stratum, and where."""

from __future__ import annotations

from typing import Any

from verify.cli.counterexamples import indented
from verify.cli.tables import table
from verify.fuzzing.calling import BATCHED


def function_text(record: dict[str, Any]) -> str:
    """The result of a run over the strata, from its record: counts a stratum, and programs for the smallest."""
    header = [
        "stratum",
        "tried",
        "wrong",
        "raised",
        "only in batches",
        "smallest wrong head",
        "exact answer",
        "its answer",
    ]
    counts = ("tried", "wrong", "raised", "only_in_batches")
    rows = [[s["stratum"], *(str(s[key]) for key in counts), *_smallest(s)] for s in record["strata"]]
    if not record["only_in_batches"]:
        for row in (header, *rows):
            del row[4]
    wrong, tried, seconds = record["wrong"], record["tried"], record["seconds"]
    lines = [
        table(header, rows),
        "",
        f"{record['function']}: {record['question']} wrong for {wrong} of {tried} heads (seed {record['seed']}; "
        f"{seconds:.1f} s, {tried / max(seconds, 1e-3):.0f} heads a second)",
    ]
    if record["snippet"] is not None:
        lines += ["the smallest of them:", "", indented(record["snippet"])]
    if record["batch_snippet"] is not None:
        why = (
            f"for {record['only_in_batches']} of these it is right alone, and not in a batch; the smallest such batch:"
        )
        lines += [why, "", indented(record["batch_snippet"])]
    if record["convention"] in BATCHED and not record["several"]:
        lines.append("it was given one head at a time, since it does not give one answer for each head of a batch")
    return "\n".join(lines)


def _smallest(stratum: dict[str, Any]) -> list[str]:
    """Size, exact answer and the function's of the smallest wrong head, or else of the smallest wrong batch."""
    case = stratum["smallest"] or stratum["smallest_batch"]
    if case is None:
        return ["", "", ""]
    several = f"{case['heads']} heads " if "heads" in case else ""
    return [f"{several}{case['n']} × {case['N']} {case['dtype']}", _numbers(case["truth"]), _numbers(case["answer"])]


def _numbers(answer: Any) -> str:
    if isinstance(answer, list):
        return "(" + ", ".join(map(_numbers, answer)) + ")"
    return f"{answer:.6g}" if isinstance(answer, float) else str(answer)
