"""Heads as those of StarDist and of HoVer-Net on the detector's U-Net, what they are to give, and their losses.

StarDist: U. Schmidt, M. Weigert, C. Broaddus, G. Myers, MICCAI 2018, section 2. HoVer-Net: S. Graham and others, Medical
Image Analysis 58 (2019), section 3. docs/instances.md says how `starpath` reads the numbers.
"""
import math

import numpy
import torch
from scipy import ndimage
from torch import nn
from torch.nn import functional

from floating import FloatDetector

RAYS, GRID = 32, 2
LONGEST = 64  # pixels, of a ray
WIDTH = 64  # channels between the U-Net and an output
UNKNOWN = -1  # in place of an instance number
# From left to right and from above to below: smoothed and derived by binomials of five taps.
RISE = torch.outer(torch.tensor([1.0, 4, 6, 4, 1]), torch.tensor([-1.0, -2, 0, 2, 1])) / 32
SLOPES = RISE, RISE.T


def rays_of(labels):
    """Of each GRID-th pixel: distances to the outline of its instance, in pixels, and which of them are known.

    Two arrays (RAYS, rows, columns). Direction k turns by k / RAYS of a circle from the right to below. The outline lies
    half a pixel before the first pixel of another instance. A ray is unknown outside of instances, and where it meets
    UNKNOWN or the border.
    """
    numbers = numpy.pad(labels, 1, constant_values=UNKNOWN)
    rows, columns = numpy.nonzero(labels[::GRID, ::GRID] > 0)
    point, ray = (values.ravel() for values in numpy.indices((len(rows), RAYS)))
    angle = 2 * math.pi * numpy.arange(RAYS) / RAYS
    right, down = numpy.cos(angle), numpy.sin(angle)
    before = 0.5 / numpy.maximum(abs(right), abs(down)) - 1
    length = numpy.zeros((RAYS, *labels[::GRID, ::GRID].shape), numpy.float32)
    known = numpy.zeros_like(length)
    for step in range(1, LONGEST):
        row = numpy.rint(GRID * rows[point] + step * down[ray]).astype(int).clip(-1, labels.shape[0])
        column = numpy.rint(GRID * columns[point] + step * right[ray]).astype(int).clip(-1, labels.shape[1])
        there = numbers[row + 1, column + 1]
        ended = there != labels[GRID * rows[point], GRID * columns[point]]
        at = ray[ended], rows[point[ended]], columns[point[ended]]
        length[at], known[at] = step + before[ray[ended]], there[ended] != UNKNOWN
        point, ray = point[~ended], ray[~ended]
    return length, known


def distances_of(labels):
    """Horizontal and vertical distance from the middle of a pixel's instance, and where they are known.

    Three maps. From the middle to the outermost pixel at each side a distance goes from 0 to -1 (left, above) and to 1
    (right, below). Instances that touch UNKNOWN or the border are not known.
    """
    numbers, ids = numpy.unique(labels, return_inverse=True)
    ids = ids.reshape(labels.shape)
    lost = numpy.pad(numpy.zeros([size - 2 for size in labels.shape], bool), 1, constant_values=True)
    lost |= ndimage.binary_dilation(labels == UNKNOWN)
    known = (numpy.bincount(ids.ravel(), lost.ravel()) == 0) & (numbers > 0)
    maps = []
    for place in numpy.indices(labels.shape)[::-1]:
        offset = place - ndimage.mean(place, ids, range(len(numbers)))[ids]
        before, after = (numpy.asarray(end(offset, ids, range(len(numbers)))) for end in (ndimage.minimum, ndimage.maximum))
        maps.append(offset / numpy.where(offset < 0, -before[ids], after[ids]).clip(0.5))
    return numpy.stack([*maps, known[ids]]).astype(numpy.float32)


class Head(nn.Module):
    """The logit of a probability, and distances."""

    def __init__(self, inputs, distances):
        super().__init__()
        self.shared = nn.Conv2d(inputs, WIDTH, 3, padding=1)
        self.probability, self.distances = nn.Conv2d(WIDTH, 1, 1), nn.Conv2d(WIDTH, distances, 1)

    def forward(self, values):
        values = functional.relu(self.shared(values))
        return self.probability(values), self.distances(values)


class Heads(FloatDetector):
    """The detector's U-Net with activations from 0 to 127/32, and two heads in place of its own."""

    highest = 127 / 32

    def __init__(self, network):
        super().__init__(network)
        del self.layers["head"]
        for layer in self.layers.values():
            layer.bias.data /= 127 / self.highest
        self.star, self.hover = Head(network["channels"][1], RAYS), Head(network["channels"][0], 2)
        self.star.distances.bias.data += 5  # pixels

    def forward(self, values):
        """Of `star` and of `hover`: a logit (n, 1, rows, columns) and distances (n, RAYS or 2, rows, columns).

        `star` has one row and column for GRID of the input.
        """
        features = self.features(values)
        return self.star(features[-2]), self.hover(features[-1])


def mean(values, weights):
    return (values * weights).sum() / weights.sum().clamp_min(1)


def star_loss(output, depth, known, length, sure):
    """Cross entropy of the probability, which is the depth, and the error of distances, weighted by the depth."""
    logit, distances = output
    depth, known = depth[:, None, ::GRID, ::GRID], known[:, None, ::GRID, ::GRID]
    entropy = functional.binary_cross_entropy_with_logits(logit, depth, reduction="none")
    return mean(entropy, known) + 0.2 * mean((distances - length).abs(), sure * depth)


def hover_loss(output, depth, known, distances):
    """Cross entropy and one minus Dice of the nuclei, and squared errors of the distances and of their slopes."""
    logit, truth = output[0][:, 0], (depth > 0).float()
    entropy = mean(functional.binary_cross_entropy_with_logits(logit, truth, reduction="none"), known)
    chance = torch.sigmoid(logit) * known
    dice = 1 - (2 * (chance * truth).sum() + 1) / (chance.sum() + (truth * known).sum() + 1)
    wrong, sure = output[1] - distances[:, :2], distances[:, 2]
    slopes = [functional.conv2d(wrong[:, axis : axis + 1], kernel[None, None], padding=2) for axis, kernel in enumerate(SLOPES)]
    return entropy + dice + mean((wrong**2).sum(1), sure) + mean(slopes[0][:, 0] ** 2 + slopes[1][:, 0] ** 2, sure)
