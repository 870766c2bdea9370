// tenon conformance PLUGIN.so: every kernel that a backend claims, held to `reference`.
#include "cli.hpp"
#include "progress.hpp"

#include <conformance/child.hpp>
#include <conformance/report.hpp>
#include <conformance/run.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <chrono>

namespace tenon::cli {
namespace {

namespace cf = conformance;

constexpr const char* kUsage = "conformance PLUGIN.so [OPTIONS]";

po::options_description case_options() {
  po::options_description options("Cases");
  options.add_options()("plugin", po::value<std::string>(),
                        "the backend: a path, or the id of one in the plug-in folder")(
      "options", po::value<std::string>()->default_value(""), "the plug-in's options as in a config: \"isa: avx2\"")(
      "op", po::value<std::string>()->default_value(""), "only this op: linear, attention, ...")(
      "format", po::value<std::string>()->default_value(""), "only this format of weights or kv pages: q4_0, f16, ...")(
      "case", po::value<std::string>()->default_value(""), "only this case, by its whole name")(
      "seed", po::value<std::string>()->default_value("1"), "another number: other data")(
      "threads", po::value<std::string>()->default_value("3"), "threads that are compared with one")(
      "quick", po::bool_switch(), "fewer sizes")("exact", po::bool_switch(),
                                                 "the reference's bits, where the class has stated chains");
  return options;
}

po::positional_options_description plugin_position() {
  po::positional_options_description positional;
  positional.add("plugin", 1);
  return positional;
}

/// The options that choose and make the cases, checked.
struct Choice {
  std::string plugin, options;
  cf::CaseFilter filter;
  cf::CheckSettings settings;

  /// As arguments again: for the child with the filter's case, for commands that name a case themselves without.
  std::vector<std::string> arguments(bool with_case) const {
    std::vector<std::string> texts{plugin, "--seed", std::to_string(settings.seed), "--threads",
                                   std::to_string(settings.n_threads)};
    const auto add = [&](const char* option, const std::string& value) {
      if (value.empty()) return;
      texts.push_back(option);
      texts.push_back(value);
    };
    add("--options", options);
    add("--op", filter.op);
    add("--format", filter.format);
    if (with_case) add("--case", filter.name);
    if (filter.quick) texts.push_back("--quick");
    if (settings.exact) texts.push_back("--exact");
    return texts;
  }

  std::string command() const {
    std::string text = "tenon conformance";
    for (const std::string& argument : arguments(false)) {
      const bool is_plain = argument.find_first_of(" '\"{}[]$`\\;&|<>()*?") == std::string::npos && !argument.empty();
      text += is_plain ? " " + argument : fmt::format(" '{}'", argument);
    }
    return text;
  }
};

/// A file of this name where there is one, so that "x.so" and "./x.so" are the same; else an id.
std::string plugin_of(const std::string& given) {
  std::error_code unknown;
  if (given.find('/') == std::string::npos && std::filesystem::exists(given, unknown)) return "./" + given;
  return given;
}

Result<void> check_name(const std::string& name, const std::vector<std::string>& known, const char* what) {
  if (name.empty() || std::ranges::find(known, name) != known.end()) return {};
  return invalid(fmt::format("no {} '{}'; there are {}", what, name, fmt::join(known, ", ")));
}

Result<uint64_t> seed_of(const std::string& text) {
  uint64_t seed = 0;
  const char* end = text.data() + text.size();
  const auto [next, error] = std::from_chars(text.data(), end, seed);
  if (error == std::errc() && next == end) return seed;
  return invalid(fmt::format("--seed is '{}', expected a whole number from 0 to 18446744073709551615", text));
}

Result<Choice> choice_of(const po::variables_map& values) {
  Choice choice;
  if (values.count("plugin") == 0) return invalid(fmt::format("no plug-in is named\nusage: tenon {}", kUsage));
  choice.plugin = plugin_of(values["plugin"].as<std::string>());
  choice.options = values["options"].as<std::string>();
  choice.filter = {values["op"].as<std::string>(), values["format"].as<std::string>(), values["case"].as<std::string>(),
                   values["quick"].as<bool>()};
  for (const auto& known : {check_name(choice.filter.op, cf::op_names(), "op"),
                            check_name(choice.filter.format, cf::format_names(), "format")}) {
    if (!known) return known.error();
  }
  const auto seed = seed_of(values["seed"].as<std::string>());
  if (!seed) return seed.error();
  const auto threads = whole_number(values["threads"].as<std::string>(), "--threads", 2, 64);
  if (!threads) return threads.error();
  choice.settings = {*seed, static_cast<uint32_t>(*threads), values["exact"].as<bool>()};
  return choice;
}

Result<std::vector<cf::Case>> chosen_cases(const Choice& choice) {
  std::vector<cf::Case> cases = cf::cases_of(choice.filter);
  if (!cases.empty()) return cases;
  if (!choice.filter.name.empty()) return invalid(fmt::format("there is no case '{}'", choice.filter.name));
  return invalid(fmt::format("op {} has no cases with format {}", choice.filter.op, choice.filter.format));
}

}  // namespace

int run_conformance(const std::vector<std::string>& arguments) {
  po::options_description options = case_options();
  options.add_options()("json", po::bool_switch(), "JSON on stdout")(
      "timeout", po::value<std::string>()->default_value("30"), "seconds of one step of a case, then it hangs");
  const Parsed parsed = parse(kUsage, arguments, options, plugin_position());
  if (parsed.done) return parsed.code;
  const auto choice = choice_of(parsed.values);
  if (!choice) return report(choice.error());
  const auto timeout = whole_number(parsed.values["timeout"].as<std::string>(), "--timeout", 1, 86400);
  if (!timeout) return report(timeout.error());
  const auto cases = chosen_cases(*choice);
  if (!cases) return report(cases.error());

  const Interrupts interrupts;  // ends the process with its documented code; the child goes with it
  const bool json = parsed.values["json"].as<bool>();
  ProgressBar bar("checking", !json);
  cf::RunRequest request;
  request.step_limit = std::chrono::seconds(*timeout);
  request.progress = [&](size_t done, size_t all) { bar.show(done, all); };
  request.arguments = [&](size_t first, size_t end) {
    std::vector<std::string> child = choice->arguments(true);
    child.insert(child.begin(), "conformance-child");
    for (const auto& text :
         {std::string("--first"), std::to_string(first), std::string("--end"), std::to_string(end)}) {
      child.push_back(text);
    }
    return child;
  };
  const auto start = std::chrono::steady_clock::now();
  const auto run = cf::run_cases(*cases, request);
  bar.clear();
  if (!run) return cli::report(run.error());
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  const cf::Report report = cf::make_report(*cases, *run, choice->command(), taken.count());
  const bool written = json ? write_json(cf::report_json(report)) == kDone : write_out(cf::report_text(report));
  return report.has_failures() || !written ? kFailed : kDone;
}

int run_conformance_child(const std::vector<std::string>& arguments) {
  po::options_description options = case_options();
  options.add_options()("first", po::value<size_t>()->required(), "")("end", po::value<size_t>()->required(), "");
  const Parsed parsed = parse("conformance-child (for the host itself)", arguments, options, plugin_position());
  if (parsed.done) return parsed.code;
  const auto choice = choice_of(parsed.values);
  if (!choice) return report(choice.error());
  const auto cases = chosen_cases(*choice);
  if (!cases) return report(cases.error());
  const auto folder = default_config_folder();
  if (!folder) return report(folder.error());
  const auto settings = load_settings(*folder / "default.yaml", {});
  if (!settings) return report(settings.error());
  const cf::ChildTask task{choice->plugin,
                           choice->options,
                           settings->plugin_dirs,
                           choice->settings,
                           parsed.values["first"].as<size_t>(),
                           parsed.values["end"].as<size_t>()};
  return cf::run_task(task, *cases) ? kDone : kBadInput;
}

}  // namespace tenon::cli
