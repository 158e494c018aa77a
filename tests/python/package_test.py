"""The package against the command: package_test.py SOURCE STARPATH. Exit code 77: pandas is missing. What needs GeoPandas,
pyarrow, polars, DuckDB, AnnData or SpatialData is skipped, saying so, where they are not installed."""

import importlib.util
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest
import warnings
from pathlib import Path

source, command = Path(sys.argv[1]), sys.argv[2]
os.environ["STARPATH_COMMAND"] = command
os.environ["STARPATH_PYTHON"] = sys.executable
sys.dont_write_bytecode = True
sys.path.insert(0, str(source / "python"))

if importlib.util.find_spec("pandas") is None:
    print("skipped: pandas is not installed (Debian: python3-pandas)")
    sys.exit(77)

import pandas  # noqa: E402
import starpath  # noqa: E402


def needs(*modules):
    missing = [module for module in modules if importlib.util.find_spec(module) is None]
    return unittest.skipIf(missing, f"not installed: {', '.join(missing)}")


class PackageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp(prefix="starpath-python-"))
        cls.events = []
        starpath.segment(
            "synthetic:700x600,seed=3",
            cls.folder / "out",
            cls.events.append,
            export=["csv", "parquet"],
            features="all",
        )
        cls.results = starpath.Results(cls.folder / "out")
        cls.parquet = cls.folder / "out/nuclei.parquet"

    @classmethod
    def tearDownClass(cls):
        cls.results.close()
        shutil.rmtree(cls.folder)

    def test_tells_progress(self):
        self.assertEqual(self.events[-1]["event"], "summary")
        self.assertIn("progress", [event["event"] for event in self.events])

    def test_frame_is_the_table_of_the_command(self):
        csv = pandas.read_csv(self.folder / "out/nuclei.csv", index_col="id")
        frame = self.results.nuclei("all")
        self.assertEqual(list(frame.columns), list(csv.columns))
        self.assertEqual(len(self.results), len(csv))
        for name in frame.columns:
            tolerance = 0.00051 if name.startswith(("centroid", "x", "y")) else 1e-6 * csv[name].abs().max()
            self.assertLessEqual((frame[name] - csv[name]).abs().max(), tolerance, name)

    def test_basic_features_are_those_of_the_command(self):
        starpath.export(self.results, "csv", None, out=self.folder / "basic.csv")
        header = (self.folder / "basic.csv").read_text().split("\n")[0].strip().split(",")
        self.assertEqual(header[1:], list(self.results.nuclei().columns))

    def test_outlines_hold_the_pixels(self):
        frame = self.results.nuclei([])
        for number, outline in self.results.outlines():
            ends = zip(outline, outline[1:] + outline[:1])
            area = sum(ax * by - bx * ay for (ax, ay), (bx, by) in ends) / 2
            self.assertAlmostEqual(area, frame.pixels[number] * self.results.run["scale"] ** 2)

    def test_errors_say_what_to_do(self):
        with self.assertRaisesRegex(starpath.StarpathError, "no such file"):
            starpath.Results(self.folder / "none")
        (self.folder / "text").write_text("no database, but longer than a header of one would be" * 20)
        with self.assertRaisesRegex(starpath.StarpathError, "text: "):
            starpath.Results(self.folder / "text")
        with self.assertRaisesRegex(starpath.StarpathError, "no feature 'nope'"):
            self.results.nuclei("nope")
        with self.assertRaises(starpath.StarpathFailed) as failed:
            starpath.segment("no_such_slide.svs", self.folder / "failed", None)
        self.assertEqual(failed.exception.code, 3)
        self.assertIn("no_such_slide.svs", str(failed.exception))

    def test_several_slides_are_a_study(self):
        slides = ["-a,400x300,mpp=0.5", "synthetic:300x300,mpp=0.5"]  # the first is no file
        with self.assertRaises(starpath.StarpathFailed) as failed:
            starpath.segment(slides[0], self.folder / "failed", None)
        self.assertEqual((failed.exception.code, "-a,400x300" in str(failed.exception)), (3, True))
        with starpath.segment(slides[1:], self.folder / "two", None, export="none") as one:
            self.assertIsInstance(one, starpath.Results)
        slides[0] = "synthetic:400x300,mpp=0.5"
        with starpath.segment(slides, self.folder / "two", None, export="none") as study:
            self.assertEqual(list(study.slides["path"]), slides)
            files = starpath.export(study, "csv", None)
            self.assertEqual([file.name for file in files], ["nuclei.csv"] * 2)
        (self.folder / "list.csv").write_text('path\n"synthetic:300x300,mpp=0.5"\n')
        with starpath.segment(None, self.folder / "list", None, slides=self.folder / "list.csv", export="none") as study:
            self.assertEqual(len(study.slides), 1)

    def test_the_example_of_the_page_runs(self):
        code = re.search(r"```python\n(.*?)```", (source / "docs/python.md").read_text(), re.DOTALL).group(1)
        before = os.getcwd()
        os.chdir(self.folder)
        try:
            exec(compile(code, "docs/python.md", "exec"), {"print": lambda *_: None})
        finally:
            os.chdir(before)
        self.assertTrue((self.folder / "results/nuclei.geojson.gz").exists())

    def test_summary_is_of_the_nuclei(self):
        summary, frame = self.results.summary(), self.results.nuclei()
        self.assertEqual(summary["nuclei"], len(frame))
        self.assertAlmostEqual(summary["nuclei_per_mm2"], len(frame) / (700 * 600 * 0.25 / 1e6))
        self.assertEqual(summary["nucleus_area_median"], frame.nucleus_area.median())
        self.assertAlmostEqual(summary["nucleus_area_um2_mean"], frame.nucleus_area.mean() / 4, 3)
        self.assertEqual(summary["nucleus_extent_q3"], frame.nucleus_extent.astype("float64").quantile(0.75))

    @needs("pyarrow")
    def test_parquet_is_the_same_table(self):
        frame = self.results.nuclei("all")
        table = starpath.read_parquet(self.parquet, list(frame.columns))
        for name in frame.columns:
            self.assertTrue((table[name].to_numpy() == frame[name].to_numpy()).all(), name)

    @needs("polars", "duckdb")
    def test_others_read_parquet(self):
        import duckdb
        import polars

        area = self.results.nuclei().nucleus_area
        read = polars.read_parquet(self.parquet)
        self.assertEqual(read["nucleus_area"].to_list(), area.to_list())
        query = f"SELECT count(*), sum(nucleus_area) FROM read_parquet('{self.parquet}') WHERE nucleus_area > 100"
        self.assertEqual(duckdb.sql(query).fetchall()[0], ((area > 100).sum(), area[area > 100].sum()))

    @needs("pyarrow", "geopandas")
    def test_outlines_are_valid_and_round_the_pixels(self):
        smooth, edges = starpath.read_parquet(self.parquet), self.results.geopandas()
        self.assertTrue(smooth.geometry.is_valid.all() and edges.geometry.is_valid.all())
        self.assertAlmostEqual(edges.geometry.area.sum(), edges.pixels.sum() * self.results.run["scale"] ** 2)
        self.assertTrue((smooth.geometry.centroid.distance(edges.geometry.centroid) < 1).all())

    @needs("anndata")
    def test_anndata(self):
        data, frame = self.results.anndata(), self.results.nuclei("all")
        self.assertEqual(data.shape, (len(frame), 189))
        self.assertEqual(data.obsm["spatial"][0].tolist(), frame[["centroid_x", "centroid_y"]].iloc[0].tolist())

    @needs("pyarrow", "geopandas", "anndata", "spatialdata")
    def test_spatialdata_is_written_and_read(self):
        import spatialdata

        out = self.folder / "nuclei.zarr"
        starpath.write_spatialdata(self.parquet, out)
        read = spatialdata.read_zarr(out)
        self.assertEqual(len(read.shapes["nuclei"]), len(self.results))
        self.assertEqual(read.tables["features"].n_obs, len(self.results))
        with self.assertRaisesRegex(starpath.StarpathError, "exists already"):
            starpath.write_spatialdata(self.parquet, out)

    @needs("pyarrow", "geopandas", "anndata", "spatialdata")
    def test_spatialdata_comes_from_results_in_one_step(self):
        import spatialdata

        run = [sys.executable, "-m", "starpath", "spatialdata", self.folder / "out"]
        out = self.folder / "features.zarr"
        environment = {**os.environ, "PYTHONPATH": str(source / "python"), "PYTHONDONTWRITEBYTECODE": "1"}
        subprocess.run([*run, out, "--features", "nucleus_area,nucleus_extent"], check=True, env=environment)
        read = spatialdata.read_zarr(out)
        areas = read.tables["features"].to_df()["nucleus_area"]
        self.assertEqual(list(areas), list(self.results.nuclei().nucleus_area))
        micrometres = spatialdata.transform(read.shapes["nuclei"], to_coordinate_system="micrometres")
        self.assertAlmostEqual(micrometres.area.sum() / read.shapes["nuclei"].area.sum(), self.results.mpp**2)
        again = subprocess.run([*run, out], capture_output=True, text=True, env=environment)
        self.assertEqual((again.returncode, again.stderr.count("\n")), (1, 1), again.stderr)
        failed = subprocess.run([*run[:-1], self.folder / "none", out], capture_output=True, text=True, env=environment)
        self.assertNotEqual(failed.returncode, 0)
        self.assertEqual([each.name for each in self.folder.iterdir() if ".part" in each.name], [])

    @needs("pyarrow", "geopandas", "spatialdata", "scanpy", "squidpy")
    def test_scanpy_and_squidpy_take_the_table(self):
        import scanpy
        import spatialdata
        import squidpy

        out = self.folder / "scanpy.zarr"
        starpath.write_spatialdata(self.results, out, "all")
        table = spatialdata.read_zarr(out).tables["features"]
        table = table[:, ~pandas.isna(table.to_df()).any().to_numpy()].copy()
        scanpy.pp.scale(table)
        scanpy.pp.pca(table, n_comps=5)
        self.assertEqual(table.obsm["X_pca"].shape, (len(self.results), 5))
        squidpy.gr.spatial_neighbors(table, n_neighs=6, coord_type="generic")
        self.assertTrue((table.obsp["spatial_connectivities"].sum(axis=1) == 6).all())


class GroupsTest(unittest.TestCase):
    def compare(self, groups, values):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            table = starpath.compare_groups(pandas.DataFrame({"group": list(groups), "x": values}), "group")
        return table.loc["x"], [str(each.message) for each in caught]

    def test_small_groups_are_dealt_in_every_way(self):
        row, said = self.compare("aaabbb", [1, 2, 3, 10, 11, 12])
        self.assertAlmostEqual(row.p, 2 / 20)
        self.assertAlmostEqual(row.least_p, 2 / 20)
        self.assertRegex(said[0], "no p is below 0.1")

    def test_a_clear_difference_shows_and_none_does_not(self):
        row, said = self.compare("a" * 10 + "b" * 10, [*range(10), *range(20, 30)])
        self.assertLess(row.p, 0.001)
        self.assertEqual(said, [])
        row, _ = self.compare("ab" * 10, range(20))
        self.assertGreater(row.p, 0.5)

    def test_one_group_is_an_error(self):
        with self.assertRaisesRegex(starpath.StarpathError, "two groups"):
            self.compare("aaa", [1, 2, 3])


class StudyTest(unittest.TestCase):
    REGION = '{"type":"Polygon","coordinates":[[[0,0],[300,0],[300,400],[0,400],[0,0]]]}'

    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp(prefix="starpath-python-"))
        (cls.folder / "left.geojson").write_text(
            '{"type":"Feature","geometry":%s,"properties":{"name":"left"}}' % cls.REGION
        )
        (cls.folder / "list.csv").write_text(
            "path,patient,group,mpp,roi,stage\n"
            '"synthetic:600x400,seed=1",P1,A,0.5,left.geojson,II\n'
            '"synthetic:500x400,seed=2",P1,A,0.5,,I\n'
            '"synthetic:400x400,seed=3",P2,B,0.5,,\n'
        )
        run = [command, "segment", "--slides", cls.folder / "list.csv", "--quiet", "--export", "csv"]
        subprocess.run([*run, "--out", cls.folder / "study"], check=True)
        cls.study = starpath.Study(cls.folder / "study")

    @classmethod
    def tearDownClass(cls):
        cls.study.close()
        shutil.rmtree(cls.folder)

    def test_1_before_clusters(self):
        self.assertEqual(list(self.study.slides["stage"][:2]), ["II", "I"])
        self.assertEqual(len(self.study.clusters), 0)
        self.assertIsNone(self.study.clustering)
        self.assertFalse([name for name in self.study.by_slide().columns if "share" in name])
        slide, region = self.study.by_slide().loc[1], self.study.by_region().loc[(1, 1)]
        with self.study.results(1) as results:
            summary = results.summary()
        self.assertAlmostEqual(summary["analysed_mm2"], 300 * 400 * 0.25 / 1e6)
        self.assertAlmostEqual(summary["analysed_mm2"], slide["analysed_mm2"])
        self.assertAlmostEqual(summary["nuclei_per_mm2"], slide["nuclei_per_mm2"])
        left = self.study.results(1).nuclei()
        self.assertEqual(set(left["region"]), {"left"})
        self.assertEqual(region["nuclei"], len(left))
        self.assertAlmostEqual(region["nucleus_area_mean"], left["nucleus_area"].mean(), 3)
        csv = pandas.read_csv(self.folder / "study/synthetic_600x400_seed_1/nuclei.csv", index_col="id")
        self.assertEqual(list(csv.columns), list(left.columns))

    def test_2_clusters(self):
        subprocess.run([command, "cluster", self.folder / "study", "--k", "3", "--quiet", "--export", "none"], check=True)
        self.assertEqual(len(self.study.clusters), 3)
        self.assertEqual(self.study.clustering["k"], 3)
        nuclei = {slide: frame for slide, frame in self.study.nuclei()}
        self.assertEqual(sum(map(len, nuclei.values())), self.study.clusters["nuclei"].sum())
        shares = self.study.by_slide().filter(like="share")
        for slide, frame in nuclei.items():
            self.assertAlmostEqual(shares.loc[slide].sum(), 1)
            self.assertAlmostEqual(shares.loc[slide, "cluster_1_share"], (frame["cluster"] == "cluster 1").mean())
        patients = self.study.by_patient()
        own = pandas.concat([nuclei[1], nuclei[2]])
        self.assertEqual(list(patients["group"]), ["A", "B"])
        self.assertEqual(patients.loc["P1", "nuclei"], len(own))
        self.assertAlmostEqual(patients.loc["P1", "cluster_2_share"], (own["cluster"] == "cluster 2").mean())
        self.assertAlmostEqual(patients.loc["P1", "nucleus_area_median"], own["nucleus_area"].median(), 3)
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            starpath.compare_groups(patients, "group", ["nuclei_per_mm2", "cluster_1_share"])
        self.assertTrue(said)

    def test_2_clusters_of_slides_and_patients(self):
        with starpath.Study(self.folder / "study") as study:
            self.assertEqual(len(study.clusters_of("slides")), 0)
        for kind, names in (("slides", list(self.study.slides["folder"])), ("patients", ["P1", "P2"])):
            subprocess.run([command, "cluster", self.folder / "study", "--of", kind, "--k", "2", "--quiet"], check=True)
            with starpath.Study(self.folder / "study") as study:
                found = study.clusters_of(kind)
                self.assertEqual(list(found["name"]), names)
                self.assertEqual(set(found["cluster"]), {1, 2})
            table = pandas.read_csv(self.folder / f"study/clusters_of_{kind}.csv")
            self.assertEqual(list(table["cluster"]), list(found["cluster"]))
            of = self.study.by_slide() if kind == "slides" else self.study.by_patient()
            for column in ("nuclei_per_mm2", "nucleus_area_mean"):
                for written, read in zip(table[column], of[column]):
                    self.assertAlmostEqual(written, read, 3)

    def test_2_clusters_half_written(self):
        study = self.folder / "half"
        shutil.copytree(self.folder / "study", study)
        with sqlite3.connect(study / "study.sqlite") as database:
            database.execute("INSERT INTO study (key, value) VALUES ('clusters_begun', '1')")
            database.executescript("PRAGMA user_version = 2")
        with starpath.Study(study) as half:
            for read in (lambda: half.clusters, half.by_slide):
                with self.assertRaisesRegex(starpath.StarpathError, "other clusters.*run it again"):
                    read()

    def test_2_cohort_has_the_same_numbers(self):
        self.compare_with_cohort("cluster_1_share")

    def compare_with_cohort(self, share):
        subprocess.run([command, "cohort", self.folder / "study", "--features", "all", "--quiet"], check=True, stderr=subprocess.DEVNULL)
        for file, index, ours in (
            ("slides.csv", ["slide"], self.study.by_slide()),
            ("regions.csv", ["slide", "region"], self.study.by_region()),
            ("patients.csv", ["patient"], self.study.by_patient("all")),
        ):
            table = pandas.read_csv(self.folder / "study" / file).set_index(index)
            numbers = [name for name in ours.select_dtypes("number").columns if "_um" not in name]
            self.assertGreater(len(numbers), 100)
            self.assertIn(share, numbers)
            self.assertEqual(len(table), len(ours))
            pandas.testing.assert_frame_equal(
                table[numbers], ours[numbers], check_dtype=False, check_index_type=False, rtol=1e-4, atol=1e-6
            )

    def test_3_classes(self):
        self.assertEqual(len(self.study.classes), 0)
        slide = next(iter(self.study.slides["folder"]))
        nuclei = self.study.results(1).nuclei()
        median = nuclei["nucleus_area"].median()
        features = [
            {
                "type": "Feature",
                "geometry": {"type": "Point", "coordinates": [row.centroid_x, row.centroid_y]},
                "properties": {"classification": {"name": "large" if row.nucleus_area > median else "small"}},
            }
            for row in nuclei.itertuples()
        ]
        (self.folder / f"{slide}.geojson").write_text(json.dumps({"type": "FeatureCollection", "features": features}))
        model = ["--annotations", self.folder / f"{slide}.geojson", "--out", self.folder / "model.json"]
        subprocess.run([command, "classify", "train", self.folder / "study", *model], check=True, capture_output=True)
        run = [command, "classify", "run", self.folder / "study", "--model", self.folder / "model.json", "--quiet"]
        subprocess.run([*run, "--export", "csv"], check=True)
        self.assertEqual(list(self.study.classes["name"]), ["large", "small"])
        frames = {number: frame for number, frame in self.study.nuclei()}
        self.assertEqual(sum(map(len, frames.values())), self.study.classes["nuclei"].sum())
        csv = pandas.read_csv(self.folder / "study" / slide / "nuclei.csv", index_col="id")
        self.assertEqual(list(csv.columns), list(frames[1].columns))
        for column in ("class", "class_confidence", "out_of_range", "nearest_class"):
            pandas.testing.assert_series_equal(csv[column], frames[1][column], check_dtype=False)
        shares = ["class_large_share", "class_small_share", "out_of_range_share"]
        slides = self.study.by_slide()
        for number, frame in frames.items():
            self.assertAlmostEqual(slides.loc[number, shares].sum(), 1)
            self.assertAlmostEqual(slides.loc[number, "class_large_share"], (frame["class"] == "large").mean())
            outside = frame["class"] == "Out of range"
            self.assertEqual(list(outside), list(frame["out_of_range"] == 1))
            self.assertEqual(list(frame["nearest_class"][~outside]), list(frame["class"][~outside]))
            self.assertTrue(set(frame["nearest_class"]) <= {"large", "small"})
            self.assertAlmostEqual(slides.loc[number, "out_of_range_share"], frame["out_of_range"].mean())
        self.assertGreater(slides["out_of_range_share"].max(), 0)
        self.compare_with_cohort("class_small_share")

    def test_4_the_layout_before_clusters(self):
        old = self.folder / "old"
        old.mkdir()
        shutil.copy(self.folder / "study/study.sqlite", old)
        database = sqlite3.connect(old / "study.sqlite")
        for table in ("regions", "region_features", "clusters", "cluster_centres", "slide_clusters", "checksums"):
            database.execute(f"DROP TABLE {table}")
        database.executescript("ALTER TABLE slides DROP COLUMN exclude_said; PRAGMA user_version = 1")
        database.close()
        with starpath.Study(old) as study:
            self.assertEqual(len(study.by_slide()), 3)
            self.assertEqual(len(study.by_region()), 0)
            self.assertEqual(len(study.clusters), 0)

    def test_4_names_of_any_bytes(self):
        study = self.folder / "bytes"
        shutil.copytree(self.folder / "study", study)
        with sqlite3.connect(study / "study.sqlite") as database:
            database.execute("UPDATE slides SET path = CAST(x'67fc2e737673' AS TEXT) WHERE slide = 1")
            database.executescript("PRAGMA user_version = 2")
        with starpath.Study(study) as other:
            self.assertEqual(os.fsencode(other.slides.loc[1, "path"]), b"g\xfc.svs")

    def test_4_values_that_changed_are_not_read(self):
        for change, place in [
            ("UPDATE slides SET nuclei = nuclei + 1 WHERE slide = 2", "slide 2"),
            ("UPDATE features SET median = 3.5 WHERE slide = 1 AND feature = 'nucleus_area'", "slide 1"),
            ("DELETE FROM slide_clusters WHERE slide = 1", "clusters"),
            ("DELETE FROM checksums WHERE unit = 1", "slide 1"),
            ("DROP TABLE checksums", "no such table: checksums"),
        ]:
            with self.subTest(change), tempfile.TemporaryDirectory() as folder:
                shutil.copy(self.folder / "study/study.sqlite", folder)
                starpath.Study(folder).close()
                with sqlite3.connect(Path(folder) / "study.sqlite") as database:
                    database.execute(change)
                with self.assertRaisesRegex(starpath.StarpathError, f"study.sqlite: is damaged.*{place}"):
                    starpath.Study(folder)

    def test_5_errors(self):
        with self.assertRaisesRegex(starpath.StarpathError, "no such file"):
            starpath.Study(self.folder / "none")
        with self.assertRaises(KeyError):
            self.study.results(9)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
