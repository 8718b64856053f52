"""NT-Xent, also N-pairs or InfoNCE: every positive against all negatives of its anchor (Sohn, 2016; Chen et al., 2020).

With s the cosine and T the temperature, the mean over all positive pairs of

    −log( e^{s_ap/T} / (e^{s_ap/T} + Σ_n e^{s_an/T}) ) = log(1 + e^{L_a − s_ap/T}),    L_a = log Σ_n e^{s_an/T}

where n runs over the items irrelevant to the anchor. The right-hand side is what is computed. The library takes the
logarithm of the quotient plus a tiny number instead: at the temperatures that paper 5 found (0.0002 on SOP) the
quotient underflows, and the hardest positives stop at a constant without a gradient. So this one is written out; pairs
are those of the batch's relevance, and items may have many labels.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import torch
from torch import Tensor

from evenrank.objective import Batch, Objective, mean_over
from evenrank.objectives.metric_learning._adapter import unit
from evenrank.parameters import Real


@dataclass(eq=False, repr=False, kw_only=True)
class NTXent(Objective):
    """Cross-entropy of each positive pair against the negatives of its anchor, with a temperature."""

    title = "NT-Xent"
    paper = "5, Table 7"
    kind = "embeddings"

    temperature: Annotated[float, Real(1e-6, search=(1e-4, 1e2), log=True)] = 0.0091

    def forward(self, outputs: Tensor, batch: Batch) -> Tensor:
        """Return the mean over positive pairs, in float64."""
        embeddings = unit(outputs)
        scaled = embeddings @ embeddings.T / self.temperature
        lowest = torch.finfo(scaled.dtype).min  # an anchor without negatives costs log(1 + 0)
        negatives = torch.where(batch.different, scaled, lowest).logsumexp(dim=1, keepdim=True)
        costs = torch.logaddexp(negatives - scaled, torch.zeros_like(scaled))
        return mean_over(costs, batch.similar)
