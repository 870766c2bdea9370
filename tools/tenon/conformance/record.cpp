#include <conformance/record.hpp>

#include <nlohmann/json.hpp>

#include <bit>

namespace tenon::conformance {
namespace {

using nlohmann::json;

std::string line_of(const json& document) {
  return document.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
}

/// Floats as bits, so that NaN and infinity come through.
json to_json(const Mismatch& m) {
  return {{"measure", m.measure},
          {"n_wrong", m.n_wrong},
          {"n_all", m.n_all},
          {"output", m.output},
          {"row", m.row},
          {"column", m.column},
          {"got", std::bit_cast<uint32_t>(m.got)},
          {"expected", std::bit_cast<uint32_t>(m.expected)}};
}

Mismatch mismatch_of(const json& j) {
  Mismatch m;
  m.measure = j.at("measure");
  m.n_wrong = j.at("n_wrong");
  m.n_all = j.at("n_all");
  m.output = j.at("output");
  m.row = j.at("row");
  m.column = j.at("column");
  m.got = std::bit_cast<float>(j.at("got").get<uint32_t>());
  m.expected = std::bit_cast<float>(j.at("expected").get<uint32_t>());
  return m;
}

CaseResult result_of(const json& j) {
  CaseResult result;
  result.verdict = static_cast<Verdict>(j.at("verdict").get<int>());
  result.kernel = j.at("kernel");
  result.computes = j.at("computes");
  result.message = j.at("message");
  // JSON has no infinity; it is written as null.
  const auto number = [&](const char* key) { return j.at(key).is_number() ? j.at(key).get<double>() : 1.0 / 0.0; };
  result.error = number("error");
  result.int8_error = number("int8_error");
  if (j.contains("mismatch")) result.mismatch = mismatch_of(j.at("mismatch"));
  return result;
}

void take_line(const json& j, Told& told) {
  if (j.contains("plugin")) {
    const json& p = j.at("plugin");
    told.plugin = PluginFacts{p.at("id"), p.at("version"), p.at("path"), p.at("build_id")};
  } else if (j.contains("refusal")) {
    told.refusal = j.at("refusal").get<std::string>();
  } else if (j.contains("begin")) {
    told.begun = j.at("begin").get<size_t>();
    told.stage.clear();
  } else if (j.contains("stage")) {
    told.stage = j.at("stage");
  } else if (j.contains("fault")) {
    told.fault = j.at("fault");
  } else if (j.contains("end")) {
    told.ended.emplace_back(j.at("end").get<size_t>(), result_of(j));
    told.begun.reset();
  }
}

}  // namespace

std::string plugin_line(const PluginFacts& plugin) {
  return line_of(
      {{"plugin",
        {{"id", plugin.id}, {"version", plugin.version}, {"path", plugin.path}, {"build_id", plugin.build_id}}}});
}

std::string refusal_line(std::string_view message) { return line_of({{"refusal", message}}); }
std::string begin_line(size_t index) { return line_of({{"begin", index}}); }
std::string stage_line(std::string_view stage) { return line_of({{"stage", stage}}); }

std::string end_line(size_t index, const CaseResult& result) {
  json j = {{"end", index},
            {"verdict", static_cast<int>(result.verdict)},
            {"kernel", result.kernel},
            {"computes", result.computes},
            {"message", result.message},
            {"error", result.error},
            {"int8_error", result.int8_error}};
  if (result.mismatch) j["mismatch"] = to_json(*result.mismatch);
  return line_of(j);
}

Told read_lines(std::string_view text) {
  Told told;
  for (size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
    const json j = json::parse(text.substr(0, end), nullptr, false);
    text.remove_prefix(end + 1);
    if (!j.is_object()) continue;
    try {
      take_line(j, told);
    } catch (const json::exception&) {
      continue;
    }
  }
  return told;
}

}  // namespace tenon::conformance
