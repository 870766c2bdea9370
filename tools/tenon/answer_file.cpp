#include "answer_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <system_error>
#include <utility>

namespace tenon::cli {
namespace {

Error io_error(std::string_view what, const std::filesystem::path& path) {
  return {TENON_IO, fmt::format("cannot {} {}: {}", what, path.string(), std::generic_category().message(errno))};
}

}  // namespace

AnswerFile::AnswerFile(AnswerFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      path_(std::move(other.path_)),
      ids_(std::move(other.ids_)),
      errors_(std::move(other.errors_)) {}

AnswerFile::~AnswerFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<AnswerFile> AnswerFile::open(const std::filesystem::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0644);
  if (descriptor < 0) return io_error("write", path);
  AnswerFile file(descriptor, path);
  struct stat facts {};
  if (::fstat(descriptor, &facts) != 0 || !S_ISREG(facts.st_mode)) {
    return invalid(fmt::format("{} is no regular file; answers are appended to one", path.string()));
  }
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    return invalid(fmt::format("another run writes to {}; wait for it or name another file", path.string()));
  }
  auto read = file.read_ids();
  if (!read) return read.error();
  return file;
}

Result<void> AnswerFile::read_ids() {
  std::ifstream in(path_, std::ios::binary);
  if (!in) return io_error("read", path_);
  uint64_t whole = 0;  // bytes of lines that have their end
  uint64_t number = 0;
  for (std::string line; std::getline(in, line) && !in.eof();) {
    ++number;
    whole += line.size() + 1;
    const auto answer = nlohmann::json::parse(line, nullptr, false);
    if (!answer.is_object() || !answer.contains("id") || !(answer.contains("text") || answer.contains("error"))) {
      return invalid(fmt::format("{}:{}: no answer of a batch; name another file for the answers, or mend the line",
                                 path_.string(), number));
    }
    remember(answer);
  }
  if (::ftruncate(descriptor_, static_cast<off_t>(whole)) != 0) return io_error("shorten", path_);
  return {};
}

// What failed is tried again: a limit may have been raised, a line mended.
void AnswerFile::remember(const nlohmann::json& answer) {
  const std::string id = answer["id"].dump();
  if (answer.contains("text")) {
    ids_.insert(id);
    errors_.erase(id);
  } else {
    errors_[id] = answer["error"].is_string() ? answer["error"].get<std::string>() : "";
  }
}

Result<void> AnswerFile::append(const nlohmann::json& answer) {
  const std::string line = answer.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  for (size_t at = 0; at < line.size();) {
    const ssize_t n = ::write(descriptor_, line.data() + at, line.size() - at);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return io_error("write", path_);
    at += static_cast<size_t>(n);
  }
  remember(answer);
  return {};
}

}  // namespace tenon::cli
