"""Labelled images and tissue without nuclei, split by name (splits.json)."""
import dataclasses
import json
import math
import pathlib
import re

import numpy
from PIL import Image
from scipy import ndimage

WORKING_UM = 0.5
LABELLED = {"tnbc": 0.25, "nuclei_dsb2018": None, "nuclei_dsb2018_more": None}  # um a pixel, where it is known
MEDIAN_NUCLEUS = 80  # pixels at 0.5 um, which gives an image of unknown resolution its own
CORE_DEPTH = 0.35  # of a nucleus' largest depth
SPLITS = json.loads(pathlib.Path(__file__).with_name("splits.json").read_text())


@dataclasses.dataclass
class Sample:
    """An image at its own resolution."""

    name: str
    rgb: numpy.ndarray  # bytes, (height, width, 3)
    depth: numpy.ndarray  # distance from the nucleus' outline, 1 at its deepest pixel; 0 outside of nuclei
    known: numpy.ndarray  # 1 where `depth` is known
    step: float  # its pixels in one of 0.5 um
    labels: numpy.ndarray  # instance numbers; 0 outside of nuclei


def role_of(folder, name):
    """`report`, `tune` or `train`."""
    for role in ("report", "tune"):
        if re.search(SPLITS[role][folder], name):
            return role
    return "train"


def depth_of(labels):
    """The distance to the next pixel of another number, as a part of the nucleus' largest one."""
    other = numpy.zeros(labels.shape, bool)
    for axis in (0, 1):
        edge = numpy.diff(labels, axis=axis) != 0
        before, after = [slice(None)] * 2, [slice(None)] * 2
        before[axis], after[axis] = slice(None, -1), slice(1, None)
        other[tuple(before)] |= edge
        other[tuple(after)] |= edge
    inside = labels > 0
    distance = ndimage.distance_transform_edt(~other) + 0.5
    largest = ndimage.maximum(distance, labels, numpy.arange(labels.max() + 1))
    return numpy.where(inside, distance / numpy.asarray(largest)[labels], 0).astype(numpy.float32)


def read_labelled(data, folder, role):
    """The images of one folder that have a role, in the order of their names."""
    samples = []
    for path in sorted((pathlib.Path(data) / folder / "images").glob("*.png")):
        if role_of(folder, path.stem) != role:
            continue
        rgb = numpy.asarray(Image.open(path).convert("RGB"))
        labels = numpy.asarray(Image.open(path.parents[1] / "labels" / path.name)).astype(numpy.int64)
        areas = numpy.bincount(labels.ravel())[1:]
        um = LABELLED[folder]
        step = WORKING_UM / um if um else math.sqrt(numpy.median(areas[areas > 0]) / MEDIAN_NUCLEUS)
        samples.append(Sample(path.stem, rgb, depth_of(labels), numpy.ones(labels.shape, numpy.float32), step, labels))
    return samples


def read_without_nuclei(data):
    """Tissue, ink and glass where rectangles (left, top, right, bottom) hold no nucleus; nothing else is known of it."""
    samples = []
    for name, rectangles in SPLITS["without_nuclei"].items():
        rgb = numpy.asarray(Image.open(pathlib.Path(data) / name).convert("RGB"))
        for left, top, right, bottom in rectangles:
            known = numpy.zeros(rgb.shape[:2], numpy.float32)
            known[top:bottom, left:right] = 1
            around = slice(max(top - 128, 0), bottom + 128), slice(max(left - 128, 0), right + 128)
            nothing = numpy.zeros(known[around].shape, numpy.float32)
            samples.append(Sample(name, rgb[around], nothing, known[around], 1.0, nothing.astype(int)))
    return samples


def at_working_resolution(sample):
    """Image and labels at 0.5 um a pixel."""
    height, width = (max(int(size / sample.step), 1) for size in sample.labels.shape)
    box = (0, 0, width * sample.step, height * sample.step)
    rgb = Image.fromarray(sample.rgb).resize((width, height), Image.BOX if sample.step > 1 else Image.BILINEAR, box)
    rows, columns = (((numpy.arange(size) + 0.5) * sample.step).astype(int) for size in (height, width))
    return numpy.asarray(rgb), sample.labels[rows][:, columns]
