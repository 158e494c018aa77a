// Pictures into memory, by libjpeg-turbo.
#include "io/exports/picture.hpp"

#include <turbojpeg.h>

#include <cstdint>
#include <memory>

#include "base/error.hpp"

namespace starpath::io {

std::string jpeg_bytes(RgbView picture, int quality) {
  const std::unique_ptr<void, int (*)(tjhandle)> encoder(tjInitCompress(), tjDestroy);
  unsigned char* bytes = nullptr;
  unsigned long size = 0;
  const int failed = tjCompress2(encoder.get(), &picture.data->r, picture.width, static_cast<int>(picture.stride * 3),
                                 picture.height, TJPF_RGB, &bytes, &size, TJSAMP_444, quality, 0);
  const std::unique_ptr<unsigned char, void (*)(unsigned char*)> owner(bytes, tjFree);
  if (failed != 0)
    throw Error(ErrorKind::runtime, std::string("a JPEG cannot be made: ") + tjGetErrorStr2(encoder.get()));
  return {reinterpret_cast<const char*>(bytes), size};
}

std::string data_uri(std::string_view type, std::string_view bytes) {
  constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text = "data:" + std::string(type) + ";base64,";
  text.reserve(text.size() + bytes.size() / 3 * 4 + 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    std::uint32_t three = 0;
    for (std::size_t i = 0; i < 3; ++i)
      three = three << 8 | (at + i < bytes.size() ? static_cast<unsigned char>(bytes[at + i]) : 0u);
    const std::size_t digits = bytes.size() - at < 3 ? bytes.size() - at + 1 : 4;
    for (std::size_t i = 0; i < 4; ++i) text += i < digits ? alphabet[three >> (18 - 6 * i) & 63] : '=';
  }
  return text;
}

}  // namespace starpath::io
