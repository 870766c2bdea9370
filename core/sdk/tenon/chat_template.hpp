// tenon.template/1 for C++ authors: a TemplateLanguage parses a ChatTemplate, which renders messages to a prompt.
#pragma once

#include <tenon/result.hpp>

#include <memory>
#include <string_view>

namespace tenon {

/// Immutable: render may be called from any thread at any time.
class ChatTemplate {
 public:
  virtual ~ChatTemplate() = default;
  virtual Result<void> render(std::string_view input_json, const tenon_sink& text, const tenon_sink& ranges) const = 0;
};

class TemplateLanguage {
 public:
  static constexpr std::string_view kInterface = TENON_TEMPLATE_INTERFACE;

  virtual ~TemplateLanguage() = default;
  virtual const char* name() const = 0;
  virtual Result<std::unique_ptr<ChatTemplate>> create(std::string_view source) const = 0;

  const tenon_template_api* table() {
    table_.self = this;
    table_.name = name();
    return &table_;
  }

 private:
  tenon_template_api table_{
      sizeof(tenon_template_api),
      0,
      nullptr,
      nullptr,
      [](void* self, tenon_str source, void** made, tenon_status* status) noexcept {
        return guarded(status, [&]() -> Result<void> {
          auto result = static_cast<TemplateLanguage*>(self)->create(view(source));
          if (!result) return result.error();
          *made = result->release();
          return {};
        });
      },
      [](void* t) noexcept { delete static_cast<ChatTemplate*>(t); },
      [](void* t, tenon_str input, tenon_sink* text, tenon_sink* ranges, tenon_status* status) noexcept {
        return guarded(status,
                       [&] { return static_cast<const ChatTemplate*>(t)->render(view(input), *text, *ranges); });
      }};
};

}  // namespace tenon
