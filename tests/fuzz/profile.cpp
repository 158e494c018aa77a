// Profiles: any bytes as the file.
#include "estimator/store/profile_store.hpp"
#include "tests/fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace starpath;
  const std::string file = fuzz::file_of(fuzz::text_of(data, size), "profile");
  fuzz::expect_errors_only([&] {
    ProfileStore store(file, ProfileStore::Open::existing);
    store.list();
    const auto groups = store.load();
    store.append(groups);
    store.prune(3);
  });
  for (const char* ending : {"-journal", "-wal", "-shm"}) std::filesystem::remove(file + ending);
  return 0;
}
