// The mean of the files' shares.
#include "apps/run/files_at_work.hpp"

#include <algorithm>
#include <utility>

namespace starpath::apps {

std::string writing_text(const std::vector<std::filesystem::path>& files) {
  std::string text;
  for (const std::filesystem::path& file : files) text += (text.empty() ? "writing " : ", ") + file.string();
  return text;
}

io::ExportProgress FilesAtWork::begin(std::size_t file) {
  const std::lock_guard lock(mutex_);
  if (!text_.empty()) report_.phase(std::exchange(text_, {}));
  return [this, file](double share) { tell(file, share); };
}

void FilesAtWork::tell(std::size_t file, double share) {
  const std::lock_guard lock(mutex_);
  sum_ += share - std::exchange(shares_[file], share);
  report_.share(std::min(1.0, sum_ / static_cast<double>(shares_.size())));  // the sum is rounded
}

}  // namespace starpath::apps
