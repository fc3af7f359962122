"""Exact mathematics of attention heads: no floats, no tensors, no files.

| about | modules and packages |
| --- | --- |
| numbers and how they are written | ``exact``, ``factorisation``, ``literals`` |
| fields and matrices | ``groundfield``, ``fields``, ``matrices``, ``ranks`` |
| forms | ``forms``, ``inertia``, ``hilbert`` |
| Witt decompositions | ``witt``, ``witt_decomposition``, ``isometry``, ``isotropy`` |
| heads | ``heads``, ``lemmas``, ``decomposition``, ``spectra`` |
| the theorem in symbols | ``polynomials``, ``generic``, ``blocks``, ``uniform``, ``indeterminates`` |
| the degeneracy locus | ``locus``, ``pencils``, ``distances`` |
| families of heads | ``attention_maps``, ``parametrisations``, ``families`` |
| random heads | ``moments`` |
| every numbered result | ``statements`` |
| the proof assistant | ``rocq``, ``kernel_certificates`` |
"""
