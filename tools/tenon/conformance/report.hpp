// What a run found: as a table for people and as JSON.
#pragma once

#include <conformance/run.hpp>

#include <nlohmann/json.hpp>

#include <span>
#include <string>
#include <vector>

namespace tenon::conformance {

/// One line of the table: the cases of an op, a format and a class.
struct ReportRow {
  std::string op, format, class_label;
  Verdict verdict = Verdict::unsupported;  // the worst of its cases; unsupported only where all are
  std::string kernel, computes, reason;    // reason: of the first refusal
  size_t first = 0, end = 0;               // its cases
  int64_t n_passed = 0, n_refused = 0, n_mismatched = 0, n_errors = 0;
  double error = 0, int8_error = 0;  // the largest

  int64_t n_cases() const { return static_cast<int64_t>(end - first); }
};

struct Report {
  PluginFacts plugin;
  std::span<const Case> cases;
  std::span<const CaseResult> results;
  std::string command;  // that runs the same again; a case is chosen with --case behind it
  double seconds = 0;
  std::vector<ReportRow> rows;

  bool has_failures() const;
};

/// `cases` and `run` must outlive it.
Report make_report(std::span<const Case> cases, const RunResult& run, std::string command, double seconds);

std::string report_text(const Report& report);
nlohmann::json report_json(const Report& report);

}  // namespace tenon::conformance
