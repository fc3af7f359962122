from verify.checkpoints.plan import LayerPlan, Rows, Status
from verify.heads import HeadId


def test_query_heads_are_paired_in_consecutive_groups() -> None:
    plan = LayerPlan("decoder", 2, 6, 2, 4, 16, Rows("qkv", (0,), 4), Rows("qkv", (4,), 4))
    assert [head.kv_head for head in plan.ids] == [0, 0, 0, 1, 1, 1]
    assert plan.ids[4] == HeadId("decoder", 2, 4, 1)
    assert plan.tensors == ("qkv",)
    assert plan.status is Status.READABLE


def test_a_layer_without_heads_has_no_ids() -> None:
    assert LayerPlan("decoder", 0, 0, 0, 0, 0, None, None, Status.NO_ATTENTION, "is a recurrent layer").ids == ()
