"""The experiments on simulated clusters: what is run for each figure and table. Nothing here is fitted to a figure: the
clusters, machines and workloads are those of lab/models for every row."""
import pathlib
import tempfile

CLUSTERS = pathlib.Path(__file__).resolve().parents[3] / "lab/models/clusters"

RATES = [0, 4, 8, 12, 16, 20]
STATIC = ["ddfcfs", "ddwrr"]
WINDOWS = [1, 2, 4, 8, 16, 32, 64, 128]   # of the static policies; the best of them counts, as in the paper
SCALED_WINDOWS = [2, 4, 8, 16, 32]        # the same where there are more nodes and tiles
PAIRS = [1, 3, 5, 7]                      # nodes with a GPU, as many without
NODES = [2, 6, 10, 14]
TRACED_RATE = 10
LATENCIES = [60, 100, 300, 1000]          # microseconds of a message; the models' is 60

HYBRID_NODES = [8, 16, 32, 64, 100]
STORAGES = [5, 10, 20, 40]                # GB/s, at 100 nodes; the model's is 10
# Figure 11 of hybrid-pipelines-2012: the basic mode copies data in and out around every operation (IV-C).
COPIES = {"neither": ["--copies", "around"], "locality": ["--copies", "kept", "--locality"], "prefetching": ["--copies", "ahead", "--locality"]}
EDC_NODES = [4, 8, 16, 32]
EDC_POLICIES = ["fcfs", "eft", "padas", "pams"]


def variant(folder, cluster, *changes):
    """A copy of a cluster's file with lines changed: what an experiment varies beyond numbers of nodes and workers."""
    text = (CLUSTERS / f"{cluster}.toml").read_text()
    for old, new in changes:
        if old not in text:
            raise SystemExit(f"{cluster}.toml has no '{old}'")
        text = text.replace(old, new)
    path = pathlib.Path(tempfile.mkstemp(".toml", dir=folder)[1])
    path.write_text(text)
    return str(path)


def anthill(runs, folder):
    def nbia(cluster, tiles, rate, *more):
        return ["--cluster", cluster, "--workload", "nbia", "--set", f"tiles={tiles}", "--set", f"recalc_rate={rate / 100}", *more]
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
    for latency in LATENCIES[1:]:
        change = ("latency           = { value = 60,", f"latency           = {{ value = {latency},")
        runs[f"latency {latency} homogeneous"] = nbia(variant(folder, homogeneous, change), 267420, 8, "--nodes", "gpu=14", *scaled)
        runs[f"latency {latency} heterogeneous"] = nbia(variant(folder, heterogeneous, change), 267420, 8, "--nodes", "gpu=7", "--nodes", "cpu=7", *scaled)
    runs["one image odds"] = nbia(homogeneous, 26742, 8, "--policy", "odds")
    runs["one image gpu"] = nbia(homogeneous, 26742, 8, *gpu_only)


def hybrid(runs, folder):
    def tiles(cluster, nodes, *more):
        return ["--cluster", cluster, "--workload", "segmentation", "--set", "tiles=36848", "--nodes", f"node={nodes}",
                "--policy", "fcfs,pats", "--window", "19", "--estimator", "history", *more]
    node = ["--cluster", "keeneland-100", "--nodes", "node=1", "--workload", "segmentation", "--policy", "fcfs,pats", "--window", "19", "--estimator", "history"]
    for name, options in COPIES.items():
        runs[f"copies {name}"] = [*node, "--set", "tiles=100", *options]
        runs[f"copies long {name}"] = [*node, "--set", "tiles=1000", *options]
    runs["copies monolithic"] = [*node, "--set", "tiles=100", "--set", "monolithic=1", *COPIES["neither"]]
    for nodes in HYBRID_NODES:
        runs[f"hybrid {nodes}"] = tiles("keeneland-100", nodes)
        runs[f"hybrid computing {nodes}"] = tiles("keeneland-100", nodes, "--no-reading")
    for storage in STORAGES:
        if storage == 10:
            continue
        changed = variant(folder, "keeneland-100", ("storage_bandwidth = { value = 10,", f"storage_bandwidth = {{ value = {storage},"))
        runs[f"hybrid storage {storage}"] = tiles(changed, 100)


def edc(runs, folder):
    cores = variant(folder, "stampede-32", ('machine = "stampede"\n', 'machine = "stampede"\naccelerators = "off"\n'))
    for nodes in EDC_NODES:
        options = ["--workload", "segmentation-stampede", "--set", "tiles=6379", "--nodes", f"node={nodes}", "--window", "80", "--estimator", "history"]
        runs[f"edc {nodes}"] = ["--cluster", "stampede-32", *options, "--policy", ",".join(EDC_POLICIES)]
        runs[f"edc cores {nodes}"] = ["--cluster", cores, *options, "--policy", "fcfs"]
    long = ["--workload", "segmentation-stampede", "--set", f"tiles={4 * 6379}", "--nodes", "node=32", "--window", "80", "--estimator", "history"]
    runs["edc long 32"] = ["--cluster", "stampede-32", *long, "--policy", "eft,pams"]


def seeds_of(name, seeds):
    """Chance evens out over a quarter of a million tiles or 36,848 of fifteen tasks: these run once, as does what is traced."""
    if name.startswith("copies") and "long" not in name:  # an effect of some percent on 100 tiles, which differ by more
        return range(1, 21)
    large = name.startswith(("homogeneous", "heterogeneous", "latency", "hybrid"))
    return seeds[:1] if large or name == "traced" else seeds


def all_experiments(folder):
    """Name -> arguments of starpath-lab. `folder` takes the files of changed clusters."""
    runs = {}
    anthill(runs, folder)
    hybrid(runs, folder)
    edc(runs, folder)
    return runs
