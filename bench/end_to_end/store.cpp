// What other layouts of the features in results.sqlite would save: bench_store RESULTS [--nuclei N] [--folder FOLDER]
//
// The features of a run's nuclei are written into a new file in each layout, all of them are read again, and so are the
// 20 basic ones that exports read. Processor time; no journal and no waiting for the disk, so that layouts alone count.
#include <libdeflate.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/sqlite.hpp"
#include "io/exports/measurements.hpp"
#include "io/results/nucleus_store.hpp"
#include "io/results/result_schema.hpp"

namespace {

using namespace starpath;

constexpr std::size_t kTileNuclei = 4096;  // of a packed column: about those of a tile

/// Nuclei times features, nucleus by nucleus.
struct Features {
  std::size_t columns = 0;
  std::vector<std::size_t> basic;  // columns that exports read
  std::vector<double> values;
  std::size_t rows() const { return values.size() / columns; }
  std::span<const double> row(std::size_t i) const { return std::span(values).subspan(i * columns, columns); }
};

Features read_features(const std::string& file, std::int64_t most) {
  const io::ResultStore store = io::ResultStore::open(file);
  const std::vector<std::string> names = store.info().feature_names;
  Features features;
  features.columns = names.size();
  for (std::size_t i = 0; i < names.size(); ++i)
    if (std::ranges::find(io::kBasicFeatures, names[i]) != io::kBasicFeatures.end()) features.basic.push_back(i);
  io::NucleusStore(store).for_each_nucleus_with(
      names,
      [&](std::int64_t, const io::NucleusRecord& nucleus) {
        features.values.insert(features.values.end(), nucleus.features.begin(), nucleus.features.end());
      },
      io::NucleusParts::measures, {1, most});
  return features;
}

/// A layout. `write` fills an empty database; `read` returns the sum of the values in these columns.
struct Layout {
  const char* name;
  void (*write)(Database& database, const Features& features);
  double (*read)(const Database& database, const Features& features, std::span<const std::size_t> columns);
};

std::string column_list(std::size_t count, const char* type) {
  std::string columns = "object INTEGER PRIMARY KEY";
  for (std::size_t i = 0; i < count; ++i) columns += ", f" + std::to_string(i) + " " + type;
  return columns;
}

template <class Convert>
void write_columns(Database& database, const Features& features, const char* type, const Convert& convert) {
  database.execute("CREATE TABLE features (" + column_list(features.columns, type) + ")");
  std::string values = "?";
  for (std::size_t i = 0; i < features.columns; ++i) values += ", ?";
  Statement put = database.prepare("INSERT INTO features VALUES (" + values + ")");
  for (std::size_t row = 0; row < features.rows(); ++row) {
    put.bind(1, static_cast<std::int64_t>(row));
    for (std::size_t i = 0; i < features.columns; ++i) put.bind(static_cast<int>(i) + 2, convert(features.row(row)[i]));
    put.run();
  }
}

template <class Convert>
double read_columns(const Database& database, std::span<const std::size_t> columns, const Convert& convert) {
  std::string list;
  for (const std::size_t column : columns) list += (list.empty() ? "f" : ", f") + std::to_string(column);
  Statement rows = database.prepare("SELECT " + list + " FROM features ORDER BY object");
  double sum = 0;
  while (rows.step())
    for (int i = 0; i < static_cast<int>(columns.size()); ++i) sum += convert(rows, i);
  return sum;
}

void write_blobs(Database& database, const Features& features) {
  database.execute("CREATE TABLE features (object INTEGER PRIMARY KEY, packed BLOB)");
  Statement put = database.prepare("INSERT INTO features VALUES (?, ?)");
  std::vector<float> packed;
  for (std::size_t row = 0; row < features.rows(); ++row) {
    packed.assign(features.row(row).begin(), features.row(row).end());
    put.run(static_cast<std::int64_t>(row), std::as_bytes(std::span(packed)));
  }
}

double read_blobs(const Database& database, const Features&, std::span<const std::size_t> columns) {
  Statement rows = database.prepare("SELECT packed FROM features ORDER BY object");
  double sum = 0;
  while (rows.step()) {
    const std::span<const std::byte> bytes = rows.bytes(0);
    for (const std::size_t column : columns) {
      float value = 0;
      std::memcpy(&value, bytes.data() + column * sizeof value, sizeof value);
      sum += static_cast<double>(value);
    }
  }
  return sum;
}

void write_packed_columns(Database& database, const Features& features) {
  database.execute(
      "CREATE TABLE features (tile INTEGER, column INTEGER, packed BLOB, PRIMARY KEY (tile, column))"
      " WITHOUT ROWID");
  Statement put = database.prepare("INSERT INTO features VALUES (?, ?, ?)");
  const std::unique_ptr<libdeflate_compressor, void (*)(libdeflate_compressor*)> packer(libdeflate_alloc_compressor(1),
                                                                                        libdeflate_free_compressor);
  std::vector<float> column(kTileNuclei);
  std::vector<std::byte> packed(libdeflate_deflate_compress_bound(packer.get(), kTileNuclei * sizeof(float)));
  for (std::size_t first = 0; first < features.rows(); first += kTileNuclei)
    for (std::size_t i = 0; i < features.columns; ++i) {
      column.resize(std::min(kTileNuclei, features.rows() - first));
      for (std::size_t row = 0; row < column.size(); ++row)
        column[row] = static_cast<float>(features.row(first + row)[i]);
      const std::size_t size = libdeflate_deflate_compress(packer.get(), column.data(), column.size() * sizeof(float),
                                                           packed.data(), packed.size());
      put.run(static_cast<std::int64_t>(first / kTileNuclei), static_cast<std::int64_t>(i),
              std::span<const std::byte>(packed.data(), size));
    }
}

double read_packed_columns(const Database& database, const Features& features, std::span<const std::size_t> columns) {
  Statement get = database.prepare("SELECT packed FROM features WHERE tile = ? AND column = ?");
  const std::unique_ptr<libdeflate_decompressor, void (*)(libdeflate_decompressor*)> unpacker(
      libdeflate_alloc_decompressor(), libdeflate_free_decompressor);
  std::vector<float> column(kTileNuclei);
  double sum = 0;
  for (std::size_t tile = 0; tile * kTileNuclei < features.rows(); ++tile)
    for (const std::size_t i : columns) {
      get.bind(1, static_cast<std::int64_t>(tile));
      get.bind(2, static_cast<std::int64_t>(i));
      while (get.step()) {
        std::size_t size = 0;
        const std::span<const std::byte> packed = get.bytes(0);
        libdeflate_deflate_decompress(unpacker.get(), packed.data(), packed.size(), column.data(),
                                      column.size() * sizeof(float), &size);
        for (std::size_t row = 0; row < size / sizeof(float); ++row) sum += static_cast<double>(column[row]);
      }
    }
  return sum;
}

constexpr std::array<Layout, 4> kLayouts = {{
    {"REAL columns (as it is)",
     [](Database& database, const Features& features) {
       write_columns(database, features, "REAL", [](double value) { return value; });
     },
     [](const Database& database, const Features&, std::span<const std::size_t> columns) {
       return read_columns(database, columns, [](const Statement& row, int i) { return row.typed_real(i).second; });
     }},
    {"columns of integers with the bits of singles",
     [](Database& database, const Features& features) {
       write_columns(database, features, "INTEGER",
                     [](double value) { return std::bit_cast<std::int32_t>(static_cast<float>(value)); });
     },
     [](const Database& database, const Features&, std::span<const std::size_t> columns) {
       return read_columns(database, columns, [](const Statement& row, int i) {
         return static_cast<double>(std::bit_cast<float>(static_cast<std::int32_t>(row.integer(i))));
       });
     }},
    {"a BLOB of singles a nucleus", write_blobs, read_blobs},
    {"a packed column a tile", write_packed_columns, read_packed_columns},
}};

double processor_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

template <class Work>
double cost(const Work& work) {
  const double began = processor_seconds();
  work();
  return processor_seconds() - began;
}

void measure(const Layout& layout, const Features& features, const std::filesystem::path& file) {
  std::filesystem::remove(file);
  std::vector<std::size_t> all(features.columns);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  double sum = 0, basic_sum = 0;
  const double writing = cost([&] {
    Database database(file.string(), Database::Open::create);
    database.execute("PRAGMA page_size = " + std::to_string(io::kPageBytes) +
                     "; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN");
    layout.write(database, features);
    database.execute("COMMIT");
  });
  const Database database(file.string(), Database::Open::existing);
  const double reading = cost([&] { sum = layout.read(database, features, all); });
  const double reading_basic = cost([&] { basic_sum = layout.read(database, features, features.basic); });
  const auto rows = static_cast<double>(features.rows());
  std::printf("%-45s %6.0f bytes, %5.2f us to write, %5.2f us to read, %5.2f us to read %zu (sums %.6g, %.6g)\n",
              layout.name, static_cast<double>(std::filesystem::file_size(file)) / rows, writing / rows * 1e6,
              reading / rows * 1e6, reading_basic / rows * 1e6, features.basic.size(), sum, basic_sum);
  std::filesystem::remove(file);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"What other layouts of features would save, in bytes and time a nucleus"};
  std::string results, folder = ".";
  std::int64_t nuclei = 100'000;
  app.add_option("RESULTS", results, "results.sqlite of a run")->required();
  app.add_option("--nuclei", nuclei, "at most so many")->capture_default_str();
  app.add_option("--folder", folder, "where files are made and removed")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    const Features features = read_features(results, nuclei);
    std::printf("%zu nuclei, %zu features; a nucleus costs:\n", features.rows(), features.columns);
    for (const Layout& layout : kLayouts)
      measure(layout, features, std::filesystem::path(folder) / "bench_store.sqlite");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_store: error: %s\n", error.what());
    return 1;
  }
}
