from verify.checkpoints.files.interface import Part


def test_a_part_counts_its_indices() -> None:
    assert Part(()).size == 0
    assert Part(((3, 5), (9, 10)), axis=1).size == 3
