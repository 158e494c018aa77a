// The channel over SimGrid's mailboxes, one a node. Nothing here can fail but by a mistake of ours.
#include "lab/smpi/channel.hpp"

#include <memory>
#include <simgrid/s4u.hpp>

namespace starpath::lab {
namespace {

using simgrid::s4u::Mailbox;

// Passed on as a pointer: all nodes live in one address space. SMPI would have bytes copied.
struct Letter {
  int from;
  std::string bytes;
};

std::string name_of(int node) { return "node" + std::to_string(node); }

}  // namespace

Channel::Channel(int rank, bool expects, OnMessage on_message)
    : rank_(rank), expects_(expects), on_message_(std::move(on_message)) {
  starpu_pthread_mutex_init(&mutex_, nullptr);
  starpu_pthread_cond_init(&changed_, nullptr);
  start(sender_, "sender", [](void* self) -> void* {
    static_cast<Channel*>(self)->deliver();
    return nullptr;
  });
  start(listener_, "listener", [](void* self) -> void* {
    static_cast<Channel*>(self)->listen();
    return nullptr;
  });
}

void Channel::start(starpu_pthread_t& thread, const char* name, void* (*body)(void*)) {
  starpu_pthread_create_on(name, &thread, nullptr, body, this, sg_host_by_name(name_of(rank_).c_str()));
}

void Channel::send(int to, std::string bytes) {
  starpu_pthread_mutex_lock(&mutex_);
  waiting_.emplace_back(to, std::move(bytes));
  starpu_pthread_cond_broadcast(&changed_);
  starpu_pthread_mutex_unlock(&mutex_);
}

void Channel::close() {
  starpu_pthread_join(listener_, nullptr);
  starpu_pthread_mutex_lock(&mutex_);
  closing_ = true;
  starpu_pthread_cond_broadcast(&changed_);
  starpu_pthread_mutex_unlock(&mutex_);
  starpu_pthread_join(sender_, nullptr);
}

void Channel::deliver() {
  starpu_pthread_mutex_lock(&mutex_);
  while (true) {
    while (waiting_.empty() && !closing_) starpu_pthread_cond_wait(&changed_, &mutex_);
    if (waiting_.empty()) break;
    auto [to, bytes] = std::move(waiting_.front());
    waiting_.pop_front();
    ++sent_;
    starpu_pthread_mutex_unlock(&mutex_);
    const std::size_t size = bytes.size();
    Mailbox::by_name(name_of(to))
        ->put_init(new Letter{rank_, std::move(bytes)}, size)
        ->set_copy_data_callback(simgrid::s4u::Comm::copy_pointer_callback)
        ->detach();
    starpu_pthread_mutex_lock(&mutex_);
  }
  starpu_pthread_mutex_unlock(&mutex_);
}

void Channel::listen() {
  Mailbox* const mailbox = Mailbox::by_name(name_of(rank_));
  for (bool more = expects_; more;) {
    Letter* received = nullptr;
    mailbox->get_init()
        ->set_dst_data(reinterpret_cast<void**>(&received), sizeof received)
        ->set_copy_data_callback(simgrid::s4u::Comm::copy_pointer_callback)
        ->wait();
    const std::unique_ptr<Letter> letter(received);
    more = on_message_(letter->from, letter->bytes);
  }
}

}  // namespace starpath::lab
