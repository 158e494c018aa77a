"""hybrid-pipelines-2012, Figure 8, as a closed network of queues. A transfer passes its links one after the other: the
GPU's own PCIe link, the one from its I/O hub to the socket beside it, and for the memory of the other socket the one
between the sockets too. Transfers that pass a link at the same time share it evenly. Each GPU computes, copies and
begins again; tiles are handed out on demand, so each works at its own speed. Nothing but Section V-D's share of
transfers enters. With even shares, mean value analysis is exact whatever the distribution of times (Reiser and
Lavenberg, 1980)."""
import functools
import itertools
import statistics

SOCKET_OF_GPU = [0, 1, 1]               # hybrid-pipelines-2012, Figure 6; tests/machines/keeneland.xml
SOCKET_OF_CORE = [0] * 6 + [1] * 6
TRANSFERS = 0.13                        # of the computing time, Section V-D
NEAR_LINKS = 2


def links_of(core, gpu):
    """Those that a transfer passes when the GPU's thread, and so its memory, is on the core."""
    socket = SOCKET_OF_GPU[gpu]
    near = (f"PCIe of GPU {gpu}", f"hub of socket {socket}")
    return near if SOCKET_OF_CORE[core] == socket else near + ("between sockets",)


@functools.cache
def rates(gpus, transfers=TRANSFERS, shared=True):
    """Tiles in the time that a tile is computed, and how many transfers are on each link. `gpus`: the links of each that
    works."""
    if not gpus:
        return 0, {}
    passed, done, there = transfers / NEAR_LINKS, 0, {}
    for index, links in enumerate(gpus):
        others = rates(gpus[:index] + gpus[index + 1:], transfers, shared)[1] if shared else {}
        seconds = {link: passed * (1 + others.get(link, 0)) for link in links}
        rate = 1 / (1 + sum(seconds.values()))
        done += rate
        for link, on_it in seconds.items():
            there[link] = there.get(link, 0) + rate * on_it
    return done, there


def gain(gpus, transfers=TRANSFERS, shared=True):
    """How much faster the closest placement is than threads on random cores, in percent: mean over all placements."""
    closest = tuple(links_of(SOCKET_OF_CORE.index(SOCKET_OF_GPU[gpu]), gpu) for gpu in range(gpus))
    random = (tuple(links_of(core, gpu) for gpu, core in enumerate(cores))
              for cores in itertools.permutations(range(len(SOCKET_OF_CORE)), gpus))
    return 100 * (rates(closest, transfers, shared)[0] * statistics.mean(1 / rates(links, transfers, shared)[0] for links in random) - 1)
