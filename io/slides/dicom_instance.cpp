// DICOM files through DCMTK. Values that are large stay in the file until they are asked for.
#include "io/slides/dicom_instance.hpp"

#include <dcmtk/config/osconfig.h>
#include <dcmtk/dcmdata/dcfcache.h>
#include <dcmtk/dcmdata/dcpixseq.h>
#include <dcmtk/dcmdata/dcpxitem.h>
#include <dcmtk/dcmdata/dctk.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <mutex>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "io/slides/slide_backend.hpp"

namespace starpath::io {
namespace {

constexpr Uint32 kLargestInMemory = 4096;        // bytes of a value
constexpr std::int64_t kLargestFrame = 1 << 26;  // pixels: 192 MiB decoded
constexpr std::int64_t kLargestSide = std::int64_t{1} << 31;
constexpr const char* kDamaged = "the file may be damaged: copy or download it again";
constexpr const char* kExport = "export the slide with JPEG frames of 8 bits, or as a tiled TIFF";

/// DCMTK writes what it notices to standard error; what matters comes back as a condition.
void silence() {
  static std::once_flag once;
  std::call_once(once, [] { OFLog::configure(OFLogger::OFF_LOG_LEVEL); });
}

std::string text(DcmItem& item, const DcmTagKey& tag, unsigned long at = 0) {
  OFString value;
  return item.findAndGetOFString(tag, value, at).good() ? std::string(value.c_str()) : "";
}

/// `otherwise` where there is none.
std::int64_t number(DcmItem& item, const DcmTagKey& tag, std::int64_t otherwise) {
  Uint16 small = 0;
  Uint32 large = 0;
  Sint32 counted = 0;
  if (item.findAndGetUint16(tag, small).good()) return small;
  if (item.findAndGetUint32(tag, large).good()) return large;
  return item.findAndGetSint32(tag, counted).good() ? counted : otherwise;
}

double decimal(DcmItem& item, const DcmTagKey& tag, unsigned long at = 0) {
  Float64 value = 0;
  Float32 single = 0;
  if (item.findAndGetFloat64(tag, value, at).good()) return value;
  return item.findAndGetFloat32(tag, single, at).good() ? static_cast<double>(single) : 0;
}

DcmItem* item_of(DcmItem* parent, const DcmTagKey& sequence, signed long at = 0) {
  DcmItem* found = nullptr;
  return parent != nullptr && parent->findAndGetSequenceItem(sequence, found, at).good() ? found : nullptr;
}

DicomCoding coding_of(E_TransferSyntax syntax) {
  switch (syntax) {
    case EXS_LittleEndianImplicit:
    case EXS_LittleEndianExplicit:
    case EXS_BigEndianExplicit:
    case EXS_DeflatedLittleEndianExplicit:
      return DicomCoding::raw;
    case EXS_JPEGProcess1:
    case EXS_JPEGProcess2_4:
      return DicomCoding::jpeg;
    default:
      return DicomCoding::other;
  }
}

void read_resolution(DcmItem& dataset, DicomPicture& picture) {
  DcmItem* shared = item_of(&dataset, DCM_SharedFunctionalGroupsSequence);
  DcmItem* measures = item_of(shared, DCM_PixelMeasuresSequence);
  if (measures == nullptr)
    measures = item_of(item_of(&dataset, DCM_PerFrameFunctionalGroupsSequence), DCM_PixelMeasuresSequence);
  DcmItem& from = measures != nullptr ? *measures : dataset;
  picture.pixel_height = 1000 * decimal(from, DCM_PixelSpacing, 0);  // millimetres, between rows first
  picture.pixel_width = 1000 * decimal(from, DCM_PixelSpacing, 1);
  if (picture.pixel_width <= 0 || picture.pixel_height <= 0) {
    picture.pixel_width = 1000 * decimal(dataset, DCM_ImagedVolumeWidth) / static_cast<double>(picture.width);
    picture.pixel_height = 1000 * decimal(dataset, DCM_ImagedVolumeHeight) / static_cast<double>(picture.height);
  }
  if (DcmItem* optics = item_of(&dataset, DCM_OpticalPathSequence))
    picture.power = decimal(*optics, DCM_ObjectiveLensPower);
}

/// Of frames that say where they lie; empty where they lie row after row.
std::vector<FramePlace> places_of(const std::string& path, DcmItem& dataset, std::int64_t frames) {
  if (text(dataset, DCM_DimensionOrganizationType) == "TILED_FULL") return {};
  DcmSequenceOfItems* groups = nullptr;
  if (dataset.findAndGetSequence(DCM_PerFrameFunctionalGroupsSequence, groups).bad() || groups == nullptr) return {};
  std::vector<FramePlace> places;
  for (unsigned long i = 0; i < groups->card(); ++i) {
    DcmItem* position = item_of(groups->getItem(i), DCM_PlanePositionSlideSequence);
    if (position == nullptr) {
      if (places.empty()) return {};
      fail_input(path, fmt::format("DICOM frame {} does not say where it lies", i + 1), kDamaged);
    }
    places.push_back({number(*position, DCM_ColumnPositionInTotalImagePixelMatrix, 0) - 1,
                      number(*position, DCM_RowPositionInTotalImagePixelMatrix, 0) - 1});
  }
  if (static_cast<std::int64_t>(places.size()) != frames)
    fail_input(path, fmt::format("DICOM has {} frames, and says of {} where they lie", frames, places.size()),
               kDamaged);
  return places;
}

DicomPicture picture_of(const std::string& path, DcmDataset& dataset) {
  DicomPicture picture{};
  const std::string instance = text(dataset, DCM_SOPInstanceUID), whole = text(dataset, DCM_ConcatenationUID);
  picture.whole = whole.empty() ? instance : whole;
  picture.width = number(dataset, DCM_TotalPixelMatrixColumns, 0);
  picture.height = number(dataset, DCM_TotalPixelMatrixRows, 0);
  picture.frame_width = static_cast<int>(number(dataset, DCM_Columns, 0));
  picture.frame_height = static_cast<int>(number(dataset, DCM_Rows, 0));
  picture.frames = number(dataset, DCM_NumberOfFrames, 1);
  picture.first_frame = number(dataset, DCM_ConcatenationFrameOffsetNumber, 0);
  picture.samples = static_cast<int>(number(dataset, DCM_SamplesPerPixel, 0));
  picture.planes_apart = number(dataset, DCM_PlanarConfiguration, 0) == 1;
  picture.colours = text(dataset, DCM_PhotometricInterpretation);
  const DcmXfer syntax(dataset.getOriginalXfer());
  picture.coding = coding_of(syntax.getXfer());

  const auto refuse = [&](const std::string& what) { fail_input(path, "DICOM " + what, kExport); };
  if (picture.width < 1 || picture.height < 1 || picture.width > kLargestSide || picture.height > kLargestSide ||
      picture.frame_width < 1 || picture.frame_height < 1 || picture.frames < 1 || picture.first_frame < 0)
    fail_input(path,
               fmt::format("DICOM says that {} frames of {}x{} pixels make {}x{} pixels", picture.frames,
                           picture.frame_width, picture.frame_height, picture.width, picture.height),
               kDamaged);
  if (std::int64_t{picture.frame_width} * picture.frame_height > kLargestFrame)
    refuse(fmt::format("has frames of {}x{} pixels, and those of at most {} pixels are read", picture.frame_width,
                       picture.frame_height, kLargestFrame));
  if (picture.coding == DicomCoding::other)
    refuse(fmt::format("has its pixels in {}, which is not read", syntax.getXferName()));
  if (const auto bits = number(dataset, DCM_BitsAllocated, 0); bits != 8)
    refuse(fmt::format("has {} bits a sample, and 8 are read", bits));
  if (const auto planes = number(dataset, DCM_TotalPixelMatrixFocalPlanes, 1); planes > 1)
    refuse(fmt::format("holds a stack of {} focal planes, and one is read", planes));
  if (const auto paths = number(dataset, DCM_NumberOfOpticalPaths, 1); paths > 1)
    refuse(fmt::format("holds {} optical paths, and one is read", paths));
  const bool gray = picture.samples == 1 && picture.colours == "MONOCHROME2";
  const bool coloured =
      picture.samples == 3 &&
      (picture.colours == "RGB" || (picture.coding == DicomCoding::jpeg && picture.colours.starts_with("YBR_FULL")));
  if (!gray && !coloured)
    refuse(fmt::format("has pixels of {} samples in {}, which are not read", picture.samples,
                       picture.colours.empty() ? "no stated colours" : picture.colours));
  picture.places = places_of(path, dataset, picture.frames);
  read_resolution(dataset, picture);
  for (const auto& [tag, name] :
       {std::pair{DCM_Manufacturer, "dicom.Manufacturer"}, {DCM_ManufacturerModelName, "dicom.ManufacturerModelName"}})
    if (const std::string value = text(dataset, tag); !value.empty()) picture.properties[name] = value;
  return picture;
}

}  // namespace

struct DicomInstance::Dataset {
  DcmFileFormat file;
  mutable std::mutex mutex;  // DCMTK's objects serve one thread at a time
  mutable DcmFileCache open_file;
  DcmElement* pixels = nullptr;               // raw
  DcmPixelSequence* fragments = nullptr;      // JPEG; the first is a table
  std::vector<unsigned long> first_fragment;  // of each frame, and one behind the last

  /// A frame is one fragment or several; only its first one begins as a JPEG does.
  void find_frames(const std::string& path, std::int64_t frames);
  std::vector<unsigned char> bytes_of(DcmElement& element, std::int64_t from, std::int64_t count) const;
};

std::vector<unsigned char> DicomInstance::Dataset::bytes_of(DcmElement& element, std::int64_t from,
                                                            std::int64_t count) const {
  std::vector<unsigned char> bytes(static_cast<std::size_t>(count));
  if (count == 0) return bytes;
  const OFCondition read = element.getPartialValue(bytes.data(), static_cast<Uint32>(from), static_cast<Uint32>(count),
                                                   &open_file, EBO_LittleEndian);
  if (read.bad()) throw std::runtime_error(fmt::format("the frame is cut off: {}", read.text()));
  return bytes;
}

void DicomInstance::Dataset::find_frames(const std::string& path, std::int64_t frames) {
  const unsigned long count = fragments->card();
  const bool one_each = static_cast<std::int64_t>(count) == frames + 1;
  for (unsigned long i = 1; i < count; ++i) {
    DcmPixelItem* fragment = nullptr;
    if (fragments->getItem(fragment, i).bad()) break;
    std::vector<unsigned char> start;
    if (!one_each && frames > 1 && fragment->getLength() >= 2) start = bytes_of(*fragment, 0, 2);
    if (one_each || (frames == 1 && i == 1) || (start.size() == 2 && start[0] == 0xff && start[1] == 0xd8))
      first_fragment.push_back(i);
  }
  if (static_cast<std::int64_t>(first_fragment.size()) != frames)
    fail_input(path, fmt::format("DICOM says that it has {} frames, and {} were found", frames, first_fragment.size()),
               kDamaged);
  first_fragment.push_back(count);
}

DicomInstance::DicomInstance(const std::string& path) : path_(path), dataset_(std::make_unique<Dataset>()) {
  silence();
  const OFCondition read =
      dataset_->file.loadFile(path.c_str(), EXS_Unknown, EGL_noChange, kLargestInMemory, ERM_autoDetect);
  if (read.bad()) fail_input(path, fmt::format("DICOM cannot be read: {}", read.text()), kDamaged);
  DcmDataset& dataset = *dataset_->file.getDataset();
  const std::string kind = text(dataset, DCM_SOPClassUID);
  if (kind != UID_VLWholeSlideMicroscopyImageStorage)
    fail_input(path,
               fmt::format("is a DICOM file of another kind ({})",
                           dcmFindNameOfUID(kind.c_str(), kind.empty() ? "unknown" : kind.c_str())),
               "give a VL Whole Slide Microscopy Image");
  picture_ = picture_of(path, dataset);
  DcmElement* pixels = nullptr;
  if (dataset.findAndGetElement(DCM_PixelData, pixels).bad() || pixels == nullptr)
    fail_input(path, "DICOM holds no pixels", kDamaged);
  if (picture_.coding == DicomCoding::raw) {
    dataset_->pixels = pixels;
    return;
  }
  auto* sequence = dynamic_cast<DcmPixelData*>(pixels);
  if (sequence == nullptr ||
      sequence->getEncapsulatedRepresentation(dataset.getOriginalXfer(), nullptr, dataset_->fragments).bad() ||
      dataset_->fragments == nullptr)
    fail_input(path, "DICOM holds no frames, though it says that they are JPEG", kDamaged);
  dataset_->find_frames(path, picture_.frames);
}

DicomInstance::~DicomInstance() = default;

std::vector<unsigned char> DicomInstance::frame(std::int64_t number) const {
  const std::lock_guard lock(dataset_->mutex);
  if (picture_.coding == DicomCoding::raw) {
    const std::int64_t size = std::int64_t{picture_.frame_width} * picture_.frame_height * picture_.samples;
    if (static_cast<std::int64_t>(dataset_->pixels->getLength()) < (number + 1) * size)
      throw std::runtime_error(fmt::format("frame {} lies behind the end of the pixels", number + 1));
    return dataset_->bytes_of(*dataset_->pixels, number * size, size);
  }
  std::vector<unsigned char> bytes;
  const auto at = static_cast<std::size_t>(number);
  for (unsigned long i = dataset_->first_fragment[at]; i < dataset_->first_fragment[at + 1]; ++i) {
    DcmPixelItem* fragment = nullptr;
    if (dataset_->fragments->getItem(fragment, i).bad())
      throw std::runtime_error(fmt::format("frame {} is missing", number + 1));
    const std::vector<unsigned char> part = dataset_->bytes_of(*fragment, 0, fragment->getLength());
    bytes.insert(bytes.end(), part.begin(), part.end());
  }
  return bytes;
}

bool is_dicom(const std::filesystem::path& file) {
  std::array<char, 132> head{};  // a preamble of any 128 bytes, and a mark
  std::ifstream in(file, std::ios::binary);
  return in.read(head.data(), head.size()) && std::string_view(head.data() + 128, 4) == "DICM";
}

std::optional<DicomIdentity> dicom_identity(const std::filesystem::path& file) {
  if (!is_dicom(file)) return {};
  silence();
  DcmFileFormat opened;
  opened.loadFileUntilTag(file.c_str(), EXS_Unknown, EGL_noChange, kLargestInMemory, ERM_autoDetect, DCM_Rows);
  DcmDataset& dataset = *opened.getDataset();
  if (text(dataset, DCM_SOPClassUID) != UID_VLWholeSlideMicroscopyImageStorage) return {};
  return DicomIdentity{text(dataset, DCM_SeriesInstanceUID), text(dataset, DCM_ImageType, 2),
                       coding_of(dataset.getOriginalXfer()), text(dataset, DCM_PhotometricInterpretation)};
}

}  // namespace starpath::io
