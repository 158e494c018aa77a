// What a classifier of nuclei learnt from annotated ones: a text file.
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "codelets/kernels/nearest_classes.hpp"
#include "pipelines/classification/confusion.hpp"

namespace starpath {

struct NucleusClass {
  std::string name;
  std::uint32_t colour = 0;  // 0xRRGGBB
  friend bool operator==(const NucleusClass&, const NucleusClass&) = default;
};

/// Whether it is what exports call nuclei that are out of range, whatever its capitals: no class of a model may be.
bool is_reserved_class(const std::string& name);

/// A feature as tables of nuclei name it (nucleus_area_um2), and how samples spread in it.
struct ModelFeature {
  std::string name;
  double mean = 0, deviation = 0;  // above 0
  friend bool operator==(const ModelFeature&, const ModelFeature&) = default;
};

/// A slide that samples come from.
struct TrainedSlide {
  std::string name, fingerprint;
  std::int64_t nuclei = 0;
  friend bool operator==(const TrainedSlide&, const TrainedSlide&) = default;
};

/// Immutable once made: safe to share.
struct NucleusModel {
  double mpp = 0;  // micrometres a working pixel of the slides; 0: unknown
  int k = 1;       // neighbours that vote
  std::vector<NucleusClass> classes;
  std::vector<ModelFeature> features;
  std::vector<std::int16_t> points;    // point_number, features.size() a sample
  std::vector<std::uint8_t> labels;    // of each sample, in rising order
  std::optional<std::uint32_t> range;  // largest ClassVote::distance of a nucleus like the samples
  std::string validated_by;            // what cross-validation held out: "patient", "slide" or "nucleus"
  Confusion validation;                // what it found
  std::vector<TrainedSlide> slides;

  std::size_t samples() const { return labels.size(); }
  /// Numbers of a row that the kernel takes.
  int row_numbers() const { return padded_point(static_cast<int>(features.size())); }
  /// A nucleus's features, in the order of `features`, as a row of row_numbers().
  void put_row(std::span<const double> values, std::span<std::int16_t> row) const;
  /// All samples as such rows.
  std::vector<std::int16_t> sample_rows() const;
  bool out_of_range(const ClassVote& vote) const { return range && vote.distance > *range; }
  friend bool operator==(const NucleusModel&, const NucleusModel&) = default;
};

/// The model as text (JSON, a sample a line). Equal models give equal texts.
std::string model_text(const NucleusModel& model);

/// Reads model_text(). `name` is what errors call it. Throws Error{input} when the text is no such model, is damaged or
/// of another version.
NucleusModel parse_nucleus_model(const std::string& text, const std::string& name);

/// Throws Error{input}, also when there is no such file.
NucleusModel read_nucleus_model(const std::string& file);

/// Whether a file is such a model of any version, whole or damaged.
bool is_nucleus_model(const std::filesystem::path& file);

/// Digest of everything in it.
std::string model_digest(const NucleusModel& model);

}  // namespace starpath
