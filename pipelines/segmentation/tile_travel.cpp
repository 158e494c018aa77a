// A tile between processes: a segmented one as bytes, for the process that computes its features; or its pixels, for
// the process that computes all of it.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "pipelines/segmentation/segmentation_job.hpp"

namespace starpath {
namespace {

struct Run {
  std::int32_t label;
  std::uint32_t pixels;
};

template <class Item>
void append(std::string& bytes, const Item* items, std::size_t count) {
  bytes.append(reinterpret_cast<const char*>(items), count * sizeof(Item));
}

/// Takes items from the front of bytes.
class Reader {
 public:
  explicit Reader(const std::string& bytes) : bytes_(bytes) {}
  template <class Item>
  void take(Item* items, std::size_t count) {
    if (count > left() / sizeof(Item)) refuse();
    std::memcpy(items, bytes_.data() + at_, count * sizeof(Item));
    at_ += count * sizeof(Item);
  }
  std::size_t left() const { return bytes_.size() - at_; }
  [[noreturn]] static void refuse() {
    throw Error(ErrorKind::mismatch,
                "another rank sent labels that do not fit their tile: install the same starpath on every node");
  }

 private:
  const std::string& bytes_;
  std::size_t at_ = 0;
};

/// As text, for gaps_of().
std::string text_of(const std::vector<io::Gap>& gaps) {
  if (gaps.empty()) return "";
  nlohmann::json array = nlohmann::json::array();
  for (const io::Gap& gap : gaps) array.push_back({gap.x, gap.y, gap.width, gap.height, gap.why});
  return array.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::vector<io::Gap> gaps_of(const std::string& text) {
  std::vector<io::Gap> gaps;
  if (text.empty()) return gaps;
  for (const auto& gap : nlohmann::json::parse(text))
    gaps.push_back({gap.at(0), gap.at(1), gap.at(2), gap.at(3), gap.at(4)});
  return gaps;
}

}  // namespace

std::optional<std::string> SegmentationJob::pack(int) {
  if (buffers_[Buffer::labels] == nullptr) return std::nullopt;
  std::string bytes;
  append(bytes, &read_seconds, 1);
  append(bytes, &compute_seconds, 1);
  append(bytes, &object_count_, 1);
  append(bytes, cells_.data(), cells_.size());
  const starpu_data_handle_t labels = buffers_[Buffer::labels];
  starpu_data_acquire(labels, STARPU_R);
  const auto* const pixels = static_cast<const std::int32_t*>(starpu_data_get_local_ptr(labels));
  const auto count = static_cast<std::size_t>(tile_.region.width * tile_.region.height);
  for (std::size_t first = 0, end = 0; first < count; first = end) {
    while (end < count && pixels[end] == pixels[first]) ++end;
    const Run run{pixels[first], static_cast<std::uint32_t>(end - first)};
    append(bytes, &run, 1);
  }
  starpu_data_release(labels);
  return bytes;
}

void SegmentationJob::unpack(int, const std::string& bytes) {
  Reader reader(bytes);
  reader.take(&read_seconds, 1);
  reader.take(&compute_seconds, 1);
  reader.take(&object_count_, 1);
  reader.take(cells_.data(), cells_.size());
  register_buffer(Buffer::labels);
  const starpu_data_handle_t labels = buffers_[Buffer::labels];
  starpu_data_acquire(labels, STARPU_W);
  auto* pixels = static_cast<std::int32_t*>(starpu_data_get_local_ptr(labels));
  auto left = static_cast<std::size_t>(tile_.region.width * tile_.region.height);
  bool fits = object_count_ > 0 && static_cast<std::size_t>(object_count_) <= left;  // each has a pixel
  while (fits && left > 0 && reader.left() >= sizeof(Run)) {
    Run run{};
    reader.take(&run, 1);
    fits = run.pixels > 0 && run.pixels <= left && run.label >= 0 && run.label <= object_count_;
    if (!fits) break;
    pixels = std::fill_n(pixels, run.pixels, run.label);
    left -= run.pixels;
  }
  starpu_data_release(labels);
  if (!fits || left > 0 || reader.left() > 0) Reader::refuse();
}

void SegmentationJob::read(int) { submit_operation(Operation::read); }

TileBuffer SegmentationJob::buffer(int) {
  if (buffers_[Buffer::rgb] == nullptr) register_buffer(Buffer::rgb);
  return {std::exchange(buffers_[Buffer::rgb], nullptr), true, text_of(gaps_)};
}

void SegmentationJob::judge(int, TileBuffer buffer) {
  gaps_ = gaps_of(buffer.note);
  buffers_[Buffer::rgb] = buffer.release();
  instance.stage = kFeatures;
  start(kFeatures);
}

}  // namespace starpath
