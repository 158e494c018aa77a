// Files whose endings are those of slides of several files, or of one vendor, and that OpenSlide does not know as such.
// What they hold as a plain image is a preview, or not all.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include "base/lower_case.hpp"
#include "io/slides/slide_backend.hpp"

namespace starpath::io {
namespace {

namespace fs = std::filesystem;

struct VendorEnding {
  std::string_view ending;
  const char* slide;  // what such a slide is called
  /// What it needs beside the file; {} is the file's name without its ending. Empty where all is in the file.
  const char* beside;
  const char* hint;
};

constexpr const char* kExport = "Starpath does not read this format: export the slide as a tiled TIFF or an OME-TIFF";
constexpr const char* kTogether = "copy all of the slide to one place, under the names that it came with";
constexpr const char* kNotKnown =
    "OpenSlide does not know the file as one: copy or download it again, or call it .tif if it is a plain TIFF";

// .svs is not here: programs of other vendors write plain TIFF under that name.
constexpr std::array<VendorEnding, 9> kEndings = {
    {{".mrxs", "a MIRAX slide", "the folder {0}/ with Slidedat.ini, Index.dat and Data*.dat", kTogether},
     {".vms", "a Hamamatsu VMS slide", "the JPEG files and the .opt file that {0}.vms names", kTogether},
     {".vmu", "a Hamamatsu VMU slide", "the NGR files that {0}.vmu names", kTogether},
     {".vsi", "the preview of an Olympus slide", "the folder _{0}_/ with its pixels (.ets)", kExport},
     {".afi", "an Aperio fluorescence slide", "the .svs files that {0}.afi names", kExport},
     {".ndpi", "a Hamamatsu NDPI slide", "", kNotKnown},
     {".scn", "a Leica SCN slide", "", kNotKnown},
     {".bif", "a Ventana BIF slide", "", kNotKnown},
     {".svslide", "a Sakura slide", "", kNotKnown}}};

const VendorEnding* ending_of(const std::string& path) {
  const std::string ending = lower_case(fs::path(path).extension().string());
  const auto found = std::ranges::find(kEndings, std::string_view(ending), &VendorEnding::ending);
  return found == kEndings.end() ? nullptr : &*found;
}

/// A folder beside a MIRAX file that is one of a slide of another name; empty without one.
std::string folder_of_another(const fs::path& file) {
  std::error_code error, ignored;
  const fs::path folder = file.has_parent_path() ? file.parent_path() : ".";
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    if (entry->is_directory(ignored) && fs::exists(entry->path() / "Slidedat.ini", ignored) &&
        !fs::exists(fs::path(entry->path()) += ".mrxs", ignored))
      return entry->path().filename().string();
  return "";
}

bool recognises(const InputProbe& probe) {
  return !probe.is_directory && !probe.is_specification && ending_of(probe.input) != nullptr;
}

std::unique_ptr<Slide> open(const InputProbe& probe) {
  const fs::path path = probe.input;
  const VendorEnding& vendor = *ending_of(probe.input);
  const std::string stem = path.stem().string();
  if (*vendor.beside == '\0')
    fail_input(probe.input, fmt::format("has the ending of {}, and is none that can be read", vendor.slide),
               vendor.hint);
  std::string what =
      fmt::format("is {}, and needs {} beside it", vendor.slide, fmt::format(fmt::runtime(vendor.beside), stem));
  if (const std::string other = vendor.ending == ".mrxs" ? folder_of_another(path) : ""; !other.empty())
    what += fmt::format("; {0}/ lies there and belongs to {0}.mrxs", other);
  fail_input(probe.input, what, vendor.hint);
}

}  // namespace

const SlideBackend kIncompleteBackend = {"incomplete", recognises, open};

}  // namespace starpath::io
