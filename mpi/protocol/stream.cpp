// Both ends of a stream.
#include "mpi/protocol/stream.hpp"

#include <algorithm>

namespace starpath::mpi {

const StreamPolicy* find_stream_policy(std::string_view name) {
  const auto* const found = std::ranges::find(kStreamPolicies, name, &StreamPolicy::name);
  return found == std::end(kStreamPolicies) ? nullptr : found;
}

StreamProducer::Sends StreamProducer::insert(StreamBuffer buffer, double now) {
  Sends out;
  queue_.insert(std::move(buffer));
  serve(now, out);
  return out;
}

StreamProducer::Sends StreamProducer::end() {
  Sends out;
  ended_ = true;
  serve(0, out);
  return out;
}

StreamProducer::Sends StreamProducer::receive(int consumer, const ToProducer& message, double now) {
  Sends out;
  if (const auto* request = std::get_if<BufferRequest>(&message)) {
    waiting_.push_back({consumer, *request, now});
    serve(now, out);
  } else {
    consumers_[static_cast<std::size_t>(consumer)].requests = std::get<Farewell>(message).requests;
  }
  return out;
}

void StreamProducer::serve(double now, Sends& out) {
  while (!waiting_.empty() && (!queue_.empty() || ended_)) {
    const Waiting asked = waiting_.front();
    waiting_.pop_front();
    ++consumers_[static_cast<std::size_t>(asked.consumer)].answered;
    if (auto buffer = queue_.take(asked.request.device_class))
      out.emplace_back(asked.consumer, BufferSent{asked.request.ticket, std::move(*buffer), now - asked.since});
    else
      out.emplace_back(asked.consumer, NoBuffer{asked.request.ticket});
  }
}

StreamProducer::Sends StreamProducer::abandon() {
  while (queue_.take(0)) {
  }
  return end();
}

bool StreamProducer::deserted() const {
  return std::all_of(consumers_.begin(), consumers_.end(), [](const Consumer& consumer) {
    return consumer.requests && *consumer.requests == consumer.answered;
  });
}

StreamConsumer::StreamConsumer(const StreamPolicy& policy, std::size_t classes,
                               const std::vector<std::size_t>& worker_classes, int producers,
                               const StreamConsumerOptions& options)
    : selective_(policy.sorted_sender && policy.dynamic),
      producers_(static_cast<std::size_t>(producers)),
      queue_(policy.sorted_receiver, classes),
      live_(producers) {
  for (const std::size_t device_class : worker_classes)
    workers_.push_back(
        {device_class, policy.dynamic ? RequestWindow::dynamic(options.most) : RequestWindow::of_size(options.window)});
}

StreamConsumer::Sends StreamConsumer::receive(int number, const ToConsumer& message, double now) {
  Producer& producer = producers_[static_cast<std::size_t>(number)];
  --producer.unanswered;
  if (const auto* sent = std::get_if<BufferSent>(&message)) {
    const auto ticket = tickets_.find(sent->ticket);
    const std::size_t worker = ticket->second.worker;
    --workers_[worker].unanswered;
    workers_[worker].window.answered(std::max(0.0, now - ticket->second.sent - sent->held_seconds));
    requested_for_.emplace(sent->buffer.id, worker);
    queue_.insert(sent->buffer);
    tickets_.erase(ticket);
  } else {
    const auto ticket = tickets_.find(std::get<NoBuffer>(message).ticket);
    workers_[ticket->second.worker].window.refused();
    --workers_[ticket->second.worker].unanswered;
    tickets_.erase(ticket);
    if (!producer.ended) --live_;
    producer.ended = true;
  }
  return ask(now);
}

bool StreamConsumer::leaves(std::size_t worker, const StreamBuffer& buffer) const {
  const Worker& asking = workers_[worker];
  if (!selective_ || asking.device_class != 0 || asking.unanswered == 0) return false;
  return workers_[requested_for_.at(buffer.id)].device_class != asking.device_class;
}

std::optional<BufferId> StreamConsumer::take(std::size_t worker, double now, Sends& out) {
  const StreamBuffer* const best = queue_.peek(workers_[worker].device_class);
  if (best == nullptr || leaves(worker, *best)) return std::nullopt;
  const auto buffer = queue_.take(workers_[worker].device_class);
  if (!buffer) return std::nullopt;
  const auto owner = requested_for_.find(buffer->id);
  workers_[owner->second].window.taken();
  requested_for_.erase(owner);
  const Sends more = ask(now);
  out.insert(out.end(), more.begin(), more.end());
  return buffer->id;
}

StreamConsumer::Sends StreamConsumer::processed(std::size_t worker, double seconds, double now) {
  workers_[worker].window.processed(seconds);
  return ask(now);
}

StreamConsumer::Sends StreamConsumer::leave(double now) {
  leaving_ = true;
  return ask(now);
}

StreamConsumer::Sends StreamConsumer::ask(double now) {
  Sends out;
  for (std::size_t worker = 0; worker < workers_.size(); ++worker) {
    Worker& asking = workers_[worker];
    while (!leaving_ && live_ > 0 && asking.window.due() > 0) {
      const int number = next_producer();
      Producer& producer = producers_[static_cast<std::size_t>(number)];
      ++producer.requests;
      ++producer.unanswered;
      asking.window.sent();
      ++asking.unanswered;
      tickets_.emplace(++last_ticket_, Ticket{worker, now});
      out.emplace_back(number, BufferRequest{last_ticket_, asking.device_class});
    }
  }
  for (std::size_t number = 0; number < producers_.size(); ++number) {
    Producer& producer = producers_[number];
    if (!(producer.ended || leaving_) || producer.unanswered > 0 || producer.farewell) continue;
    producer.farewell = true;
    out.emplace_back(static_cast<int>(number), Farewell{producer.requests});
  }
  return out;
}

int StreamConsumer::next_producer() {
  do turn_ = (turn_ + 1) % producers_.size();
  while (producers_[turn_].ended);
  return static_cast<int>(turn_);
}

}  // namespace starpath::mpi
