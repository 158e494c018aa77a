// A reader that misbehaves as the name of its slide says, where it is asked for the pixel (40, 40) of level 0.
//   dies.*      it ends by a signal, every time
//   once.*      it ends by a signal, the first time: a file beside the slide remembers
//   hangs.*     it answers no more
//   lies.*      its answer is of no kind
//   longer.*    it announces more bytes than there are
//   shapeless.* it describes a slide without levels
//   unborn.*    it dies when it is to open the slide
//   told.*      it reads all, and adds to a file beside the slide how many pixels of level 0 each read has
// Slides of other names it reads.
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "base/helper_process.hpp"
#include "io/slides/reader_messages.hpp"
#include "io/slides/serve_slide.hpp"

namespace starpath::io {
namespace {

namespace fs = std::filesystem;

void answer(const ReaderReply& reply) {
  if (::write(kHelperSocket, &reply, sizeof reply) < 0) std::_Exit(1);
  ::sleep(1000);
}

class FaultySlide final : public Slide {
 public:
  FaultySlide(std::unique_ptr<Slide> slide, const fs::path& path)
      : slide_(std::move(slide)), path_(path), fault_(path.stem()) {}
  const SlideInfo& info() const override { return slide_->info(); }
  void read(int level, std::int64_t x, std::int64_t y, View<Rgb> out) const override {
    if (level == 0 && fault_ == "told") std::ofstream(path_.string() + ".told", std::ios::app) << out.pixels() << '\n';
    if (level == 0 && x <= 40 && y <= 40 && x + out.width > 40 && y + out.height > 40) misbehave();
    slide_->read(level, x, y, out);
  }

 private:
  void misbehave() const {
    const std::string mark = path_.string() + ".died";
    if (fault_ == "dies") ::raise(SIGSEGV);
    if (fault_ == "once" && !fs::exists(mark)) {
      std::ofstream(mark) << "once";
      ::raise(SIGKILL);
    }
    if (fault_ == "hangs") ::sleep(1000);
    if (fault_ == "lies") answer({static_cast<ReaderOutcome>(77), 0, 0});
    if (fault_ == "longer") answer({ReaderOutcome::failed, 0, ~std::uint64_t{0}});
  }

  const std::unique_ptr<Slide> slide_;
  const fs::path path_;
  const std::string fault_;
};

std::unique_ptr<Slide> open_faulty(const std::string& input, const Opening& opening) {
  const fs::path path = input;
  if (path.stem() == "unborn") ::raise(SIGSEGV);
  if (path.stem() == "shapeless") answer({ReaderOutcome::done, 0, 100});
  auto slide = open_foreign_here(input, opening);
  return slide ? std::make_unique<FaultySlide>(std::move(slide), path) : nullptr;
}

}  // namespace
}  // namespace starpath::io

int main(int, char** argv) {
  using namespace starpath;
  ::signal(SIGSEGV, SIG_DFL);  // not a sanitizer's
  become_helper(static_cast<pid_t>(std::atol(argv[1])));
  io::serve_slide(argv[2], 0, io::open_faulty);
  std::_Exit(0);
}
