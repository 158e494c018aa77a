// The tables of each pipeline's results.sqlite, for the code that creates, checks and merges files.
#pragma once
#include <span>
#include <string>

#include "base/sqlite_tables.hpp"
#include "io/results/guard.hpp"
#include "io/results/results_file.hpp"

namespace starpath::io {

struct RunInfo;

/// The layout of a pipeline's results beside the table `run`, which all have.
struct ResultTables : Guard {
  std::span<const char* const> of_unit;   // more tables, whose `object` holds the number of the unit in its upper half
  const GuardedPart* derived;             // what a run makes of all units at its end; void after a unit has changed
  std::span<const TableColumns> columns;  // of every table but `features`, whose columns the table `run` lists
  const char* view;                       // the view for users; nullptr: the file has none
  std::string (*sql)(const RunInfo&);     // that makes the tables and the view
  Commits commits;
};

// Numbers of parts in the table `checksums`.
inline constexpr std::int64_t kRunPart = -1, kAcceptedPart = -2, kRegionsPart = -3, kClustersPart = -4,
                              kClassesPart = -5;

inline constexpr TableRows kRunRows[] = {{"run", "key"}};
inline constexpr TableRows kAcceptedRows[] = {{"accepted", "id"}};
inline constexpr TableRows kRegionRows[] = {{"nucleus_regions", "id"}, {"regions", "region"}};
inline constexpr TableRows kClusterRows[] = {{"nucleus_clusters", "id"}, {"clusters", "cluster"}};
inline constexpr TableRows kClassRows[] = {{"nucleus_classes", "id"}, {"classes", "class"}};
inline constexpr GuardedPart kSegmentationParts[] = {{kRunPart, "table run", kRunRows},
                                                     {kAcceptedPart, "table accepted", kAcceptedRows},
                                                     {kRegionsPart, "what regions nuclei are in", kRegionRows},
                                                     {kClustersPart, "what clusters nuclei are in", kClusterRows},
                                                     {kClassesPart, "what classes nuclei are of", kClassRows}};
inline constexpr GuardedPart kRunPartAlone[] = {{kRunPart, "table run", kRunRows}};

inline constexpr const char* kTablesOfTile[] = {"objects", "features"};
inline constexpr const char* kRowsOfTile[] = {
    "SELECT * FROM tiles WHERE tile = ?1",
    "SELECT * FROM objects WHERE object >= ?1 << 32 AND object < (?1 + 1) << 32 ORDER BY object",
    "SELECT * FROM features WHERE object >= ?1 << 32 AND object < (?1 + 1) << 32 ORDER BY object"};
inline constexpr const char* kRowsOfField[] = {"SELECT * FROM fields WHERE field = ?1"};
inline constexpr const char* kRowsOfRow[] = {"SELECT * FROM rows WHERE tile = ?1"};

inline constexpr TableColumns kSegmentationColumns[] = {
    {"run", "key,value"},
    {"tiles", "tile,x,y,width,height,state,objects,read_seconds,compute_seconds,error,tissue"},
    {"objects", "object,tile,first_x,first_y,x0,y0,x1,y1,centroid_x,centroid_y,pixels,role,contour"},
    {"accepted", "id,object,y0,y1"}};
inline constexpr TableColumns kNbiaColumns[] = {
    {"run", "key,value"},
    {"fields",
     "field,x,y,width,height,state,label,votes,p_value,level,confidence,distance,out_of_range,read_seconds,"
     "compute_seconds,error"}};
inline constexpr TableColumns kRowColumns[] = {
    {"run", "key,value"}, {"rows", "tile,x,y,width,height,state,numbers,read_seconds,compute_seconds,error"}};

/// The text of the view of NBIA's results. That of a segmentation depends on its features (result_schema.cpp).
inline constexpr const char* kLabelsView =
    "CREATE VIEW labels AS SELECT label, count(*) AS fields FROM fields WHERE state = 'done' GROUP BY label";

std::string sql_of_nuclei(const RunInfo& info);  // result_schema.cpp
std::string sql_of_fields(const RunInfo& info);  // field_store.cpp
std::string sql_of_rows(const RunInfo& info);    // row_store.cpp

inline constexpr ResultTables kSegmentationTables{{"tiles", "tile", kRowsOfTile, kSegmentationParts},
                                                  kTablesOfTile,
                                                  &kSegmentationParts[1],
                                                  kSegmentationColumns,
                                                  "nuclei",
                                                  sql_of_nuclei,
                                                  Commits::few_large};
inline constexpr ResultTables kNbiaTables{{"fields", "field", kRowsOfField, kRunPartAlone},
                                          {},
                                          nullptr,
                                          kNbiaColumns,
                                          "labels",
                                          sql_of_fields,
                                          Commits::many_small};
inline constexpr ResultTables kRowTables{
    {"rows", "tile", kRowsOfRow, kRunPartAlone}, {}, nullptr, kRowColumns, nullptr, sql_of_rows, Commits::many_small};

}  // namespace starpath::io
