"""Before any test: make torchvision importable beside a torch that was built for the processor alone, quieten MLflow.

torchmetrics, a peer of the tests, imports torchvision wherever it is installed. MLflow tells its makers of every use.
"""

import os

from evenrank.extractors._networks import ready

ready("the tests")
os.environ["MLFLOW_DISABLE_TELEMETRY"] = "true"
