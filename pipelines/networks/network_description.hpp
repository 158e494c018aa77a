// What a user says of a network in an ONNX file: a TOML file beside it. docs/segmentation.md describes it for users.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace starpath {

/// What makes probabilities of an output's numbers. `softmax` is over all channels of the output.
enum class Activation : unsigned char { none, sigmoid, softmax };

/// What a network gives: two probabilities for each pixel; or what HoVer-Net or StarDist give, a probability and
/// distances (docs/instances.md).
enum class NetworkKind : unsigned char { probability, hover, stardist };

/// One of the two maps that nuclei are made of: the sum of the probabilities of some channels, or distances.
struct NetworkMap {
  std::string output;         // of the ONNX file; empty: its only one
  std::vector<int> channels;  // of that output, from 0 on, each once
  double threshold = 0;       // a probability above 0 and below 1; of stardist's distances nothing

  friend bool operator==(const NetworkMap&, const NetworkMap&) = default;
};

struct NetworkDescription {
  NetworkKind kind = NetworkKind::probability;
  double mpp = 0;                 // um a pixel
  int field = 0;                  // side of the square that the network takes, pixels
  int margin = 0;                 // pixels at each side of a field whose outputs are not used
  bool blue_first = false;        // the order of the channels of its input
  std::array<double, 3> factors;  // a channel's value, in that order: byte * factor + offset
  std::array<double, 3> offsets;
  Activation activation = Activation::none;
  NetworkMap nucleus, second;  // the latter is [core] of probability, and [distances] of the others
  int grid = 1;                // stardist: pixels from one point of an output to the next
  double overlap = 0;          // stardist: a polygon vanishes that shares more than this with a surer one
  /// Whether a pixel's values lie beside each other in the input. The ONNX file says it (read_network).
  bool channels_last = false;

  /// Distance of the fields' beginnings, which is the side of the part that is used.
  constexpr int step() const { return field - 2 * margin; }

  friend bool operator==(const NetworkDescription&, const NetworkDescription&) = default;
};

inline constexpr int kLeastField = 16, kMostField = 4096;
/// The least step.
inline constexpr int kLeastUsed = 8;

/// `name` begins messages. Throws Error{input}, one line with the line of the file and what is needed: no TOML, a key
/// that is missing, unknown, or has another value than it may have, a margin that leaves nothing of the field.
NetworkDescription parse_network_description(std::string_view text, const std::string& name);

/// The score (kernels/detector.hpp) that a probability stands for: 128 are even odds, and 16 more multiply them by e.
/// 1..255.
int score_of_probability(double probability);

/// The score of hover (kernels/distance_scores.hpp) that a probability stands for. 1..255.
int linear_score_of(double probability);

/// All values in words: equal descriptions give equal texts.
std::string text_of(const NetworkDescription& description);

}  // namespace starpath
