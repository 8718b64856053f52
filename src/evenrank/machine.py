"""What a number was measured on, in words."""

from __future__ import annotations

import os
import platform
from functools import cache
from pathlib import Path

PROCESSOR = Path("/proc/cpuinfo")  # on Linux, where the standard library knows no more than the architecture


@cache
def machine() -> str:
    """Return the processor's name, how many cores there are, and the system."""
    lines = PROCESSOR.read_text(encoding="utf-8").splitlines() if PROCESSOR.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    name = names[0] if names else platform.processor() or platform.machine()
    return f"{name}, {os.cpu_count()} cores, {platform.system()}"
