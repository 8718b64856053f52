"""Matrices as people hand them over, dense or sparse, reduced to what is not zero."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import csr_array, issparse, vstack

from evenrank.arrays import as_array, row_blocks


def nonzero(matrix: Any, what: str, hint: str = "") -> csr_array:
    """Return the values of a 2-D matrix that are not zero, each cell once; a dense one is read in blocks of rows."""
    given = matrix if issparse(matrix) else as_array(matrix, what)
    if given.ndim != 2 or 0 in given.shape:
        raise ValueError(f"{what} must be 2-D and not empty; got shape {given.shape}{hint}")
    if given.dtype.kind not in "biuf":
        raise ValueError(f"{what} must be numbers; got {given.dtype}")
    if issparse(given):
        values = csr_array(given, copy=True)
    else:
        dtype = np.float64 if given.dtype.kind == "f" else np.int64
        values = vstack([csr_array(block.astype(dtype)) for _, block in row_blocks(given)], format="csr")
    values.sum_duplicates()
    values.eliminate_zeros()
    return values


def refuse(values: csr_array, wrong: np.ndarray, must: str) -> None:
    """Raise ValueError naming the first cell whose value is `wrong`, if there is one."""
    if wrong.any():
        first = int(wrong.argmax())
        row = np.searchsorted(values.indptr, first, side="right") - 1
        raise ValueError(f"{must}; got {values.data[first]} in row {row}, column {values.indices[first]}")
