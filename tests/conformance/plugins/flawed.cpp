// A backend of two ops, add and gather of f32, plain and right but for one flaw, which FLAW names.
#include <tenon/convert.hpp>
#include <tenon/op_contract.hpp>
#include <tenon/plugin.hpp>
#include <tenon/run_view.hpp>

#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace {

using namespace tenon;

enum class Flaw {
  none,
  wrong_tail,         // the last element of a row is off where the width is no multiple of 8
  past_output,        // one element behind the end of the last row
  past_row,           // one element behind the end of the first row
  before_output,      // one element before the first row
  past_workspace,     // a byte behind what was asked for
  reads_past_input,   // of the last row's last vector, as if widths were multiples of 16
  segfault,           // in run, at a width of 33
  hang,               // in run, at a width of 33
  exits,              // in run, at a width of 33
  throws,             // past its own wall, in run at a width of 33
  status,             // an error in run, at a width of 33
  refuses_257,        // a width that it could do
  varies_by_threads,  // though it promises not to
  varies_by_rows,     // though it promises not to
  inexact_rows,       // unpack_rows rounds to f16
  reads_workspace,    // before writing it
  crash_in_init,
  lies_about_pack,  // asks for no bytes
  other_class       // says yes to exact64 and computes in f32
};
constexpr Flaw kFlaw = Flaw::FLAW;
constexpr int64_t kBadWidth = 33;

/// An address that is in no process, hidden from compiler and sanitizer.
void crash() {
  volatile uintptr_t nowhere = 16;
  *reinterpret_cast<volatile int*>(nowhere) = 1;
}

class Add final : public Kernel {
 public:
  explicit Add(const OpView& op) : p_(op.params<tenon_binary_params>()), constant_(!is_absent(op.weight(0))) {}

  Result<tenon_pack_plan> pack_plan(uint32_t) const override {
    return pack_plan_of(kFlaw == Flaw::lies_about_pack ? 0 : static_cast<uint64_t>(p_.width) * 4, "rows/f32/1");
  }
  Result<void> pack(uint32_t, const void* source, void* packed, const tenon_exec&) const override {
    std::memcpy(packed, source, static_cast<size_t>(p_.width) * 4);
    return {};
  }
  uint64_t workspace_bytes(int64_t, uint32_t, int64_t) const override { return kWorkspace; }

  Result<void> run(const tenon_run& run) const override {
    if (p_.width == kBadWidth) {
      const Result<void> done = misbehave();
      if (!done) return done;
    }
    auto* workspace = static_cast<unsigned char*>(run.workspace);
    if (kFlaw == Flaw::past_workspace) workspace[kWorkspace] = 1;
    for (int64_t r = 0; r < run.n_rows; ++r) {
      const float* b = constant_ ? vector_of(run, 0) : row_of(run.in[1], p_.broadcast_b != 0 ? 0 : r);
      add(row_of(run.in[0], r), b, row_of(run.out[0], r));
    }
    if (run.n_rows == 0) return {};
    const float* first = row_of(run.in[0], 0);
    float *out = row_of(run.out[0], 0), *last = row_of(run.out[0], run.n_rows - 1);
    if (kFlaw == Flaw::past_output) last[p_.width] = 1;
    if (kFlaw == Flaw::past_row && run.n_rows > 1) out[p_.width] = 1;
    if (kFlaw == Flaw::before_output) out[-1] = 1;
    if (kFlaw == Flaw::varies_by_threads && run.exec->n_threads > 1) out[0] += 1;
    if (kFlaw == Flaw::varies_by_rows && run.n_rows > 1) out[0] += 1e-7f * out[0];
    if (kFlaw == Flaw::reads_workspace && workspace[3] == 0xFF) out[0] += 1e-7f * out[0];
    if (kFlaw == Flaw::reads_past_input) out[0] += 0 * first[(p_.width + 15) / 16 * 16];
    return {};
  }

 private:
  static constexpr uint64_t kWorkspace = 60;

  void add(const float* a, const float* b, float* out) const {
    for (int64_t i = 0; i < p_.width; ++i) out[i] = a[i] + b[i];
    if (kFlaw == Flaw::wrong_tail && p_.width % 8 != 0) out[p_.width - 1] += 0.5f;
  }

  static Result<void> misbehave() {
    if (kFlaw == Flaw::segfault) crash();
    if (kFlaw == Flaw::exits) std::_Exit(0);
    if (kFlaw == Flaw::throws) throw std::runtime_error("thrown in run");
    if (kFlaw == Flaw::status) return Error{TENON_INTERNAL, "it does not feel like it"};
    for (volatile bool hang = kFlaw == Flaw::hang; hang;) {
    }
    return {};
  }

  tenon_binary_params p_;
  bool constant_;
};

class Gather final : public Kernel {
 public:
  explicit Gather(const OpView& op) : table_(op.weight(0)), scale_(op.params<tenon_gather_params>().scale) {}

  Result<tenon_pack_plan> pack_plan(uint32_t) const override {
    return pack_plan_of(static_cast<uint64_t>(rows_of(table_) * width()) * 4, "rows/f32/1");
  }
  Result<void> pack(uint32_t, const void* source, void* packed, const tenon_exec&) const override {
    std::memcpy(packed, source, static_cast<size_t>(rows_of(table_) * width()) * 4);
    return {};
  }
  Result<void> unpack_rows(uint32_t, const void* packed, std::span<const int32_t> rows, float* out,
                           int64_t ld) const override {
    for (size_t r = 0; r < rows.size(); ++r) {
      for (int64_t i = 0; i < width(); ++i) {
        const float value = static_cast<const float*>(packed)[rows[r] * width() + i];
        out[static_cast<int64_t>(r) * ld + i] = kFlaw == Flaw::inexact_rows ? f16_to_f32(f32_to_f16(value)) : value;
      }
    }
    return {};
  }
  Result<void> run(const tenon_run& run) const override {
    for (int64_t r = 0; r < run.n_rows; ++r) {
      const float* row = vector_of(run, 0) + run.batch->tokens[r] * width();
      for (int64_t i = 0; i < width(); ++i) row_of(run.out[0], r)[i] = scale_ * row[i];
    }
    return {};
  }

 private:
  int64_t width() const { return row_width(table_); }

  tenon_tensor table_;
  float scale_;
};

class Flawed final : public Backend {
 public:
  tenon_support supports(const OpView& op) const override {
    if (op.numeric_class() == TENON_CLASS_EXACT64 && kFlaw != Flaw::other_class) return no("exact64 is not done here");
    if (op.revision() != 1) return no("only revision 1 of any op is done here");
    if (op.name() == "gather" && op.weight(0).dtype == TENON_F32) return yes("gather_plain", TENON_CLASS_F32, 1.0f);
    if (op.name() != "add") return no("only add, and gather of f32, are done here");
    if (kFlaw == Flaw::refuses_257 && op.params<tenon_binary_params>().width == 257) return no("257 is a prime");
    return yes("add_plain", TENON_CLASS_F32, 1.0f);
  }
  Result<std::unique_ptr<Kernel>> create(const OpView& op) const override {
    if (op.name() == "add") return std::unique_ptr<Kernel>(std::make_unique<Add>(op));
    return std::unique_ptr<Kernel>(std::make_unique<Gather>(op));
  }
};

Result<std::unique_ptr<Plugin>> make(const Host&, const Options&) {
  if (kFlaw == Flaw::crash_in_init) crash();
  return std::unique_ptr<Plugin>(std::make_unique<PluginOf<Flawed>>(std::make_unique<Flawed>()));
}

constexpr PluginInfo kInfo{.id = FLAW_NAME, .version = "1.0", .interfaces = TENON_KERNEL_INTERFACE};

}  // namespace

TENON_PLUGIN(kInfo, make);
