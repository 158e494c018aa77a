// The tables of results.sqlite: made, recognised and compared with a run.
#include "io/results/result_schema.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.hpp"
#include "base/json_depth.hpp"
#include "base/lower_case.hpp"
#include "base/sqlite_tables.hpp"
#include "io/results/group_tables.hpp"
#include "io/results/physical_units.hpp"
#include "io/results/stored_row.hpp"

namespace starpath::io {
namespace {

constexpr int kApplicationId = 0x53745074;  // "StPt": tells `file` and us what this database is
// Before layout 2, tiles have no column `tissue`. Before layout 3, nothing guards regions, clusters and classes.
constexpr int kLayoutVersion = kGuardedLayout, kOldestLayout = 1;

constexpr const char* kRunTable = "CREATE TABLE run (key TEXT PRIMARY KEY, value) WITHOUT ROWID;";

constexpr const char* kFixedTables = R"(
CREATE TABLE tiles (
  tile INTEGER PRIMARY KEY, x INTEGER NOT NULL, y INTEGER NOT NULL, width INTEGER NOT NULL, height INTEGER NOT NULL,
  state TEXT NOT NULL, objects INTEGER NOT NULL, read_seconds REAL NOT NULL, compute_seconds REAL NOT NULL,
  error TEXT NOT NULL, tissue INTEGER NOT NULL);
CREATE TABLE objects (
  object INTEGER PRIMARY KEY, tile INTEGER NOT NULL, first_x INTEGER NOT NULL, first_y INTEGER NOT NULL,
  x0 INTEGER NOT NULL, y0 INTEGER NOT NULL, x1 INTEGER NOT NULL, y1 INTEGER NOT NULL,
  centroid_x REAL NOT NULL, centroid_y REAL NOT NULL, pixels INTEGER NOT NULL, role INTEGER NOT NULL,
  contour BLOB NOT NULL);
CREATE INDEX objects_in_raster_order ON objects (first_y, first_x, tile);
CREATE TABLE accepted (id INTEGER PRIMARY KEY, object INTEGER NOT NULL, y0 INTEGER NOT NULL, y1 INTEGER NOT NULL);
CREATE INDEX accepted_by_top ON accepted (y0);
)";

constexpr const char* kNucleiColumns[] = {"id",     "tile", "centroid_x",    "centroid_y",   "x0",     "y0",
                                          "x1",     "y1",   "first_x",       "first_y",      "pixels", "contour",
                                          "object", "role", "centroid_x_um", "centroid_y_um"};

void check_feature_names(const std::vector<std::string>& names) {
  std::set<std::string> taken(std::begin(kNucleiColumns), std::end(kNucleiColumns));
  std::vector<std::string> columns = names;
  for (const PhysicalFeature& feature : physical_features(names)) columns.push_back(feature.column);
  for (const std::string& column : columns) {
    const std::string name = lower_case(column);  // SQLite's column names do not tell A from a
    if (!taken.insert(name).second)
      throw Error(ErrorKind::internal, fmt::format("feature '{}' has the name of another column; rename it", name));
  }
}

std::string feature_table(const std::vector<std::string>& names) {
  std::string columns;
  for (const std::string& name : names) columns += ", " + sql_identifier(name) + " REAL";
  return "CREATE TABLE features (object INTEGER PRIMARY KEY" + columns + ");\n";
}

std::string micrometre_columns(const std::vector<std::string>& names) {
  std::string selected;
  for (const PhysicalFeature& feature : physical_features(names))
    selected += fmt::format(", features.{} * (SELECT {} FROM run WHERE key = 'mpp' AND value > 0) AS {}",
                            sql_identifier(names[feature.feature]), feature.dimension == 2 ? "value * value" : "value",
                            sql_identifier(feature.column));
  for (const char* axis : {"x", "y"})
    selected += fmt::format(
        ", centroid_{0} * (SELECT value FROM run WHERE key = 'mpp' AND value > 0) AS centroid_{0}_um", axis);
  return selected;
}

/// The view as SQLite keeps its text. Files of 0.1.0 have it without columns in micrometres.
std::string nuclei_view(const std::vector<std::string>& names, bool with_micrometres) {
  std::string selected;
  for (const std::string& name : names) selected += ", features." + sql_identifier(name);
  if (with_micrometres) selected += micrometre_columns(names);
  return "CREATE VIEW nuclei AS SELECT id, tile, centroid_x, centroid_y, x0, objects.y0 AS y0, x1, objects.y1 AS y1, "
         "first_x, first_y, "
         "pixels, contour" +
         selected +
         " FROM accepted JOIN objects ON objects.object = accepted.object JOIN features ON features.object = "
         "accepted.object"
         " ORDER BY id";
}

nlohmann::json parsed(const std::string& text) {
  nlohmann::json value;
  if (!nests_deeply(text)) value = nlohmann::json::parse(text, nullptr, false);
  return value.is_object() ? value.flatten() : nlohmann::json{{"/parameters", text}};
}

/// The value of `key`, as `read` takes it from a row's first column.
template <class Read>
auto run_value(const Database& database, std::string_view key, Read read) {
  Statement statement = database.prepare("SELECT value FROM run WHERE key = ?");
  statement.bind(1, key);
  if (!statement.step()) throw damaged_results(database, fmt::format("no '{}' in it", key));
  const std::string place = fmt::format("run, {}", key);
  return read(StoredRow(database, statement, place.c_str()));
}

std::string run_text(const Database& database, std::string_view key) {
  return run_value(database, key, [](const StoredRow& row) { return row.text(0); });
}

std::vector<std::string> feature_names_in(const Database& database) {
  const std::string listed = run_text(database, "feature_names");
  const auto names = nests_deeply(listed) ? nlohmann::json() : nlohmann::json::parse(listed, nullptr, false);
  if (!names.is_array() || !std::ranges::all_of(names, [](const auto& name) { return name.is_string(); }))
    throw damaged_results(database, "feature_names");
  return names.get<std::vector<std::string>>();
}

std::string columns_in(std::int64_t layout, const TableColumns& table) {
  const std::string columns = table.columns, added = ",tissue";
  return layout < 2 && columns.ends_with(added) ? columns.substr(0, columns.size() - added.size()) : columns;
}

/// The texts that the view of a file may have.
std::vector<std::string> view_texts(const Database& database, const ResultTables& tables) {
  if (tables.of_unit.empty()) return {kLabelsView};
  const std::vector<std::string> names = feature_names_in(database);
  std::vector<std::string> texts = {nuclei_view(names, true)};
  if (result_layout(database) < 2) texts.push_back(nuclei_view(names, false));
  return texts;
}

/// The view is what people and other programs read, so a changed text would give them other values.
void check_view(const Database& database, const ResultTables& tables) {
  const std::string_view wanted = tables.view == nullptr ? "" : tables.view;
  Statement strange =
      database.prepare("SELECT type, name FROM sqlite_schema WHERE type = 'trigger' OR type = 'view' AND name <> ?");
  strange.bind(1, wanted);
  if (strange.step())
    throw damaged_results(database, fmt::format("it has a {} '{}'", strange.text(0), strange.text(1)));
  if (tables.view == nullptr) return;
  Statement view = database.prepare("SELECT sql FROM sqlite_schema WHERE type = 'view' AND name = ?");
  view.bind(1, wanted);
  if (!view.step()) throw damaged_results(database, fmt::format("it has no view '{}'", wanted));
  const std::vector<std::string> texts = view_texts(database, tables);
  if (std::ranges::find(texts, view.text(0)) == texts.end())
    throw damaged_results(database, fmt::format("the view '{}' selects something else", wanted));
}

/// That the queries which name an index find it.
void check_indexes(const Database& database) {
  try {
    database.prepare("SELECT 1 FROM objects INDEXED BY objects_in_raster_order ORDER BY first_y, first_x, tile");
    database.prepare("SELECT 1 FROM accepted INDEXED BY accepted_by_top WHERE y0 > ?");
  } catch (const DatabaseError& error) {
    throw damaged_results(database, error.what());
  }
}

}  // namespace

std::string differences(const std::string& before, const std::string& now) {
  const nlohmann::json old_values = parsed(before), new_values = parsed(now);
  std::set<std::string> keys;
  for (const auto& item : old_values.items()) keys.insert(item.key());
  for (const auto& item : new_values.items()) keys.insert(item.key());
  // Values of two pipelines, or definitions, do not compare.
  const std::string pipeline = "/pipeline", definition = "/definition";
  const auto same = [&, none = nlohmann::json()](const std::string& key) {
    return old_values.value(key, none) == new_values.value(key, none);
  };
  if (!same(definition)) keys = {definition};
  if (!same(pipeline)) keys = {pipeline};
  std::string text;
  for (const std::string& key : keys) {
    const auto shown = [&](const nlohmann::json& values) {
      return values.contains(key) ? values[key].dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)
                                  : "not set";
    };
    const std::string was = shown(old_values), is = shown(new_values);
    if (was != is) text += fmt::format("{}{} was {} and is {}", text.empty() ? "" : ", ", key.substr(1), was, is);
  }
  return text;
}

void create_result_schema(Database& database, const RunKey& key, const RunInfo& info, const ResultTables& tables) {
  if (std::max({info.slide_width, info.slide_height, info.width, info.height}) > kMostSide)
    throw Error(ErrorKind::input,
                fmt::format("{}: {} x {} pixels, or {} x {} at the working resolution, are more than "
                            "results can hold ({} a side)",
                            info.slide_path, info.slide_width, info.slide_height, info.width, info.height, kMostSide));
  database.execute(fmt::format("PRAGMA page_size = {}", kPageBytes));
  Transaction transaction(database);
  database.execute(
      fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {};", kApplicationId, kLayoutVersion));
  database.execute(kRunTable);
  database.execute(tables.sql(info));
  Statement put = database.prepare("INSERT INTO run (key, value) VALUES (?, ?)");
  const auto set = [&](std::string_view name, const auto& value) { put.run(name, value); };
  set("slide_fingerprint", std::string_view(key.slide_fingerprint));
  set("starpath_version", std::string_view(key.starpath_version));
  set("parameters", std::string_view(key.parameters));
  set("slide_path", std::string_view(info.slide_path));
  set("slide_width", info.slide_width);
  set("slide_height", info.slide_height);
  set("slide_mpp", info.slide_mpp);
  set("width", info.width);
  set("height", info.height);
  set("mpp", info.mpp);
  set("scale", info.scale);
  set("roi_x", info.roi_x);
  set("roi_y", info.roi_y);
  set("roi_width", info.roi_width);
  set("roi_height", info.roi_height);
  const std::string names = nlohmann::json(info.feature_names).dump();
  set("feature_names", std::string_view(names));
  set("mpp_source", std::string_view(info.mpp_source));
  if (info.origin) {
    set("origin_x", info.origin->x);
    set("origin_y", info.origin->y);
  }
  transaction.commit();
}

std::string sql_of_nuclei(const RunInfo& info) {
  check_feature_names(info.feature_names);
  return kFixedTables + feature_table(info.feature_names) + nuclei_view(info.feature_names, true);
}

bool is_results_file(const std::filesystem::path& file) { return is_database_of(file, kApplicationId); }

void check_result_schema(const Database& database) {
  if (database.integer("PRAGMA application_id") != kApplicationId)
    throw Error(ErrorKind::mismatch,
                database.path() + ": is no results file of starpath; choose another path, or move it away");
  if (Statement encoding = database.prepare("PRAGMA encoding"); !encoding.step() || encoding.text(0) != "UTF-8")
    throw damaged_results(database, "its text is not UTF-8");  // another's cannot be attached
  if (columns_of(database, "run") != "key,value")
    throw damaged_results(database, "it has no table 'run', or one with other columns");
  if (const std::int64_t version = result_layout(database); version < kOldestLayout || version > kLayoutVersion)
    throw Error(
        ErrorKind::mismatch,
        fmt::format("{}: has layout {}, this starpath reads layouts {} to {}; use the starpath that made it "
                    "(version {}) or choose another folder",
                    database.path(), version, kOldestLayout, kLayoutVersion, run_text(database, "starpath_version")));
}

void check_can_be_changed(const Database& database) {
  if (result_layout(database) < 2)
    throw Error(ErrorKind::mismatch,
                fmt::format("{}: was written by starpath {} and can only be read; segment the slide again into another "
                            "folder",
                            database.path(), run_text(database, "starpath_version")));
}

std::int64_t result_layout(const Database& database) { return database.integer("PRAGMA user_version"); }

void check_tables(const Database& database, const ResultTables& tables) {
  const auto check = [&](const char* table, const std::string& wanted) {
    const std::string columns = columns_of(database, table);
    if (columns.empty()) throw damaged_results(database, fmt::format("it has no table '{}'", table));
    if (columns != wanted) throw damaged_results(database, fmt::format("table '{}' has other columns", table));
  };
  for (const TableColumns& table : tables.columns) check(table.table, columns_in(result_layout(database), table));
  if (!tables.of_unit.empty()) {
    std::string columns = "object";
    for (const std::string& name : feature_names_in(database)) columns += "," + name;
    check("features", columns);
  }
  if (!columns_of(database, "checksums").empty()) check("checksums", "unit,checksum");
  if (!tables.of_unit.empty())
    for (const TableColumns& table : kGroupColumns)
      if (has_table(database, table.table)) check(table.table, table.columns);
  if (!tables.of_unit.empty()) check_indexes(database);
  check_view(database, tables);
}

void check_integrity(const Database& database) {
  Statement statement = database.prepare("PRAGMA integrity_check(1)");
  if (!statement.step()) return;
  const std::string result = statement.text(0);
  if (result != "ok") throw damaged_results(database, result);
}

void check_same_run(const Database& database, const RunKey& key) {
  const auto mismatch = [&](const std::string& what) {
    return Error(
        ErrorKind::mismatch,
        fmt::format("{}: cannot be resumed: {}; use the same again or choose another folder", database.path(), what));
  };
  const RunKey made = read_run_key(database);
  if (made.slide_fingerprint != key.slide_fingerprint)
    throw mismatch(fmt::format("the results are of another slide ({}, fingerprint {}, this one has {})",
                               run_text(database, "slide_path"), made.slide_fingerprint, key.slide_fingerprint));
  if (made.starpath_version != key.starpath_version)
    throw mismatch(
        fmt::format("they were made by starpath {}, this is {}", made.starpath_version, key.starpath_version));
  if (made.parameters == key.parameters) return;
  const std::string what = differences(made.parameters, key.parameters);
  if (!what.empty()) throw mismatch("parameters differ: " + what);
}

RunKey read_run_key(const Database& database) {
  return {run_text(database, "slide_fingerprint"), run_text(database, "starpath_version"),
          run_text(database, "parameters")};
}

RunInfo read_run_info(const Database& database) {
  const auto side = [&](std::string_view key, std::int64_t least, std::int64_t most) {
    return run_value(database, key, [=](const StoredRow& row) { return row.integer(0, least, most); });
  };
  const auto real = [&](std::string_view key, double least, double most) {
    return run_value(database, key, [=](const StoredRow& row) { return row.real(0, least, most); });
  };
  RunInfo info{};
  info.slide_path = run_text(database, "slide_path");
  info.slide_width = side("slide_width", 1, kMostSide);
  info.slide_height = side("slide_height", 1, kMostSide);
  info.slide_mpp = real("slide_mpp", 0, 1e6);
  info.width = side("width", 1, kMostSide);
  info.height = side("height", 1, kMostSide);
  info.mpp = real("mpp", 0, 1e6);
  info.scale = real("scale", 1e-6, 1e6);
  info.roi_x = side("roi_x", 0, info.width);
  info.roi_y = side("roi_y", 0, info.height);
  info.roi_width = side("roi_width", 0, info.width - info.roi_x);
  info.roi_height = side("roi_height", 0, info.height - info.roi_y);
  const auto says = [&](const char* key) {
    return database.integer(fmt::format("SELECT count(*) FROM run WHERE key = '{}'", key)) != 0;
  };
  if (says("mpp_source")) info.mpp_source = run_text(database, "mpp_source");  // results of 0.1.0 do not say it
  if (says("origin_x"))
    info.origin = {side("origin_x", -kMostSide, kMostSide), side("origin_y", -kMostSide, kMostSide)};
  info.feature_names = feature_names_in(database);
  return info;
}

}  // namespace starpath::io
