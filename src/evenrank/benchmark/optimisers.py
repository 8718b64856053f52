"""What torch imports when a process makes its first optimiser, which takes seconds: imported here if torch is.

The process that forks workers imports this last, after the methods of its plan, so that no worker has to.
"""

import sys

if "torch" in sys.modules:
    import torch._dynamo  # noqa: F401
