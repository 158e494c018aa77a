// Messages to JSON and back.
#include "mpi/network/message_codec.hpp"

#include <limits>
#include <nlohmann/json.hpp>

namespace starpath::cluster {
namespace {

using nlohmann::json;

json fields(const Hello& m) { return {"hello", m.agreement.version, m.agreement.slide, m.agreement.parameters}; }
json fields(const Ready& m) { return {"ready", m.introduction}; }
json fields(const Request& m) { return {"request", m.tiles}; }
json fields(const Finished& m) { return {"finished", m.tile, m.failed, m.skipped, m.found, m.failure}; }
json fields(const Interrupted&) { return json::array({"interrupted"}); }
json fields(const Failed& m) { return {"failed", m.kind, m.reason, m.finished}; }
json fields(const Bye& m) { return {"bye", m.finished, m.books}; }
json fields(const Welcome&) { return json::array({"welcome"}); }
json fields(const Refused& m) { return {"refused", m.reason}; }
json fields(const Begin& m) { return {"begin", m.introductions}; }
json fields(const Assign& m) { return {"assign", m.tiles}; }
json fields(const End& m) { return {"end", m.assigned, m.drop, m.begun}; }
json fields(const Alive&) { return json::array({"alive"}); }
json fields(const BufferRequest& m) { return {"want", m.ticket, m.device_class}; }
json fields(const Farewell& m) { return {"farewell", m.requests}; }
json fields(const Announcement& m) {
  return {"buffer", m.sent.ticket, m.sent.buffer.id, m.sent.buffer.speedups, m.sent.held_seconds,
          m.field,  m.level,       m.read_seconds,   m.compute_seconds};
}
json fields(const NoBuffer& m) { return {"none", m.ticket}; }
json fields(const Verdict& m) {
  return {"verdict", m.buffer, static_cast<int>(m.outcome), m.background, m.device_class, m.seconds, m.reason};
}

/// A number that is not known is null in JSON.
std::vector<double> numbers(const json& array) {
  std::vector<double> values;
  for (const json& value : array)
    values.push_back(value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>());
  return values;
}

template <class Message>
std::string text_of(const Message& message) {
  return std::visit([](const auto& known) { return fields(known); }, message)
      .dump(-1, ' ', false, json::error_handler_t::replace);
}

template <class Message, class Decode>
std::optional<Message> decoded(const std::string& bytes, Decode decode) {
  try {
    const json array = json::parse(bytes);
    return decode(array.at(0).get<std::string>(), array);
  } catch (const json::exception&) {
    return std::nullopt;
  }
}

}  // namespace

std::string encode(const ToManager& message) { return text_of(message); }
std::string encode(const ToWorker& message) { return text_of(message); }
std::string encode(const StreamMessage& message) { return text_of(message); }

std::optional<ToManager> decode_to_manager(const std::string& bytes) {
  return decoded<ToManager>(bytes, [](const std::string& name, const json& m) -> std::optional<ToManager> {
    if (name == "hello") return Hello{{m.at(1), m.at(2), m.at(3)}};
    if (name == "ready") return Ready{m.at(1)};
    if (name == "request") return Request{m.at(1)};
    if (name == "finished") return Finished{m.at(1), m.at(2), m.at(3), m.at(4), m.at(5)};
    if (name == "interrupted") return Interrupted{};
    if (name == "failed") return Failed{m.at(1), m.at(2), m.at(3)};
    if (name == "bye") return Bye{m.at(1), m.at(2)};
    if (name == "alive") return Alive{};
    return std::nullopt;
  });
}

std::optional<ToWorker> decode_to_worker(const std::string& bytes) {
  return decoded<ToWorker>(bytes, [](const std::string& name, const json& m) -> std::optional<ToWorker> {
    if (name == "welcome") return Welcome{};
    if (name == "refused") return Refused{m.at(1)};
    if (name == "begin") return Begin{m.at(1)};
    if (name == "assign") return Assign{m.at(1)};
    if (name == "end") return End{m.at(1), m.at(2), m.at(3)};
    if (name == "alive") return Alive{};
    return std::nullopt;
  });
}

std::optional<StreamMessage> decode_stream(const std::string& bytes) {
  return decoded<StreamMessage>(bytes, [](const std::string& name, const json& m) -> std::optional<StreamMessage> {
    if (name == "want") return BufferRequest{m.at(1), m.at(2)};
    if (name == "farewell") return Farewell{m.at(1)};
    if (name == "buffer")
      return Announcement{{m.at(1), {m.at(2), numbers(m.at(3))}, m.at(4)}, m.at(5), m.at(6), m.at(7), m.at(8)};
    if (name == "none") return NoBuffer{m.at(1)};
    if (name == "verdict" && m.at(2) >= 0 && m.at(2) < kVerdictOutcomes)
      return Verdict{m.at(1), static_cast<Verdict::Outcome>(m.at(2).get<int>()), m.at(3), m.at(4), m.at(5), m.at(6)};
    return std::nullopt;
  });
}

}  // namespace starpath::cluster
