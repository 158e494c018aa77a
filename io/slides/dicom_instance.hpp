// One file of a DICOM slide: what it says of its picture, and the coded frames. DICOM calls such a file an instance.
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace starpath::io {

/// How frames are coded: samples as they are, JPEG of 8 bits, or in another way, which is not read.
enum class DicomCoding { raw, jpeg, other };

/// What the first bytes of a whole-slide image say.
struct DicomIdentity {
  std::string series;   // UID that the files of one slide share
  std::string flavour;  // the third value of Image Type: "VOLUME" (tissue), "LABEL", "OVERVIEW", "THUMBNAIL"
  DicomCoding coding;
  std::string colours;  // of samples, in DICOM's words: "RGB", "YBR_FULL_422", "YBR_ICT" and others
};

/// Whether the file has DICOM's mark. Never throws.
bool is_dicom(const std::filesystem::path& file);

/// Nothing where the file is no whole-slide image of DICOM. Never throws.
std::optional<DicomIdentity> dicom_identity(const std::filesystem::path& file);

/// Of a frame's first pixel in the whole picture, in pixels.
struct FramePlace {
  std::int64_t x, y;
};

/// What a file says of its picture (PS3.3, A.32.8 and C.8.12.4).
struct DicomPicture {
  std::string whole;  // UID that the files which hold parts of one picture share; the file's own where it holds it all
  std::int64_t width, height;  // of the whole picture, in pixels
  int frame_width, frame_height;
  std::int64_t frames;             // in this file
  std::int64_t first_frame;        // its number in the whole picture
  std::vector<FramePlace> places;  // of this file's frames; empty: row after row, without gaps
  int samples;                     // 1 or 3, of 8 bits
  bool planes_apart;               // raw samples: all of one colour, then all of the next
  std::string colours;             // Photometric Interpretation: "RGB", "YBR_FULL_422" ...
  DicomCoding coding;
  double pixel_width, pixel_height;               // micrometres; 0: not said
  double power;                                   // of the objective; 0: not said
  std::map<std::string, std::string> properties;  // of the scanner: nothing that names a patient
};

class DicomInstance {
 public:
  /// Throws Error{input} where the file cannot be read, is no whole-slide image, or holds a picture of a kind that is
  /// not read: several focal planes or optical paths, other than 8 bits a sample, other codings than raw and JPEG.
  explicit DicomInstance(const std::string& path);
  ~DicomInstance();

  const std::string& path() const { return path_; }
  const DicomPicture& picture() const { return picture_; }

  /// The bytes of frame `number` of this file, from 0 on, as they are coded; empty where the file has a frame without
  /// bytes. Throws std::runtime_error with the reason. Thread-safe.
  std::vector<unsigned char> frame(std::int64_t number) const;

 private:
  struct Dataset;  // DCMTK's
  std::string path_;
  std::unique_ptr<Dataset> dataset_;
  DicomPicture picture_;
};

}  // namespace starpath::io
