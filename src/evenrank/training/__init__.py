"""The one training loop: any module, any objective, relevance between the training items, exact in every setting.

model = linear(dimensions=512, bits=32, seed=0)
history = train(model, TieAwareAP(), features, SameLabel(labels, labels), settings=Training(epochs=20))
outputs = encode(model, features)
"""

from evenrank.training.history import History as History
from evenrank.training.inputs import encode as encode
from evenrank.training.linear import linear as linear
from evenrank.training.loop import train as train
from evenrank.training.processes import gathered as gathered
from evenrank.training.settings import Training as Training
from evenrank.training.validation import Validation as Validation
