"""Tables and sentences."""

from verify.auditing import Audit
from verify.checkpoints.reading import UNCENTRED
from verify.cli.tables import SPELLED_OUT, distance_lines, folding_lines, layer_table, table, verdict_lines


def record(head: int, verdict: str = "proved", **more: object) -> dict:
    return {
        "stack": "encoder",
        "layer": head // 4,
        "head": head % 4,
        "verdict": verdict,
        "reason": None if verdict == "proved" else "why",
        "signature": {"positive": 2, "negative": 2, "zero": 1} if verdict == "proved" else None,
        "relative_margin": 0.5 / (head + 1) if verdict == "proved" else None,
        "type": "II",
        **more,
    }


def audit(records: list[dict]) -> Audit:
    return Audit({"source": "model", "without_heads": []}, tuple(records))


def test_numbers_stand_to_the_right_and_words_to_the_left() -> None:
    assert table(["name", "n"], [["a", "5"], ["long", "12"]]).splitlines() == ["name   n", "a      5", "long  12"]


def test_one_line_a_layer() -> None:
    lines = layer_table(audit([record(h) for h in range(8)])).splitlines()
    assert [line.split()[:3] for line in lines[1:]] == [["encoder", "0", "4"], ["encoder", "1", "4"]]
    assert "0.125" in lines[1]


def test_the_verdict_names_the_weakest_head() -> None:
    (line,) = verdict_lines(audit([record(h) for h in range(8)]))
    assert line.startswith("model: 8 of 8 heads proved hyperbolic plus zero, signature (2, 2, 1)")
    assert line.endswith("smallest relative margin 0.0625 at encoder layer 1 head 3")


def test_heads_without_a_proof_are_spelled_out_up_to_a_point() -> None:
    lines = verdict_lines(audit([record(h, "refuted") for h in range(SPELLED_OUT + 3)]))
    assert lines[0] == "refuted: encoder layer 0 head 0: why"
    assert lines[SPELLED_OUT] == "… and 3 more heads without a proof (see the records)"
    assert len(lines) == SPELLED_OUT + 2


def test_what_a_checkpoint_calls_its_parts_does_not_break_a_line_or_reach_the_terminal() -> None:
    assert table(["name"], [["two\nlines"], ["\x1b[31mred"]]).splitlines() == ["name", r"two\nlines", r"\x1b[31mred"]
    evil = Audit({"source": "a\nb", "without_heads": [{"stack": "s\r", "layer": 0, "reason": "\x07"}]}, ())
    assert all(line.isprintable() for line in verdict_lines(evil))
    assert all(line.isprintable() for line in verdict_lines(Audit(evil.header, (record(0, "refuted", stack="\x9b"),))))


def test_heads_without_a_verdict_for_the_same_reason_share_a_line() -> None:
    records = [record(h, "not_applicable") for h in range(40)] + [record(40, "unreadable")]
    assert verdict_lines(audit(records))[:-1] == [
        "not applicable: encoder layer 0 head 0 and 39 other heads: why",
        "unreadable: encoder layer 10 head 0: why",
    ]


def test_nothing_to_check_says_so() -> None:
    (line,) = verdict_lines(audit([]))
    assert "nothing to check" in line


def test_folds_that_do_not_apply_are_told() -> None:
    def made(head: int, *folded: str, notes: tuple[str, ...] = ()) -> dict:
        return record(head, proof={}, provenance={"folding": list(folded), "notes": ["other", *notes]})

    run = audit([made(0, "gain", "center"), made(1, "gain", notes=(UNCENTRED,)), record(2, "unreadable", proof=None)])
    run.header["fold"] = ["center", "gain"]
    assert folding_lines(run) == [f"folded, of 2 heads: center in 1, gain in 2; in 1, {UNCENTRED}"]
    run.header["fold"] = []
    assert folding_lines(run) == []


def test_distances_are_summed_up_in_one_line() -> None:
    def at(values: list[float]) -> list[dict]:
        return [{"distance": d, "profile": {"a": a, "b": 1 - a, "c": 0.0, "d": 0.0}} for d, a in enumerate(values)]

    run = audit([record(0, distances=at([0.25, 0.5])), record(1, distances=at([0.125, 0.5])), record(2)])
    run.header["distances"] = [0, 7]
    assert distance_lines(run) == [
        "at 2 relative positions from 0 to 7 the verdict of 2 rotary heads is the same and the profile changes: "
        "a 0.125 to 0.5, b 0.5 to 0.875, c 0 to 0, d 0 to 0"
    ]
    assert distance_lines(audit([record(0)])) == []
