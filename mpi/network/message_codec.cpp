// Messages to JSON and back.
#include "mpi/network/message_codec.hpp"

#include <array>
#include <limits>
#include <nlohmann/json.hpp>

namespace starpath::mpi {
namespace {

using nlohmann::json;

json fields(const Hello& m) { return {"hello", m.agreement.version, m.agreement.slide, m.agreement.parameters}; }
json fields(const Ready& m) { return {"ready", m.introduction}; }
json fields(const Request& m) { return {"request", m.instances, m.cannot}; }
json fields(const Finished& m) {
  return {"finished", m.tile, m.failed, m.skipped, m.found, m.failure, m.stage, m.over};
}
json fields(const Returned& m) { return {"returned", m.instance.tile, m.instance.stage, m.vanished}; }
json fields(const Interrupted&) { return json::array({"interrupted"}); }
json fields(const Failed& m) { return {"failed", m.kind, m.reason, m.answered}; }
json fields(const Bye& m) { return {"bye", m.answered, m.books}; }
json fields(const Welcome&) { return json::array({"welcome"}); }
json fields(const Refused& m) { return {"refused", m.reason}; }
json fields(const Begin& m) { return {"begin", m.introductions}; }
json fields(const Assign& m) {
  json instances = json::array();
  for (const Handout& handout : m.instances) {
    json instance{handout.instance.tile, handout.instance.stage, handout.begins ? 1 : 0};
    for (const auto& [stage, rank] : handout.elsewhere) instance.push_back({stage, rank});
    instances.push_back(std::move(instance));
  }
  return {"assign", instances};
}
json fields(const Forget& m) { return {"forget", m.tiles}; }
json fields(const Lost& m) { return {"lost", m.rank}; }
json fields(const Drop& m) { return {"drop", m.begun}; }
json fields(const End& m) { return {"end", m.assigned}; }
json fields(const Alive&) { return json::array({"alive"}); }
json fields(const BufferRequest& m) { return {"want", m.ticket, m.device_class}; }
json fields(const Farewell& m) { return {"farewell", m.requests}; }
json fields(const Announcement& m) {
  return {"buffer", m.sent.ticket, m.sent.buffer.id, m.sent.buffer.speedups, m.sent.held_seconds,
          m.tile,   m.round,       m.read_seconds,   m.compute_seconds,      m.facts,
          m.note};
}
json fields(const NoBuffer& m) { return {"none", m.ticket}; }
json fields(const Verdict& m) {
  return {"verdict", m.buffer, static_cast<int>(m.outcome), m.skipped, m.found, m.device_class, m.seconds, m.reason};
}
json fields(const Note& m) { return {"note", m.text}; }

std::vector<Handout> handouts(const json& array) {
  std::vector<Handout> handouts;
  for (const json& instance : array) {
    Handout& handout = handouts.emplace_back(
        Handout{{instance.at(0).get<std::int64_t>(), instance.at(1).get<int>()}, instance.at(2).get<int>() != 0, {}});
    for (std::size_t i = 3; i < instance.size(); ++i)
      handout.elsewhere.push_back({instance[i].at(0).get<int>(), instance[i].at(1).get<int>()});
  }
  return handouts;
}

/// A number that is not known is null in JSON.
double number(const json& value) {
  return value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
}
std::vector<double> numbers(const json& array) {
  std::vector<double> values;
  for (const json& value : array) values.push_back(number(value));
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

std::string encode(const DataMessage& message) {
  constexpr std::array names = {"wanted", "here", "gone"};
  return json{names.at(static_cast<std::size_t>(message.phase)), message.instance.tile, message.instance.stage}.dump() +
         "\n" + message.bytes;
}

std::optional<ToManager> decode_to_manager(const std::string& bytes) {
  return decoded<ToManager>(bytes, [](const std::string& name, const json& m) -> std::optional<ToManager> {
    if (name == "hello") return Hello{{m.at(1), m.at(2), m.at(3)}};
    if (name == "ready") return Ready{m.at(1)};
    if (name == "request") return Request{m.at(1), m.at(2)};
    if (name == "finished") return Finished{m.at(1), m.at(2), m.at(3), m.at(4), m.at(5), m.at(6), m.at(7)};
    if (name == "returned") return Returned{{m.at(1), m.at(2)}, m.at(3)};
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
    if (name == "assign") return Assign{handouts(m.at(1))};
    if (name == "forget") return Forget{m.at(1)};
    if (name == "lost") return Lost{m.at(1)};
    if (name == "drop") return Drop{m.at(1)};
    if (name == "end") return End{m.at(1)};
    if (name == "alive") return Alive{};
    return std::nullopt;
  });
}

std::optional<DataMessage> decode_data(const std::string& bytes) {
  const std::size_t end = bytes.find('\n');
  if (end == std::string::npos) return std::nullopt;
  return decoded<DataMessage>(bytes.substr(0, end),
                              [&](const std::string& name, const json& m) -> std::optional<DataMessage> {
                                const StageInstance instance{m.at(1), m.at(2)};
                                if (name == "wanted") return DataMessage{DataPhase::wanted, instance};
                                if (name == "here")
                                  return DataMessage{DataPhase::here, instance, bytes.substr(end + 1)};
                                if (name == "gone") return DataMessage{DataPhase::gone, instance};
                                return std::nullopt;
                              });
}

std::optional<StreamMessage> decode_stream(const std::string& bytes) {
  return decoded<StreamMessage>(bytes, [](const std::string& name, const json& m) -> std::optional<StreamMessage> {
    if (name == "want") return BufferRequest{m.at(1), m.at(2)};
    if (name == "farewell") return Farewell{m.at(1)};
    if (name == "buffer")
      return Announcement{{m.at(1), {m.at(2), numbers(m.at(3))}, m.at(4)},
                          m.at(5),
                          m.at(6),
                          m.at(7),
                          m.at(8),
                          numbers(m.at(9)),
                          m.at(10)};
    if (name == "none") return NoBuffer{m.at(1)};
    if (name == "note") return Note{m.at(1)};
    if (name == "verdict" && m.at(2) >= 0 && m.at(2) < kVerdictOutcomes)
      return Verdict{m.at(1), static_cast<Verdict::Outcome>(m.at(2).get<int>()), m.at(3), m.at(4), m.at(5), m.at(6),
                     m.at(7)};
    return std::nullopt;
  });
}

}  // namespace starpath::mpi
