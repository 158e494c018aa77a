"""Random crops of samples: another place, turn, size, stain, light, sharpness and compression each time."""
import io
import math

import numpy
from PIL import Image
from scipy import ndimage

# Haematoxylin, eosin (A. C. Ruifrok, D. A. Johnston 2001), and what is perpendicular to both, as optical densities.
HAEMATOXYLIN, EOSIN = (0.65, 0.70, 0.29), (0.07, 0.99, 0.11)
SMALLEST, LARGEST = 0.7, 1.5  # sizes of nuclei, as factors
LONGEST = 0.5  # the logarithm of the most that a crop is stretched by in one direction, and shortened in the other


def unit(vector):
    return numpy.asarray(vector) / numpy.linalg.norm(vector)


STAINS = numpy.stack([unit(HAEMATOXYLIN), unit(EOSIN), unit(numpy.cross(HAEMATOXYLIN, EOSIN))])


def rotation(angle):
    return numpy.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])


def placed(sample, random, size):
    """A turned, mirrored, resized and perhaps stretched square of a sample: values of 0 to 255, depth, known and labels.

    Outside of the sample, its mirror image stands in, and nothing is known.
    """
    step = sample.step / math.exp(random.uniform(math.log(SMALLEST), math.log(LARGEST)))
    turn = rotation(random.uniform(0, 2 * math.pi))
    stretch = math.exp(random.uniform(0, LONGEST)) if random.random() < 0.4 else 1
    matrix = step * turn @ numpy.diag([stretch, random.choice([-1, 1]) / stretch]) @ rotation(random.uniform(0, math.pi))
    rows, columns = numpy.nonzero(sample.known) if sample.known.min() == 0 else (None, None)
    if rows is not None:
        chosen = random.integers(len(rows))
        centre = numpy.array([rows[chosen], columns[chosen]], float)
    else:
        centre = random.uniform(0.15, 0.85, 2) * sample.known.shape
    offset = centre - matrix @ numpy.full(2, (size - 1) / 2)
    reach = math.ceil(step * stretch * size * 0.75) + 4
    low = numpy.clip((centre - reach).astype(int), 0, None)
    high = numpy.minimum((centre + reach).astype(int), sample.known.shape)
    window = slice(low[0], high[0]), slice(low[1], high[1])

    def sampled(values, order, mode="mirror"):
        return ndimage.affine_transform(values, matrix, offset - low, (size, size), order=order, mode=mode)

    sigma = random.uniform(0.1, 0.45) * max(step, 0.5) + (random.random() < 0.3) * random.uniform(0, 1.2) * step
    planes = sample.rgb[window].astype(numpy.float32)
    rgb = [sampled(ndimage.gaussian_filter(planes[..., channel], sigma), 1) for channel in range(3)]
    depth, labels = (sampled(values[window], 0) for values in (sample.depth, sample.labels))
    return numpy.stack(rgb, axis=-1), depth, sampled(sample.known[window], 0, "constant"), labels


def streaks(random, size, longest):
    """A map of streaks, 0 to 1, some pixels wide and up to `longest` long."""
    noise = random.standard_normal((2 * size, 2 * size)).astype(numpy.float32)
    noise = ndimage.gaussian_filter(noise, (random.uniform(0.7, 2.5), random.uniform(longest / 4, longest)))
    bend = ndimage.gaussian_filter(random.standard_normal((2 * size, 2 * size)).astype(numpy.float32), 20)
    rows, columns = numpy.indices(noise.shape)
    noise = ndimage.map_coordinates(noise, [rows + bend / bend.std() * 8, columns], order=1, mode="mirror")
    turned = ndimage.rotate(noise, random.uniform(0, 180), reshape=False, order=1, mode="mirror")
    middle = turned[size // 2 : size // 2 + size, size // 2 : size // 2 + size]
    return numpy.clip((middle / middle.std() - random.uniform(0.5, 1.5)) * 3, 0, 1)


def darkened(amounts, depth, random):
    """Nuclei that are darker and have less texture, as in thick sections and in lymphocytes."""
    inside = ndimage.gaussian_filter((depth > 0).astype(numpy.float32), random.uniform(0.4, 1.0))[..., None]
    level = random.uniform([0.8, 0.1], [3.2, 1.6])
    amounts[..., :2] += random.uniform(0.3, 0.9) * inside * (level - amounts[..., :2])


def stained(rgb, depth, random):
    """Another amount and colour of each stain, another contrast and light; now and then dark nuclei, or fibres between."""
    density = -numpy.log((rgb + 1) / 256)
    amounts = density @ numpy.linalg.inv(STAINS)
    amounts *= numpy.exp(random.normal([0.05, 0, 0], [0.33, 0.4, 0.3]))
    ground = ndimage.gaussian_filter((depth == 0).astype(numpy.float32), 0.7)[..., None]
    if random.random() < 0.15:
        amounts[..., :2] += streaks(random, len(depth), 30)[..., None] * ground * random.uniform([0, 0.2], [0.15, 1.2])
    if random.random() < 0.35:
        darkened(amounts, depth, random)
    spread = 0.15 if random.random() < 0.25 else 0.06
    stains = numpy.stack([unit(stain) for stain in numpy.clip(STAINS[:2] + random.normal(0, spread, (2, 3)), 0.02, 1)])
    stains = numpy.concatenate([stains, STAINS[2:]])
    light = random.uniform(0.82, 1.03) * numpy.exp(random.normal(0, 0.03, 3))
    density = numpy.clip(amounts @ stains, 0, None)
    middle = density.mean() + 1e-3
    density = middle * (density / middle) ** numpy.exp(random.normal(0, 0.2))
    return 256 * light * numpy.exp(-density) - 1 + random.uniform(-6, 6)


def recorded(rgb, random):
    """Noise of a camera and of JPEG; bytes."""
    if random.random() < 0.35:
        rgb = rgb + random.uniform(0.3, 1.5) * (rgb - ndimage.gaussian_filter(rgb, (1, 1, 0)))
    if random.random() < 0.3:
        rgb = rgb + random.normal(0, random.uniform(1, 7), rgb.shape)
    rgb = numpy.clip(rgb + 0.5, 0, 255).astype(numpy.uint8)
    if random.random() < 0.4:
        file = io.BytesIO()
        Image.fromarray(rgb).save(file, "JPEG", quality=int(random.integers(30, 90)))
        rgb = numpy.asarray(Image.open(file))
    return rgb


def crop(sample, random, size):
    """Bytes (size, size, 3); depth, known (0 or 1) and instance numbers, each (size, size)."""
    rgb, depth, known, labels = placed(sample, random, size)
    return recorded(stained(rgb, depth, random), random), depth, known, labels
