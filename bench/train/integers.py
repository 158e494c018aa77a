"""The integer network: made from a trained one, written to a file, and evaluated in NumPy.

A layer is a dict with `name`, `in`, `out`, `kernel`, `weights` (in order output, row, column, input), `bias`,
`multiplier` and `shift`. The evaluation is the definition in plain array operations: sums are formed in double precision,
which holds them exactly.
"""
import json
import math

import numpy

FORMAT, VERSION = "starpath-detector", 1
MULTIPLIER_BITS = 15


def fixed_point(factor):
    """multiplier and shift with multiplier / 2^shift next to a positive factor, the multiplier having 15 bits."""
    shift = MULTIPLIER_BITS - math.frexp(factor)[1]
    multiplier = math.floor(factor * 2.0**shift + 0.5)
    if multiplier == 1 << MULTIPLIER_BITS:
        multiplier, shift = multiplier // 2, shift - 1
    if not 1 <= shift <= 62:
        raise ValueError(f"a rescaling by {factor} needs a shift of {shift}; 1 to 62 are possible")
    return multiplier, shift


def integer_layer(name, layer):
    """One trained layer as integers."""
    import torch

    from network import LOGIT_STEP, STEP, Head, rounded_weights

    weights = layer.convolution.weight.detach().double()
    _, scales = rounded_weights(weights)
    levels = torch.floor(weights / scales + 0.5).clamp(-127, 127)
    scales = scales.reshape(-1)
    if isinstance(layer, Head):
        factors, offsets = scales * STEP / LOGIT_STEP, layer.convolution.bias.detach().double() / LOGIT_STEP
    else:
        norm = layer.norm
        gains = norm.weight.detach().double() / torch.sqrt(norm.running_var.double() + norm.eps)
        offsets = (norm.bias.detach().double() - norm.running_mean.double() * gains) / STEP
        factors = scales * gains
        levels = levels * torch.where(factors < 0, -1.0, 1.0).reshape(-1, 1, 1, 1)
    factors = factors.abs().clamp_min(1e-7)
    rescaling = [fixed_point(float(factor)) for factor in factors]
    return {
        "name": name,
        "in": levels.shape[1],
        "out": levels.shape[0],
        "kernel": levels.shape[2],
        "weights": [int(level) for level in levels.permute(0, 2, 3, 1).reshape(-1)],
        "bias": [math.floor(float(bias) + 0.5) for bias in offsets / factors],
        "multiplier": [multiplier for multiplier, _ in rescaling],
        "shift": [shift for _, shift in rescaling],
    }


def integer_network(detector, thresholds, about):
    """The content of the file of weights."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "about": about,
        "um_per_px": 0.5,
        "channels": detector.channels,
        "thresholds": thresholds,
        "layers": [integer_layer(name, layer) for name, layer in detector.layers.items()],
    }


def write_network(path, network):
    """JSON with one line an entry of `about` and of a layer."""
    text = json.dumps({**network, "layers": []}, indent=1)[:-len("[]\n}")]
    layers = []
    for layer in network["layers"]:
        entries = [f"   {json.dumps(key)}: {json.dumps(value, separators=(',', ':'))}" for key, value in layer.items()]
        layers.append("  {\n" + ",\n".join(entries) + "\n  }")
    with open(path, "w") as out:
        out.write(text + "[\n" + ",\n".join(layers) + "\n ]\n}\n")


def convolved(layer, values):
    """Sums of one layer over values of shape (height, width, in), with zeros outside."""
    size = layer["kernel"]
    height, width, _ = values.shape
    weights = numpy.array(layer["weights"], float).reshape(layer["out"], size, size, layer["in"])
    padded = numpy.pad(values.astype(float), ((size // 2, size // 2), (size // 2, size // 2), (0, 0)))
    sums = numpy.zeros((height, width, layer["out"])) + numpy.array(layer["bias"], float)
    for row in range(size):
        for column in range(size):
            sums += padded[row : row + height, column : column + width] @ weights[:, row, column].T
    return sums.astype(numpy.int64)


def rescaled(layer, sums, offset, highest):
    multiplier = numpy.array(layer["multiplier"], numpy.int64)
    shift = numpy.array(layer["shift"], numpy.int64)
    return numpy.clip((sums * multiplier + (1 << (shift - 1)) >> shift) + offset, 0, highest)


def apply(layer, values):
    return rescaled(layer, convolved(layer, values), 0, 127).astype(numpy.uint8)


def pooled(values):
    height, width, channels = values.shape
    return values.reshape(height // 2, 2, width // 2, 2, channels).max(axis=(1, 3))


def scores(network, rgb):
    """Scores of `nucleus` and `core`, two maps of bytes, for an image of bytes (height, width, 3)."""
    layers = {layer["name"]: layer for layer in network["layers"]}
    last = len(network["channels"]) - 1
    height, width, _ = rgb.shape
    step = 1 << last
    padded = numpy.pad(rgb, ((0, -height % step), (0, -width % step), (0, 0)), constant_values=255)
    values = numpy.minimum((padded.astype(int) + 1) // 2, 127)
    skips = []
    for level in range(last + 1):
        values = apply(layers[f"encoder{level}b"], apply(layers[f"encoder{level}a"], values))
        if level < last:
            skips.append(values)
            values = pooled(values)
    for level in reversed(range(last)):
        values = numpy.concatenate([values.repeat(2, axis=0).repeat(2, axis=1), skips[level]], axis=2)
        values = apply(layers[f"decoder{level}b"], apply(layers[f"decoder{level}a"], values))
    maps = rescaled(layers["head"], convolved(layers["head"], values), 128, 255).astype(numpy.uint8)
    return maps[:height, :width, 0], maps[:height, :width, 1]
