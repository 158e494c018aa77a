// Synthetic H&E-like slides of any size, painted region by region. tissue.hpp describes their content.
#include <fmt/format.h>

#include "io/slides/fingerprint.hpp"
#include "io/slides/pixels.hpp"
#include "io/slides/slide_backend.hpp"
#include "io/synthetic/paint.hpp"
#include "io/synthetic/spec.hpp"

namespace starpath::io {
namespace {

// Raise when a change of the painter changes pixels: results of the older painter must not be resumed.
constexpr int kPainterVersion = 1;

SlideInfo describe(const std::string& input, const SyntheticSpec& spec) {
  SlideInfo info;
  info.path = input;
  info.format = "synthetic";
  info.mpp = spec.mpp;
  info.levels = {{spec.width, spec.height, 1}};
  std::string canonical = fmt::format("synthetic v{} {}x{} seed {} density {} mpp {}", kPainterVersion, spec.width,
                                      spec.height, spec.seed, spec.density, spec.mpp);
  if (spec.pattern == SyntheticPattern::stroma) canonical += " pattern stroma";
  Digest digest;
  digest.add(canonical);
  info.fingerprint = digest.hex();
  info.properties = {{"synthetic.seed", fmt::format("{}", spec.seed)},
                     {"synthetic.density", fmt::format("{}", spec.density)}};
  return info;
}

class SyntheticSlide final : public Slide {
 public:
  SyntheticSlide(const std::string& input, const SyntheticSpec& spec)
      : info_(describe(input, spec)), map_(spec), textures_(spec.seed) {}

  const SlideInfo& info() const override { return info_; }

  void read(int level, std::int64_t x, std::int64_t y, View<Rgb> out) const override {
    check_level(info_, level);
    const PixelBox part = shown_part(info_.width(), info_.height(), x, y, out);
    if (part.empty()) return;
    paint(map_, textures_, part.left, part.top,
          {out.row(static_cast<int>(part.top - y)) + (part.left - x), static_cast<int>(part.right - part.left),
           static_cast<int>(part.bottom - part.top), out.stride});
  }

 private:
  SlideInfo info_;
  TissueMap map_;
  Textures textures_;
};

bool recognises(const InputProbe& probe) { return probe.is_specification; }

std::unique_ptr<Slide> open(const InputProbe& probe) {
  return std::make_unique<SyntheticSlide>(probe.input, parse_synthetic(probe.input));
}

}  // namespace

const SlideBackend kSyntheticBackend = {"synthetic", recognises, open};

}  // namespace starpath::io
