"""Plain-text tables and sentences for the terminal; they read the same in a pipe and in a log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby

from verify.auditing import Audit
from verify.checkpoints.reading import UNFOLDED
from verify.profiles import NAMES
from verify.quoting import one_line
from verify.records import Record

#: Heads without a proof that are spelled out one by one; the records have them all.
SPELLED_OUT = 20


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns padded to their widest cell; numbers, that is cells starting with a digit, to the right.

    A cell may repeat words of a checkpoint, so what is not printable in it is escaped.

    >>> print(table(["layer", "heads"], [["0", "12"], ["1", "8"]]))
    layer  heads
        0     12
        1      8
    """
    rows = [[one_line(cell) for cell in row] for row in rows]
    widths = [max(len(row[i]) for row in (header, *rows)) for i in range(len(header))]
    right = [
        bool(rows) and all(row[i][:1].isdigit() or row[i] in {"", "-"} for row in rows) for i in range(len(header))
    ]
    lines = []
    for row in (header, *rows):
        cells = [c.rjust(w) if r else c.ljust(w) for c, w, r in zip(row, widths, right, strict=True)]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def layer_table(audit: Audit) -> str:
    """One line a layer: verdicts, signature, the smallest relative margin and where, the types of its heads."""
    rows = []
    for (stack, layer), group in groupby(audit.records, key=lambda r: (r["stack"], r["layer"])):
        heads = list(group)
        verdicts = Counter(r["verdict"] for r in heads)
        types = Counter(r["type"] for r in heads if r["type"])
        margins = [(r["relative_margin"], r["head"]) for r in heads if r["relative_margin"] is not None]
        weakest = f"{min(margins)[0]:.3g}" if margins else "-"
        rows.append(
            [
                stack,
                str(layer),
                str(len(heads)),
                str(verdicts["proved"]),
                str(verdicts["refuted"]),
                str(verdicts["not_applicable"] + verdicts["unreadable"]),
                _signatures(heads),
                weakest,
                str(min(margins)[1]) if margins else "-",
                " ".join(f"{name}:{types[name]}" for name in ("II", "I+", "I-") if types[name]),
            ]
        )
    header = ["stack", "layer", "heads", "proved", "refuted", "open", "signature", "least margin", "head", "types"]
    return table(header, rows)


def verdict_lines(audit: Audit) -> list[str]:
    """The verdict in one line, before it what is not proved and why; no line has a break in it."""
    counts, total = audit.counts, len(audit.records)
    lines = _without_proof([r for r in audit.records if r["verdict"] != "proved"])
    lines.extend(
        f"no heads: {skipped['stack']} layer {skipped['layer']}: {skipped['reason']}"
        for skipped in audit.header["without_heads"]
    )
    lines.extend(
        f"not read: {found['tensors']} ({found['count']}) looks like queries and belongs to no layer of the layout"
        for found in audit.header.get("unclaimed", ())
    )
    if not total:
        return [
            one_line(x) for x in (*lines, f"{audit.header['source']}: nothing to check: no attention head was found")
        ]
    summary = f"{counts['proved']} of {total} heads proved hyperbolic plus zero"
    if counts["proved"]:
        summary += f", signature {_signatures([r for r in audit.records if r['verdict'] == 'proved'])}"
    for verdict in ("refuted", "not_applicable", "unreadable"):
        if counts[verdict]:
            summary += f"; {counts[verdict]} {verdict.replace('_', ' ')}"
    if weakest := audit.weakest:
        summary += f"; smallest relative margin {weakest['relative_margin']:.3g} at {name(weakest)}"
    return [one_line(line) for line in (*lines, f"{audit.header['source']}: {summary}")]


def folding_lines(audit: Audit) -> list[str]:
    """How many heads each fold that was asked for applies to, and why it does not apply to the others."""
    judged = [r["provenance"] for r in audit.records if r["proof"] is not None]
    asked = audit.header.get("fold")
    if not asked or not judged:
        return []
    counts = [f"{fold} in {sum(fold in p['folding'] for p in judged)}" for fold in asked]
    why = Counter(note for p in judged for note in p["notes"] if note in UNFOLDED)
    reasons = [f"in {count}, {note}" for note, count in why.items()]
    return ["; ".join([f"folded, of {len(judged)} heads: {', '.join(counts)}", *reasons])]


def distance_lines(audit: Audit) -> list[str]:
    """What was found at the relative positions asked for, in one line; nothing if none were."""
    distances = audit.header.get("distances")
    turning = [r for r in audit.records if r.get("distances")]
    if not distances or not turning:
        return []
    ranges = []
    for letter in NAMES:
        values = [at["profile"][letter] for r in turning for at in r["distances"]]
        ranges.append(f"{letter} {min(values):.3g} to {max(values):.3g}")
    places = f"{len(distances)} relative positions from {min(distances)} to {max(distances)}"
    heads = f"{len(turning)} rotary head{'s' * (len(turning) > 1)}"
    return [f"at {places} the verdict of {heads} is the same and the profile changes: {', '.join(ranges)}"]


def _without_proof(records: Sequence[Record]) -> list[str]:
    """A line for each refuted head, and for each reason why heads have no verdict."""
    alike: dict[tuple[str, ...], list[Record]] = {}
    for r in records:
        alone = name(r) if r["verdict"] == "refuted" else ""
        alike.setdefault((r["verdict"], r["reason"], alone), []).append(r)
    lines = []
    for (verdict, reason, _), heads in list(alike.items())[:SPELLED_OUT]:
        more = len(heads) - 1
        others = f" and {more} other head{'s' * (more > 1)}" if more else ""
        lines.append(f"{verdict.replace('_', ' ')}: {name(heads[0])}{others}: {reason}")
    if len(alike) > SPELLED_OUT:
        rest = sum(len(heads) for heads in list(alike.values())[SPELLED_OUT:])
        lines.append(f"… and {rest} more heads without a proof (see the records)")
    return lines


def name(record: Record) -> str:
    """A head in words."""
    return f"{record['stack']} layer {record['layer']} head {record['head']}"


def _signatures(records: Sequence[Record]) -> str:
    found = Counter(tuple(r["signature"].values()) for r in records if r["signature"])
    if not found:
        return "-"
    first, *rest = found.most_common()
    return str(first[0]) + (f" and {len(rest)} other{'s' * (len(rest) > 1)}" if rest else "")
