// One request at a time.
#include "io/slides/serve_slide.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <stdexcept>
#include <utility>

#include "base/error.hpp"
#include "base/helper_process.hpp"
#include "io/slides/reader_messages.hpp"

namespace starpath::io {
namespace {

class Server {
 public:
  Server(const std::string& input, std::uint32_t guards,
         const std::function<std::unique_ptr<Slide>(const std::string&, const Opening&)>& open)
      : input_(input), guards_(guards), open_(open) {
    void* const place = ::mmap(nullptr, kReaderMemory, PROT_READ | PROT_WRITE, MAP_SHARED, kHelperMemory, 0);
    if (place == MAP_FAILED) throw Error(ErrorKind::runtime, "no shared memory");
    memory_ = static_cast<char*>(place);
  }

  void serve() {
    ReaderRequest request{};
    while (hear(request)) {
      const ReaderReply reply = answer(request);
      if (::write(kHelperSocket, &reply, sizeof reply) != sizeof reply) return;
    }
  }

 private:
  static bool hear(ReaderRequest& request) {
    ssize_t got = 0;
    do got = ::read(kHelperSocket, &request, sizeof request);
    while (got < 0 && errno == EINTR);
    return got == sizeof request;
  }

  ReaderReply answer(const ReaderRequest& request) {
    try {
      switch (request.task) {
        case ReaderTask::recognise:
          return reply(is_foreign_here(input_) ? ReaderOutcome::done : ReaderOutcome::unknown);
        case ReaderTask::open:
          return opened(request);
        case ReaderTask::list:
          return reply(ReaderOutcome::done, packed(dicom_series_in(input_)));
        case ReaderTask::read:
          return read(request);
      }
      return failed("a request that is none");
    } catch (const std::bad_alloc&) {
      return failed(fmt::format("{}: takes more memory to decode than there is; close other programs", input_));
    } catch (const std::exception& error) {
      return failed(error.what());
    }
  }

  ReaderReply opened(const ReaderRequest& request) {
    slide_ = open_(input_, {.whole_canvas = request.whole_canvas != 0});
    if (!slide_) return reply(ReaderOutcome::unknown);
    return reply(ReaderOutcome::done, packed({slide_->info(), slide_->warnings()}));
  }

  ReaderReply read(const ReaderRequest& request) {
    if (!slide_ || request.width < 1 || request.height < 1 || request.width > kReaderWidth ||
        request.height > kReaderHeight)
      return failed("a request that is none");
    slide_->read(static_cast<int>(request.level), request.x, request.y,
                 {reinterpret_cast<Rgb*>(memory_), request.width, request.height, request.width});
    return reply(ReaderOutcome::done);
  }

  ReaderReply failed(const std::string& why) { return reply(ReaderOutcome::failed, why); }

  ReaderReply reply(ReaderOutcome outcome, const std::string& text = "") {
    const std::size_t bytes = std::min(text.size(), kReaderMemory);
    std::memcpy(memory_, text.data(), bytes);
    return {outcome, guards_, bytes};
  }

  const std::string& input_;
  const std::uint32_t guards_;
  const std::function<std::unique_ptr<Slide>(const std::string&, const Opening&)>& open_;
  char* memory_ = nullptr;  // for as long as the process
  std::unique_ptr<Slide> slide_;
};

}  // namespace

void serve_slide(const std::string& input, std::uint32_t guards,
                 const std::function<std::unique_ptr<Slide>(const std::string&, const Opening&)>& open) {
  Server(input, guards, open).serve();
}

}  // namespace starpath::io
