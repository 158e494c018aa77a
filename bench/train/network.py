"""The detector's U-Net with the arithmetic of small integers in its training.

Activations are multiples of 1/32 from 0 to 127/32, so that a step of the integer network is a step here. Weights are
rounded to 255 levels, with one scale an output channel. Both roundings pass gradients on as if they were not there.
"""
import torch
from torch import nn
from torch.nn import functional

STEP = 1 / 32  # of an activation, and of an input
INPUT_LEVELS = 127
LOGIT_STEP = 1 / 16


def half_up(values):
    """Rounds as the integer network does; the gradient is that of the identity."""
    return values + (torch.floor(values + 0.5) - values).detach()


def rounded_weights(weights):
    """The weights as multiples of their output channel's scale, and the scales."""
    scales = weights.detach().abs().amax(dim=(1, 2, 3), keepdim=True).clamp_min(1e-6) / 127
    return half_up(weights / scales).clamp(-127, 127) * scales, scales


def input_of(rgb):
    """Bytes, (n, 3, height, width), as activations."""
    return torch.div(rgb.int() + 1, 2, rounding_mode="floor").clamp_max(INPUT_LEVELS).float() * STEP


class Convolution(nn.Module):
    """3x3 convolution, normalisation over the batch, and a ReLU that is cut off at 127 steps."""

    def __init__(self, inputs, outputs):
        super().__init__()
        self.convolution = nn.Conv2d(inputs, outputs, 3, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(outputs, momentum=0.05)
        nn.init.kaiming_normal_(self.convolution.weight, nonlinearity="relu")

    def forward(self, values):
        weights, _ = rounded_weights(self.convolution.weight)
        values = self.norm(functional.conv2d(values, weights, padding=1))
        return half_up(values.clamp(0, 127 * STEP) / STEP) * STEP


class Head(nn.Module):
    """1x1 convolution to two logits."""

    def __init__(self, inputs):
        super().__init__()
        self.convolution = nn.Conv2d(inputs, 2, 1)

    def forward(self, values):
        weights, _ = rounded_weights(self.convolution.weight)
        return functional.conv2d(values, weights, self.convolution.bias)


class Detector(nn.Module):
    """Logits of `nucleus` and `core` at each pixel; layers are named as in the file of weights."""

    def __init__(self, channels):
        super().__init__()
        self.channels = list(channels)
        layers = {}
        for level, outputs in enumerate(channels):
            layers[f"encoder{level}a"] = Convolution(channels[level - 1] if level else 3, outputs)
            layers[f"encoder{level}b"] = Convolution(outputs, outputs)
        for level in reversed(range(len(channels) - 1)):
            layers[f"decoder{level}a"] = Convolution(channels[level + 1] + channels[level], channels[level])
            layers[f"decoder{level}b"] = Convolution(channels[level], channels[level])
        layers["head"] = Head(channels[0])
        self.layers = nn.ModuleDict(layers)

    def forward(self, values):
        skips = []
        last = len(self.channels) - 1
        for level in range(last + 1):
            values = self.layers[f"encoder{level}b"](self.layers[f"encoder{level}a"](values))
            if level < last:
                skips.append(values)
                values = functional.max_pool2d(values, 2)
        for level in reversed(range(last)):
            values = functional.interpolate(values, scale_factor=2, mode="nearest")
            values = torch.cat([values, skips[level]], dim=1)
            values = self.layers[f"decoder{level}b"](self.layers[f"decoder{level}a"](values))
        return self.layers["head"](values)

    def hold_norms(self):
        """From here on the normalisation uses what it has seen, as the integer network does."""
        for module in self.modules():
            if isinstance(module, nn.BatchNorm2d):
                module.eval()
