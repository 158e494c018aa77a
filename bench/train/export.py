#!/usr/bin/env python3
"""Writes a network as an ONNX file in floating point with its description: examples for `starpath segment --network`.

usage: export.py NETWORK OUT.onnx [--heads HEADS --kind stardist|hover] [--threshold T] [--second T]

NETWORK is a file of weights, as pipelines/segmentation/detector.json. Weights, biases and rescalings are those of the
integers; activations are not rounded. So the network finds nearly the nuclei that `--detector learned` finds. HEADS is
the heads.pt of train_heads.py. --threshold is the one of nuclei, and --second that of cores (hover) or of overlaps
(stardist); the defaults were chosen on the images to tune on.
"""
import argparse
import json
import math
import pathlib

import torch
from torch import nn

from floating import SCORES_A_LOGIT, FloatDetector
from heads import GRID, RAYS, Heads

FIELD, MARGIN = 384, 56  # the network looks 51 px far, and its coarsest pixels are 8 px wide
THRESHOLDS = {"stardist": (0.6, 0.5), "hover": (0.6, 0.95)}
OPSET = 10  # OpenCV 4.6 knows no Clip of opset 11


def beginning(kind, um_per_px, highest):
    return f"""\
kind = "{kind}"
um_per_px = {um_per_px}
field = {FIELD}
margin = {MARGIN}
channels = "rgb"
range = [0, {highest}]
activation = "sigmoid"
"""


def of_detector(network):
    chance = {name: 1 / (1 + math.exp((128 - score) / SCORES_A_LOGIT)) for name, score in network["thresholds"].items()}
    return beginning("probability", network["um_per_px"], FloatDetector.highest) + f"""
[nucleus]
output = "maps"
channels = [0]
threshold = {chance["nucleus"]:.4f}

[core]
output = "maps"
channels = [1]
threshold = {chance["core"]:.4f}
"""


def of_heads(network, kind, threshold, second):
    distances = f"rays = {RAYS}\ngrid = {GRID}\noverlap" if kind == "stardist" else "channels = [0, 1]\nthreshold"
    return beginning(kind, network["um_per_px"], Heads.highest) + f"""
[nucleus]
output = "probability"
channels = [0]
threshold = {threshold}

[distances]
output = "distances"
{distances} = {second}
"""


class OneKind(nn.Module):
    """Heads of which one gives its outputs."""

    def __init__(self, heads, kind):
        super().__init__()
        self.heads, self.which = heads, ("stardist", "hover").index(kind)

    def forward(self, values):
        return self.heads(values)[self.which]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("network", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--heads", type=pathlib.Path)
    parser.add_argument("--kind", choices=THRESHOLDS)
    parser.add_argument("--threshold", type=float)
    parser.add_argument("--second", type=float)
    asked = parser.parse_args()
    if (asked.heads is None) != (asked.kind is None):
        parser.error("--heads and --kind come together")
    network = json.loads(asked.network.read_text())
    if asked.kind:
        heads = Heads(network)
        heads.load_state_dict(torch.load(asked.heads))
        made, outputs = OneKind(heads, asked.kind), ["probability", "distances"]
        said = zip((asked.threshold, asked.second), THRESHOLDS[asked.kind])
        text = of_heads(network, asked.kind, *(default if value is None else value for value, default in said))
    else:
        made, outputs, text = FloatDetector(network), ["maps"], of_detector(network)
    torch.onnx.export(made.eval(), torch.zeros(1, 3, FIELD, FIELD), str(asked.out), opset_version=OPSET,
                      input_names=["image"], output_names=outputs)
    asked.out.with_suffix(".toml").write_text(text)


if __name__ == "__main__":
    main()
