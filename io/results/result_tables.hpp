// The tables of a pipeline's results, as merging and checking see them.
#pragma once
#include <span>

namespace starpath::io {

/// Columns in the order in which they are stored, with commas between them.
struct TableColumns {
  const char* table;
  const char* columns;
};

struct ResultTables {
  const char* units;                     // one row a unit of work: its number, its state, ...
  const char* unit;                      // the column of that number
  std::span<const char* const> of_unit;  // more tables, whose `object` holds the number in its upper half
  const char* derived;  // what is made from the rest when all is there, and so is void after a change; may be empty
  std::span<const TableColumns> columns;  // of every table but `features`, whose columns the table `run` lists
};

inline constexpr const char* kTablesOfTile[] = {"objects", "features"};
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
inline constexpr ResultTables kSegmentationTables{"tiles", "tile", kTablesOfTile, "accepted", kSegmentationColumns};
inline constexpr ResultTables kNbiaTables{"fields", "field", {}, "", kNbiaColumns};
inline constexpr ResultTables kRowTables{"rows", "tile", {}, "", kRowColumns};

}  // namespace starpath::io
