"""The detector in floating point, from its file of weights: its activations are not rounded."""
import torch
from torch import nn
from torch.nn import functional

SCORES_A_LOGIT = 16


def convolution(layer):
    """One layer as floating point, rescaling included."""
    size = layer["kernel"]
    factors = torch.tensor(layer["multiplier"], dtype=torch.float64) / 2.0 ** torch.tensor(layer["shift"]).double()
    weights = torch.tensor(layer["weights"], dtype=torch.float64).reshape(layer["out"], size, size, layer["in"])
    made = nn.Conv2d(layer["in"], layer["out"], size, padding=size // 2)
    made.weight.data = (weights.permute(0, 3, 1, 2) * factors.reshape(-1, 1, 1, 1)).float()
    made.bias.data = (torch.tensor(layer["bias"], dtype=torch.float64) * factors).float()
    return made


class FloatDetector(nn.Module):
    highest = 127  # of its activations and of its input

    def __init__(self, network):
        super().__init__()
        self.levels = len(network["channels"])
        self.layers = nn.ModuleDict({layer["name"]: convolution(layer) for layer in network["layers"]})

    def block(self, name, values):
        for which in "ab":
            values = self.layers[name + which](values).clamp(0, self.highest)
        return values

    def features(self, values):
        """Those of the decoder, the coarsest first: each has twice as many rows and columns as the one before."""
        kept, made = [], []
        for level in range(self.levels):
            values = self.block(f"encoder{level}", values)
            if level < self.levels - 1:
                kept.append(values)
                values = functional.max_pool2d(values, 2)
        for level in reversed(range(self.levels - 1)):
            values = functional.interpolate(values, scale_factor=2, mode="nearest")
            values = self.block(f"decoder{level}", torch.cat([values, kept[level]], dim=1))
            made.append(values)
        return made

    def forward(self, values):
        return self.layers["head"](self.features(values)[-1]) / SCORES_A_LOGIT
