#include "yaml_events.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "text_forms.hpp"
#include "utf8.hpp"
#include "yaml_builder.hpp"

namespace tenon {
namespace {

constexpr std::string_view kCoreTag = "tag:yaml.org,2002:";

struct Cost {
  size_t n_nodes = 0, n_bytes = 0, n_levels = 0;
};

/// Of copying the tree. Bounded: no tree in the making has more than kMaxYamlNodes, and what was counted is then spent.
Cost cost_of(const Yaml& node) {
  Cost sum{1, node.scalar().size(), node.is_list() || node.is_map() ? size_t{1} : size_t{0}};
  size_t deepest = 0;
  const auto add = [&](const Yaml& child) {
    const Cost cost = cost_of(child);
    sum.n_nodes += cost.n_nodes;
    sum.n_bytes += cost.n_bytes;
    deepest = std::max(deepest, cost.n_levels);
  };
  for (const Yaml& item : node.items()) add(item);
  for (const YamlEntry& entry : node.entries()) {
    sum.n_bytes += entry.key.size();
    add(entry.value);
  }
  sum.n_levels += deepest;
  return sum;
}

/// Offset of the text itself, behind its anchor and tag.
size_t skip_properties(std::string_view text, size_t offset) {
  const auto is_space = [](char c) { return c == ' ' || c == '\t' || c == '\n'; };
  while (offset < text.size() && (text[offset] == '&' || text[offset] == '!')) {
    while (offset < text.size() && !is_space(text[offset])) ++offset;
    while (offset < text.size() && is_space(text[offset])) ++offset;
  }
  return offset;
}

bool is_closed(std::string_view text, size_t offset) {
  const char quote = text[offset];
  for (size_t i = offset + 1; i < text.size(); ++i) {
    if (text[i] == '\\' && quote == '"') {
      ++i;
    } else if (text[i] == quote) {
      if (quote == '"' || i + 1 >= text.size() || text[i + 1] != quote) return true;
      ++i;  // '' is a quote inside
    }
  }
  return false;
}

}  // namespace

Place YamlEvents::place_of(const YAML::Mark& mark) {
  if (mark.is_null()) return {source_, 0, 0};
  const size_t line_start = mark.line == 0 ? 0 : static_cast<size_t>(mark.pos - mark.column) + begin_;
  const size_t target = std::min(static_cast<size_t>(mark.pos) + begin_, source_->text.size());
  if (mark.line != line_ || target < column_offset_) {
    line_ = mark.line;
    column_offset_ = line_start;
    column_ = 1;
  }
  while (column_offset_ < target) {
    column_offset_ += character_at(source_->text, column_offset_).n_bytes;
    ++column_;
  }
  return {source_, mark.line + 1, column_};
}

std::optional<Place> YamlEvents::open_flow() const {
  for (auto frame = stack_.rbegin(); frame != stack_.rend(); ++frame) {
    const size_t at = skip_properties(document(), frame->offset);
    if (frame->flow && at < document().size() && (document()[at] == '[' || document()[at] == '{')) {
      return frame->node.place();
    }
  }
  return std::nullopt;
}

bool YamlEvents::is_indented_by_tab(const YAML::Mark& mark) const {
  if (mark.is_null() || mark.pos < mark.column) return false;
  const std::string_view line =
      document().substr(std::min(static_cast<size_t>(mark.pos - mark.column), document().size()));
  return line.substr(0, line.find_first_not_of(" \t")).find('\t') != std::string_view::npos;
}

void YamlEvents::check_last_quote() {
  const size_t at = skip_properties(document(), last_scalar_);
  if (at >= document().size() || (document()[at] != '"' && document()[at] != '\'') || is_closed(document(), at)) return;
  const std::string_view before = document().substr(0, at);
  const size_t line_start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  YAML::Mark mark;
  mark.pos = static_cast<int>(at);
  mark.line = static_cast<int>(std::ranges::count(before, '\n'));
  mark.column = static_cast<int>(at - line_start);
  throw YamlStop(config_error("CONFIG_SYNTAX", place_of(mark), "the quote that opens here is never closed"));
}

void YamlEvents::spend(size_t n_nodes, size_t n_bytes, const Place& place) {
  n_nodes_ += n_nodes;
  n_bytes_ += n_bytes;
  if (n_nodes_ > kMaxYamlNodes) {
    throw YamlStop(
        config_error("CONFIG_TOO_COMPLEX", place,
                     fmt::format("more than {} values, counting each use of an alias; write less", kMaxYamlNodes)));
  }
  if (n_bytes_ > kMaxYamlBytes) {
    throw YamlStop(config_error(
        "CONFIG_TOO_COMPLEX", place,
        fmt::format("more than {} bytes of text, counting each use of an alias; write less", kMaxYamlBytes)));
  }
}

void YamlEvents::OnDocumentStart(const YAML::Mark& mark) {
  if (++n_documents_ == 1) return;
  const bool marked = document().substr(static_cast<size_t>(std::max(mark.pos, 0))).starts_with("---");
  throw YamlStop(config_error(
      "CONFIG_SYNTAX", place_of(mark),
      marked ? "a second document starts here; one file holds one document"
             : "this does not belong to what is above it; check the indentation and brackets of this line"));
}

void YamlEvents::OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) {
  Yaml null = YamlBuilder::make(Yaml::Kind::null, place_of(mark));
  if (!stack_.empty() && stack_.back().node.is_map()) {
    const Frame& map = stack_.back();
    if (map.expects_key()) throw YamlStop(config_error("CONFIG_SYNTAX", null.place(), "a key is missing before ':'"));
    if (!map.flow && map.key_offset == static_cast<size_t>(mark.pos)) {
      throw YamlStop(config_error("CONFIG_SYNTAX", map.key_place,
                                  fmt::format("expected 'key: value', found only {}", in_quotes(map.key))));
    }
    // yaml-cpp's mark of a value that is not there is the next token, often lines further down.
    if (null.place().line != map.key_place.line) null = YamlBuilder::make(Yaml::Kind::null, map.key_place);
  }
  anchor_scalar(anchor, null);
  add(std::move(null));
}

void YamlEvents::OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                          const std::string& text) {
  std::string value = text;
  std::ranges::replace(value, kQuestionMark, '?');
  last_scalar_ = static_cast<size_t>(mark.pos);
  const Place place = place_of(mark);
  if (value.find('\0') != std::string::npos) {
    throw YamlStop(config_error("CONFIG_SYNTAX", place, "the text holds a NUL character (\\0), which no setting can"));
  }
  // yaml-cpp's tags: "?" plain, "!" quoted or a block.
  bool quoted = tag == "!";
  std::string_view kind = tag;
  if (tag != "?" && tag != "!") {
    const bool core = kind.starts_with(kCoreTag);
    if (core) kind.remove_prefix(kCoreTag.size());
    quoted = kind == "str";
    if (!core || !(quoted || kind == "null" || kind == "bool" || kind == "int" || kind == "float")) {
      throw YamlStop(config_error("CONFIG_SYNTAX", place,
                                  fmt::format("unknown tag {}; only !!str, !!int, !!float, !!bool, !!null, !!seq and "
                                              "!!map are known",
                                              in_quotes(tag))));
    }
    if (!fits_tag(value, kind)) {
      throw YamlStop(config_error("CONFIG_TYPE", place, fmt::format("{} is no !!{}", in_quotes(value), kind)));
    }
  }
  Yaml scalar = kind == "null" ? YamlBuilder::make(Yaml::Kind::null, place) : YamlBuilder::scalar(value, quoted, place);
  anchor_scalar(anchor, scalar);
  if (!stack_.empty() && stack_.back().expects_key()) {
    take_key(std::move(scalar), mark);
  } else {
    add(std::move(scalar));
  }
}

void YamlEvents::OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) {
  const Place place = place_of(mark);
  const auto found = anchors_.find(anchor);
  const Yaml* target = found == anchors_.end() ? nullptr : find_anchored(found->second);
  if (target == nullptr) {
    throw YamlStop(config_error("CONFIG_SYNTAX", place, "this alias stands inside what it names, which has no end"));
  }
  if (!stack_.empty() && stack_.back().expects_key()) return take_key(*target, mark);
  const Cost cost = cost_of(*target);
  spend(cost.n_nodes, cost.n_bytes, place);
  if (stack_.size() + cost.n_levels > kMaxYamlLevels) {
    throw YamlStop(
        config_error("CONFIG_TOO_COMPLEX", place,
                     fmt::format("the alias nests lists and maps deeper than {} levels; flatten it", kMaxYamlLevels)));
  }
  attach(*target);
}

void YamlEvents::OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                                 YAML::EmitterStyle::value style) {
  open(Yaml::Kind::list, mark, tag, anchor, style == YAML::EmitterStyle::Flow);
}

void YamlEvents::OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                            YAML::EmitterStyle::value style) {
  open(Yaml::Kind::map, mark, tag, anchor, style == YAML::EmitterStyle::Flow);
}

void YamlEvents::open(Yaml::Kind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                      bool flow) {
  const Place place = place_of(mark);
  const std::string_view own = kind == Yaml::Kind::list ? "seq" : "map";
  if (tag != "?" && tag != "!" && tag != std::string(kCoreTag).append(own)) {
    throw YamlStop(config_error(
        "CONFIG_SYNTAX", place,
        fmt::format("tag {} on a {}; only !!{} is known there", in_quotes(tag), own == "seq" ? "list" : "map", own)));
  }
  if (stack_.size() == kMaxYamlLevels) {
    throw YamlStop(
        config_error("CONFIG_TOO_COMPLEX", place,
                     fmt::format("lists and maps are nested deeper than {} levels; flatten them", kMaxYamlLevels)));
  }
  if (anchor != 0) {
    Anchor named;
    for (const Frame& frame : stack_) named.path.push_back(static_cast<uint32_t>(frame.n_children()));
    anchors_.insert_or_assign(anchor, std::move(named));
  }
  Frame& frame = stack_.emplace_back();
  frame.node = YamlBuilder::make(kind, place);
  frame.flow = flow;
  frame.offset = static_cast<size_t>(mark.pos);
}

void YamlEvents::close() {
  Yaml node = std::move(stack_.back().node);
  stack_.pop_back();
  add(std::move(node));
}

void YamlEvents::add(Yaml value) {
  spend(1, value.scalar().size(), value.place());
  attach(std::move(value));
}

void YamlEvents::attach(Yaml value) {
  if (stack_.empty()) {
    root_ = std::move(value);
  } else if (Frame& top = stack_.back(); top.node.is_list()) {
    YamlBuilder::items(top.node).push_back(std::move(value));
  } else if (top.expects_key()) {
    // Not said where it opens: yaml-cpp also takes a bracket for a key that is never closed.
    throw YamlStop(config_error("CONFIG_SYNTAX", value.place(), "a key must be a text, not a list or map"));
  } else {
    YamlBuilder::entries(top.node).push_back({std::move(top.key), std::move(top.key_place), std::move(value)});
    top.has_key = false;
  }
}

void YamlEvents::take_key(Yaml key, const YAML::Mark& mark) {
  const Place place = place_of(mark);
  if (!key.is_scalar()) throw YamlStop(config_error("CONFIG_SYNTAX", place, "a key must be a text"));
  spend(0, key.scalar().size(), place);
  Frame& map = stack_.back();
  const auto [first, is_new] = map.key_lines.emplace(key.scalar(), place.line);
  if (!is_new) {
    throw YamlStop(config_error("CONFIG_DUPLICATE_KEY", place,
                                fmt::format("key {} is given in line {} and again in line {}; remove one",
                                            in_quotes(key.scalar()), first->second, place.line)));
  }
  map.has_key = true;
  map.key = key.scalar();
  map.key_place = place;
  map.key_offset = static_cast<size_t>(mark.pos);
}

void YamlEvents::anchor_scalar(YAML::anchor_t anchor, const Yaml& value) {
  if (anchor != 0) anchors_.insert_or_assign(anchor, Anchor{value, {}});
}

const Yaml* YamlEvents::find_anchored(const Anchor& anchor) const {
  if (anchor.scalar) return &*anchor.scalar;
  const auto child = [](const Yaml& node, size_t i) {
    return node.is_list() ? &node.items()[i] : &node.entries()[i].value;
  };
  for (size_t level = 0; level < anchor.path.size(); ++level) {
    const Frame& frame = stack_[level];
    if (anchor.path[level] == frame.n_children()) continue;  // the child is still open: it is the next frame
    const Yaml* node = child(frame.node, anchor.path[level]);
    while (++level < anchor.path.size()) node = child(*node, anchor.path[level]);
    return node;
  }
  return nullptr;
}

}  // namespace tenon
