// What libtiff asks of a file, and its messages.
#include "io/exports/tiff_writer.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <utility>

#include "base/error.hpp"

namespace starpath::io {

TiffWriter::TiffWriter(AtomicFile& file, std::string name, bool big) : file_(file), name_(std::move(name)) {
  std::unique_ptr<TIFFOpenOptions, decltype(&TIFFOpenOptionsFree)> options(TIFFOpenOptionsAlloc(), TIFFOpenOptionsFree);
  TIFFOpenOptionsSetErrorHandlerExtR(options.get(), report, this);
  tiff_.reset(TIFFClientOpenExt(
      name_.c_str(), big ? "w8l" : "wl", &file,
      [](thandle_t handle, void* data, tmsize_t size) -> tmsize_t {
        return static_cast<AtomicFile*>(handle)->try_read(data, static_cast<std::size_t>(size));
      },
      [](thandle_t handle, void* data, tmsize_t size) -> tmsize_t {
        return static_cast<AtomicFile*>(handle)->try_write(data, static_cast<std::size_t>(size)) ? size : -1;
      },
      [](thandle_t handle, toff_t offset, int whence) -> toff_t {
        return static_cast<toff_t>(
            static_cast<AtomicFile*>(handle)->try_seek(static_cast<std::int64_t>(offset), whence));
      },
      [](thandle_t) { return 0; }, [](thandle_t) -> toff_t { return 0; }, nullptr, nullptr, options.get()));
  check(tiff_ != nullptr);
}

int TiffWriter::report(TIFF*, void* writer, const char*, const char* format, va_list arguments) {
  std::array<char, 256> text{};
  std::vsnprintf(text.data(), text.size(), format, arguments);
  static_cast<TiffWriter*>(writer)->message_ = text.data();
  return 1;
}

void TiffWriter::check(bool good) const {
  file_.check();
  if (!good)
    throw Error(ErrorKind::output,
                fmt::format("{}: libtiff failed ({}); check the disk and try again", name_, message_));
}

void TiffWriter::close() {
  tiff_.reset();
  file_.check();
}

}  // namespace starpath::io
