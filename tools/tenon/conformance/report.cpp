#include <conformance/report.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace tenon::conformance {
namespace {

void count(ReportRow& row, const CaseResult& result) {
  switch (result.verdict) {
    case Verdict::pass: ++row.n_passed; break;
    case Verdict::unsupported: ++row.n_refused; break;
    case Verdict::mismatch: ++row.n_mismatched; break;
    case Verdict::error: ++row.n_errors; break;
  }
  if (result.verdict == Verdict::unsupported && row.reason.empty()) row.reason = result.message;
  if (row.kernel.empty()) row.kernel = result.kernel;
  if (row.computes.empty()) row.computes = result.computes;
  row.error = std::max(row.error, result.error);
  row.int8_error = std::max(row.int8_error, result.int8_error);
}

Verdict worst_of(const ReportRow& row) {
  if (row.n_errors > 0) return Verdict::error;
  if (row.n_mismatched > 0) return Verdict::mismatch;
  return row.n_passed > 0 ? Verdict::pass : Verdict::unsupported;
}

std::string error_text(const ReportRow& row) {
  if (row.computes == "other") return fmt::format("{:.1e} sq", row.error);
  if (row.int8_error > 0) return fmt::format("{:.3g} ulp {:.0e}", row.error, row.int8_error);
  return fmt::format("{:.3g} ulp", row.error);
}

std::string row_line(const ReportRow& row) {
  const std::string start = fmt::format("{:<12} {:<7} {:<8} {:<11} {:>5} {:>7}  ", row.op, row.format, row.class_label,
                                        name_of(row.verdict), row.n_cases(), row.n_refused);
  if (row.verdict == Verdict::unsupported) return fmt::format("{}{}\n", start, row.reason);
  return fmt::format("{}{:<16} {}\n", start, error_text(row), row.kernel);
}

/// Quoted for a shell: names hold spaces and commas, no quote.
std::string again(const Report& report, size_t index) {
  return fmt::format("{} --case '{}'", report.command, report.cases[index].name());
}

std::string failure_text(const Report& report, size_t index) {
  const CaseResult& result = report.results[index];
  std::string text = fmt::format("{} {}: {}\n", name_of(result.verdict), report.cases[index].name(), result.message);
  if (result.mismatch) {
    const Mismatch& m = *result.mismatch;
    text += fmt::format(
        "    {}; {} of {} elements are off, the worst is output {}, row {}, column {}: got {:.9g}, expected {:.9g}\n",
        m.measure, m.n_wrong, m.n_all, m.output, m.row, m.column, m.got, m.expected);
  }
  return text + fmt::format("    {}\n", again(report, index));
}

bool is_failure(const CaseResult& result) {
  return result.verdict == Verdict::mismatch || result.verdict == Verdict::error;
}

/// The first failures of every row; a broken kernel fails everywhere in the same way.
std::string failures_text(const Report& report) {
  constexpr int kMostOfRow = 3;
  std::string text;
  for (const ReportRow& row : report.rows) {
    int n = 0;
    for (size_t i = row.first; i < row.end; ++i) {
      if (is_failure(report.results[i]) && ++n <= kMostOfRow) text += failure_text(report, i);
    }
    if (n > kMostOfRow) text += fmt::format("... and {} more of {}\n", n - kMostOfRow, report.cases[row.first].row());
  }
  return text.empty() ? "" : "\n" + text;
}

/// A row that is supported has refusals only by shape.
bool has_needless_refusals(const ReportRow& row) { return row.n_refused > 0 && row.n_refused < row.n_cases(); }

/// A line an op and reason, since a backend that lacks something lacks it in every format.
std::string refusals_text(const Report& report) {
  struct Line {
    std::string op, reason, first_case;
    int n_cases = 0;
  };
  std::vector<Line> lines;
  for (const ReportRow& row : report.rows) {
    if (!has_needless_refusals(row)) continue;
    for (size_t i = row.first; i < row.end; ++i) {
      const CaseResult& result = report.results[i];
      if (result.verdict != Verdict::unsupported) continue;
      auto line =
          std::ranges::find_if(lines, [&](const Line& l) { return l.op == row.op && l.reason == result.message; });
      if (line == lines.end()) line = lines.insert(line, {row.op, result.message, report.cases[i].name()});
      ++line->n_cases;
    }
  }
  std::string text;
  for (const Line& line : lines) {
    text += fmt::format("{:<12} {} cases, e.g. {}: {}\n", line.op, line.n_cases, line.first_case, line.reason);
  }
  return text.empty() ? ""
                      : "\nNeedless refusals: the same op, format and class is supported in other shapes.\n" + text;
}

int64_t count_rows(const Report& report, Verdict verdict) {
  return std::ranges::count(report.rows, verdict, &ReportRow::verdict);
}

nlohmann::json number_or_text(float value) {
  return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(fmt::format("{}", value));
}

nlohmann::json failure_json(const Report& report, size_t index) {
  const CaseResult& result = report.results[index];
  nlohmann::json json = {{"case", report.cases[index].name()},
                         {"verdict", name_of(result.verdict)},
                         {"message", result.message},
                         {"reproduce", again(report, index)}};
  if (result.mismatch) {
    const Mismatch& m = *result.mismatch;
    json["measure"] = m.measure;
    json["elements"] = m.n_all;
    json["elements_off"] = m.n_wrong;
    json["worst"] = {{"output", m.output},
                     {"row", m.row},
                     {"column", m.column},
                     {"got", number_or_text(m.got)},
                     {"expected", number_or_text(m.expected)}};
  }
  return json;
}

nlohmann::json row_json(const Report& report, const ReportRow& row) {
  nlohmann::json json = {{"op", row.op},
                         {"format", row.format},
                         {"class", row.class_label},
                         {"verdict", name_of(row.verdict)},
                         {"kernel", row.kernel},
                         {"computes", row.computes},
                         {"cases", row.n_cases()},
                         {"passed", row.n_passed},
                         {"refused", row.n_refused},
                         {"mismatched", row.n_mismatched},
                         {"errors", row.n_errors},
                         {"error", row.error},
                         {"int8_error", row.int8_error},
                         {"reason", row.reason},
                         {"failures", nlohmann::json::array()},
                         {"needless_refusals", nlohmann::json::array()}};
  for (size_t i = row.first; i < row.end; ++i) {
    const CaseResult& result = report.results[i];
    if (is_failure(result)) json["failures"].push_back(failure_json(report, i));
    if (result.verdict == Verdict::unsupported && has_needless_refusals(row)) {
      json["needless_refusals"].push_back({{"case", report.cases[i].name()}, {"reason", result.message}});
    }
  }
  return json;
}

}  // namespace

bool Report::has_failures() const { return std::ranges::any_of(results, is_failure); }

Report make_report(std::span<const Case> cases, const RunResult& run, std::string command, double seconds) {
  Report report{run.plugin, cases, run.cases, std::move(command), seconds, {}};
  for (size_t i = 0; i < cases.size(); ++i) {
    if (report.rows.empty() || cases[report.rows.back().first].row() != cases[i].row()) {
      report.rows.push_back({cases[i].op, cases[i].format, cases[i].class_label});
      report.rows.back().first = i;
    }
    report.rows.back().end = i + 1;
    count(report.rows.back(), run.cases[i]);
  }
  for (ReportRow& row : report.rows) row.verdict = worst_of(row);
  return report;
}

std::string report_text(const Report& report) {
  std::string text = fmt::format("{} {} ({})\n\n{:<12} {:<7} {:<8} {:<11} {:>5} {:>7}  {:<16} {}\n", report.plugin.id,
                                 report.plugin.version, report.plugin.path, "op", "format", "class", "verdict", "cases",
                                 "refused", "largest error", "kernel, or why not");
  for (const ReportRow& row : report.rows) text += row_line(row);
  text += failures_text(report) + refusals_text(report);
  return text + fmt::format("\n{} cases in {:.1f} s. Of {} rows: {} PASS, {} UNSUPPORTED, {} MISMATCH, {} ERROR\n",
                            report.cases.size(), report.seconds, report.rows.size(), count_rows(report, Verdict::pass),
                            count_rows(report, Verdict::unsupported), count_rows(report, Verdict::mismatch),
                            count_rows(report, Verdict::error));
}

nlohmann::json report_json(const Report& report) {
  nlohmann::json json = {{"plugin",
                          {{"id", report.plugin.id},
                           {"version", report.plugin.version},
                           {"path", report.plugin.path},
                           {"build_id", report.plugin.build_id}}},
                         {"reproduce", report.cases.size() == 1 ? again(report, 0) : report.command},
                         {"seconds", report.seconds},
                         {"rows", nlohmann::json::array()}};
  for (const ReportRow& row : report.rows) json["rows"].push_back(row_json(report, row));
  return json;
}

}  // namespace tenon::conformance
