#!/usr/bin/env python3
"""Trains heads as those of StarDist and HoVer-Net on the detector's U-Net, from the detector's weights on.

usage: train_heads.py DATA DETECTOR OUT [--steps N] [--seed N]

DATA is the folder that train.py takes, and DETECTOR a file of weights, as pipelines/segmentation/detector.json. OUT
becomes a folder with state.pt, from which the same command goes on after an interruption, and heads.pt for export.py.
One thread computes.
"""
import argparse
import json
import os
import pathlib
import time

import numpy
import torch

from crops import crop
from heads import UNKNOWN, Heads, distances_of, hover_loss, rays_of, star_loss
from train import drawn, learning_rate, read_sets

SAVED = 100  # steps between two savings


def batch_of(sets, asked, step):
    """Images and what star_loss() and hover_loss() need of one step: they depend on seed and step alone."""
    made = []
    for number in range(asked.batch):
        random = numpy.random.default_rng([asked.seed, step, number])
        rgb, depth, known, labels = crop(drawn(sets, random), random, asked.size)
        labels = numpy.where(known > 0, labels, UNKNOWN)
        made.append([rgb.transpose(2, 0, 1), depth, known, *rays_of(labels), distances_of(labels)])
    rgb, *targets = (torch.from_numpy(numpy.stack(values).astype(numpy.float32)) for values in zip(*made))
    return (rgb * (Heads.highest / 255)).contiguous(memory_format=torch.channels_last), targets


def save(folder, name, content):
    torch.save(content, folder / (name + ".new"))
    os.replace(folder / (name + ".new"), folder / name)


def train(asked):
    torch.manual_seed(asked.seed)
    torch.set_num_threads(1)
    asked.out.mkdir(parents=True, exist_ok=True)
    sets = read_sets(asked.data)
    heads = Heads(json.loads(asked.detector.read_text())).to(memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(heads.parameters(), lr=asked.rate, weight_decay=1e-3)
    first = 0
    if (asked.out / "state.pt").exists():
        state = torch.load(asked.out / "state.pt")
        heads.load_state_dict(state["heads"])
        optimiser.load_state_dict(state["optimiser"])
        first = state["step"]
    began, means = time.monotonic(), None
    for step in range(first, asked.steps):
        for group in optimiser.param_groups:
            group["lr"] = learning_rate(asked, step)
        inputs, (depth, known, length, sure, distances) = batch_of(sets, asked, step)
        star, hover = heads(inputs)
        losses = torch.stack([star_loss(star, depth, known, length, sure), hover_loss(hover, depth, known, distances)])
        optimiser.zero_grad()
        losses.sum().backward()
        torch.nn.utils.clip_grad_norm_(heads.parameters(), 2.0)
        optimiser.step()
        means = losses.detach() if means is None else 0.95 * means + 0.05 * losses.detach()
        if (step + 1) % 20 == 0:
            seconds = (time.monotonic() - began) / (step + 1 - first)
            print(f"step {step + 1}: losses {means[0]:.3f} {means[1]:.3f}, {seconds:.2f} s a step", flush=True)
        if (step + 1) % SAVED == 0 or step + 1 == asked.steps:
            save(asked.out, "state.pt", {"heads": heads.state_dict(), "optimiser": optimiser.state_dict(), "step": step + 1})
            save(asked.out, "heads.pt", heads.state_dict())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data")
    parser.add_argument("detector", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--steps", type=int, default=1200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--batch", type=int, default=6)
    parser.add_argument("--size", type=int, default=160, help="of a crop, in pixels of 0.5 um")
    parser.add_argument("--rate", type=float, default=1e-3, help="the largest step of the optimiser")
    train(parser.parse_args())


if __name__ == "__main__":
    main()
