"""One Hypothesis profile for the suite: no deadlines, since machines are noisy, and the same examples each run."""

from hypothesis import settings

settings.register_profile("suite", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("suite")
