// A network that delivers in any order.
#pragma once
#include <cstddef>
#include <deque>

namespace starpath::mpi {

/// Takes out one of the messages under way.
template <class Message>
Message take(std::deque<Message>& queue, std::size_t at) {
  Message message = queue[at];
  queue.erase(queue.begin() + static_cast<std::ptrdiff_t>(at));
  return message;
}

}  // namespace starpath::mpi
