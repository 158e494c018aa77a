// Writes the seeds that are no text, or that only a program keeps in step with its formats: make_seeds FOLDER.
#include <gtest/gtest.h>
#include <turbojpeg.h>

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "base/sqlite.hpp"
#include "estimator/store/profile_store.hpp"
#include "io/exports/picture.hpp"
#include "io/results/tile_store.hpp"
#include "io/slides/reader_messages.hpp"
#include "mpi/network/message_codec.hpp"
#include "pipelines/classification/nucleus_model.hpp"
#include "pipelines/nbia/model.hpp"
#include "pipelines/segmentation/learned_detector.hpp"
#include "pipelines/survey/survey.hpp"
#include "tests/apps/made_up_study.hpp"
#include "tests/io/dicom_files.hpp"
#include "tests/io/results_fixture.hpp"
#include "tests/io/tiff_files.hpp"
#include "tests/support/detector_file.hpp"
#include "tests/support/distance_models.hpp"
#include "tests/support/npy_file.hpp"

namespace {

namespace fs = std::filesystem;
using namespace starpath;
using namespace starpath::io::test;

fs::path seeds;

std::string seed(const std::string& target, const std::string& name) {
  fs::create_directories(seeds / target);
  return (seeds / target / name).string();
}

TEST(Seeds, Png) {
  write_png(seed("slide_png", "rgb.png"), pattern(9, 7));
  write_png(seed("slide_png", "white.png"), Picture(300, 2, {255, 255, 255}));
}

TEST(Seeds, Jpeg) {
  Picture picture = pattern(40, 24);
  write_bytes(seed("slide_jpeg", "baseline.jpg"), io::jpeg_bytes(picture.view(), 80));
  const std::unique_ptr<void, int (*)(tjhandle)> encoder(tjInitCompress(), tjDestroy);
  for (const auto& [name, flags] : {std::pair{"progressive.jpg", TJFLAG_PROGRESSIVE}, {"fast.jpg", TJFLAG_FASTDCT}}) {
    unsigned char* bytes = nullptr;
    unsigned long size = 0;
    ASSERT_EQ(
        tjCompress2(encoder.get(), &picture.pixels[0].r, 40, 120, 24, TJPF_RGB, &bytes, &size, TJSAMP_420, 50, flags),
        0);
    write_bytes(seed("slide_jpeg", name), {reinterpret_cast<const char*>(bytes), size});
    tjFree(bytes);
  }
}

TEST(Seeds, Tiff) {
  const Picture picture = pattern(40, 24);
  for (const int compression :
       {COMPRESSION_NONE, COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE, COMPRESSION_JPEG, COMPRESSION_PACKBITS}) {
    TiffOptions options;
    options.strip = 8;  // of JPEG: whole blocks
    options.compression = static_cast<std::uint16_t>(compression);
    write_tiff(seed("slide_tiff", "strips-" + std::to_string(compression)), {rgb_page(picture)}, options);
    options.tile = 16;
    write_tiff(seed("slide_tiff", "tiles-" + std::to_string(compression)),
               {rgb_page(picture), rgb_page(pattern(20, 12))}, options);
  }
  TiffOptions vendor;  // what OpenSlide takes for Aperio's
  vendor.tile = 16;
  vendor.more = [](TIFF* tiff) {
    TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION,
                 "Aperio Image Library v11.2.1\r\n40x24 |Filename|AppMag = 20|MPP = 0.4990");
  };
  write_tiff(seed("slide_tiff", "aperio"), {rgb_page(picture)}, vendor);
  vendor.compression = COMPRESSION_LZW;  // OpenSlide 3.4 opens the one above, and decodes none of its tiles
  write_tiff(seed("slide_tiff", "aperio-lzw"), {rgb_page(picture)}, vendor);
  TiffOptions ome;
  ome.tile = 16;
  ome.more = [](TIFF* tiff) {
    TIFFSetField(
        tiff, TIFFTAG_IMAGEDESCRIPTION,
        R"(<OME><Image><Pixels SizeX="40" SizeY="24" SizeC="3" PhysicalSizeX="250" PhysicalSizeXUnit="nm"/></Image></OME>)");
  };
  write_tiff(seed("slide_tiff", "ome"), {rgb_page(picture)}, ome);
  TiffOptions gray;
  gray.samples = 1;
  gray.photometric = PHOTOMETRIC_MINISBLACK;
  write_tiff(seed("slide_tiff", "gray"), {{16, 8, std::string(16 * 8, 'g')}}, gray);
}

TEST(Seeds, Npy) {
  support::write_npy(seed("npy", "labels.npy"), {3, 4}, std::vector<std::int32_t>(12, 7));
  support::write_npy(seed("npy", "maps.npy"), {2, 3, 4}, std::vector<float>(24, 0.5F));
}

/// Two objects, a probability beside distances, and eight rays from each point.
TEST(Seeds, Maps) {
  constexpr int side = 24;
  const auto file_of = [](const std::string& name, std::int64_t channels, const auto& number_of) {
    std::vector<float> numbers;
    for (int y = 0; y < side; ++y)
      for (int x = 0; x < side; ++x)
        for (int channel = 0; channel < channels; ++channel) numbers.push_back(number_of(x % 12 - 6, y - 12, channel));
    support::write_npy(seed("maps", name), {side, side, channels}, numbers);
  };
  const auto is_inside = [](int x, int y) { return x * x + y * y < 20; };
  file_of("probability.npy", 2, [&](int x, int y, int) { return is_inside(x, y) ? .9F : .1F; });
  file_of("hover.npy", 3, [&](int x, int y, int channel) {
    return is_inside(x, y) ? channel == 0 ? 1.F : static_cast<float>(channel == 1 ? x : y) / 5 : 0.F;
  });
  file_of("stars.npy", 9, [&](int x, int y, int channel) { return channel == 0 ? is_inside(x, y) * .8F : 4.F; });
  std::vector<std::int32_t> labels;
  for (int i = 0; i < side * side; ++i) labels.push_back(is_inside(i % 12 - 6, i / side - 12) ? 1 + i % side / 12 : 0);
  support::write_npy(seed("maps", "labels.npy"), {side, side}, labels);
  const std::string bytes{reinterpret_cast<const char*>(labels.data()), labels.size() * sizeof labels[0]};
  TiffOptions options{.compression = COMPRESSION_ADOBE_DEFLATE, .bits = 32, .samples = 1};
  options.photometric = PHOTOMETRIC_MINISBLACK;
  write_tiff(seed("maps", "strips.tif"), {{side, side, bytes}}, options);
  options.tile = 16;
  write_tiff(seed("maps", "tiles.tif"), {{side, side, bytes}, {side, side, bytes}}, options);
}

TEST(Seeds, Dicom) {
  const Picture picture = pattern(40, 24);
  DicomOptions options;
  write_dicom(seed("slide_dicom", "raw.dcm"), picture, options);
  options.sparse = true;
  write_dicom(seed("slide_dicom", "sparse.dcm"), picture, options);
  options.jpeg = true;
  options.fragments = 2;
  write_dicom(seed("slide_dicom", "jpeg.dcm"), picture, options);
}

TEST(Seeds, Results) {
  const std::string file = seed("results", "two-tiles.sqlite");
  fs::remove(file);
  {
    io::ResultStore store = io::ResultStore::create(file, io::testing::key(), io::testing::info());
    for (const auto& tile : io::testing::tiles(2, 1, 20, 5)) io::TileStore(store).commit_tile(tile.record, tile.nuclei);
    io::testing::accept_owned(store);
  }
  std::string found_once = read_bytes(file);
  found_once[47] = 9;  // another format of SQLite's
  write_bytes(seed("results", "another-format.sqlite"), found_once);
  for (int i = 0; i < 8; ++i)
    write_bytes(seed("results_values", std::to_string(i)),
                std::string(static_cast<std::size_t>(12 + 7 * i), static_cast<char>(37 * i)));
}

/// A mask of two areas, one with a hole.
TEST(Seeds, Mask) {
  Picture picture(40, 30, {0, 0, 0});
  for (int y = 4; y < 20; ++y)
    for (int x = 4; x < 36; ++x)
      if (x < 16 ? y < 9 || y > 12 || x < 8 || x > 11 : x > 20)
        picture.pixels[static_cast<std::size_t>(y * 40 + x)] = {255, 255, 255};
  write_png(seed("mask", "areas.png"), picture);
}

TEST(Seeds, Study) {
  const std::string file = seed("study", "three-slides.sqlite");
  const fs::path made = seeds / "made";
  fs::remove_all(made);  // of a run that failed
  test::make_study(made, {{.patient = "P1", .group = "A"}, {.patient = "P2", .group = "B"}, {.nuclei = 0}});
  fs::rename(made / "study.sqlite", file);
  fs::remove_all(made);
  for (int i = 0; i < 8; ++i)
    write_bytes(seed("study_values", std::to_string(i)),
                std::string(static_cast<std::size_t>(12 + 7 * i), static_cast<char>(41 * i)));
}

TEST(Seeds, Profile) {
  const std::string file = seed("profile", "two-groups.sqlite");
  fs::remove(file);
  ProfileStore store(file, ProfileStore::Open::create);
  ProfileGroup group{.codelet = "blur",
                     .device_class = "cpu",
                     .numeric_names = {"width"},
                     .categorical_names = {},
                     .samples = {},
                     .offered = 0};
  for (int i = 1; i < 6; ++i) {
    SampleSet::Entry entry{.features = {}, .seconds = 0.5 * i};
    entry.features.add_numeric(i);
    group.samples.push_back(entry);
  }
  store.append(std::span(&group, 1));
}

/// The bundled model with as few samples as there may be.
TEST(Seeds, Model) {
  auto json = nlohmann::json::parse(model_text(bundled_model()));
  for (auto& level : json.at("levels"))
    for (const char* label : {"stroma_rich", "stroma_poor"}) {
      auto& samples = level.at(label);
      while (samples.size() > 8) samples.erase(samples.size() - 1);
    }
  write_bytes(seed("nbia_model", "small.json"), json.dump());
}

/// The smallest network that there is, of zeros.
TEST(Seeds, Detector) {
  const std::string text =
      support::detector_json(support::TestNetwork(DetectorChannels{{8, 8, 8, 0}}), 128, 128).dump();
  parse_detector(text, "the seed");
  write_bytes(seed("detector", "small.json"), text);
}

TEST(Seeds, Network) {
  write_bytes(seed("network", "dark.onnx"), support::darkness_model(64).bytes());
  write_bytes(seed("network", "dark.toml"), support::darkness_description(64, 8));
  write_bytes(seed("network", "hover.toml"), support::hover_description(64, 8));
  write_bytes(seed("network", "stars.toml"), support::star_description(64, 12));
}

TEST(Seeds, NucleusModel) {
  NucleusModel model;
  model.mpp = 0.5;
  model.classes = {{"Tumor", 0xc80000}, {"Stroma", 0x96c896}};
  model.features = {{"nucleus_area_um2", 42.5, 11.25}, {"nucleus_extent", 0.75, 0.0625}};
  model.points = {1, -2, 300, 2047, -2047, 0};
  model.labels = {0, 0, 1};
  model.k = 3;
  model.range = 70'000;
  model.validated_by = "nucleus";
  model.validation = Confusion(2);
  model.validation.add(0, 0, 2);
  model.slides = {{"a.svs", "f00d", 3}};
  write_bytes(seed("nucleus_model", "small.json"), model_text(model));
}

TEST(Seeds, Survey) { write_bytes(seed("survey", "default.json"), to_json(Survey{})); }

TEST(Seeds, ReaderAnswers) {
  io::SlideRecord record;
  record.info.levels = {{3000, 2000, 1, 256, 256}, {750, 500, 4, 0, 0}};
  record.info.properties = {{"openslide.vendor", "leica"}};
  record.info.place = io::PlaceOnCanvas{3, 5, 4000, 3000};
  record.warnings = {"a line"};
  write_bytes(seed("reader_answers", "slide"), io::packed(record));
  write_bytes(seed("reader_answers", "series"),
              io::packed(std::vector<io::DicomSeries>{{"1.2", {"/slides/a"}, {"/slides/b"}, "/slides/a"}}));
}

TEST(Seeds, Messages) {
  using namespace mpi;
  int number = 0;
  const auto put = [&](const std::string& bytes) { write_bytes(seed("messages", std::to_string(number++)), bytes); };
  for (const ToManager& message : {ToManager(Hello{{"0.1.0", "f00d", "{}"}}), ToManager(Request{3}),
                                   ToManager(Finished{7, false, true, 12, "why"}), ToManager(Alive{})})
    put(encode(message));
  for (const ToWorker& message :
       {ToWorker(Assign{{{{1, 0}}, {{2, 1}, false, {{0, 3}}}}}), ToWorker(Refused{"no"}), ToWorker(Welcome{})})
    put(encode(message));
  for (const StreamMessage& message : {StreamMessage(BufferRequest{4, 1}), StreamMessage(NoBuffer{4})})
    put(encode(message));
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc != 2) return 2;
  seeds = argv[1];
  return RUN_ALL_TESTS();
}
