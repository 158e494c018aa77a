// The other side of child_slide.hpp: answers about one slide, in a process of its own.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "io/slides/opening.hpp"
#include "io/slides/slide.hpp"

namespace starpath::io {

/// Opens a slide of the formats that readers read, in this process; nothing where the input is of another one. Throws
/// as open_slide().
std::unique_ptr<Slide> open_foreign_here(const std::string& input, const Opening& opening);
/// Whether that would return or throw something.
bool is_foreign_here(const std::string& input);

/// Answers requests (reader_messages.hpp) about the slide at `input` until the asker hangs up. `guards`: what to say of
/// this process's rights. `open`: open_foreign_here() but in tests.
void serve_slide(const std::string& input, std::uint32_t guards,
                 const std::function<std::unique_ptr<Slide>(const std::string&, const Opening&)>& open);

}  // namespace starpath::io
