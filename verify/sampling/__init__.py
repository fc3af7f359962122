"""Samples of random heads: measured, and compared with what theory expects of them."""

from verify.sampling.clouds import Cloud, measure
from verify.sampling.comparisons import Comparison, compare
from verify.sampling.reports import SampleReport, measure_sample

__all__ = ["Cloud", "Comparison", "SampleReport", "compare", "measure", "measure_sample"]
