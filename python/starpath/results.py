"""results.sqlite: the nuclei of one slide."""

import json
import struct

from .database import ExitCode, Opened, StarpathError, needed, quoted, read_columns

APPLICATION_ID = 0x53745074
LAYOUT = 3  # and 2, and 1, in which tiles do not say how much of them is tissue

#: What people use first, as `starpath export --features basic` has it.
BASIC_FEATURES = [
    "nucleus_area",
    "nucleus_perimeter",
    "nucleus_major_axis",
    "nucleus_minor_axis",
    "nucleus_eccentricity",
    "nucleus_extent",
    "nucleus_circularity",
    "cytoplasm_area",
    *(
        f"{region}_{channel}_{measure}"
        for region in ("nucleus", "cytoplasm")
        for channel in ("haematoxylin", "eosin", "gray")
        for measure in ("mean", "std")
    ),
]

# Columns of the view `nuclei` that are no features, and how they come into a frame.
_PLACES = ["centroid_x", "centroid_y", "x0", "y0", "x1", "y1"]
_OTHERS = ["id", "tile", "first_x", "first_y", "pixels", "contour", "centroid_x_um", "centroid_y_um"]
_GROUP_TYPES = {"class_confidence": "float32", "out_of_range": "int32"}  # of regions, clusters, classes; else text
_DIMENSIONS = {"_area": 2, "_perimeter": 1, "_axis": 1, "_diameter": 1}


def physical_column(feature):
    """The name in micrometres of a length or an area and its dimension; None for other features."""
    for end, dimension in _DIMENSIONS.items():
        if feature.endswith(end):
            return feature + ("_um2" if dimension == 2 else "_um"), dimension
    return None


class Results(Opened):
    """The results of `starpath segment` over one slide. `path` is a results.sqlite or the folder that holds it.

    Opened for reading only; usable in the thread that made it. Places are in pixels of the slide's finest level unless
    they end in _um (micrometres), lengths and areas among the features in working pixels, as in every export."""

    def __init__(self, path):
        super().__init__(path, "results.sqlite", APPLICATION_ID, "results file", "`starpath segment`")
        layout = self._database.execute("PRAGMA user_version").fetchone()[0]
        if layout not in (1, 2, LAYOUT):
            raise StarpathError(
                f"{self.file}: has layout {layout}, this package reads {LAYOUT}; use that of its version", ExitCode.MISMATCH
            )
        tables = {row[0] for row in self._database.execute("SELECT name FROM sqlite_schema")}
        if "accepted" not in tables:
            raise StarpathError(
                f"{self.file}: holds no nuclei; it is of `starpath nbia run`: read its table fields", ExitCode.MISMATCH
            )
        #: What the run was: slide_path, slide_width, mpp, parameters and others (docs/results.md).
        self.run = dict(self._database.execute("SELECT key, value FROM run"))
        for key in ("parameters", "survey", "feature_names"):
            if key in self.run:
                self.run[key] = json.loads(self.run[key])

    def __len__(self):
        return self._database.execute("SELECT count(*) FROM accepted").fetchone()[0]

    @property
    def feature_names(self):
        return self.run["feature_names"]

    @property
    def mpp(self):
        """Micrometres a pixel of the slide's finest level; None where it is unknown."""
        return self.run["slide_mpp"] or None

    @property
    def analysed_mm2(self):
        """What was analysed, square millimetres: the regions, if the run was asked for any, else the cells that are not
        glass (results of 0.1.0: the tiles). None where the resolution is unknown."""
        if not self.run["mpp"]:
            return None
        if self._has_table("regions"):
            pixels = self._database.execute("SELECT total(pixels) FROM regions").fetchone()[0]
            return pixels * self.run["slide_mpp"] ** 2 / 1e6
        area = "total(tissue)" if self._has_column("tiles", "tissue") else "total(width * height)"
        pixels = self._database.execute(f"SELECT {area} FROM tiles WHERE state = 'done'").fetchone()[0]
        return pixels * self.run["mpp"] ** 2 / 1e6

    def _has_column(self, table, column):
        return any(row[1] == column for row in self._database.execute(f"PRAGMA table_info({table})"))

    def _has_table(self, name):
        return self._database.execute("SELECT 1 FROM sqlite_schema WHERE name = ?", (name,)).fetchone() is not None

    def chosen(self, features):
        """Names of features: of "basic", "all", one name or several, in the order of the run."""
        wanted = {features} if isinstance(features, str) else set(features)
        unknown = wanted - {"basic", "all"} - set(self.feature_names)
        if unknown:
            raise StarpathError(f"{self.file}: has no feature {sorted(unknown)[0]!r}; say basic, all or names of them")
        if "all" in wanted:
            return list(self.feature_names)
        if "basic" in wanted:
            wanted |= set(BASIC_FEATURES)
        return [name for name in self.feature_names if name in wanted]

    def _more_columns(self):
        """Columns that later steps have added to the nuclei, such as classes."""
        known = set(_PLACES) | set(_OTHERS) | set(self.feature_names)
        known |= {column[0] for column in map(physical_column, self.feature_names) if column}
        return [row[1] for row in self._database.execute("PRAGMA table_info(nuclei)") if row[1] not in known]

    def columns(self, names):
        """Features by name, as dict of arrays of doubles: a number a nucleus, in the order of their ids, in working pixels."""
        query = f"SELECT {', '.join(quoted(name) for name in names)} FROM nuclei ORDER BY id"
        return read_columns(self._database, query, [(name, "float64") for name in names])

    def nuclei(self, features="basic"):
        """A pandas DataFrame with the columns of nuclei.csv, indexed by `id`; features in single precision."""
        pandas = needed("pandas", "tables")
        names, more = self.chosen(features), self._more_columns()
        columns = [("id", "int64"), *((name, "float64") for name in _PLACES), ("pixels", "int32")]
        columns += [(name, "float64") for name in names] + [(name, object) for name in more]
        query = f"SELECT {', '.join(quoted(name) for name, _ in columns)} FROM nuclei ORDER BY id"
        read = read_columns(self._database, query, columns)
        frame = pandas.DataFrame(self._in_user_units(read, names, more)).set_index("id")
        place = frame.columns.get_loc("pixels") + 1
        for name, values in self._groups().items():
            frame.insert(place, name, frame.index.map(values).astype(_GROUP_TYPES.get(name, object)))
            place += 1
        return frame

    def _groups(self):
        """By column, what regions, clusters and classes say of nuclei: dicts by id. Empty where the run has none."""
        tables = {row[0] for row in self._database.execute("SELECT name FROM sqlite_schema")}
        groups = {}
        for table, key, columns in (("regions", "region", {"region": "name", "region_class": "class"}),
                                    ("clusters", "cluster", {"cluster": "name"})):
            if not {table, f"nucleus_{table}"} <= tables:
                continue
            for column, source in columns.items():
                groups[column] = dict(
                    self._database.execute(f"SELECT id, {source} FROM nucleus_{table} JOIN {table} USING ({key})")
                )
        if {"classes", "nucleus_classes"} <= tables:
            rows = self._database.execute(
                "SELECT id, CASE WHEN out_of_range THEN 'Out of range' ELSE name END, confidence, out_of_range, name "
                "FROM nucleus_classes JOIN classes USING (class)"
            ).fetchall()
            columns = ("class", "class_confidence", "out_of_range", "nearest_class")
            for place, column in enumerate(columns, 1):
                groups[column] = {row[0]: row[place] for row in rows}
        return groups

    def _in_user_units(self, read, names, more):
        scale, mpp = self.run["scale"], self.mpp or float("nan")
        working_mpp = self.run["mpp"] or float("nan")
        frame = {"id": read["id"]}
        for name in ("centroid_x", "centroid_y"):
            frame[name] = read[name] * scale
        for name in ("centroid_x", "centroid_y"):
            frame[name + "_um"] = frame[name] * mpp
        for name in ("x0", "y0", "x1", "y1"):
            frame[name] = read[name] * scale
        frame["pixels"] = read["pixels"]
        for name in names:
            if physical := physical_column(name):
                frame[physical[0]] = (read[name] * working_mpp ** physical[1]).astype("float32")
        for name in names:
            frame[name] = read[name].astype("float32")
        for name in more:
            frame[name] = read[name]
        return frame

    def outlines(self):
        """Yields (id, [(x, y), ...]) of every nucleus: the edges of its pixels, level-0 pixels, clockwise, not closed.
        Those without stairs are in nuclei.geojson and nuclei.parquet."""
        scale = self.run["scale"]
        for number, contour in self._database.execute("SELECT id, contour FROM nuclei ORDER BY id"):
            places = struct.unpack(f"<{len(contour) // 4}i", contour)
            yield number, [(x * scale, y * scale) for x, y in zip(places[::2], places[1::2])]

    def geopandas(self, features="basic"):
        """The nuclei as a GeoDataFrame: `geometry` is the edge of a nucleus's pixels in level-0 pixels. For outlines
        without stairs, and for speed, read_parquet() a nuclei.parquet."""
        geopandas, shapely = needed("geopandas", "outlines"), needed("shapely", "outlines")
        polygons = (shapely.Polygon(outline) for _, outline in self.outlines())
        # An outline that passes a corner twice is no valid polygon; as several polygons it is.
        valid = [polygon if polygon.is_valid else polygon.buffer(0) for polygon in polygons]
        return geopandas.GeoDataFrame(self.nuclei(features), geometry=valid)

    def anndata(self, features="all"):
        """An AnnData: X is nuclei by features, obsm["spatial"] the centroids in level-0 pixels."""
        from .spatial import to_anndata

        return to_anndata(self.nuclei(features), self.chosen(features), {"run": json.dumps(self.run)})

    def summary(self, features="basic"):
        """The slide as one row, a dict: nuclei, analysed_mm2, nuclei_per_mm2 (of analysed_mm2), and mean
        and quartiles of each feature. Rows of several slides make the table that compare_groups() takes."""
        from .summaries import summarise

        nuclei, area = len(self), self.analysed_mm2
        density = nuclei / area if area else float("nan")
        about = {"nuclei": nuclei, "analysed_mm2": area, "nuclei_per_mm2": density}
        return {**about, **summarise(self.nuclei(features))}

    def tiles(self):
        """The tiles as a pandas DataFrame."""
        pandas = needed("pandas", "tables")
        return pandas.read_sql_query("SELECT * FROM tiles ORDER BY tile", self._database, index_col="tile")
