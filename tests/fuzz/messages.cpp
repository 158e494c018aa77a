// Messages between ranks.
#include "mpi/network/message_codec.hpp"
#include "tests/fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace starpath::mpi;
  const std::string bytes = starpath::fuzz::text_of(data, size);
  // What was understood is understood again, and then written the same.
  const auto again = [](const auto& decode, const auto& message) {
    const auto second = decode(encode(message));
    if (!second || encode(*second) != encode(message)) std::abort();
  };
  if (const auto message = decode_to_manager(bytes)) again(decode_to_manager, *message);
  if (const auto message = decode_to_worker(bytes)) again(decode_to_worker, *message);
  if (const auto message = decode_stream(bytes)) again(decode_stream, *message);
  return 0;
}
