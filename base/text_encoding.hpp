// Text of any of the encodings that desktop programs write, as UTF-8.
#pragma once
#include <string>

namespace starpath {

enum class TextEncoding { utf8, utf16, latin1 };

struct DecodedText {
  std::string text;       // UTF-8, without a byte order mark
  TextEncoding encoding;  // that it was in
};

/// UTF-16 is known by its byte order mark, or by a first character that has a byte of zero; UTF-8 by being valid. What
/// is neither is taken for Latin-1, in which Windows has letters and quotes in place of 32 control characters (code
/// page 1252): a guess that callers tell. A half of a pair that stands alone becomes U+FFFD. Pure.
DecodedText decoded_text(std::string bytes);

}  // namespace starpath
