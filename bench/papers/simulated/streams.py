"""anthill-2010, Figure 7 and Table 2, as a model of Algorithm 1 of section 5.1: a batch of events is copied in, computed and
copied out, each event on a CUDA stream of its own. Kernels run one after the other. Copies pass one link, "in one direction"
at a time: all inputs of a batch, then its outputs, each once its kernel has ended. The next batch begins when the last output
is home. Nothing is fitted: the link's share is the paper's 7:3, the time of an integer that of Table 2's best, which sets the unit
of the plot and enters no claim."""
import itertools
import tomllib

INTEGERS = 360e6                     # section 6.2
COMPUTING = 16.15 / INTEGERS         # seconds an integer: Table 2, chunks of 1M, whose copies are hidden
ONE_WAY = COMPUTING * 3 / 7 / 2      # "a computation to communication ratio of 7:3", half in each direction


def device(models):
    """Bytes of the GPU's memory and seconds until a copy begins, of lab/models/machines/anthill.toml."""
    gpu = tomllib.loads((models / "machines/anthill.toml").read_text())["accelerator"][0]
    return gpu["memory"]["value"] * 2**20, gpu["latency"]["value"] * 1e-6


def batch(events, chunk, latency):
    """Seconds of a batch of so many events of `chunk` integers."""
    copy, compute = latency + chunk * ONE_WAY, latency + chunk * COMPUTING
    kernel, link = 0.0, events * copy
    for event in range(1, events + 1):
        kernel = max(kernel, event * copy) + compute
        link = max(link, kernel) + copy
    return link


def most(chunk, memory):
    """Events whose chunks the memory holds."""
    return max(1, int(memory / (4 * chunk)))


def fixed(streams, chunk, latency):
    """Seconds of the whole vector with a fixed number of streams."""
    whole, rest = divmod(round(INTEGERS / chunk), streams)
    return whole * batch(streams, chunk, latency) + (batch(rest, chunk, latency) if rest else 0)


def adaptive(chunk, memory, latency):
    """The same with the number that Algorithm 1 finds."""
    left, seconds, last = round(INTEGERS / chunk), 0.0, 0.0
    events, step, growing = 2, 2, True
    while left > 0:
        now = min(events, left, most(chunk, memory))
        took = batch(now, chunk, latency)
        left, seconds, rate = left - now, seconds + took, now / took
        if rate > last:
            events += step
            step *= 2 if growing else 1
        elif rate < last and events > 2:
            events -= step
            step, growing = max(1, step // 2), False
        events = min(max(1, events), most(chunk, memory))
        last = rate
    return seconds


def numbers(chunk, memory):
    """1, 2, 4 and so on, as many as the memory holds."""
    return list(itertools.takewhile(lambda n: n <= most(chunk, memory), (2**i for i in range(20))))
