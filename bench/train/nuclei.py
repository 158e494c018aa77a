"""From the two maps of scores to nuclei, and how well nuclei agree with labels."""
import dataclasses

import numpy
from scipy import ndimage
from skimage import morphology, segmentation

FOUR, EIGHT = ndimage.generate_binary_structure(2, 1), ndimage.generate_binary_structure(2, 2)


@dataclasses.dataclass(frozen=True)
class Sizes:
    """In pixels of 0.5 um; the defaults are those of the pipeline."""

    marker: int = 11  # the smallest
    hole: int = 20  # the first that stays
    nucleus: int = 30  # the smallest
    clump: int = 1000  # the first that is left out


def large(mask, structure, smallest):
    """The components of at least so many pixels, numbered; others keep no number."""
    labels, count = ndimage.label(mask, structure)
    stays = numpy.bincount(labels.ravel(), minlength=count + 1) >= smallest
    stays[0] = False
    return numpy.where(stays, numpy.cumsum(stays), 0)[labels]


def cut(labels):
    """A pixel with a neighbour, of eight, of a smaller number belongs to none: nuclei that touch are parted."""
    numbers = numpy.where(labels == 0, labels.max() + 1, labels)
    return numpy.where(ndimage.minimum_filter(numbers, 3, mode="nearest") < labels, 0, labels)


def nuclei(nucleus, core, thresholds, sizes=Sizes()):
    """Instance numbers: a watershed from the parts of `core` inside of `nucleus`.

    This is near to what `starpath segment` does with the maps, and not the same in each pixel where nuclei touch.
    """
    markers = large(core >= thresholds["core"], EIGHT, sizes.marker)
    mask = morphology.remove_small_holes((nucleus >= thresholds["nucleus"]) | (markers > 0), sizes.hole)
    relief = -(core.astype(int) + nucleus)
    labels = cut(segmentation.watershed(relief, markers, mask=mask, connectivity=2))
    objects = large(labels > 0, FOUR, sizes.nucleus)
    areas = numpy.bincount(objects.ravel())
    return numpy.where(areas[objects] < sizes.clump, objects, 0)


def ratio(part, whole):
    return part / whole if whole else 1.0


def agreement(truth, found):
    """Dice, AJI, F1 at one half and PQ, as bench/quality/metrics.cpp defines them."""
    both = numpy.zeros((truth.max() + 1, found.max() + 1), int)
    numpy.add.at(both, (truth.ravel(), found.ravel()), 1)
    true_areas, found_areas = both.sum(axis=1)[1:], both.sum(axis=0)[1:]
    both = both[1:, 1:]
    both, true_areas = both[true_areas > 0], true_areas[true_areas > 0]
    both, found_areas = both[:, found_areas > 0], found_areas[found_areas > 0]
    unions = true_areas[:, None] + found_areas - both
    dice = ratio(2 * both.sum(), true_areas.sum() + found_areas.sum())
    common, together, taken = 0, 0, set()
    for row, area in enumerate(true_areas):
        if len(found_areas) == 0 or both[row].max() == 0:
            together += area
            continue
        best = int((both[row] / unions[row]).argmax())
        common, together = common + both[row, best], together + unions[row, best]
        taken.add(best)
    together += sum(area for column, area in enumerate(found_areas) if column not in taken)
    matched = (both / unions)[2 * both > unions]
    objects = len(true_areas) + len(found_areas)
    return dice, ratio(common, together), ratio(2 * len(matched), objects), ratio(2 * matched.sum(), objects)
