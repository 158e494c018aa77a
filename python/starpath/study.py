"""study.sqlite: many slides of one run."""

import json

from .checksums import check_study
from .database import ExitCode, Opened, StarpathError, needed
from .results import Results
from .summaries import summarise

APPLICATION_ID = 0x53745379
LAYOUT = 3  # and 1 and 2, which have no checksums

# What studies of layout 1 lack, as empty tables beside the file.
_SINCE_LAYOUT_2 = """
CREATE TEMP TABLE regions (slide, region, name, class, nuclei, area_mm2, nuclei_per_mm2);
CREATE TEMP TABLE region_features (slide, region, feature, nuclei, mean, q1, median, q3);
CREATE TEMP TABLE clusters (cluster, name, colour, nuclei);
CREATE TEMP TABLE cluster_centres (cluster, feature, mean);
CREATE TEMP TABLE slide_clusters (slide, region, cluster, nuclei);
"""

STATISTICS = ["mean", "q1", "median", "q3"]
_ABOUT = ["path", "patient", "group", "nuclei", "analysed_mm2", "nuclei_per_mm2"]


class Study(Opened):
    """What `starpath segment A.svs B.svs ... --out STUDY` wrote, and `starpath cluster` added. `path` is a study.sqlite
    or the folder that holds it. Opened for reading only; usable in the thread that made it. Raises StarpathError where a
    value is not what starpath wrote; `starpath verify` alone checks `results.sqlite` of the slides."""

    def __init__(self, path):
        super().__init__(path, "study.sqlite", APPLICATION_ID, "study", "`starpath segment` over several slides")
        layout = self._database.execute("PRAGMA user_version").fetchone()[0]
        if layout == 1:
            self._database.executescript(_SINCE_LAYOUT_2)
        elif layout == LAYOUT:
            check_study(self._database, self.file)
        elif layout != 2:
            raise StarpathError(
                f"{self.file}: has layout {layout}, this package reads {LAYOUT}; use that of its version",
                ExitCode.MISMATCH,
            )

    def rows(self, query, *parameters):
        """Every row of an SQL query, as tuples."""
        return self._database.execute(query, parameters).fetchall()

    def _table(self, query, index=None, *parameters):
        return needed("pandas", "tables").read_sql_query(query, self._database, index_col=index, params=parameters)

    @property
    def slides(self):
        """A pandas DataFrame, a row a slide: state, patient, group, counts, density, and what else the list said."""
        slides = self._table("SELECT * FROM slides ORDER BY slide", "slide")
        labels = self._table("SELECT slide, name, value FROM labels")
        if len(labels) == 0:
            return slides
        said = labels.pivot(index="slide", columns="name", values="value")
        said.columns = [f"{name}_label" if name in slides.columns else name for name in said.columns]
        return slides.join(said)

    @property
    def warnings(self):
        """What makes results doubtful, by slide."""
        return self._table("SELECT slide, warning FROM warnings ORDER BY slide, number", "slide")

    @property
    def clusters(self):
        """A row a cluster: name, colour, nuclei, and the mean of each feature that nuclei were compared by. Empty
        before `starpath cluster`. Raises StarpathError where that did not come to its end: slides have other clusters
        then."""
        if self._database.execute("SELECT 1 FROM study WHERE key = 'clusters_begun'").fetchone():
            raise StarpathError(
                f"{self.file}: some of its slides have other clusters than the study, as `starpath cluster` did not come "
                "to its end; run it again",
                ExitCode.MISMATCH,
            )
        clusters = self._table("SELECT cluster, name, colour, nuclei FROM clusters ORDER BY cluster", "cluster")
        centres = self._table("SELECT cluster, feature, mean FROM cluster_centres")
        return clusters.join(centres.pivot(index="cluster", columns="feature", values="mean")) if len(centres) else clusters

    @property
    def classes(self):
        """A row a class: name, colour, nuclei, and how many of them are out of range. Empty before `starpath classify
        run`."""
        columns = "class, name, colour, nuclei, out_of_range"
        if not self._has_table("slide_classes"):
            return needed("pandas", "tables").DataFrame(columns=columns.split(", ")).set_index("class")
        return self._table(f"SELECT {columns} FROM classes ORDER BY class", "class")

    def clusters_of(self, kind):
        """A row a member of `kind`, "slides" or "patients": name (a slide's folder, or a patient) and cluster. Empty before
        `starpath cluster --of KIND`, and once a slide or its patient has changed."""
        if self._has_table("cluster_members"):
            return self._table(
                "SELECT member, name, cluster FROM cluster_members WHERE kind = ? ORDER BY member", "member", kind
            )
        return needed("pandas", "tables").DataFrame(columns=["member", "name", "cluster"]).set_index("member")

    @property
    def clustering(self):
        """How nuclei were clustered: k, seed, features and others (docs/groups-of-nuclei.md); None before."""
        row = self._database.execute("SELECT value FROM study WHERE key = 'clusters'").fetchone()
        return json.loads(row[0]) if row else None

    def results(self, slide):
        """The Results of a slide, by its number in `slides`."""
        row = self._database.execute("SELECT folder FROM slides WHERE slide = ?", (int(slide),)).fetchone()
        if row is None:
            raise KeyError(f"{self.file}: has no slide {slide}")
        return Results(self.file.parent / row[0])

    def finished(self):
        """Numbers of the slides that are done."""
        return [row[0] for row in self._database.execute("SELECT slide FROM slides WHERE state = 'done' ORDER BY slide")]

    def nuclei(self, features="basic", slides=None):
        """Yields (slide, DataFrame) of the finished slides, or of `slides`: one slide is held at a time."""
        for slide in self.finished() if slides is None else slides:
            with self.results(slide) as results:
                yield slide, results.nuclei(features)

    def by_slide(self):
        """A row a finished slide: patient, group, nuclei, density, mean and quartiles of every feature over its nuclei
        (feature_mean, feature_q1, feature_median, feature_q3), the share of each cluster (cluster_1_share) and of each
        class (class_NAME_share and out_of_range_share: nuclei out of range are of no class)."""
        slides = self.slides
        about = slides.loc[slides["state"] == "done", _ABOUT]
        features = self._table("SELECT slide, feature, mean, q1, median, q3 FROM features")
        return self._with_shares(about.join(by_feature(features, ["slide"])), "region = 0", ["slide"])

    def by_region(self):
        """The same with a row a region of the slides that have any, indexed by slide and region."""
        regions = self._table(
            "SELECT slide, region, patient, \"group\", regions.name AS name, class, regions.nuclei AS nuclei, area_mm2,"
            " regions.nuclei_per_mm2 AS nuclei_per_mm2 FROM regions JOIN slides USING (slide) WHERE state = 'done'"
            " ORDER BY slide, region",
            ["slide", "region"],
        )
        features = self._table("SELECT slide, region, feature, mean, q1, median, q3 FROM region_features")
        return self._with_shares(regions.join(by_feature(features, ["slide", "region"])), "region > 0", ["slide", "region"])

    def by_patient(self, features="basic"):
        """The same with a row a patient, of all nuclei of its finished slides together, which are read for it one
        patient at a time; `slides` is how many these are. Slides without a patient are left out. A patient whose slides
        are of several groups has none."""
        pandas = needed("pandas", "tables")
        slides = self.slides
        slides = slides[(slides["state"] == "done") & slides["patient"].notna()]
        counted = self._counts("region = 0", ["slide"])
        rows = []
        for patient, own in slides.groupby("patient", sort=True):
            frames = [frame for _, frame in self.nuclei(features, own.index)]
            groups = own["group"].unique()
            row = {"patient": patient, "slides": len(own), "group": groups[0] if len(groups) == 1 else None}
            row.update(_densities(own), **summarise(pandas.concat(frames)))
            for counts in counted:
                # A slide without nuclei has no counts; one that has nuclei and no counts leaves the shares unknown.
                counts = counts.reindex(own.index[own["nuclei"] > 0])
                row.update(_shares_of(counts.sum(skipna=False).to_frame().T).iloc[0])
            rows.append(row)
        return pandas.DataFrame(rows).set_index("patient") if rows else pandas.DataFrame()

    def share_columns(self):
        """Names of the columns of shares in the tables: those of clusters, and those of classes."""
        clusters = [f"cluster_{number}_share" for number in self.clusters.index]
        classes = [f"class_{name}_share" for name in self.classes["name"]]
        return clusters, [*classes, "out_of_range_share"] if classes else []

    def _has_table(self, name):
        return self._database.execute("SELECT 1 FROM sqlite_schema WHERE name = ?", (name,)).fetchone() is not None

    def _counts(self, where, index):
        """Frames of nuclei by cluster and by class, a row a slide, or region; their columns have the names of shares.
        Without clusters, or classes, there is no such frame."""
        tables = []
        clusters, classes = self.share_columns()
        if clusters:
            query = "SELECT slide, region, cluster AS part, nuclei FROM slide_clusters"
            tables.append((query, dict(zip(self.clusters.index, clusters))))
        if classes:
            query = (
                "SELECT slide, region, class AS part, nuclei - out_of_range AS nuclei FROM slide_classes WHERE {0} "
                "UNION ALL SELECT slide, region, 0, sum(out_of_range) FROM slide_classes WHERE {0} GROUP BY slide, region"
            )
            tables.append((query, dict(zip([*self.classes.index, 0], classes))))
        frames = []
        for query, names in tables:
            counts = self._table(query.format(where) if "{0}" in query else f"{query} WHERE {where}")
            wide = counts.pivot(index=index, columns="part", values="nuclei").reindex(columns=list(names)).fillna(0)
            wide.columns = list(names.values())
            frames.append(wide)
        return frames

    def _with_shares(self, frame, where, index):
        for counts in self._counts(where, index):
            frame = frame.join(_shares_of(counts))
        return frame


def _shares_of(counts):
    """Each row divided by its sum."""
    return counts.div(counts.sum(axis=1, skipna=False), axis=0)


def by_feature(features, index):
    """Rows of features (pandas, with the columns of `index`, feature, mean, q1, median and q3) as a frame with a row a
    slide, region or patient, and the columns feature_mean, feature_q1, feature_median and feature_q3 of each feature."""
    if len(features) == 0:
        return features.set_index(index)[[]]
    wide = features.pivot(index=index, columns="feature", values=STATISTICS)
    order = list(dict.fromkeys(features["feature"]))
    wide = wide[[(statistic, name) for name in order for statistic in STATISTICS]]
    wide.columns = [f"{name}_{statistic}" for statistic, name in wide.columns]
    return wide


def _densities(slides):
    nuclei, area = int(slides["nuclei"].sum()), slides["analysed_mm2"].sum(skipna=False)
    return {"nuclei": nuclei, "analysed_mm2": area, "nuclei_per_mm2": nuclei / area if area > 0 else float("nan")}
