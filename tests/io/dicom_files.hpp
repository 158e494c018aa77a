// DICOM files of whole slides that the slide tests write.
#pragma once
#include <dcmtk/config/osconfig.h>
#include <dcmtk/dcmdata/dcpixseq.h>
#include <dcmtk/dcmdata/dcpxitem.h>
#include <dcmtk/dcmdata/dctk.h>
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "io/exports/picture.hpp"
#include "slide_files.hpp"

namespace starpath::io::test {

/// How a picture becomes a file. By default: the whole picture in raw tiles, row after row.
struct DicomOptions {
  int tile = 16;
  bool jpeg = false;
  int quality = 90;
  std::string series = "1.2.3", instance = "1.2.3.1", flavour = "VOLUME", concatenation = "";
  double millimetres = 0.0005;          // of a pixel; 0: not said
  std::int64_t first = 0, frames = -1;  // of the tiles in this file; -1: all from the first on
  bool sparse = false;                  // frames say where they lie
  std::function<bool(int tile)> left_out = [](int) { return false; };  // of a sparse picture
  int fragments = 1;                                                   // of each JPEG
  bool planes_apart = false;
  std::function<std::string(const Picture&)> code = {};        // of a tile, instead of the JPEG of its pixels
  std::function<void(DcmDataset&)> more = [](DcmDataset&) {};  // last changes
};

namespace dicom {

inline std::string raw(const Picture& tile, bool planes_apart) {
  std::string bytes;
  for (int plane = 0; plane < (planes_apart ? 3 : 1); ++plane)
    for (const Rgb& p : tile.pixels) {
      const unsigned char samples[3] = {p.r, p.g, p.b};
      for (int i = planes_apart ? plane : 0; i < (planes_apart ? plane + 1 : 3); ++i)
        bytes += static_cast<char>(samples[i]);
    }
  return bytes;
}

inline void put_fragments(DcmPixelSequence& sequence, const std::string& frame, int fragments) {
  const std::size_t part = (frame.size() / static_cast<std::size_t>(fragments) + 2) / 2 * 2;
  for (std::size_t at = 0; at < std::max<std::size_t>(frame.size(), 1); at += part) {
    std::string bytes = frame.substr(at, part);
    if (bytes.size() % 2 != 0) bytes += '\0';
    auto* item = new DcmPixelItem(DCM_PixelItemTag);  // owned by the sequence
    item->putUint8Array(reinterpret_cast<const Uint8*>(bytes.data()), bytes.size());
    sequence.insert(item);
  }
}

}  // namespace dicom

inline void write_dicom(const std::string& path, const Picture& picture, const DicomOptions& options = {}) {
  DcmFileFormat file;
  DcmDataset& data = *file.getDataset();
  const auto put = [&](DcmItem& item, const DcmTagKey& tag, const std::string& value) {
    ASSERT_TRUE(item.putAndInsertString(tag, value.c_str()).good());
  };
  put(data, DCM_SOPClassUID, UID_VLWholeSlideMicroscopyImageStorage);
  put(data, DCM_SOPInstanceUID, options.instance);
  put(data, DCM_SeriesInstanceUID, options.series);
  put(data, DCM_ImageType, "ORIGINAL\\PRIMARY\\" + options.flavour + "\\NONE");
  put(data, DCM_Manufacturer, "Maker");
  put(data, DCM_PatientName, "Secret^Name");
  put(data, DCM_PhotometricInterpretation, options.jpeg ? "YBR_FULL_422" : "RGB");
  for (const auto& [tag, value] : {std::pair{DCM_SamplesPerPixel, 3},
                                   {DCM_BitsAllocated, 8},
                                   {DCM_BitsStored, 8},
                                   {DCM_HighBit, 7},
                                   {DCM_PixelRepresentation, 0},
                                   {DCM_Rows, options.tile},
                                   {DCM_Columns, options.tile},
                                   {DCM_PlanarConfiguration, options.planes_apart ? 1 : 0}})
    data.putAndInsertUint16(tag, static_cast<Uint16>(value));
  data.putAndInsertUint32(DCM_TotalPixelMatrixColumns, static_cast<Uint32>(picture.width));
  data.putAndInsertUint32(DCM_TotalPixelMatrixRows, static_cast<Uint32>(picture.height));
  put(data, DCM_DimensionOrganizationType, options.sparse ? "TILED_SPARSE" : "TILED_FULL");
  if (options.millimetres > 0) {
    DcmItem *shared = nullptr, *measures = nullptr;
    data.findOrCreateSequenceItem(DCM_SharedFunctionalGroupsSequence, shared);
    shared->findOrCreateSequenceItem(DCM_PixelMeasuresSequence, measures);
    put(*measures, DCM_PixelSpacing, fmt::format("{0}\\{0}", options.millimetres));
  }
  if (!options.concatenation.empty()) {
    put(data, DCM_ConcatenationUID, options.concatenation);
    data.putAndInsertUint32(DCM_ConcatenationFrameOffsetNumber, static_cast<Uint32>(options.first));
  }

  auto* sequence = new DcmPixelSequence(DCM_PixelSequenceTag);
  sequence->insert(new DcmPixelItem(DCM_PixelItemTag));  // the table of offsets may be empty
  std::string all;
  int number = 0, frames = 0;
  for (int y = 0; y < picture.height; y += options.tile)
    for (int x = 0; x < picture.width; x += options.tile, ++number) {
      const bool here = number >= options.first && (options.frames < 0 || number < options.first + options.frames);
      if (!here || (options.sparse && options.left_out(number))) continue;
      Picture tile = crop(picture, x, y, options.tile, options.tile);
      if (options.sparse) {
        DcmItem *group = nullptr, *position = nullptr;
        data.findOrCreateSequenceItem(DCM_PerFrameFunctionalGroupsSequence, group, frames);
        group->findOrCreateSequenceItem(DCM_PlanePositionSlideSequence, position);
        position->putAndInsertSint32(DCM_ColumnPositionInTotalImagePixelMatrix, x + 1);
        position->putAndInsertSint32(DCM_RowPositionInTotalImagePixelMatrix, y + 1);
      }
      if (options.jpeg)
        dicom::put_fragments(*sequence, options.code ? options.code(tile) : jpeg_bytes(tile.view(), options.quality),
                             options.fragments);
      else
        all += dicom::raw(tile, options.planes_apart);
      ++frames;
    }
  put(data, DCM_NumberOfFrames, std::to_string(frames));
  if (options.jpeg) {
    auto* pixels = new DcmPixelData(DCM_PixelData);
    pixels->putOriginalRepresentation(EXS_JPEGProcess1, nullptr, sequence);
    data.insert(pixels);
  } else {
    delete sequence;
    if (all.size() % 2 != 0) all += '\0';
    data.putAndInsertUint8Array(DCM_PixelData, reinterpret_cast<const Uint8*>(all.data()), all.size());
  }
  options.more(data);
  const OFCondition saved =
      file.saveFile(path.c_str(), options.jpeg ? EXS_JPEGProcess1 : EXS_LittleEndianExplicit, EET_UndefinedLength);
  ASSERT_TRUE(saved.good()) << saved.text();
}

}  // namespace starpath::io::test
