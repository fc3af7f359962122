"""No known answer is forgotten: every case is named in some test, or its whole kind is a parameter of one."""

from pathlib import Path

from tests.cases import all_cases


def test_every_case_is_used():
    here = Path(__file__).parent
    text = "\n".join(path.read_text(encoding="utf-8") for path in here.rglob("*.py") if path != Path(__file__))
    whole = {
        kind
        for kind in {case["kind"] for case in all_cases()}
        if f'@pytest.mark.parametrize("case_", cases("{kind}")' in text
    }
    assert whole == {"form_over_fields", "isometry_over_Q", "attention_head"}
    assert [case["id"] for case in all_cases() if case["kind"] not in whole and case["id"] not in text] == []
