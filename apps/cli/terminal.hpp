// Standard output and standard error: what is printed there arrives, or the command's exit code says that it did not.
#pragma once
#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace starpath::apps {

/// Gives each standard stream that the caller closed a descriptor of its own, so that no file that is opened later is
/// mistaken for it. What is printed to a closed standard output counts as not written.
void open_standard_streams();

/// To standard output. A failure is kept until finish_output().
void write_out(std::string_view text);
/// To standard error. What cannot be written there is lost: a run does not end because nobody listens.
void write_error(std::string_view text);

template <class... Arguments>
void print_out(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
  write_out(fmt::format(text, std::forward<Arguments>(arguments)...));
}
template <class... Arguments>
void print_error(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
  write_error(fmt::format(text, std::forward<Arguments>(arguments)...));
}

/// One JSON value and the end of its line; `indent` as nlohmann's dump takes it. Bytes that are not UTF-8, as names of
/// files may have, are replaced.
template <class Json>
void write_json(const Json& value, int indent = -1) {
  write_out(value.dump(indent, ' ', false, Json::error_handler_t::replace) + "\n");
}

/// Throws Error{output} when something that was printed did not reach standard output.
void finish_output();

}  // namespace starpath::apps
