// Zarr arrays by GDAL's multidimensional interface (gdal.h). GDAL gives local folders only, prints nothing, and neither
// reads settings of its own nor writes files.
#include "io/maps/zarr_reader.hpp"

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_string.h>
#include <gdal.h>
#include <gdal_frmts.h>

#include <array>
#include <filesystem>
#include <limits>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace starpath::io {
namespace {

/// What GDAL says on this thread while the object lives.
class Words {
 public:
  Words() { CPLPushErrorHandlerEx(take, this); }
  ~Words() { CPLPopErrorHandler(); }
  Words(const Words&) = delete;
  Words& operator=(const Words&) = delete;

  bool has_failure() const { return !text_.empty(); }
  /// "GDAL 3.6.2 `otherwise`", or what it said.
  [[noreturn]] void fail(const std::string& otherwise) const {
    throw std::runtime_error(std::string("GDAL ") + GDALVersionInfo("RELEASE_NAME") + ' ' +
                             (text_.empty() ? otherwise : "says: " + text_));
  }

 private:
  static void CPL_STDCALL take(CPLErr kind, CPLErrorNum, const char* message) {
    auto& words = *static_cast<Words*>(CPLGetErrorHandlerUserData());
    if (kind < CE_Failure) return;
    if (!words.text_.empty()) words.text_ += "; ";
    words.text_ += message;
  }

  std::string text_;
};

template <auto free>
struct Free {
  template <class Held>
  void operator()(Held* held) const {
    free(held);
  }
};
template <class Handle, auto free>
using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, Free<free>>;
using Dataset = Owned<GDALDatasetH, GDALClose>;
using Group = Owned<GDALGroupH, GDALGroupRelease>;
using Array = Owned<GDALMDArrayH, GDALMDArrayRelease>;
using Type = Owned<GDALExtendedDataTypeH, GDALExtendedDataTypeRelease>;

/// The driver for Zarr alone. Others would load what GDAL_DRIVER_PATH names.
bool start_gdal() {
  CPLSetConfigOption("GDAL_CONFIG_FILE", "");  // in place of the user's and the system's
  CPLSetConfigOption("CPL_DEBUG", "OFF");
  CPLSetConfigOption("GDAL_PAM_ENABLED", "NO");
  CPLSetConfigOption("ZARR_ALLOW_BIG_TILE_SIZE", "YES");  // who asks has looked at the size
  GDALRegister_Zarr();
  return true;
}

Dataset open_dataset(const std::string& folder) {
  static const bool started = start_gdal();
  static_cast<void>(started);
  constexpr std::array<const char*, 2> drivers = {"Zarr", nullptr};
  std::string place = std::filesystem::absolute(folder).lexically_normal().string();
  if (place.starts_with("/vsi")) place.insert(0, "/.");  // names of places elsewhere begin so
  return Dataset(GDALOpenEx(place.c_str(), GDAL_OF_MULTIDIM_RASTER | GDAL_OF_READONLY | GDAL_OF_VERBOSE_ERROR,
                            drivers.data(), nullptr, nullptr));
}

/// The one array of the group.
Array array_of(GDALGroupH group) {
  char** const names = GDALGroupGetMDArrayNames(group, nullptr);
  Array array(CSLCount(names) == 1 ? GDALGroupOpenMDArray(group, names[0], nullptr) : nullptr);
  CSLDestroy(names);
  return array;
}

std::vector<ZarrAxis> axes_of(GDALMDArrayH array) {
  std::size_t count = 0, chunks = 0;
  GDALDimensionH* const dimensions = GDALMDArrayGetDimensions(array, &count);
  GUInt64* const chunk = GDALMDArrayGetBlockSize(array, &chunks);
  constexpr auto most = static_cast<GUInt64>(std::numeric_limits<std::int64_t>::max());
  std::vector<ZarrAxis> axes;
  bool fits = count == chunks;
  for (std::size_t i = 0; fits && i < count; ++i) {
    const GUInt64 length = GDALDimensionGetSize(dimensions[i]);
    fits = length >= 1 && length <= most && chunk[i] >= 1 && chunk[i] <= most;
    axes.push_back({static_cast<std::int64_t>(length), static_cast<std::int64_t>(chunk[i])});
  }
  GDALReleaseDimensions(dimensions, count);
  CPLFree(chunk);
  if (!fits) throw std::runtime_error("an axis has no numbers");
  return axes;
}

class GdalReader final : public ZarrReader {
 public:
  GdalReader(Dataset dataset, Array array)
      : ZarrReader(axes_of(array.get())),
        dataset_(std::move(dataset)),
        array_(std::move(array)),
        type_(GDALExtendedDataTypeCreate(GDT_Float64)) {}

  void read(const std::uint64_t* first, const std::size_t* count, const std::ptrdiff_t* stride, double* to) override {
    const Words words;
    const std::vector<GUInt64> begin(first, first + axes_.size());
    const std::vector<GPtrDiff_t> strides(stride, stride + axes_.size());
    if (GDALMDArrayRead(array_.get(), begin.data(), count, nullptr, strides.data(), type_.get(), to, nullptr, 0) == 0 ||
        words.has_failure())
      words.fail("cannot decode a chunk");
  }

 private:
  const Dataset dataset_;
  const Array array_;
  const Type type_;
};

}  // namespace
}  // namespace starpath::io

extern "C" __attribute__((visibility("default"))) starpath::io::ZarrReader* starpath_open_zarr_1(
    const std::string& folder) {
  using namespace starpath::io;
  const Words words;
  Dataset dataset = open_dataset(folder);
  if (dataset == nullptr) words.fail("does not know this version of Zarr");
  const Group group(GDALDatasetGetRootGroup(dataset.get()));
  Array array = group == nullptr ? nullptr : array_of(group.get());
  if (array == nullptr) words.fail("finds no array of a version that it reads");
  return new GdalReader(std::move(dataset), std::move(array));
}
