#include "parse.hpp"

#include <fmt/format.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>
#include <tenon/base/file.hpp>

#include <array>
#include <new>
#include <sstream>

#include "utf8.hpp"
#include "yaml_events.hpp"

namespace tenon {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// yaml-cpp's messages name its grammar's rules: these say what to do.
std::string explained(std::string_view message) {
  struct Row {
    std::string_view found, said;
  };
  constexpr std::array<Row, 9> kRows{{
      {"illegal map value", "a ':' where none can stand; check the indentation, or quote a text that holds ': '"},
      {"end of map not found", "this does not continue the map above; check indentation and quotes"},
      {"end of sequence not found", "this does not continue the list above; check indentation and quotes"},
      {"illegal tab when looking for indentation", "the line is indented by a tab; use spaces"},
      {"illegal block entry", "a list item '- ' cannot stand here; put it on its own, indented line"},
      {"illegal flow end", "a closing bracket without an opening one"},
      {"illegal EOF in scalar", "a quote is never closed"},
      {"unknown token", "no value can start with this character; put it in quotes"},
      {"the referenced anchor is not defined", "the alias names no anchor (&name) above it"},
  }};
  for (const Row& row : kRows) {
    if (message == row.found) return std::string(row.said);
  }
  return std::string(message);
}

Error syntax_error(const YAML::Exception& e, YamlEvents& events) {
  const std::string_view message = e.msg;
  if (message.ends_with("flow not found")) {
    if (const auto open = events.open_flow()) {
      return config_error("CONFIG_SYNTAX", *open,
                          fmt::format("the bracket that opens here is not closed, or a ',' is missing before line {}",
                                      e.mark.line + 1));
    }
  }
  const bool tab = events.is_indented_by_tab(e.mark);
  return config_error("CONFIG_SYNTAX", events.place_of(e.mark),
                      tab ? "the line is indented by a tab; use spaces" : explained(message));
}

Result<void> check_characters(const std::shared_ptr<const SourceText>& source) {
  const std::string& text = source->text;
  int line = 1, column = 1;
  for (size_t i = 0; i < text.size();) {
    const Character c = character_at(text, i);
    if (!c.valid) {
      return config_error(
          "CONFIG_SYNTAX", {source, line, column},
          fmt::format("byte 0x{:02x} is not valid UTF-8; save the file as UTF-8", static_cast<unsigned char>(text[i])));
    }
    if (!is_printable(c.code)) {
      return config_error(
          "CONFIG_SYNTAX", {source, line, column},
          fmt::format("control character U+{:04X} is not allowed; remove it", static_cast<uint32_t>(c.code)));
    }
    ++column;
    if (c.code == '\n') {
      ++line;
      column = 1;
    }
    i += c.n_bytes;
  }
  return {};
}

/// See kQuestionMark. A '?' behind a letter or the like is part of a word and never the sign of a key.
std::string with_question_marks(std::string text) {
  constexpr std::string_view kBeforeKeys = " \t\n[{,?\\";
  for (size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '?' && kBeforeKeys.find(text[i - 1]) == std::string_view::npos) text[i] = kQuestionMark;
  }
  return text;
}

Error too_large(std::string_view name, uint64_t n_bytes) {
  return invalid(fmt::format("CONFIG_TOO_COMPLEX: {}: {} bytes, at most {} are taken", name, n_bytes, kMaxYamlBytes));
}

}  // namespace

std::string with_unix_line_ends(std::string text) {
  size_t out = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n') continue;
    text[out++] = text[i] == '\r' ? '\n' : text[i];
  }
  text.resize(out);
  return text;
}

Result<Yaml> parse_document(std::shared_ptr<const SourceText> source, size_t begin) {
  auto characters = check_characters(source);
  if (!characters) return characters.error();
  YamlEvents events(source, begin);
  try {
    // yaml-cpp misjudges what is still open where the last line does not end.
    std::istringstream stream(with_question_marks(source->text.substr(begin)) + '\n');
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(events)) {
      return config_error("CONFIG_SYNTAX", {source, 0, 0}, "it is empty or holds only comments, expected YAML");
    }
    events.check_last_quote();
    // Anything more is an error, which the handler throws.
    parser.HandleNextDocument(events);
    return events.take_root();
  } catch (const YamlStop& stop) {
    return stop.error;
  } catch (const YAML::Exception& e) {
    return syntax_error(e, events);
  } catch (const std::bad_alloc&) {
    return Error{TENON_NO_MEMORY, fmt::format("out of memory while parsing {}", source->name)};
  }
}

Result<Yaml> parse_yaml(std::string text, std::string name) {
  if (text.size() > kMaxYamlBytes) return too_large(name, text.size());
  if (text.starts_with(kByteOrderMark)) text.erase(0, kByteOrderMark.size());
  return parse_document(
      std::make_shared<const SourceText>(SourceText{std::move(name), with_unix_line_ends(std::move(text))}), 0);
}

Result<Yaml> read_yaml(const std::filesystem::path& path) {
  auto file = File::open(path);
  if (!file) return Error{file.error().code, "CONFIG_UNREADABLE: " + file.error().message};
  if (file->size() > kMaxYamlBytes) return too_large(path.string(), file->size());
  std::string text(static_cast<size_t>(file->size()), '\0');
  auto read = file->read(0, std::as_writable_bytes(std::span(text)));
  if (!read) return Error{read.error().code, "CONFIG_UNREADABLE: " + read.error().message};
  return parse_yaml(std::move(text), path.string());
}

}  // namespace tenon
