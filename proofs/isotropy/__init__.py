"""Isotropic vectors and hyperbolic planes, constructed.

| module | what |
| --- | --- |
| :mod:`~proofs.isotropy.planes` | planes of diagonal forms over ℝ, ℚ_p and F_p |
| :mod:`~proofs.isotropy.reduction` | LLL reduction of indefinite integral forms |
| :mod:`~proofs.isotropy.vectors` | integer vectors: orthogonal ones, short ones |
| :mod:`~proofs.isotropy.lattices` | integral lattices: enlarged, cleared of primes, planes split off |
| :mod:`~proofs.isotropy.quaternary` | hyperplanes of quaternary forms that are isotropic at every place |
| :mod:`~proofs.isotropy.extensions` | one more dimension, so that a determinant need not be factored |
| :mod:`~proofs.isotropy.rational` | isotropic vectors of rational forms |
"""
