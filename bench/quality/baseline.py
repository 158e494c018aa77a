"""What a user of scikit-image would write: nuclei of every PNG of one folder, as label PNGs in another.

Usage: baseline.py IMAGES LABELS. The images are at 0.5 um a pixel.
"""
import pathlib
import sys

import numpy
from scipy import ndimage
from skimage import color, feature, filters, io, measure, morphology, segmentation


def nuclei(rgb):
    haematoxylin = color.rgb2hed(rgb)[..., 0]
    mask = haematoxylin > filters.threshold_otsu(haematoxylin)
    mask = ndimage.binary_fill_holes(morphology.remove_small_objects(mask, 30))
    distance = ndimage.distance_transform_edt(mask)
    peaks = feature.peak_local_max(distance, min_distance=4, labels=measure.label(mask), exclude_border=False)
    seeds = numpy.zeros(mask.shape, int)
    seeds[tuple(peaks.T)] = range(1, len(peaks) + 1)
    return segmentation.watershed(-distance, seeds, mask=mask)


for image in sorted(pathlib.Path(sys.argv[1]).glob("*.png")):
    labels = nuclei(io.imread(image)[..., :3])
    io.imsave(pathlib.Path(sys.argv[2]) / image.name, labels.astype(numpy.uint16), check_contrast=False)
