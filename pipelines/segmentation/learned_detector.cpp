// Reading and checking of weights.
#include "pipelines/segmentation/learned_detector.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/model_text.hpp"
#include "io/slides/fingerprint.hpp"

namespace starpath {

extern const char* const kBundledDetectorText;  // made by the build from detector.json

namespace {

constexpr const char* kFormatName = "starpath-detector";
constexpr int kFormatVersion = 1;
constexpr std::int64_t kMostWeight = 127, kMost32 = std::numeric_limits<std::int32_t>::max();

template <class... Arguments>
[[noreturn]] void refuse(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
  throw ModelFlaw{"is damaged: " + fmt::format(text, std::forward<Arguments>(arguments)...)};
}

/// The beginning of a value that is not what it should be.
std::string shown(const nlohmann::json& value) {
  constexpr std::size_t most = 40;
  const std::string text = value.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  return text.size() <= most ? text : text.substr(0, most) + "...";
}

const nlohmann::json& member(const nlohmann::json& object, std::string_view of, const char* name) {
  if (!object.is_object() || !object.contains(name)) refuse("{} has no '{}'", of, name);
  return object[name];
}

/// A whole number of least..most.
std::int64_t whole(const nlohmann::json& value, std::string_view of, const char* name, std::int64_t least,
                   std::int64_t most) {
  const bool fits = value.is_number_integer() &&
                    !(value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(most)) &&
                    value.get<std::int64_t>() >= least && value.get<std::int64_t>() <= most;
  if (!fits) refuse("'{}' of {} is {}; a whole number from {} to {} is needed", name, of, shown(value), least, most);
  return value.get<std::int64_t>();
}

std::int64_t whole_member(const nlohmann::json& object, std::string_view of, const char* name, std::int64_t least,
                          std::int64_t most) {
  return whole(member(object, of, name), of, name, least, most);
}

const nlohmann::json& list(const nlohmann::json& object, std::string_view of, const char* name, std::size_t count) {
  const nlohmann::json& items = member(object, of, name);
  if (!items.is_array() || items.size() != count)
    refuse("'{}' of {} is no list of {} numbers{}", name, of, count,
           items.is_array() ? fmt::format(", but of {}", items.size()) : "");
  return items;
}

void check_head(const nlohmann::json& root) {
  if (!root.is_object() || root.value("format", nlohmann::json()) != kFormatName)
    throw ModelFlaw{fmt::format("holds no weights of a detector: 'format' is not \"{}\"", kFormatName)};
  const nlohmann::json version = root.value("version", nlohmann::json());
  if (version != kFormatVersion)
    throw ModelFlaw{fmt::format("has version {}, this starpath reads version {}", shown(version), kFormatVersion)};
}

DetectorChannels channels_of(const nlohmann::json& root) {
  const nlohmann::json& items = member(root, "the file", "channels");
  if (!items.is_array() || items.size() < 3 || items.size() > DetectorChannels::kMostLevels)
    refuse("'channels' is no list of three or four numbers");
  DetectorChannels channels{};
  for (std::size_t level = 0; level < items.size(); ++level) {
    const std::int64_t count = whole(items[level], "the file", "channels", 8, DetectorChannels::kMostChannels);
    if (count % 8 != 0) refuse("'channels' holds {}; multiples of 8 are needed", count);
    channels.of[level] = static_cast<int>(count);
  }
  return channels;
}

std::vector<std::string> layer_names(int levels) {
  std::vector<std::string> names;
  const auto add = [&](const char* part, int level) {
    for (const char which : {'a', 'b'}) names.push_back(fmt::format("{}{}{}", part, level, which));
  };
  for (int level = 0; level < levels; ++level) add("encoder", level);
  for (int level = levels - 2; level >= 0; --level) add("decoder", level);
  names.emplace_back("head");
  return names;
}

/// One layer of the file, which becomes the words of a network.
class LayerReader {
 public:
  LayerReader(const nlohmann::json& object, const std::string& name, const DetectorLayer& layer,
              std::vector<std::int32_t>& words)
      : object_(object), of_("layer '" + name + "'"), layer_(layer), words_(words) {
    if (const nlohmann::json& said = member(object, of_, "name"); said != name)
      refuse("{} is called {}", of_, shown(said));
    for (const auto& [key, wanted] : {std::pair{"in", layer.in}, {"out", layer.out}, {"kernel", layer.kernel}})
      if (const nlohmann::json& said = member(object, of_, key); said != wanted)
        refuse("'{}' of {} is {}, but 'channels' make it {}", key, of_, shown(said), wanted);
  }

  void read() {
    const auto out = static_cast<std::size_t>(layer_.out);
    const std::size_t taps = static_cast<std::size_t>(layer_.kernel) * static_cast<std::size_t>(layer_.kernel) *
                             static_cast<std::size_t>(layer_.in);
    const nlohmann::json& weights = list(object_, of_, "weights", out * taps);
    const nlohmann::json& biases = list(object_, of_, "bias", out);
    for (std::size_t o = 0; o < out; ++o) {
      std::int64_t sum = 0;  // the largest that there can be, either way
      for (std::size_t tap = 0; tap < taps; ++tap) {
        const std::int64_t weight = whole(weights[o * taps + tap], of_, "weights", -kMostWeight, kMostWeight);
        sum += std::abs(weight) * kMostActivation;
        put_weight(static_cast<int>(tap), static_cast<int>(o), weight);
      }
      const std::int64_t bias = whole(biases[o], of_, "bias", -kMost32, kMost32);
      if (std::abs(bias) + sum > kMost32) refuse("a sum of {} may exceed 32 bits (output {})", of_, o);
      at(layer_.bias(), o) = static_cast<std::int32_t>(bias);
    }
    read_list("multiplier", layer_.multiplier(), 1, kMost32);
    read_list("shift", layer_.shift(), 1, 62);
  }

 private:
  std::int32_t& at(int first, std::size_t i) { return words_[static_cast<std::size_t>(first) + i]; }

  /// `tap` counts inputs first, then columns.
  void put_weight(int tap, int out, std::int64_t weight) {
    const int in = tap % layer_.in, place = tap / layer_.in;
    const int word = (place * layer_.in_words() + in / kWeightsInWord) * layer_.out + out;
    const std::uint32_t byte = static_cast<std::uint8_t>(weight);
    at(layer_.first, static_cast<std::size_t>(word)) |= static_cast<std::int32_t>(byte << 8 * (in % kWeightsInWord));
  }

  void read_list(const char* name, int first, std::int64_t least, std::int64_t most) {
    const nlohmann::json& items = list(object_, of_, name, static_cast<std::size_t>(layer_.out));
    for (std::size_t i = 0; i < items.size(); ++i)
      at(first, i) = static_cast<std::int32_t>(whole(items[i], of_, name, least, most));
  }

  const nlohmann::json& object_;
  const std::string of_;
  const DetectorLayer& layer_;
  std::vector<std::int32_t>& words_;
};

LearnedDetector detector_of(const nlohmann::json& root) {
  check_head(root);
  LearnedDetector detector;
  const nlohmann::json& mpp = member(root, "the file", "um_per_px");
  if (!mpp.is_number() || !(mpp.get<double>() >= 0.1 && mpp.get<double>() <= 10))
    refuse("'um_per_px' is {}; a number from 0.1 to 10 is needed", shown(mpp));
  detector.mpp = mpp.get<double>();
  detector.channels = channels_of(root);
  const nlohmann::json& thresholds = member(root, "the file", "thresholds");
  detector.nucleus_score = static_cast<int>(whole_member(thresholds, "'thresholds'", "nucleus", 1, 255));
  detector.core_score = static_cast<int>(whole_member(thresholds, "'thresholds'", "core", 1, 255));
  const DetectorLayers layers(detector.channels);
  const std::vector<std::string> names = layer_names(detector.channels.levels());
  const nlohmann::json& all = member(root, "the file", "layers");
  if (!all.is_array() || all.size() != names.size())
    refuse("'layers' is no list of {} layers: {}", names.size(), fmt::join(names, ", "));
  detector.words.resize(static_cast<std::size_t>(layers.words()));
  for (std::size_t i = 0; i < names.size(); ++i) LayerReader(all[i], names[i], layers.all[i], detector.words).read();
  return detector;
}

}  // namespace

LearnedDetector parse_detector(const std::string& text, const std::string& name) {
  return parse_model_text(text, name, "file of a detector's weights",
                          "take another file, or leave --detector-weights out", detector_of);
}

LearnedDetector read_detector(const std::string& file) { return parse_detector(read_model_text(file), file); }

const LearnedDetector& bundled_detector() {
  static const LearnedDetector detector = parse_detector(kBundledDetectorText, "the bundled detector");
  return detector;
}

std::string detector_digest(const LearnedDetector& detector) {
  std::string text = fmt::format("{} {} {} {}\n", fmt::join(detector.channels.of, " "), detector.mpp,
                                 detector.nucleus_score, detector.core_score);
  text.append(reinterpret_cast<const char*>(detector.words.data()), detector.words.size() * sizeof(std::int32_t));
  io::Digest digest;
  digest.add(text);
  return digest.hex();
}

}  // namespace starpath
