"""A torchvision of another build than torch must not stand in the way."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.extractors import needs

pytestmark = needs.packages("torch")
BROKEN = """
import torch
for name in ("nms", "qnms"):
    torch.library.register_fake(f"torchvision::{name}")(lambda dets, scores, iou_threshold: dets)
"""


def test_a_torchvision_that_lacks_its_compiled_part_can_be_imported(tmp_path: Path) -> None:
    (tmp_path / "torchvision.py").write_text(BROKEN, encoding="utf-8")
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
    fails = subprocess.run([sys.executable, "-c", code + "import torchvision"], capture_output=True, text=True)
    assert "torchvision::nms does not exist" in fails.stderr
    code += "from evenrank.extractors._networks import ready; ready('trunk'); import torchvision"
    subprocess.run([sys.executable, "-c", code], check=True)
