// Models: checks and digests.
#include "pipelines/nbia/model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <string_view>

#include "base/error.hpp"
#include "base/pure/random.hpp"
#include "codelets/kernels/nbia_statistics.hpp"
#include "io/slides/fingerprint.hpp"

namespace starpath {
namespace {

/// A picture in which every part of the definition shows: all colours, edges in every direction, glass.
std::vector<Rgb> definition_picture(int side) {
  std::vector<Rgb> pixels;
  Lcg64 random(1);
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) {
      const std::uint64_t number = random.next();
      const auto channel = [&](int shift) {
        const int noise = static_cast<int>(number >> shift & 63);
        return static_cast<std::uint8_t>(std::min(255, (x * 3 + y * (shift - 38)) % 193 + noise));
      };
      pixels.push_back(x * y < 400 ? Rgb{244, 243, 245} : Rgb{channel(40), channel(48), channel(56)});
    }
  return pixels;
}

}  // namespace

std::string nbia_definition() {
  constexpr int side = 64;
  const std::vector<Rgb> pixels = definition_picture(side);
  Scratch scratch;
  NbiaCounts counts;
  cpu::nbia_statistics({scratch}, {pixels.data(), side, side, side}, &counts);
  io::Digest digest;
  for (const double value : nbia_features(counts))
    digest.add(static_cast<std::int64_t>(std::bit_cast<std::uint64_t>(value)));
  digest.add(std::int64_t{counts.glass});
  digest.add(std::int64_t{kNbiaNeighbours});
  return digest.hex();
}

void check_levels(const std::vector<int>& sides) {
  const auto refuse = [&](const std::string& what) {
    throw Error(ErrorKind::usage, fmt::format("--levels {}: {}; give sides from coarse to fine, such as 32,128,512",
                                              fmt::join(sides, ","), what));
  };
  if (sides.empty()) refuse("no level");
  for (std::size_t i = 0; i < sides.size(); ++i) {
    if (sides[i] < 8 || sides[i] > 4096) refuse(fmt::format("{} is not between 8 and 4096", sides[i]));
    if (i > 0 && sides[i] <= sides[i - 1]) refuse(fmt::format("{} does not come after {}", sides[i], sides[i - 1]));
  }
  for (const int side : sides)
    if (sides.back() % side != 0) refuse(fmt::format("{} does not divide {}", side, sides.back()));
}

NbiaModel with_levels(const NbiaModel& model, const std::vector<int>& sides) {
  NbiaModel chosen{model.origin, model.mpp, {}, model.validated_by, model.trained_on};
  if (sides.empty()) {
    for (const NbiaLevel& level : model.levels)
      if (level.used) chosen.levels.push_back(level);
    return chosen;
  }
  check_levels(sides);
  std::vector<int> known;
  for (const NbiaLevel& level : model.levels) known.push_back(level.side);
  for (const int side : sides) {
    const auto found = std::find(known.begin(), known.end(), side);
    if (found == known.end())
      throw Error(ErrorKind::usage,
                  fmt::format("--levels {}: the model has no level {}, only {}; train one with these levels",
                              fmt::join(sides, ","), side, fmt::join(known, ",")));
    chosen.levels.push_back(model.levels[static_cast<std::size_t>(found - known.begin())]);
  }
  if (chosen.field() != model.field())
    throw Error(
        ErrorKind::usage,
        fmt::format("--levels {}: the last one must be {}, the side of the fields that the model was trained on",
                    fmt::join(sides, ","), model.field()));
  return chosen;
}

std::string field_digest(RgbView field) {
  io::Digest digest;
  for (int y = 0; y < field.height; ++y)
    digest.add(std::string_view(reinterpret_cast<const char*>(field.row(y)),
                                static_cast<std::size_t>(field.width) * sizeof(Rgb)));
  return digest.hex();
}

std::string model_digest(const NbiaModel& model) {
  NbiaModel deciding = model;
  deciding.trained_on.clear();
  io::Digest digest;
  digest.add(model_text(deciding));
  return digest.hex();
}

}  // namespace starpath
