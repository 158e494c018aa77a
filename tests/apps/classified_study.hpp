// A study, annotations of its nuclei and a model of them, which tests of `starpath classify` copy.
#pragma once
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "io/results/nucleus_record.hpp"
#include "io/results/nucleus_store.hpp"
#include "io/results/result_store.hpp"
#include "tests/apps/command.hpp"
#include "tests/support/shared_folder.hpp"

namespace starpath::test {

inline constexpr const char* kSlides[] = {"synthetic_700x600_seed_1", "synthetic_600x700_seed_2",
                                          "synthetic_512x512_seed_3"};

inline std::string results_of(const std::string& study, const char* slide) {
  return study + "/" + slide + "/results.sqlite";
}

/// What a person would see: small and large nuclei.
inline std::string class_of(const io::NucleusRecord& nucleus) { return nucleus.area > 170 ? "Large" : "Small"; }

inline nlohmann::json point_at(double x, double y, const std::string& name) {
  return {{"type", "Feature"},
          {"geometry", {{"type", "Point"}, {"coordinates", {x, y}}}},
          {"properties",
           {{"objectType", "annotation"},
            {"classification",
             {{"name", name}, {"color", name == "Large" ? nlohmann::json{200, 0, 0} : nlohmann::json{0, 0, 200}}}}}}};
}

inline void write_json(const std::string& file, const nlohmann::json& features) {
  std::ofstream(file) << nlohmann::json{{"type", "FeatureCollection"}, {"features", features}};
}

/// A point on every nucleus that is wanted.
inline nlohmann::json points_on(const std::string& results, const std::function<bool(std::int64_t)>& wanted) {
  const io::ResultStore store = io::ResultStore::open(results);
  const double scale = store.info().scale;
  nlohmann::json features = nlohmann::json::array();
  io::NucleusStore(store).for_each_nucleus(false, [&](std::int64_t id, const io::NucleusRecord& n) {
    if (wanted(id)) features.push_back(point_at(n.centroid_x * scale, n.centroid_y * scale, class_of(n)));
  });
  return features;
}

/// A study that tests copy, annotations of its first two slides, and a model of them.
inline const SharedFolder& classify_material() {
  static const SharedFolder material("classified_study", [](const SharedFolder& folder) {
    std::ofstream(folder / "half.geojson")
        << R"({"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[0,0],[300,0],[300,700],[0,700],[0,0]]]},"properties":{"name":"left"}})";
    std::ofstream(folder / "list.csv") << "path,mpp,roi\n\"synthetic:700x600,seed=1\",0.5,\n"
                                          "\"synthetic:600x700,seed=2\",0.5,\n"
                                          "\"synthetic:512x512,seed=3\",0.5,half.geojson\n";
    EXPECT_EQ(
        shell("starpath segment --quiet --export none --slides " + folder / "list.csv" + " --out " + folder / "study")
            .code,
        0);
    std::filesystem::create_directory(folder / "drawn");
    for (int i = 0; i < 2; ++i)
      write_json(folder / "drawn" + "/" + kSlides[i] + ".geojson",
                 points_on(results_of(folder / "study", kSlides[i]), [](std::int64_t id) { return id % 3 != 0; }));
    const auto run = shell("starpath classify train " + folder / "study" + " --annotations " + folder / "drawn" +
                           " --features nucleus_area,nucleus_perimeter,nucleus_extent --out " +
                           folder / "model.json --json 2>/dev/null");
    EXPECT_EQ(run.code, 0) << run.output;
    std::ofstream(folder / "train.json") << run.output;
  });
  return material;
}

class ClassifiedStudy : public testing::Test {
 protected:
  std::string study(const std::string& name) const {
    std::filesystem::copy(classify_material() / "study", folder_ / name, std::filesystem::copy_options::recursive);
    return folder_ / name;
  }
  static std::string model() { return classify_material() / "model.json"; }
  const TemporaryFolder folder_;
};

}  // namespace starpath::test
