from pathlib import Path

from spack_repo.builtin.build_systems.cmake import CMakePackage

from spack.package import *

# The clone of Starpath that this recipe belongs to.
TREE = Path(__file__).resolve().parents[5]


class StarpathSched(CMakePackage):
    """Scheduling policies that every StarPU 1.4 program can choose, with an estimator of the
    times of its tasks."""

    homepage = TREE.as_uri()
    git = TREE.as_uri()

    license("Apache-2.0")

    version("main", branch="main")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("starpu@1.4+shared~simgrid")
    depends_on("hwloc")
    depends_on("sqlite@3.36:")
    depends_on("nlohmann-json")
    depends_on("fmt")
    depends_on("boost")

    def cmake_args(self):
        starpu = self.spec["starpu"].prefix.lib.pkgconfig
        return [
            self.define("STARPATH_COMPONENTS", "sched"),
            self.define("STARPATH_STARPU_PKGCONFIG", starpu),
            self.define("STARPATH_TESTS", False),
            self.define("STARPATH_BENCH", False),
            self.define("STARPATH_UNITY", True),
        ]
