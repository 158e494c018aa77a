// A database in memory.
#include "io/results/tile_rows.hpp"

#include <fmt/format.h>

#include <string>

#include "base/error.hpp"
#include "io/results/contour_codec.hpp"
#include "io/results/result_schema.hpp"

namespace starpath::io {

TileRows::TileRows(std::int64_t tile, std::size_t features) : tile_(tile), features_wanted_(features) {
  database_.emplace(":memory:", Database::Open::create);
  // SQLite copies rows as they are between tables whose columns agree in type, whatever their names are.
  std::string columns = "object INTEGER PRIMARY KEY", values = "?";
  for (std::size_t i = 0; i < features; ++i) {
    columns += fmt::format(", f{} REAL", i);
    values += ", ?";
  }
  database_->execute(fmt::format("PRAGMA page_size = {}; PRAGMA journal_mode = OFF; CREATE TABLE features ({}); BEGIN",
                                 kPageBytes, columns));
  put_ = database_->prepare("INSERT INTO features VALUES (" + values + ")");
}

void TileRows::add(const NucleusRecord& n, std::span<const double> features) {
  if (features.size() != features_wanted_)
    throw Error(ErrorKind::internal, fmt::format("a nucleus has {} features, the results {}; please report this",
                                                 features.size(), features_wanted_));
  const std::int64_t object = object_number(tile_, count_++);
  encode_contour(n.contour, contour_bytes_);
  use_object_row(object, n, contour_bytes_, [&](const auto&... values) { (objects_.add(values), ...); });
  int parameter = 0;
  put_->bind(++parameter, object);
  features_.add(object);
  for (const double feature : features) {
    put_->bind(++parameter, feature);
    features_.add(feature);
  }
  put_->run();
}

void TileRows::finish() {
  database_->execute("COMMIT");
  image_ = database_->image();
  put_.reset();
  database_.reset();
  objects_.append(features_);
}

}  // namespace starpath::io
