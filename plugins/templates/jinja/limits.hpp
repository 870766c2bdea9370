// What one template and one rendering may use. A template comes with a model file, so it is as little trusted as that.
// Exceeding any of these ends with TENON_LIMIT and one message: the line of the template and the limit.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tenon::jinja {

// Of the source, found while parsing.
constexpr size_t kMostSourceBytes = size_t{1} << 20;  // real templates have 1 to 30 KiB
constexpr int kMostNesting = 200;                     // brackets and blocks inside each other: keeps the stack small
constexpr int kMostHeight = 500;                      // of one expression: 1 + 1 + ... nests without brackets

// Of one rendering. A step is one statement, expression or element of a loop; 32 bytes looked at or copied count as one
// step too, so that steps bound the time: a few seconds at worst.
constexpr int64_t kMostSteps = 10'000'000;
constexpr int64_t kBytesAStep = 32;
constexpr size_t kMostOutputBytes = size_t{16} << 20;   // of the prompt
constexpr size_t kMostMemoryBytes = size_t{128} << 20;  // of all texts, lists, dicts and output alive at one time
constexpr int kMostDepth = 1000;         // of evaluation, through blocks, expressions and macros together
constexpr int kMostValueDepth = 200;     // of lists and dicts inside each other
constexpr int64_t kMostRange = 100'000;  // numbers of one range(), as in jinja2's sandbox

// Of the input.
constexpr int kMostJsonDepth = 100;

}  // namespace tenon::jinja
