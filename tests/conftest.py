"""Before any test: make torchvision importable beside a torch that was built for the processor alone.

torchmetrics, a peer of the tests, imports torchvision wherever it is installed.
"""

from evenrank.extractors._networks import ready

ready("the tests")
