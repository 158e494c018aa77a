#!/usr/bin/env python3
"""Writes a detector as an ONNX file in floating point, with its description: an example for `starpath segment --network`.

usage: export.py NETWORK OUT.onnx

NETWORK is a file of weights, as pipelines/segmentation/detector.json. Weights, biases and rescalings are those of the
integers; activations are not rounded. So the network finds nearly the nuclei that `--detector learned` finds.
"""
import argparse
import json
import math
import pathlib

import torch
from torch import nn
from torch.nn import functional

FIELD, MARGIN = 384, 56  # the network looks 51 px far, and its coarsest pixels are 8 px wide
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
    def __init__(self, network):
        super().__init__()
        self.levels = len(network["channels"])
        self.layers = nn.ModuleDict({layer["name"]: convolution(layer) for layer in network["layers"]})

    def block(self, name, values):
        for which in "ab":
            values = self.layers[name + which](values).clamp(0, 127)
        return values

    def forward(self, values):
        kept = []
        for level in range(self.levels):
            values = self.block(f"encoder{level}", values)
            if level < self.levels - 1:
                kept.append(values)
                values = functional.max_pool2d(values, 2)
        for level in reversed(range(self.levels - 1)):
            values = functional.interpolate(values, scale_factor=2, mode="nearest")
            values = self.block(f"decoder{level}", torch.cat([values, kept[level]], dim=1))
        return self.layers["head"](values) / SCORES_A_LOGIT


def description(network):
    chance = {name: 1 / (1 + math.exp((128 - score) / SCORES_A_LOGIT)) for name, score in network["thresholds"].items()}
    return f"""\
kind = "probability"
um_per_px = {network["um_per_px"]}
field = {FIELD}
margin = {MARGIN}
channels = "rgb"
range = [0, 127]
activation = "sigmoid"

[nucleus]
output = "maps"
channels = [0]
threshold = {chance["nucleus"]:.4f}

[core]
output = "maps"
channels = [1]
threshold = {chance["core"]:.4f}
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("network")
    parser.add_argument("out", type=pathlib.Path)
    asked = parser.parse_args()
    with open(asked.network) as file:
        network = json.load(file)
    torch.onnx.export(FloatDetector(network).eval(), torch.zeros(1, 3, FIELD, FIELD), str(asked.out), opset_version=10,
                      input_names=["image"], output_names=["maps"])
    asked.out.with_suffix(".toml").write_text(description(network))


if __name__ == "__main__":
    main()
