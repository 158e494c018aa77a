#!/usr/bin/env python3
"""A network of StarDist's own by TensorFlow's exporter: trained briefly, exported, checked, and run beside StarDist.

usage: stardist_network.py PROGRAM DATA FOLDER [--minutes N]

DATA is the folder that bench/train takes. StarDist2D is trained on the images to train on, from nothing, for so many
minutes. tf2onnx writes FOLDER/model.onnx, and `starpath segment --network` and StarDist's own suppression find the
nuclei of CMU-1-Small-Region.svs. Both see white beyond the image. Needs stardist, tensorflow, tf2onnx and tifffile.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import time

import keras
import numpy
import tensorflow
import tf2onnx
import tifffile
from PIL import Image
from stardist.geometry import polygons_to_label
from stardist.models import Config2D, StarDist2D
from stardist.nms import non_maximum_suppression

from stardist_check import overlaps_of, starpath

sys.path.append(str(pathlib.Path(__file__).parents[1] / "train"))
from images import LABELLED, at_working_resolution, read_labelled  # noqa: E402

FIELD, MARGIN, GRID, RAYS = 256, 64, 2, 32
PROBABILITY, OVERLAP = 0.5, 0.4  # of a model of StarDist whose thresholds were not optimised
PATCH = 128
DESCRIPTION = f"""\
kind = "stardist"
um_per_px = 0.5
field = {FIELD}
margin = {MARGIN}
activation = "none"

[nucleus]
output = "prob"
channels = [0]
threshold = {PROBABILITY}

[distances]
output = "dist"
rays = {RAYS}
grid = {GRID}
overlap = {OVERLAP}
"""


def trained(data, folder, minutes):
    pairs = [at_working_resolution(sample) for name in LABELLED for sample in read_labelled(data, name, "train")]
    pairs = [(rgb.astype(numpy.float32) / 255, labels) for rgb, labels in pairs if min(labels.shape) >= PATCH]
    config = Config2D(n_channel_in=3, grid=(GRID, GRID), n_rays=RAYS, unet_n_depth=2, unet_n_filter_base=16,
                      net_conv_after_unet=64, train_patch_size=(PATCH, PATCH), train_batch_size=4, train_epochs=1,
                      train_steps_per_epoch=50, train_learning_rate=1e-3, train_tensorboard=False)
    model = StarDist2D(config, name="model", basedir=str(folder))
    images, labels = zip(*pairs)
    end, rounds = time.monotonic() + 60 * minutes, 0
    while time.monotonic() < end:
        model.train(images, labels, validation_data=(images[:2], labels[:2]), epochs=1, workers=0)
        rounds += 1
    print(f"trained on {len(pairs)} images in {50 * rounds} steps")
    return model


class Enlarged(keras.layers.Layer):
    """UpSampling2D by one layer of ONNX: Keras 3 repeats rows and columns, for which OpenCV 4.6 has no layer."""

    def call(self, values):
        return tensorflow.compat.v1.image.resize_nearest_neighbor(values, 2 * tensorflow.shape(values)[1:3])


def made_again(layer):
    is_enlarging = isinstance(layer, keras.layers.UpSampling2D)
    return Enlarged(name=layer.name) if is_enlarging else type(layer).from_config(layer.get_config())


def export(model, file):
    network = keras.models.clone_model(model.keras_model, clone_function=made_again)
    network.set_weights(model.keras_model.get_weights())
    image = tensorflow.TensorSpec((1, FIELD, FIELD, 3), tensorflow.float32, name="input")
    tf2onnx.convert.from_keras(network, [image], opset=10, inputs_as_nchw=["input"], outputs_as_nchw=["prob", "dist"],
                               output_path=str(file))


def found_by_stardist(model, rgb):
    """Labels by StarDist's own functions, and how many polygons they keep."""
    white = [(MARGIN, MARGIN + -size % 8) for size in rgb.shape[:2]]
    around = numpy.pad(rgb, [*white, (0, 0)], constant_values=255).astype(numpy.float32) / 255
    inside = tuple(slice(MARGIN // GRID, MARGIN // GRID + (size + GRID - 1) // GRID) for size in rgb.shape[:2])
    probability, distances = (values[0][inside] for values in model.keras_model.predict(around[None], verbose=0))
    points, kept, rays = non_maximum_suppression(distances, probability[..., 0], grid=(GRID, GRID), b=0,
                                                 prob_thresh=PROBABILITY, nms_thresh=OVERLAP)
    return polygons_to_label(rays, points, prob=kept, shape=rgb.shape[:2]).astype(numpy.int64), len(points)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--minutes", type=float, default=8)
    asked = parser.parse_args()
    for threads in (tensorflow.config.threading.set_intra_op_parallelism_threads,
                    tensorflow.config.threading.set_inter_op_parallelism_threads):
        threads(1)
    asked.folder.mkdir(parents=True, exist_ok=True)
    weights = asked.folder / "model" / "weights_last.h5"
    model = StarDist2D(None, "model", str(asked.folder)) if weights.exists() else trained(asked.data, asked.folder, asked.minutes)
    network = asked.folder / "model.onnx"
    export(model, network)
    network.with_suffix(".toml").write_text(DESCRIPTION)
    subprocess.run([asked.program, "network", "check", network], check=True)
    rgb = numpy.asarray(Image.open(asked.data / "openslide_cmu1" / "CMU-1-Small-Region.svs").convert("RGB"))
    slide, out = asked.folder / "slide.png", asked.folder / "out"
    Image.fromarray(rgb).save(slide)
    starpath(asked.program, "segment", slide, "--mpp", "0.5", "--network", network, "--out", out, "--overwrite", "--quiet",
             "--export", "labels", "--set", "background_level=255,stain_check=0,min_area_um2=0.25")
    ours = tifffile.imread(out / "labels.tif").astype(numpy.int64)
    theirs, kept = found_by_stardist(model, rgb)
    overlaps = overlaps_of(theirs, ours)
    matched = overlaps[overlaps > 0.5]
    print(f"StarDist keeps {kept} polygons, Starpath finds {int(ours.max())} nuclei; {len(matched)} pairs share more than "
          f"half, {matched.mean():.4f} on average")


if __name__ == "__main__":
    main()
