// Control messages between simulated nodes.
#pragma once
#include <starpu.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <utility>

namespace starpath::lab {

/// Bytes from node to node over the simulated network. As SimGrid's own messages: in SMPI only the thread of StarPU-MPI
/// may call MPI. A message starts at the host of the thread that sends it, and StarPU's hosts are not on the network,
/// so two threads live on the node's host there. SimGrid runs one thread at a time; any of them may send.
class Channel {
 public:
  /// Calls it for each message, on the listener's thread; the listener ends when it says that no message follows.
  using OnMessage = std::function<bool(int from, const std::string& bytes)>;

  /// StarPU must be running. `expects`: whether a message will come at all.
  Channel(int rank, bool expects, OnMessage on_message);
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  void send(int to, std::string bytes);
  /// Until the listener has ended and everything is sent.
  void close();
  /// Messages by this node.
  std::uint64_t sent() const { return sent_; }

 private:
  void start(starpu_pthread_t& thread, const char* name, void* (*body)(void*));
  void listen();
  void deliver();

  const int rank_;
  const bool expects_;
  const OnMessage on_message_;
  std::deque<std::pair<int, std::string>> waiting_;
  std::uint64_t sent_ = 0;
  bool closing_ = false;
  starpu_pthread_t listener_, sender_;
  starpu_pthread_mutex_t mutex_;
  starpu_pthread_cond_t changed_;
};

}  // namespace starpath::lab
