"""The simulated experiments: what is run for each figure and table. Nothing that is judged is fitted to a figure: the
machines and workloads are those of lab/models for every row. Changed ones show what a cause does."""
from network_experiments import EDC_DEVICES, EDC_ERRORS, EDC_WINDOWS, slower_nbia

KEENELAND = ["--machine", "keeneland", "--workload", "segmentation", "--set", "tiles=100", "--set", "order=2"]
STAMPEDE = ["--machine", "stampede", "--workload", "segmentation-stampede", "--set", "tiles=800", "--set", "order=1"]  # V-A: about 800
ANTHILL = ["--machine", "anthill", "--workload", "nbia", "--set", "tiles=3000"]
VECTOR = ["--machine", "anthill", "--workload", "vector-increment", "--set", "integers=1e8", "--workers", "0,1",
          "--policy", "fcfs"]

SIZES_OF_TILES = ["--machine", "anthill", "--workload", "nbia-sizes", "--set", "tiles=500", "--policy", "eager"]

SIDES = [32, 64, 128, 256, 512]
RATES = [0, 4, 8, 12, 16, 20]
CHUNKS = {"100K": 1e5, "500K": 5e5, "1M": 1e6}


def validations():
    """Name -> arguments of starpath-lab validate: what cross-validated errors are shown of."""
    return {"NBIA, tiles of 32 to 512": ["--machine", "anthill", "--workload", "nbia-sizes", "--set", "side=0"],
            "NBIA, two sizes": ["--machine", "anthill", "--workload", "nbia"],
            "segmentation": ["--machine", "keeneland", "--workload", "segmentation"]}


def policies(*names):
    return [part for name in names for part in ("--policy", name)]


def seeds_of(name, seeds):
    """Chance evens out over 800 tiles of fifteen tasks: these run once."""
    return seeds[:1] if name.startswith("edc") else seeds


def all_experiments(folder):
    """Name -> arguments of starpath-lab. `folder` takes the files of changed workloads."""
    runs = {}
    for rate in RATES:
        base = ANTHILL + ["--set", f"recalc_rate={rate / 100}"]
        runs[f"anthill core {rate}"] = base + ["--workers", "1,0"] + policies("eager")
        runs[f"anthill gpu {rate}"] = base + ["--workers", "0,1", "--synchronous"] + policies("eager")  # 6.4.1 has asynchronous copies, 6.3 not
        runs[f"anthill both {rate}"] = base + policies("ddfcfs", "ddwrr") + ["--estimator", "knn", "--synchronous"]
    slower = [*ANTHILL[:3], slower_nbia(folder), *ANTHILL[4:], "--set", "recalc_rate=0.16", "--synchronous"]
    runs["anthill slower gpu 16"] = slower + ["--workers", "0,1"] + policies("eager")
    runs["anthill slower both 16"] = slower + policies("ddfcfs", "ddwrr") + ["--estimator", "knn"]
    for side in SIDES:
        size = SIZES_OF_TILES + ["--set", f"side={side}"]
        runs[f"anthill side {side} core"] = size + ["--workers", "1,0"]
        runs[f"anthill side {side} gpu"] = size + ["--workers", "0,1"]
        runs[f"anthill side {side} gpu sync"] = size + ["--workers", "0,1", "--synchronous"]
    for window in (1, 32):  # what StarPU itself makes of copies, beside the model of reproduce_copies
        runs[f"vector 1M {window}"] = VECTOR + ["--set", f"chunk={CHUNKS['1M']}", "--env", f"STARPATH_PREFETCH={window}"]
    history = ["--estimator", "history"]
    for name, options in (("pipelined", []), ("locality", ["--env", "STARPATH_LOCALITY=on"]),
                          ("prefetch", ["--env", "STARPATH_LOCALITY=on", "--env", "STARPATH_PREFETCH=2"])):
        runs[f"hybrid {name}"] = KEENELAND + ["--set", "window=19"] + policies("fcfs", "pats") + history + options
    both = policies("dmda", "pams")  # what only StarPU has, and one policy that the engine of several nodes has too
    for window in EDC_WINDOWS:
        runs[f"edc window {window}"] = STAMPEDE + ["--set", f"window={window}"] + both + history
    for name, workers in EDC_DEVICES.items():
        runs[f"edc devices {name}"] = STAMPEDE + ["--set", "window=80", "--workers", workers] + both + history
    for percent in EDC_ERRORS:
        runs[f"edc error {percent}"] = STAMPEDE + ["--set", "window=80"] + both + ["--estimator", f"error:{percent}"]
    return runs
