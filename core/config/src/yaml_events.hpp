// yaml-cpp's events to a Yaml tree. yaml-cpp's own Node loader takes duplicate keys, expands aliases without a limit
// and ignores tags; here each of them meets a rule.
#pragma once

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/mark.h>
#include <tenon/config/yaml.hpp>

#include <exception>
#include <optional>
#include <unordered_map>

namespace tenon {

inline constexpr size_t kMaxYamlBytes = size_t{1} << 20;  // of the file, and of its scalars after aliases are expanded
inline constexpr size_t kMaxYamlLevels = 64;
inline constexpr size_t kMaxYamlNodes = 100'000;

// yaml-cpp ends a plain text in brackets at a '?', where YAML 1.2 lets it be part of a word ("[name?]"). Such a '?' is
// handed over as this byte, which no file can hold, and put back in what comes out.
inline constexpr char kQuestionMark = '\x1F';

/// Leaves yaml-cpp's parser, which knows no other way to stop.
struct YamlStop : std::exception {
  explicit YamlStop(Error e) : error(std::move(e)) {}
  Error error;
};

/// Takes the events of one document. Throws YamlStop from any of them.
class YamlEvents final : public YAML::EventHandler {
 public:
  /// The document is source->text from byte `begin` on, which lies in line 1.
  YamlEvents(std::shared_ptr<const SourceText> source, size_t begin) : source_(std::move(source)), begin_(begin) {}

  Yaml take_root() { return std::move(root_); }
  Place place_of(const YAML::Mark& mark);
  /// Where the innermost flow list or map began that has not ended.
  std::optional<Place> open_flow() const;
  bool is_indented_by_tab(const YAML::Mark& mark) const;
  /// yaml-cpp takes a quoted text that lasts until the end of the file for complete: an error here.
  void check_last_quote();

  void OnDocumentStart(const YAML::Mark& mark) override;
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override;
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override;
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override;
  void OnMapEnd() override { close(); }

 private:
  /// A list or map whose end has not come yet.
  struct Frame {
    Yaml node;
    bool flow = false;
    size_t offset = 0;  // of its first byte in the document
    bool has_key = false;
    std::string key;
    Place key_place;
    size_t key_offset = 0;
    std::unordered_map<std::string, int> key_lines;

    size_t n_children() const { return node.is_list() ? node.items().size() : node.entries().size(); }
    bool expects_key() const { return node.is_map() && !has_key; }
  };

  /// What an anchor names: a scalar is kept, a list or map is found again by its path from the root, so that nested
  /// anchors cost no copies.
  struct Anchor {
    std::optional<Yaml> scalar;
    std::vector<uint32_t> path;
  };

  void open(Yaml::Kind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, bool flow);
  void close();
  /// Counts the value and attaches it.
  void add(Yaml value);
  void attach(Yaml value);
  void take_key(Yaml key, const YAML::Mark& mark);
  void anchor_scalar(YAML::anchor_t anchor, const Yaml& value);
  const Yaml* find_anchored(const Anchor& anchor) const;
  void spend(size_t n_nodes, size_t n_bytes, const Place& place);
  std::string_view document() const { return std::string_view(source_->text).substr(begin_); }

  std::shared_ptr<const SourceText> source_;
  size_t begin_;
  Yaml root_;
  std::vector<Frame> stack_;
  std::unordered_map<YAML::anchor_t, Anchor> anchors_;
  size_t n_nodes_ = 0, n_bytes_ = 0;
  size_t n_documents_ = 0;
  size_t last_scalar_ = 0;

  // The last column computed, so that a file of one long line is walked once.
  int line_ = -1;
  size_t column_offset_ = 0;
  int column_ = 1;
};

}  // namespace tenon
