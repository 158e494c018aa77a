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

  void copy_pixels(View<Rgb> out) const {
    const std::byte* from = process_.shared().data();
    const std::size_t bytes = static_cast<std::size_t>(out.width) * sizeof(Rgb);
    for (int y = 0; y < out.height; ++y, from += bytes) std::memcpy(static_cast<void*>(out.row(y)), from, bytes);
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

bool overlap(const PixelBox& a, const PixelBox& b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

/// As many pixels as whole blocks have, `most` at the most: a block that two requests reach may be decoded twice.
std::int64_t whole_blocks(std::int64_t block, std::int64_t most) {
  return block > 0 && block <= most ? most / block * block : most;
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

  void read_piece(int level, const PixelBox& box, View<Rgb> out) const;
  void read_once(std::unique_ptr<Reader> reader, int level, const PixelBox& box, View<Rgb> out) const;
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
};

void ChildSlide::read(int level, std::int64_t x, std::int64_t y, View<Rgb> out) const {
  check_level(info(), level);
  const SlideLevel& size = info().levels[static_cast<std::size_t>(level)];
  const PixelBox part = shown_part(size.width, size.height, x, y, out);
  const std::int64_t wide = whole_blocks(size.block_width, kReaderWidth);
  const std::int64_t tall = whole_blocks(size.block_height, kReaderHeight);
  const auto next = [](std::int64_t from, std::int64_t end, std::int64_t side) {
    return std::min(end, (from / side + 1) * side);
  };
  for (std::int64_t top = part.top; top < part.bottom; top = next(top, part.bottom, tall))
    for (std::int64_t left = part.left; left < part.right; left = next(left, part.right, wide)) {
      const PixelBox box{left, top, next(left, part.right, wide), next(top, part.bottom, tall)};
      read_piece(level, box,
                 {out.row(static_cast<int>(top - y)) + (left - x), static_cast<int>(box.right - left),
                  static_cast<int>(box.bottom - top), out.stride});
    }
}

void ChildSlide::read_piece(int level, const PixelBox& box, View<Rgb> out) const {
  const auto fail = [&](const std::string& why) {
    fail_read(info(), level, box.left, box.top, out.width, out.height, why);
  };
  if (const std::string why = known_to_hang(level, box); !why.empty()) fail(why);
  try {
    tried_twice([&](bool fresh) { read_once(fresh ? start() : take(), level, box, out); });
  } catch (const Loss& loss) {
    if (loss.is_late) {
      const std::lock_guard lock(mutex_);
      hung_.push_back({level, box, loss.why});
    }
    fail(loss.why);
  }
}

void ChildSlide::read_once(std::unique_ptr<Reader> reader, int level, const PixelBox& box, View<Rgb> out) const {
  try {
    reader->ask({.task = ReaderTask::read,
                 .level = level,
                 .x = box.left,
                 .y = box.top,
                 .width = out.width,
                 .height = out.height},
                program_.to_read);
  } catch (const Error&) {  // of the slide: the process goes on
    give_back(std::move(reader));
    throw;
  }
  reader->copy_pixels(out);
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
  const auto hung =
      std::ranges::find_if(hung_, [&](const Hung& each) { return each.level == level && overlap(each.box, box); });
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
