// How large a slide's pixels are, and how that is known.
#pragma once
#include <string>
#include <string_view>

#include "io/slides/slide.hpp"

namespace starpath::io {

/// Micrometres a pixel that a user may say of a slide.
inline constexpr double kLeastSaidMpp = 0.001, kMostSaidMpp = 1000;

enum class MppSource {
  said,       // by the user
  file,       // the file says it
  objective,  // concluded from the objective's power, which the file says
  nuclei,     // concluded from the size of nuclei
  unknown,    // nothing is known: kDesignMpp is taken
};

/// The resolution of a slide's level 0.
struct Resolution {
  double mpp;  // micrometres a pixel, > 0
  MppSource source;
  std::string detail;   // for people, in parentheses: "aperio", "40x"; may be empty
  std::string doubt{};  // for people: what else the file says and why it was not taken (SlideInfo::mpp_doubt)

  bool known() const { return source != MppSource::unknown; }
};

/// One word, for machines: "said", "file", "objective", "nuclei", "unknown".
std::string_view name_of(MppSource source);

/// "0.25 um/px, stated by the slide (aperio)".
std::string text_of(const Resolution& resolution);

/// `said` if it is > 0, else the file's resolution, else the one of its objective's power (10 um / power), else
/// unknown. Looks at no pixels. Throws Error{input} where the file says that its pixels are no squares and `said` is
/// none.
Resolution stated_resolution(const SlideInfo& info, double said);

/// Throws Error{input} with both numbers where the file says that its pixels are no squares.
void check_square(const SlideInfo& info);

/// A warning for the user, one line that begins with a small letter; empty when the resolution was said or stated and
/// is one of slides (0.05 to 2 um/px).
std::string resolution_warning(const Resolution& resolution);

}  // namespace starpath::io
