// A value or an error with a message. The only way that failures travel inside the core and the plug-ins.
#pragma once

#include <tenon.h>

#include <cassert>
#include <concepts>
#include <cstring>
#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace tenon {

/// `code` is one of TENON_INVALID ... TENON_LIMIT. The message names the thing, what was found and what was expected.
struct Error {
  tenon_code code = TENON_INTERNAL;
  std::string message;
};

template <class T>
class [[nodiscard]] Result {
 public:
  template <class U>
  requires std::convertible_to<U&&, T> Result(U&& value) : state_(std::in_place_index<0>, std::forward<U>(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const { return state_.index() == 0; }
  T& operator*() & { return std::get<0>(state_); }
  const T& operator*() const& { return std::get<0>(state_); }
  T&& operator*() && { return std::get<0>(std::move(state_)); }
  T* operator->() { return &std::get<0>(state_); }
  const T* operator->() const { return &std::get<0>(state_); }
  const Error& error() const { return std::get<1>(state_); }

 private:
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) { assert(error_.code != TENON_OK); }

  explicit operator bool() const { return error_.code == TENON_OK; }
  const Error& error() const { return error_; }

 private:
  Error error_{TENON_OK, {}};
};

inline Error invalid(std::string message) { return {TENON_INVALID, std::move(message)}; }
inline Error unsupported(std::string message) { return {TENON_UNSUPPORTED, std::move(message)}; }

// ---- the border: Error <-> tenon_status

inline tenon_status empty_status() {
  tenon_status status{};
  status.size = sizeof status;
  return status;
}

/// Copies as much of the text as fits, cut before a split character.
inline void copy_text(char* destination, size_t capacity, std::string_view text) {
  size_t n = text.size() < capacity ? text.size() : capacity - 1;
  if (n < text.size()) {
    while (n > 0 && (static_cast<unsigned char>(text[n]) & 0xC0) == 0x80) --n;
  }
  std::memcpy(destination, text.data(), n);
  destination[n] = '\0';
}

inline tenon_code fill_status(tenon_status* status, tenon_code code, std::string_view message) {
  if (status != nullptr && status->size >= sizeof(tenon_status)) {
    status->code = code;
    copy_text(status->message, TENON_MESSAGE_BYTES, message);
  }
  return code;
}

/// What a call across the border answered, as a Result.
inline Result<void> from_status(tenon_code code, const tenon_status& status) {
  if (code == TENON_OK) return {};
  const void* end = std::memchr(status.message, 0, TENON_MESSAGE_BYTES);
  const size_t n = end != nullptr ? static_cast<size_t>(static_cast<const char*>(end) - status.message)
                                  : static_cast<size_t>(TENON_MESSAGE_BYTES);
  return Error{code, std::string(status.message, n)};
}

/// Runs a callable that returns Result<void> and lets nothing out: the wall of every SDK thunk.
template <class F>
tenon_code guarded(tenon_status* status, F&& f) noexcept {
  try {
    Result<void> result = f();
    if (result) return TENON_OK;
    return fill_status(status, result.error().code, result.error().message);
  } catch (const std::bad_alloc&) {
    return fill_status(status, TENON_NO_MEMORY, "out of memory");
  } catch (const std::exception& e) {
    return fill_status(status, TENON_INTERNAL, e.what());
  } catch (...) {
    return fill_status(status, TENON_INTERNAL, "an exception that is no std::exception");
  }
}

// ---- text and sinks

inline std::string_view view(tenon_str s) { return {s.data, s.size}; }
inline tenon_str str(std::string_view s) { return {s.data(), s.size()}; }

/// A sink that appends to a std::string or std::vector of the sink's element type.
template <class Container>
tenon_sink sink_to(Container& container) {
  using Element = typename Container::value_type;
  return {&container, [](void* self, const void* elements, size_t count) -> tenon_code {
            try {
              auto* first = static_cast<const Element*>(elements);
              auto& target = *static_cast<Container*>(self);
              target.insert(target.end(), first, first + count);
              return TENON_OK;
            } catch (...) {
              return TENON_NO_MEMORY;
            }
          }};
}

template <class Element>
Result<void> append(const tenon_sink& sink, const Element* elements, size_t count) {
  if (count == 0) return {};
  const tenon_code code = sink.append(sink.self, elements, count);
  if (code == TENON_OK) return {};
  return Error{code, "the receiver of the output refused it"};
}

}  // namespace tenon
