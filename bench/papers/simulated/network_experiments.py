"""The experiments on several simulated nodes: what is run for each figure and table. Nothing that is judged is fitted to a figure: the
networks, machines and workloads are those of lab/models for every row. Changed ones show what a cause does."""
import pathlib
import re
import tempfile

NETWORKS = pathlib.Path(__file__).resolve().parents[3] / "lab/models/networks"
WORKLOADS = NETWORKS.parent / "workloads"

RATES = [0, 4, 8, 12, 16, 20]
STATIC = ["ddfcfs", "ddwrr"]
WINDOWS = [1, 2, 4, 8, 16, 32, 64, 128]   # of the static policies; the best of them counts, as in the paper
SCALED_WINDOWS = [2, 4, 8, 16, 32]        # the same where there are more nodes and tiles
PAIRS = [1, 3, 5, 7]                      # nodes with a GPU, as many without
NODES = [2, 6, 10, 14]
TRACED_RATE = 10
LATENCIES = [60, 100, 300, 1000]          # microseconds of a message; the models' is 60

HYBRID_WINDOWS = list(range(12, 20))
CONFOUND = [0, 20, 40, 60, 70, 80, 100]
HYBRID_NODES = [8, 16, 32, 64, 100]
STORAGES = [5, 10, 20, 40]                # GB/s, at 100 nodes; the model's is 10
# Figure 11 of hybrid-pipelines-2012: the basic mode copies data in and out around every operation (IV-C).
COPIES = {"neither": ["--copies", "around"], "locality": ["--copies", "kept", "--locality"], "prefetching": ["--copies", "ahead", "--locality"]}
EDC_NODES = [4, 8, 16, 32]
EDC_POLICIES = ["fcfs", "eft", "padas", "pams"]
EDC_WINDOWS = [16, 32, 48, 64, 80]
EDC_DEVICES = {"CPU-GPU": "14,1,0", "CPU-MIC": "14,0,1", "CPU-GPU-MIC": "14,1,1"}
EDC_ERRORS = [0, 10, 25, 50, 75, 100]
SLOWER_GPU = 1.19                         # GPU only is 16.06 times a core then, anthill-2010 Figure 8; for what is tested only
MEAN_SPEEDUP = 6.5                        # of all operations together, hybrid-pipelines-2012 V-C
ALIKE = f"each speedup is half as far from the mean ({MEAN_SPEEDUP}), on a log scale"


def variant(folder, network, *changes):
    """A copy of a network's file with lines changed: what an experiment varies beyond numbers of nodes and workers."""
    text = (NETWORKS / f"{network}.toml").read_text()
    for old, new in changes:
        if old not in text:
            raise SystemExit(f"{network}.toml has no '{old}'")
        text = text.replace(old, new)
    path = pathlib.Path(tempfile.mkstemp(".toml", dir=folder)[1])
    path.write_text(text)
    return str(path)


def with_speedups(folder, workload, changed):
    """A copy of a workload: `changed` makes of a task's name and a class ("gpu", "mic") and speedup another one."""
    lines, task = [], ""
    for line in (WORKLOADS / f"{workload}.toml").read_text().splitlines():
        task = line.split('"')[1] if line.startswith("name ") else task
        found = re.match(r"(gpu|mic)( +)= \{ value = ([0-9.]+)(.*)", line)
        if found and float(found[3]) > 0:
            line = f"{found[1]}{found[2]}= {{ value = {changed(task, found[1], float(found[3])):.4g}{found[4]}"
        lines.append(line)
    path = pathlib.Path(tempfile.mkstemp(".toml", dir=folder)[1])
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def slower_nbia(folder):
    """NBIA with so much more time on the GPU that GPU only has the speedup of the paper's Figure 8."""
    return with_speedups(folder, "nbia", lambda task, device, own: own / SLOWER_GPU)


def anthill(runs, folder):
    def nbia(network, tiles, rate, *more, workload="nbia"):
        return ["--network", network, "--workload", workload, "--set", f"tiles={tiles}", "--set", f"recalc_rate={rate / 100}", *more]
    streams = ["--policy", "ddfcfs,ddwrr,odds", "--window", ",".join(map(str, WINDOWS))]
    scaled = streams[:3] + [",".join(map(str, SCALED_WINDOWS))]
    gpu_only = ["--workers", "gpu=0,1", "--policy", "ddfcfs", "--window", "4,16"]
    homogeneous, heterogeneous = "anthill-homogeneous", "anthill-heterogeneous"
    for rate in RATES:
        runs[f"one node {rate}"] = nbia(homogeneous, 26742, rate, "--nodes", "gpu=1", *streams)
        runs[f"one node synchronous {rate}"] = nbia(homogeneous, 26742, rate, "--nodes", "gpu=1", "--policy", "ddwrr", *streams[2:], "--copies", "around")
        runs[f"two nodes {rate}"] = nbia(heterogeneous, 26742, rate, "--nodes", "gpu=1", "--nodes", "cpu=1", *streams)
    runs["traced"] = nbia(heterogeneous, 26742, TRACED_RATE, "--nodes", "gpu=1", "--nodes", "cpu=1", "--policy", "odds", "--trace")
    for nodes in NODES:
        runs[f"homogeneous {nodes}"] = nbia(homogeneous, 267420, 8, "--nodes", f"gpu={nodes}", *scaled)
        runs[f"homogeneous gpu {nodes}"] = nbia(homogeneous, 267420, 8, "--nodes", f"gpu={nodes}", *gpu_only)
    for pairs in PAIRS:
        runs[f"heterogeneous {pairs}"] = nbia(heterogeneous, 267420, 8, "--nodes", f"gpu={pairs}", "--nodes", f"cpu={pairs}", *scaled)
    runs["heterogeneous gpu 7"] = nbia(homogeneous, 267420, 8, "--nodes", "gpu=7", *gpu_only)
    slower, around = slower_nbia(folder), COPIES["neither"]
    runs["two nodes synchronous 8"] = nbia(heterogeneous, 26742, 8, "--nodes", "gpu=1", "--nodes", "cpu=1", "--policy", "ddwrr", *streams[2:], *around)
    runs["slower one node 8"] = nbia(homogeneous, 26742, 8, "--nodes", "gpu=1", *streams, workload=slower)
    runs["slower one node synchronous 8"] = nbia(homogeneous, 26742, 8, "--nodes", "gpu=1", "--policy", "ddwrr", *streams[2:], *around, workload=slower)
    runs["slower two nodes 8"] = nbia(heterogeneous, 26742, 8, "--nodes", "gpu=1", "--nodes", "cpu=1", *streams, workload=slower)
    runs["heterogeneous synchronous 7"] = nbia(heterogeneous, 267420, 8, "--nodes", "gpu=7", "--nodes", "cpu=7", "--policy", "ddwrr", *scaled[2:], *around)
    for latency in LATENCIES[1:]:
        change = ("latency           = { value = 60,", f"latency           = {{ value = {latency},")
        runs[f"latency {latency} homogeneous"] = nbia(variant(folder, homogeneous, change), 267420, 8, "--nodes", "gpu=14", *scaled)
        runs[f"latency {latency} heterogeneous"] = nbia(variant(folder, heterogeneous, change), 267420, 8, "--nodes", "gpu=7", "--nodes", "cpu=7", *scaled)
    runs["one image odds"] = nbia(homogeneous, 26742, 8, "--policy", "odds")
    runs["one image gpu"] = nbia(homogeneous, 26742, 8, *gpu_only)


def hybrid(runs, folder):
    """V-D, V-F and V-G: the basic mode, which copies data in and out around every operation. V-E adds locality, then prefetching;
    V-H has both. One operation of a tile is ready at a time: with as many tiles as processors "only a single operation will be
    available when a processor requests work" (V-F)."""
    history, around, both = ["--estimator", "history"], COPIES["neither"], COPIES["prefetching"]

    def tiles(network, nodes, count, *more):
        return ["--network", network, "--workload", "segmentation", "--set", f"tiles={count}", "--set", "order=2", "--nodes", f"node={nodes}", *more]

    def one(count, *more):
        return tiles("keeneland-100", 1, count, *more)
    policies = ["--policy", "fcfs,pats", "--window", "19", *history]
    windows = ["--policy", "fcfs,pats", "--window", ",".join(map(str, HYBRID_WINDOWS)), *history, *around]
    runs["node windows"] = one(100, *windows)
    runs["node windows data"] = one(100, *windows, "--set", "order=0")
    for count in (100, 1000):
        runs[f"node monolithic {count}"] = one(count, *policies, *around, "--set", "monolithic=1")
    for percent in CONFOUND:
        runs[f"node error {percent}"] = one(100, "--policy", "pats", "--window", "19", *around, "--estimator", f"confound:{percent}")
    for name, options in COPIES.items():
        runs[f"copies {name}"] = one(100, *policies, *options)
        runs[f"copies long {name}"] = one(1000, *policies, *options)
    for nodes in HYBRID_NODES:
        runs[f"hybrid {nodes}"] = tiles("keeneland-100", nodes, 36848, *policies, *both)
        runs[f"hybrid computing {nodes}"] = tiles("keeneland-100", nodes, 36848, *policies, *both, "--no-reading")
    for nodes in (8, 100):
        runs[f"hybrid long {nodes}"] = tiles("keeneland-100", nodes, 4 * 36848, "--policy", "pats", *policies[2:], *both, "--no-reading")
    for storage in STORAGES:
        if storage == 10:
            continue
        changed = variant(folder, "keeneland-100", ("storage_bandwidth = { value = 10,", f"storage_bandwidth = {{ value = {storage},"))
        runs[f"hybrid storage {storage}"] = tiles(changed, 100, 36848, *policies, *both)


def edc(runs, folder):
    """Features wait for the segmentation of their tile: "features are computed based upon the image segmentation" (IV-A)."""
    history, every = ["--estimator", "history"], ["--policy", ",".join(EDC_POLICIES)]
    windows = ["--window", ",".join(map(str, EDC_WINDOWS)), *history]

    def tiles(nodes, count, *more, network="stampede-32", workload="segmentation-stampede"):
        return ["--network", network, "--workload", workload, "--set", f"tiles={count}", "--set", "order=1", "--nodes", f"node={nodes}", *more]
    runs["edc windows"] = tiles(1, 800, *every, *windows)  # V-A: about 800
    runs["edc windows around"] = tiles(1, 800, *every, *windows, *COPIES["neither"])
    alike = with_speedups(folder, "segmentation-stampede", lambda task, device, own: MEAN_SPEEDUP * (own / MEAN_SPEEDUP) ** 0.5)
    runs["edc windows alike"] = tiles(1, 800, *every, *windows, workload=alike)
    filling = with_speedups(folder, "segmentation-stampede", lambda task, device, own: 14 if (task, device) == ("fill_holes", "mic") else own)
    runs["edc filling"] = tiles(1, 800, *every, "--window", "80", *history, workload=filling)
    for name, workers in EDC_DEVICES.items():
        runs[f"edc devices {name}"] = tiles(1, 800, *every, "--window", "80", *history, "--workers", f"node={workers}")
        runs[f"edc alike devices {name}"] = tiles(1, 800, *every, "--window", "80", *history, "--workers", f"node={workers}", workload=alike)
    for percent in EDC_ERRORS:
        runs[f"edc error {percent}"] = tiles(1, 800, *every, "--window", "80", "--estimator", f"error:{percent}")
    cores = variant(folder, "stampede-32", ('machine = "stampede"\n', 'machine = "stampede"\naccelerators = "off"\n'))
    for nodes in EDC_NODES:
        runs[f"edc {nodes}"] = tiles(nodes, 6379, *every, "--window", "80", *history)
        runs[f"edc cores {nodes}"] = tiles(nodes, 6379, "--policy", "fcfs", "--window", "80", *history, network=cores)
        runs[f"edc alike {nodes}"] = tiles(nodes, 6379, "--policy", "eft,pams", "--window", "80", *history, workload=alike)
    runs["edc long 32"] = tiles(32, 4 * 6379, "--policy", "eft,pams", "--window", "80", *history)


def seeds_of(name, seeds):
    """Chance evens out over a quarter of a million tiles or 36,848 of fifteen tasks: these run once, as does what is traced."""
    if name.startswith(("copies", "node")) and "long" not in name and "1000" not in name:  # 100 tiles, which differ by more than some effects
        return range(1, 21)
    large = name.startswith(("homogeneous", "heterogeneous", "latency", "hybrid"))
    return seeds[:1] if large or name == "traced" else seeds


def all_experiments(folder):
    """Name -> arguments of starpath-lab. `folder` takes the files of changed networks."""
    runs = {}
    anthill(runs, folder)
    hybrid(runs, folder)
    edc(runs, folder)
    return runs
