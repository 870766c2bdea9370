#include <conformance/check.hpp>
#include <conformance/kernel_runner.hpp>

#include <tenon/dequantize.hpp>

#include <algorithm>
#include <memory>

namespace tenon::conformance {
namespace {

std::string class_text(uint32_t numeric_class) {
  switch (numeric_class) {
    case TENON_CLASS_F32: return "f32";
    case TENON_CLASS_INT8: return "int8";
    case TENON_CLASS_EXACT64: return "exact64";
    case TENON_CLASS_OTHER: return "other";
    default: return "number " + std::to_string(numeric_class);
  }
}

/// Whether a yes in class `computes` does what was asked. A class of the backend's own may stand for f32: it is as
/// near.
bool is_answer_to(uint32_t asked, uint32_t computes) {
  if (computes == TENON_CLASS_DEFAULT || computes > TENON_CLASS_OTHER) return false;
  if (asked == TENON_CLASS_EXACT64) return computes == TENON_CLASS_EXACT64;
  return asked != TENON_CLASS_F32 || computes != TENON_CLASS_INT8;
}

/// Sums in f32 in an order of the backend's own, against sums in f64.
constexpr double kOtherNmse = 1e-7;

int64_t n_elements(const std::vector<Rows>& outputs) {
  int64_t n = 0;
  for (const Rows& rows : outputs) n += rows.n * rows.width;
  return n;
}

class Check {
 public:
  Check(const Case& given, const tenon_kernel_api& backend, const tenon_kernel_api& reference,
        const CheckSettings& settings, const StageFunction& stage)
      : backend_(backend),
        reference_(reference),
        settings_(settings),
        stage_(stage),
        made_(make(given, settings.seed)) {}

  CaseResult run() {
    stage_("supports");
    const tenon_support answer = BoundKernel::ask(backend_, made_.op);
    if (answer.supported == 0) {
      result_.verdict = Verdict::unsupported;
      result_.message = answer.reason[0] == '\0' ? "it gives no reason" : answer.reason;
      return result_;
    }
    result_.kernel = answer.kernel;
    result_.computes = class_text(answer.numeric_class);
    if (!is_answer_to(made_.op.numeric_class, answer.numeric_class)) {
      result_.verdict = Verdict::error;
      result_.message = "PLUGIN_CONTRACT: class " + class_text(made_.op.numeric_class) +
                        " is asked and it says that it computes in " + result_.computes;
      return result_;
    }
    const auto done = all_steps(answer);
    if (!done && result_.verdict == Verdict::pass) {
      result_.verdict = Verdict::error;
      result_.message = done.error().message;
    }
    return result_;
  }

 private:
  using Steps = std::vector<RunInput>;

  /// An Error ends the case; where it is a mismatch, result_ says so already.
  Result<void> all_steps(const tenon_support& answer) {
    stage_("create and pack");
    auto kernel = BoundKernel::make(backend_, made_.op);
    if (!kernel) return kernel.error();
    kernel_ = std::move(*kernel);
    auto first = outputs("run on one thread", made_.steps, {});
    if (!first) return first.error();
    base_ = std::move(*first);
    auto done = against_reference(answer);
    if (done) done = threads(answer);
    if (done && answer.row_invariant != 0) done = portions();
    if (done && kernel_->wants_dense()) done = dense();
    if (done) done = unpacked();
    if (done) done = packing();
    return done;
  }

  struct Way {
    uint32_t n_threads = 1;
    Dense dense = Dense::none;
    std::byte fill{0xFF};
  };

  Result<std::vector<Rows>> outputs(std::string_view what, const Steps& steps, Way way) {
    stage_(what);
    return outputs_of(*kernel_, steps, way);
  }

  Result<std::vector<Rows>> outputs_of(const BoundKernel& kernel, const Steps& steps, Way way) const {
    std::unique_ptr<KvStore> kv;
    if (made_.kv_pages > 0) {
      const auto plan = kernel.kv_plan();
      if (!plan) return plan.error();
      kv = std::make_unique<KvStore>(*plan, made_.kv_pages);
    }
    std::vector<std::vector<Rows>> runs;
    for (RunInput step : steps) {
      step.kv = kv.get();
      step.n_threads = way.n_threads;
      step.dense = way.dense;
      step.workspace_fill = way.fill;
      auto rows = kernel.run(step);
      if (!rows) return rows.error();
      runs.push_back(std::move(*rows));
    }
    return joined(runs);
  }

  Result<std::vector<Rows>> expected(uint32_t numeric_class) {
    stage_("run of the reference");
    OpCase op = made_.op;
    op.numeric_class = numeric_class;
    const auto kernel = BoundKernel::make(reference_, op);
    if (!kernel) return Error{kernel.error().code, "the reference cannot run this case: " + kernel.error().message};
    return outputs_of(**kernel, made_.steps, {});
  }

  Result<void> take(Comparison found, std::string what) {
    if (!found.mismatch) return {};
    result_.verdict = Verdict::mismatch;
    result_.message = std::move(what);
    result_.mismatch = std::move(found.mismatch);
    return invalid(result_.message);
  }

  Result<void> against_reference(const tenon_support& answer) {
    const bool other = answer.numeric_class == TENON_CLASS_OTHER;
    if (other && !made_.has_oracle) return {};
    // int8 is what the default means where there are blocks to multiply.
    const uint32_t as = answer.numeric_class == TENON_CLASS_INT8 ? uint32_t{TENON_CLASS_DEFAULT} : answer.numeric_class;
    const auto want = expected(other ? uint32_t{TENON_CLASS_EXACT64} : as);
    if (!want) return want.error();
    const Comparison found = other             ? compare_squares(base_, *want, kOtherNmse)
                             : settings_.exact ? compare_bits(base_, *want)
                                               : compare_close(base_, *want, made_.steps[0].dtype, made_.chain);
    result_.error = found.error;
    const auto done = take(found, "against reference in the class " + (other ? "exact64" : result_.computes));
    if (!done || answer.numeric_class != TENON_CLASS_INT8 || !made_.has_oracle) return done;
    // A few sums may be near 0 by chance, where the error of 8 bits is large beside them.
    if (n_elements(base_) < kFewElements) return done;
    const auto oracle = expected(TENON_CLASS_EXACT64);
    if (!oracle) return oracle.error();
    const Comparison squares = compare_squares(base_, *oracle, made_.int8_nmse);
    result_.int8_error = squares.error;
    return take(squares, "against the exact64 result on dequantized weights");
  }

  /// Also with another content of the workspace, which is undefined.
  Result<void> threads(const tenon_support& answer) {
    const std::string on = "on " + std::to_string(settings_.n_threads) + " threads";
    const auto more = outputs("run " + on, made_.steps, {.n_threads = settings_.n_threads, .fill = std::byte{0x41}});
    if (!more) return more.error();
    if (answer.thread_invariant != 0) return take(compare_bits(*more, base_), on + " against one thread");
    base_ = *more;
    return against_reference(answer);
  }

  Result<void> portions() {
    for (const Steps& steps : made_.other) {
      const std::string in = "in " + std::to_string(steps.size()) + " runs";
      const auto rows = outputs("run of the rows " + in, steps, {.fill = std::byte{0}});
      if (!rows) return rows.error();
      const auto done =
          take(compare_bits(*rows, base_), "the rows " + in + " against in " + std::to_string(made_.steps.size()));
      if (!done) return done;
    }
    return {};
  }

  Result<void> dense() {
    stage_("expand");
    if (const auto done = kernel_->expand(); !done) return done;
    for (const Dense kept : {Dense::first_part, Dense::all}) {
      const std::string with =
          kept == Dense::all ? "all expanded weights kept" : "one part of the expanded weights kept";
      const auto rows = outputs("run with " + with, made_.steps, {.dense = kept});
      if (!rows) return rows.error();
      if (const auto done = take(compare_bits(*rows, base_), with + " against none"); !done) return done;
    }
    return {};
  }

  /// The values of the first, the last and some rows between, in no order and one of them twice.
  Result<void> unpacked() {
    for (uint32_t i = 0; i < made_.op.weights.size(); ++i) {
      const Weight& w = made_.op.weights[i];
      if (is_absent(w.tensor) || w.tensor.rank < 2) continue;
      const auto n = static_cast<int32_t>(rows_of(w.tensor));
      const std::vector<int32_t> rows{n - 1, 0, n / 2, std::min(1, n - 1), n / 3, n / 2};
      stage_("unpack_rows of weight " + std::to_string(i));
      const auto got = kernel_->unpack_rows(i, rows, row_width(w.tensor));
      if (!got && got.error().code == TENON_UNSUPPORTED) continue;
      if (!got) return got.error();
      auto found = compare_bits({*got}, {dequantized(w, rows)});
      if (const auto done = take(std::move(found), "unpack_rows of weight " + std::to_string(i)); !done) return done;
    }
    return {};
  }

  static Rows dequantized(const Weight& w, const std::vector<int32_t>& rows) {
    const auto dtype = static_cast<DType>(w.tensor.dtype);
    const int64_t width = row_width(w.tensor);
    Rows values = Rows::zeros(static_cast<int64_t>(rows.size()), width);
    for (size_t i = 0; i < rows.size(); ++i) {
      dequantize_row(dtype, w.bytes.data() + rows[i] * row_bytes(dtype, width),
                     values.row(static_cast<int64_t>(i)).data(), width);
    }
    return values;
  }

  /// The pack must not depend on the number of threads.
  Result<void> packing() {
    constexpr size_t kMostBytes = size_t{1} << 18;  // large weights are packed by the same code
    size_t bytes = 0;
    for (const Weight& w : made_.op.weights) bytes += w.bytes.size();
    if (bytes == 0 || bytes > kMostBytes) return {};
    stage_("pack on one thread");
    const auto alone = BoundKernel::make(backend_, made_.op, 1);
    if (!alone) return alone.error();
    for (uint32_t i = 0; i < made_.op.weights.size(); ++i) {
      if (std::ranges::equal((*alone)->pack(i), kernel_->pack(i))) continue;
      result_.verdict = Verdict::mismatch;
      result_.message = "the pack of weight " + std::to_string(i) + " on one thread against on two";
      return invalid(result_.message);
    }
    return {};
  }

  const tenon_kernel_api& backend_;
  const tenon_kernel_api& reference_;
  const CheckSettings& settings_;
  const StageFunction& stage_;
  Made made_;
  std::unique_ptr<BoundKernel> kernel_;
  std::vector<Rows> base_;  // on one thread
  CaseResult result_;
};

}  // namespace

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass: return "PASS";
    case Verdict::unsupported: return "UNSUPPORTED";
    case Verdict::mismatch: return "MISMATCH";
    case Verdict::error: return "ERROR";
  }
  return "?";
}

CaseResult check_case(const Case& given, const tenon_kernel_api& backend, const tenon_kernel_api& reference,
                      const CheckSettings& settings, const StageFunction& stage) {
  return Check(given, backend, reference, settings, stage).run();
}

}  // namespace tenon::conformance
