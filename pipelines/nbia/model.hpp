// The model that NBIA learns from labelled fields: a small text file.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "codelets/kernels/image.hpp"
#include "codelets/kernels/nbia_classify.hpp"

namespace starpath {

/// The result of cross-validation: how often a level is right on fields that are held out of its samples.
struct NbiaValidation {
  std::int64_t fields = 0, right = 0;           // all of them
  std::int64_t decided = 0, decided_right = 0;  // those with a clear vote
  std::int64_t last_right = 0;                  // fields with a clear vote on which the last level is right
  friend bool operator==(const NbiaValidation&, const NbiaValidation&) = default;
};

/// The samples of one level.
struct NbiaLevel {
  int side = 0;                         // pixels
  std::vector<double> mean, deviation;  // kNbiaFeatureCount each
  std::vector<NbiaLabel> labels;        // of the samples: all stroma-rich ones, then all stroma-poor ones
  std::vector<std::int16_t> z;          // as NbiaSamples::z
  // Only models made since 0.2 have these:
  std::optional<std::int32_t> range;  // largest NbiaVote::distance of a field like those it was trained on
  std::optional<NbiaValidation> validation;
  bool used = true;  // false: cross-validation does not support its votes, so that only --levels asks for them

  NbiaSamples samples() const {
    return {mean.data(), deviation.data(), z.data(), labels.data(), static_cast<int>(labels.size())};
  }
};

/// Levels from the coarsest to the finest; the finest one's side is the field's. Immutable once made: safe to share.
struct NbiaModel {
  std::string origin;  // its training data
  double mpp = 0;      // micrometres a pixel of the field
  std::vector<NbiaLevel> levels;
  std::string validated_by;  // the held-out unit: "image", "annotation", "field"; empty: there was none
  /// field_digest() of the fields it was trained on, ascending; empty where a model does not say.
  std::vector<std::string> trained_on = {};

  int field() const { return levels.back().side; }
};

/// Digest of the features of a fixed picture: two programs with equal digests compute the same features.
std::string nbia_definition();

/// Digest of a field's pixels.
std::string field_digest(RgbView field);

/// The model as text (JSON, a sample a line). Equal models give equal text.
std::string model_text(const NbiaModel& model);

/// Reads model_text(). `name` is its name in errors. Throws Error{input} when the text is no model, is damaged or of
/// another version, or was made with another definition of the features.
NbiaModel parse_model(const std::string& text, const std::string& name);

/// Throws Error{input}, also when there is no such file.
NbiaModel read_model(const std::string& file);

/// Whether a file is a model of any version, whole or damaged.
bool is_nbia_model(const std::filesystem::path& file);

/// The model that comes with the program: trained on synthetic textures, to try things out, not for diagnosis.
const NbiaModel& bundled_model();

/// The model with these sides only, from coarse to fine. Throws Error{usage} unless the model has them all and the last
/// one is its field's side. An empty list stands for the levels that are used.
NbiaModel with_levels(const NbiaModel& model, const std::vector<int>& sides);

/// Digest of everything that changes results, and so not of `trained_on`.
std::string model_digest(const NbiaModel& model);

/// Throws Error{usage} unless sides rise, from at least 8 to at most 4096, and each divides the last.
void check_levels(const std::vector<int>& sides);

}  // namespace starpath
