"""One row of numbers of many nuclei: of a slide, or of all slides of a patient together."""

from .spatial import features_of


def summarise(nuclei):
    """Mean and quartiles of each feature of a frame of nuclei, as a dict: feature_mean, feature_q1, feature_median,
    feature_q3. Quartiles by linear interpolation."""
    summary = {}
    for name in features_of(nuclei):
        values = nuclei[name].astype("float64")
        quartiles = values.quantile([0.25, 0.5, 0.75]).to_list()
        for statistic, value in zip(("mean", "q1", "median", "q3"), [values.mean(), *quartiles]):
            summary[f"{name}_{statistic}"] = value
    return summary
