"""SCM, semantic correlation matching: SM on correlated components (Rasiwasia et al., ACM Multimedia 2010).

Features are replaced by all their canonical components, as by CCA (`cca.py`), and the classifiers of SM learn on those.
Both are affine up to the scores, so that what is kept is one affine map. As for CCA, the paper has r = 0; where
dimensions outnumber items all components then correlate perfectly, in no order that means anything, though classifiers
still learn from them. The default shrinks by a tenth of a feature's variance.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from evenrank.methods.crossmedia._classifiers import one_against_rest
from evenrank.methods.crossmedia._labels import replicated
from evenrank.methods.crossmedia._views import folded, standardised
from evenrank.methods.crossmedia._whitening import paired, whitened
from evenrank.methods.crossmedia.semantic_matching import SemanticMatching
from evenrank.parameters import Real


@dataclass(eq=False, repr=False, kw_only=True)
class SemanticCorrelationMatching(SemanticMatching):
    """Probabilities of the training classes, by logistic regression on canonical components.

    `regularisation` is in units of a feature's variance; 0 is the paper's. A single class is refused.
    """

    title = "SCM"
    paper = "4; Rasiwasia et al., ACM Multimedia 2010"
    supervision = "labels"
    cost = "three decompositions, then one logistic regression for each class and modality"

    regularisation: Annotated[float, Real(0, search=(1e-3, 10), log=True)] = 0.1

    def learn(self, x: dict[str, np.ndarray], y: np.ndarray) -> None:
        """Find the components, and fit the classifiers of each modality on them."""
        rows, labels = replicated(self, y)
        views = {modality: standardised(features) for modality, features in x.items()}
        image, text = (whitened(views[modality].values, self.regularisation) for modality in ("image", "text"))
        left, right = paired(image.values.T @ text.values)
        components = {"image": image.values @ left, "text": text.values @ right}  # (items, pairs)
        fits = {
            modality: one_against_rest(values[rows], labels, self.penalty) for modality, values in components.items()
        }
        bases = {"image": image.basis @ left @ fits["image"][0], "text": text.basis @ right @ fits["text"][0]}
        self.weights_, offsets = folded(views, bases)
        self.biases_ = {modality: offsets[modality] + fits[modality][1] for modality in views}
