#!/usr/bin/env python3
"""Trains the detector on labelled images and writes its integer network.

usage: train.py DATA OUT [--steps N] [--until N] [--threads N] [--seed N] [--channels N,N,...]

DATA is the folder of nuclei_dsb2018, nuclei_dsb2018_more, tnbc, nct_crc_tiles and openslide_cmu1. OUT becomes a folder
with state.pt, from which the same command goes on after an interruption, and detector.json at each hundredth step and at
the end. The thresholds in it are those of tune.py once that has run. Equal seeds, steps and threads give equal weights
on equal machines.
"""
import argparse
import math
import os
import pathlib
import time

import numpy
import torch
from torch.nn import functional

from crops import crop
from images import CORE_DEPTH, LABELLED, read_labelled, read_without_nuclei
from integers import integer_network, write_network
from network import Detector, input_of

SHARES = {"tnbc": 0.44, "nuclei_dsb2018": 0.19, "nuclei_dsb2018_more": 0.31, "without nuclei": 0.06}
DATA = [
    "nuclei_dsb2018, nuclei_dsb2018_more: images of the Data Science Bowl 2018 (Broad Institute, BBBC038), CC0 1.0",
    "tnbc: P. Naylor, M. Lae, F. Reyal, T. Walter, Segmentation of Nuclei in Histopathology Images by Deep Regression of "
    "the Distance Map, IEEE TMI 38(2), 2019; Zenodo record 2579118, CC BY 4.0; patients 1 to 7; resampled to 0.5 um/px",
    "three tiles of NCT-CRC-HE-100K without nuclei: J. N. Kather and others, 2018; Zenodo record 1214456, CC BY 4.0",
    "eight areas of CMU-1-Small-Region without nuclei: OpenSlide's test data, CC0 1.0",
]
HELD = 0.5  # the part of the steps after which the normalisation is held
SAVED = 100  # steps between two savings


def read_sets(data):
    sets = {folder: read_labelled(data, folder, "train") for folder in LABELLED}
    return {**sets, "without nuclei": read_without_nuclei(data)}


def drawn(sets, random):
    """One of the samples."""
    samples = sets[random.choice(list(SHARES), p=list(SHARES.values()))]
    return samples[random.integers(len(samples))]


def batch_of(sets, asked, step):
    """Inputs and targets of one step: they depend on seed and step alone."""
    images, targets = [], []
    for number in range(asked.batch):
        random = numpy.random.default_rng([asked.seed, step, number])
        rgb, depth, known, _ = crop(drawn(sets, random), random, asked.size)
        images.append(torch.from_numpy(rgb.copy()).permute(2, 0, 1))
        targets.append(torch.from_numpy(numpy.stack([depth > 0, depth > CORE_DEPTH, known > 0]).astype(numpy.float32)))
    inputs = input_of(torch.stack(images)).contiguous(memory_format=torch.channels_last)  # faster on processors
    return inputs, torch.stack(targets)


def loss_of(logits, targets):
    """Binary cross entropy and one minus Dice, of both maps, where the truth is known."""
    known, truth = targets[:, 2:], targets[:, :2]
    entropy = functional.binary_cross_entropy_with_logits(logits, truth, reduction="none") * known
    chances = torch.sigmoid(logits) * known
    common = (chances * truth).sum(dim=(0, 2, 3))
    dice = (2 * common + 1) / (chances.sum(dim=(0, 2, 3)) + (truth * known).sum(dim=(0, 2, 3)) + 1)
    return 2 * entropy.sum() / known.sum() + (1 - dice).sum()


def learning_rate(asked, step):
    warm = min(1, (step + 1) / 100)
    return asked.rate * warm * (0.02 + 0.98 * (1 + math.cos(math.pi * step / asked.steps)) / 2)


def save(folder, detector, optimiser, step, asked):
    state = {"detector": detector.state_dict(), "optimiser": optimiser.state_dict(), "step": step}
    torch.save(state, folder / "state.pt.new")
    os.replace(folder / "state.pt.new", folder / "state.pt")
    about = {
        "trained on": DATA,
        "trained by": f"bench/train/train.py, seed {asked.seed}, {asked.threads} threads, step {step} of {asked.steps}",
    }
    write_network(folder / "detector.json", integer_network(detector, {"nucleus": 128, "core": 128}, about))


def train(asked):
    torch.manual_seed(asked.seed)
    torch.set_num_threads(asked.threads)
    folder = pathlib.Path(asked.out)
    folder.mkdir(parents=True, exist_ok=True)
    sets = read_sets(asked.data)
    detector = Detector(asked.channels).to(memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(detector.parameters(), lr=asked.rate, weight_decay=1e-3)
    first = 0
    if (folder / "state.pt").exists():
        state = torch.load(folder / "state.pt")
        detector.load_state_dict(state["detector"])
        optimiser.load_state_dict(state["optimiser"])
        first = state["step"]
    began, mean = time.monotonic(), None
    for step in range(first, min(asked.until or asked.steps, asked.steps)):
        detector.train()
        if step >= HELD * asked.steps:
            detector.hold_norms()
        for group in optimiser.param_groups:
            group["lr"] = learning_rate(asked, step)
        inputs, targets = batch_of(sets, asked, step)
        loss = loss_of(detector(inputs), targets)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(detector.parameters(), 2.0)
        optimiser.step()
        mean = loss.item() if mean is None else 0.95 * mean + 0.05 * loss.item()
        if (step + 1) % 20 == 0:
            seconds = (time.monotonic() - began) / (step + 1 - first)
            print(f"step {step + 1}: loss {mean:.3f}, {seconds:.2f} s a step", flush=True)
        if (step + 1) % SAVED == 0 or step + 1 in (asked.until, asked.steps):
            save(folder, detector, optimiser, step + 1, asked)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data")
    parser.add_argument("out")
    parser.add_argument("--steps", type=int, default=6600)
    parser.add_argument("--until", type=int, help="stop after this step; the same command without it goes on")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--channels", type=lambda text: [int(n) for n in text.split(",")], default=[16, 32, 48, 64])
    parser.add_argument("--batch", type=int, default=6)
    parser.add_argument("--size", type=int, default=160, help="of a crop, in pixels of 0.5 um")
    parser.add_argument("--rate", type=float, default=4e-3, help="the largest step of the optimiser")
    train(parser.parse_args())


if __name__ == "__main__":
    main()
