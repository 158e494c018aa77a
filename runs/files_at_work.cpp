// The mean of the files' shares.
#include "runs/files_at_work.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/output_file.hpp"
#include "base/stopped.hpp"

namespace starpath {
namespace {

constexpr std::size_t kMostListed = 8;  // more than one slide has exports

}  // namespace

std::string file_list(const std::vector<std::filesystem::path>& files) {
  const std::size_t listed = std::min(files.size(), kMostListed);
  std::string text;
  for (std::size_t i = 0; i < listed; ++i) text += (i == 0 ? "" : ", ") + files[i].string();
  return text + (files.size() > listed ? fmt::format(" and {} more", files.size() - listed) : "");
}

FilesAtWork::FilesAtWork(RunListener& report, std::string text, const std::vector<std::filesystem::path>& files,
                         const std::atomic<bool>& stop)
    : report_(report), text_(std::move(text)), stop_(stop) {
  for (const std::filesystem::path& file : files) files_.push_back({file});
}

void FilesAtWork::write(std::size_t file, const std::function<void(const io::ExportProgress&)>& write) {
  File& at_work = files_[file];
  if (stop_) return;
  begin();
  try {
    write([&](double share) { tell(at_work, share); });
    at_work.written = true;
  } catch (const Stopped&) {
  } catch (const StoppedWaiting&) {
  }
}

FilesAtEnd FilesAtWork::end() const {
  FilesAtEnd end;
  for (const File& file : files_) (file.written ? end.written : end.stopped).push_back(file.path);
  return end;
}

void FilesAtWork::begin() {
  const std::lock_guard lock(mutex_);
  if (!text_.empty()) report_.phase(std::exchange(text_, {}));
}

void FilesAtWork::tell(File& file, double share) {
  if (stop_) throw Stopped();
  const std::lock_guard lock(mutex_);
  sum_ += share - std::exchange(file.share, share);
  report_.share(std::min(1.0, sum_ / static_cast<double>(files_.size())));  // the sum is rounded
}

}  // namespace starpath
