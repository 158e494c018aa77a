// A pool of processes for a slide. Separate processes, not threads of one: what kills a process is known, and each has
// its own reader, which no crash of another thread's read disturbs.
#include "io/slides/child_slide.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/helper_process.hpp"
#include "io/slides/block_cache.hpp"
#include "io/slides/pixels.hpp"
#include "io/slides/reader_messages.hpp"
#include "io/slides/slide_backend.hpp"
#include "io/slides/trouble.hpp"

namespace starpath::io {
namespace {

constexpr std::size_t kMostErrorText = 64 * 1024;

std::mutex decoder_mutex;
ReaderProgram decoder;  // guarded by it

/// Why a process gave no answer.
struct Loss {
  std::string why;       // for people, without the slide's name
  bool is_late = false;  // it was waited for: not again
};

/// work(false), then work(true), which is to take a fresh process, where the first one is lost: it may have died of
/// what it read before, or of somebody's kill. Throws Loss.
template <class Work>
auto tried_twice(const Work& work) {
  try {
    return work(false);
  } catch (const Loss& loss) {
    if (loss.is_late) throw;
  }
  return work(true);
}

/// A process that reads one slide.
class Reader {
 public:
  Reader(const ReaderProgram& program, const std::string& input) : process_(program.path, {input}, kReaderMemory) {}

  /// An outcome other than `failed`. Throws Error{input} with the process's own words, and Loss where it has ended.
  ReaderReply ask(const ReaderRequest& request, std::chrono::milliseconds limit) {
    if (!process_.tell(std::as_bytes(std::span(&request, 1)))) throw Loss{ended()};
    ReaderReply reply{};
    switch (process_.hear(std::as_writable_bytes(std::span(&reply, 1)), limit)) {
      case HelperProcess::Answer::came:
        break;
      case HelperProcess::Answer::ended:
        throw Loss{ended()};
      case HelperProcess::Answer::malformed:
        throw nonsense();
      case HelperProcess::Answer::late:
        process_.end();
        throw Loss{fmt::format("the process that decodes it gave no answer within {} s, and was ended",
                               std::chrono::ceil<std::chrono::seconds>(limit).count()),
                   true};
    }
    if (reply.bytes > kReaderMemory || reply.outcome > ReaderOutcome::failed) throw nonsense();
    if (reply.outcome == ReaderOutcome::failed)
      throw Error(ErrorKind::input, text(std::min<std::uint64_t>(reply.bytes, kMostErrorText)));
    return reply;
  }

  /// A copy, which the process can no longer change.
  std::string text(std::uint64_t bytes) const {
    const auto shared = process_.shared().first(bytes);
    return {reinterpret_cast<const char*>(shared.data()), shared.size()};
  }

  /// Those of the last answer, which the process may still change.
  RgbView pixels(const PixelBox& box) const {
    const int width = static_cast<int>(box.right - box.left);
    return {reinterpret_cast<const Rgb*>(process_.shared().data()), width, static_cast<int>(box.bottom - box.top),
            width};
  }

 private:
  std::string ended() { return "the process that decodes it " + process_.end(); }
  Loss nonsense() {
    process_.end();
    return {"the process that decodes it gave an answer that cannot be, and was ended"};
  }

  HelperProcess process_;
};

/// A process with its slide open; without a record where it knows no such format.
struct Opened {
  std::unique_ptr<Reader> reader;
  std::uint32_t guards = 0;
  std::optional<SlideRecord> record{};
};

/// Throws Error{input} with the process's own words, and Loss.
Opened opened_by(const ReaderProgram& program, const std::string& input, const Opening& opening) {
  Opened opened{std::make_unique<Reader>(program, input)};
  const ReaderRequest request{.task = ReaderTask::open, .whole_canvas = opening.whole_canvas};
  const ReaderReply reply = opened.reader->ask(request, program.to_open);
  opened.guards = reply.guards;
  if (reply.outcome == ReaderOutcome::unknown) return opened;
  try {
    opened.record = unpacked(opened.reader->text(reply.bytes));
  } catch (const Error& impossible) {
    throw Loss{impossible.what()};
  }
  return opened;
}

[[noreturn]] void fail_open(const std::string& input, const Loss& loss) {
  fail_input(input, "cannot be opened: " + loss.why, std::string(advice_on(loss.why)));
}

std::string guards_text(std::uint32_t guards) {
  const bool calls = (guards & kCallsGuarded) != 0, files = (guards & kFilesGuarded) != 0;
  if (calls && files) return "a process of its own, which can only read the slide's folder";
  if (calls) return "a process of its own, which can only read files (this system has no landlock)";
  if (files) return "a process of its own, which can only read the slide's folder (this system has no seccomp)";
  return "a process of its own (this system has no seccomp and no landlock to take its rights away)";
}

PixelBox common(const PixelBox& a, const PixelBox& b) {
  return {std::max(a.left, b.left), std::max(a.top, b.top), std::min(a.right, b.right), std::min(a.bottom, b.bottom)};
}

// Large regions of a pipeline overlap by twice a halo: 484 pixels by default. What lies so near to the border of one is
// kept for its neighbours. Each process has its own cache, which the others do not see.
constexpr std::int64_t kOverlap = 484;
constexpr std::int64_t kLargeRegion = std::int64_t{1} << 21;  // pixels
constexpr std::size_t kKept = std::size_t{32} << 20;          // bytes: the borders of two regions of 2532 pixels
constexpr std::int64_t kLeastCell = 256;                      // pixels a side

/// As many whole blocks as make a cell, in pixels; 0 where blocks are not known, or larger than what can be asked for.
std::int64_t cell_side(std::int64_t block, std::int64_t most) {
  return block < 1 || block > most ? 0 : (kLeastCell + block - 1) / block * block;
}

/// The cells of a level, which are asked for in rows: whole blocks of it, where these are known.
struct CellGrid {
  explicit CellGrid(const SlideLevel& level)
      : width(cell_side(level.block_width, kReaderWidth)), height(cell_side(level.block_height, kReaderHeight)) {
    known = width > 0 && height > 0;
    if (!known) width = kReaderWidth, height = kReaderHeight;
  }
  PixelBox box(const SlideLevel& level, std::int64_t column, std::int64_t row, std::int64_t count) const {
    return {column * width, row * height, std::min((column + count) * width, level.width),
            std::min((row + 1) * height, level.height)};
  }
  std::int64_t key(const SlideLevel& level, int number, std::int64_t column, std::int64_t row) const {
    const std::uint64_t columns = static_cast<std::uint64_t>((level.width - 1) / width + 1);
    return static_cast<std::int64_t>((static_cast<std::uint64_t>(number) << 52) +
                                     static_cast<std::uint64_t>(row) * columns + static_cast<std::uint64_t>(column));
  }

  std::int64_t width, height;
  bool known;
};

/// The pixels of `cell`, which lies in `box`.
std::shared_ptr<const Block> copied(RgbView pixels, const PixelBox& box, const PixelBox& cell) {
  auto block =
      std::make_shared<Block>(static_cast<int>(cell.right - cell.left), static_cast<int>(cell.bottom - cell.top));
  copy_overlap(pixels, box.left, box.top, block->out(), cell.left, cell.top);
  return block;
}

/// Whether a neighbour of the region `part` may ask for the cell `box`, too.
bool is_near_border(const PixelBox& box, const PixelBox& part) {
  return box.left < part.left + kOverlap || box.right > part.right - kOverlap || box.top < part.top + kOverlap ||
         box.bottom > part.bottom - kOverlap;
}

class ChildSlide final : public Slide {
 public:
  ChildSlide(const ReaderProgram& program, const std::string& input, const Opening& opening, Opened first)
      : program_(program), opening_(opening), record_(std::move(*first.record)) {
    record_.info.path = input;
    record_.info.decoded_by = guards_text(first.guards);
    idle_.push_back(std::move(first.reader));
  }

  const SlideInfo& info() const override { return record_.info; }
  std::vector<std::string> warnings() const override { return record_.warnings; }
  void read(int level, std::int64_t x, std::int64_t y, View<Rgb> out) const override;

 private:
  /// A region for which a process took too long: nobody waits for a part of it again.
  struct Hung {
    int level;
    PixelBox box;
    std::string why;
  };

  /// Decodes a box and hands its pixels to `use`.
  template <class Use>
  void decode(int level, const PixelBox& box, const Use& use) const;
  template <class Use>
  void decode_with(std::unique_ptr<Reader> reader, int level, const PixelBox& box, const Use& use) const;
  std::unique_ptr<Reader> take() const;
  std::unique_ptr<Reader> start() const;
  void give_back(std::unique_ptr<Reader> reader) const;
  std::string known_to_hang(int level, const PixelBox& box) const;

  const ReaderProgram program_;
  const Opening opening_;
  SlideRecord record_;
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<Reader>> idle_;  // guarded by mutex_
  mutable std::vector<Hung> hung_;                     // guarded by mutex_
  mutable BlockCache kept_{kKept};                     // cells
};

void ChildSlide::read(int level, std::int64_t x, std::int64_t y, View<Rgb> out) const {
  check_level(info(), level);
  const SlideLevel& size = info().levels[static_cast<std::size_t>(level)];
  const PixelBox part = shown_part(size.width, size.height, x, y, out);
  if (part.empty()) return;
  const CellGrid cells(size);
  const bool keeps = cells.known && (part.right - part.left) * (part.bottom - part.top) >= kLargeRegion;
  const auto kept = [&](std::int64_t column, std::int64_t row) {
    return kept_.find(cells.key(size, level, column, row));
  };
  for (std::int64_t row = part.top / cells.height; row * cells.height < part.bottom; ++row)
    for (std::int64_t column = part.left / cells.width; column * cells.width < part.right;) {
      if (const auto cell = kept(column, row)) {
        copy_overlap(cell->view(), column * cells.width, row * cells.height, out, x, y);
        ++column;
        continue;
      }
      std::int64_t end = column + 1;
      while (end * cells.width < part.right && (end + 1 - column) * cells.width <= kReaderWidth && !kept(end, row))
        ++end;
      const PixelBox whole = cells.box(size, column, row, end - column), box = keeps ? whole : common(whole, part);
      decode(level, box, [&](RgbView pixels) {
        copy_overlap(pixels, box.left, box.top, out, x, y);
        for (; keeps && column < end; ++column)
          if (const PixelBox cell = cells.box(size, column, row, 1); is_near_border(cell, part))
            kept_.put(cells.key(size, level, column, row), copied(pixels, box, cell));
      });
      column = end;
    }
}

template <class Use>
void ChildSlide::decode(int level, const PixelBox& box, const Use& use) const {
  const auto fail = [&](const std::string& why) {
    fail_read(info(), level, box.left, box.top, static_cast<int>(box.right - box.left),
              static_cast<int>(box.bottom - box.top), why);
  };
  if (const std::string why = known_to_hang(level, box); !why.empty()) fail(why);
  try {
    tried_twice([&](bool fresh) { decode_with(fresh ? start() : take(), level, box, use); });
  } catch (const Loss& loss) {
    if (loss.is_late) {
      const std::lock_guard lock(mutex_);
      hung_.push_back({level, box, loss.why});
    }
    fail(loss.why);
  }
}

template <class Use>
void ChildSlide::decode_with(std::unique_ptr<Reader> reader, int level, const PixelBox& box, const Use& use) const {
  try {
    reader->ask({.task = ReaderTask::read,
                 .level = level,
                 .x = box.left,
                 .y = box.top,
                 .width = static_cast<std::int32_t>(box.right - box.left),
                 .height = static_cast<std::int32_t>(box.bottom - box.top)},
                program_.to_read);
  } catch (const Error&) {  // of the slide: the process goes on
    give_back(std::move(reader));
    throw;
  }
  use(reader->pixels(box));
  give_back(std::move(reader));
}

std::unique_ptr<Reader> ChildSlide::take() const {
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      std::unique_ptr<Reader> reader = std::move(idle_.back());
      idle_.pop_back();
      return reader;
    }
  }
  return start();
}

std::unique_ptr<Reader> ChildSlide::start() const {
  Opened opened = opened_by(program_, info().path, opening_);
  const auto sides = [](const SlideLevel& level) { return std::pair{level.width, level.height}; };
  if (!opened.record || opened.record->info.fingerprint != info().fingerprint ||
      !std::ranges::equal(opened.record->info.levels, info().levels, {}, sides, sides))
    fail_input(info().path, "became another slide while it was read", "start again");
  return std::move(opened.reader);
}

void ChildSlide::give_back(std::unique_ptr<Reader> reader) const {
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(reader));
}

std::string ChildSlide::known_to_hang(int level, const PixelBox& box) const {
  const std::lock_guard lock(mutex_);
  const auto hung = std::ranges::find_if(
      hung_, [&](const Hung& each) { return each.level == level && !common(each.box, box).empty(); });
  return hung == hung_.end() ? "" : hung->why;
}

}  // namespace

void decode_slides_with(ReaderProgram program) {
  const std::lock_guard lock(decoder_mutex);
  decoder = std::move(program);
}

ReaderProgram slide_decoder() {
  const std::lock_guard lock(decoder_mutex);
  return decoder;
}

std::unique_ptr<Slide> open_in_child(const ReaderProgram& program, const std::string& input, const Opening& opening) {
  try {
    Opened opened = tried_twice([&](bool) { return opened_by(program, input, opening); });
    if (!opened.record) return nullptr;
    return std::make_unique<ChildSlide>(program, input, opening, std::move(opened));
  } catch (const Loss& loss) {
    fail_open(input, loss);
  }
}

bool is_foreign_in_child(const ReaderProgram& program, const std::string& input) {
  try {
    return tried_twice([&](bool) {
      return Reader(program, input).ask({.task = ReaderTask::recognise}, program.to_open).outcome ==
             ReaderOutcome::done;
    });
  } catch (const Loss&) {
    return true;
  }
}

std::vector<DicomSeries> dicom_series_in_child(const ReaderProgram& program, const std::filesystem::path& folder) {
  try {
    return tried_twice([&](bool) {
      Reader reader(program, folder.string());
      const ReaderReply reply = reader.ask({.task = ReaderTask::list}, program.to_open);
      return unpacked_series(reader.text(reply.bytes), folder);
    });
  } catch (const Loss&) {
    return {};
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input) throw;
    return {};
  }
}

}  // namespace starpath::io
