"""hybrid-pipelines-2012, Figure 8, as a model of link count: a transfer takes as long as the links it passes, one after
the other. From a GPU to the memory of the socket beside it these are the PCIe link and the one between I/O hub and
socket; to the other socket's memory there is one more, between the sockets. Tiles are handed out on demand, so GPUs work
at their own speed; no link is so busy that it slows two users down. Nothing but Section V-D's share of transfers enters."""
import itertools
import statistics

SOCKET_OF_GPU = [0, 1, 1]               # hybrid-pipelines-2012, Figure 6; tests/machines/keeneland.xml
SOCKET_OF_CORE = [0] * 6 + [1] * 6
TRANSFERS = 0.13                        # of the computing time, Section V-D
NEAR_LINKS, FAR_LINKS = 2, 3


def seconds_a_tile(core, gpu):
    """Of one GPU, computing being 1, when its thread runs on the core."""
    links = NEAR_LINKS if SOCKET_OF_CORE[core] == SOCKET_OF_GPU[gpu] else FAR_LINKS
    return 1 + TRANSFERS * links / NEAR_LINKS


def gain(gpus):
    """How much faster the closest placement is than threads on random cores, in percent: mean over all placements."""
    closest = 1 / (gpus / seconds_a_tile(SOCKET_OF_CORE.index(SOCKET_OF_GPU[0]), 0))
    random = statistics.mean(1 / sum(1 / seconds_a_tile(core, gpu) for gpu, core in enumerate(cores))
                             for cores in itertools.permutations(range(len(SOCKET_OF_CORE)), gpus))
    return 100 * (random / closest - 1)
