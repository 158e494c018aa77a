// SQL of a nucleus, and the checks of its values.
#include "io/results/nucleus_rows.hpp"

#include <fmt/format.h>

#include <utility>

#include "io/outlines/contour_check.hpp"
#include "io/results/contour_codec.hpp"
#include "io/results/group_tables.hpp"
#include "io/results/result_schema.hpp"
#include "io/results/stored_row.hpp"

namespace starpath::io {
namespace {

constexpr const char* kMeasures = "x0, objects.y0, x1, objects.y1, centroid_x, centroid_y, pixels";
constexpr const char* kPlace = ", objects.tile, first_x, first_y, role";

std::string group_column(const char* group) {
  return fmt::format(", ifnull((SELECT {0} FROM nucleus_{0}s AS g WHERE g.id = accepted.id), 0)", group);
}

void read_measures(const StoredRow& row, int column, const RunInfo& grid, NucleusRecord& nucleus) {
  nucleus.x0 = row.integer(column, 0, grid.width - 1);
  nucleus.y0 = row.integer(column + 1, 0, grid.height - 1);
  nucleus.x1 = row.integer(column + 2, nucleus.x0 + 1, grid.width);
  nucleus.y1 = row.integer(column + 3, nucleus.y0 + 1, grid.height);
  nucleus.centroid_x = row.real(column + 4, static_cast<double>(nucleus.x0), static_cast<double>(nucleus.x1));
  nucleus.centroid_y = row.real(column + 5, static_cast<double>(nucleus.y0), static_cast<double>(nucleus.y1));
  nucleus.area = static_cast<std::int32_t>(row.integer(column + 6, 1, INT32_MAX));
}
constexpr int kMeasureCount = 7;

void read_place(const StoredRow& row, int column, NucleusRecord& nucleus) {
  nucleus.tile = row.integer(column, 0, kMostUnits - 1);
  nucleus.first_x = row.integer(column + 1, nucleus.x0, nucleus.x1 - 1);
  nucleus.first_y = row.integer(column + 2, nucleus.y0, nucleus.y0);
  nucleus.role = static_cast<NucleusRole>(
      row.integer(column + 3, static_cast<int>(NucleusRole::owned), static_cast<int>(NucleusRole::candidate)));
}
constexpr int kPlaceCount = 4;

void read_contour(const StoredRow& row, int column, NucleusRecord& nucleus) {
  decode_contour(row.bytes(column), nucleus.contour);
  if (!is_contour(nucleus.contour, nucleus.x0, nucleus.y0, nucleus.x1, nucleus.y1))
    row.fail(fmt::format("the contour of the nucleus at {},{} is none", nucleus.first_x, nucleus.first_y));
}

/// How many groups of each kind there are; -1: not read.
struct GroupCounts {
  std::int64_t regions = -1, clusters = -1, classes = -1;
};

void read_groups(const StoredRow& row, int column, const GroupCounts& counts, NucleusRecord& nucleus) {
  const auto number = [&](std::int64_t least, std::int64_t most) {
    return static_cast<std::int32_t>(row.integer(column++, least, most));
  };
  if (counts.regions >= 0) nucleus.region = number(counts.regions == 0 ? 0 : 1, counts.regions);
  if (counts.clusters >= 0) nucleus.cluster = number(0, counts.clusters);
  if (counts.classes >= 0)
    nucleus.classified = {number(counts.classes == 0 ? 0 : 1, counts.classes), row.real(column, 0, 1),
                          row.real(column + 1, 0, 1e6), row.integer(column + 2, 0, 1) == 1};
}

}  // namespace

NucleusRows::NucleusRows(const Database& database, const RunInfo& grid, std::vector<std::string> features,
                         NucleusParts parts, NucleusGroupsRead groups)
    : database_(database), grid_(grid), features_(std::move(features)), parts_(parts), groups_(groups) {}

std::string NucleusRows::columns() const {
  std::string columns = kMeasures;
  if (parts_ >= NucleusParts::places) columns += kPlace;
  if (parts_ == NucleusParts::all) columns += ", contour";
  for (const std::string& name : features_) columns += ", features." + sql_identifier(name);
  if (groups_.region) columns += group_column("region");
  if (groups_.cluster) columns += group_column("cluster");
  if (groups_.classified)
    columns += ", ifnull(c.class, 0), ifnull(c.confidence, 0.0), ifnull(c.distance, 0.0), ifnull(c.out_of_range, 0)";
  return columns;
}

std::string NucleusRows::joins() const {
  std::string joins;
  if (!features_.empty()) joins += " CROSS JOIN features ON features.object = objects.object";
  if (groups_.classified) joins += " LEFT JOIN nucleus_classes AS c ON c.id = accepted.id";
  return joins;
}

void NucleusRows::visit(Statement& rows, const NucleusVisitor& visit, const char* counted) const {
  const StoredRow row(database_, rows, "objects");
  GroupCounts groups;
  if (groups_.region) groups.regions = std::ssize(read_regions_of(database_));
  if (groups_.cluster) groups.clusters = std::ssize(read_clusters_of(database_));
  if (groups_.classified) groups.classes = std::ssize(read_classes_of(database_));
  NucleusRecord nucleus{};
  nucleus.features.resize(features_.size());
  std::int64_t count = 0;
  for (; rows.step(); ++count) {
    int column = 1;
    read_measures(row, column, grid_, nucleus);
    column += kMeasureCount;
    if (parts_ >= NucleusParts::places) {
      read_place(row, column, nucleus);
      column += kPlaceCount;
    }
    if (parts_ == NucleusParts::all) read_contour(row, column++, nucleus);
    for (double& feature : nucleus.features) feature = row.real_or_nan(column++);
    read_groups(row, column, groups, nucleus);
    visit(rows.integer(0), nucleus);
  }
  if (counted == nullptr) return;
  if (const std::int64_t wanted = database_.integer(counted); count != wanted)
    throw damaged_results(database_, fmt::format("{} of {} nuclei are whole", count, wanted));
}

}  // namespace starpath::io
