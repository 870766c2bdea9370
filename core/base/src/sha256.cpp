#include <tenon/base/file.hpp>
#include <tenon/base/sha256.hpp>

#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <memory>
#include <vector>

namespace tenon {
namespace {

class Hasher {
 public:
  Hasher() : context_(EVP_MD_CTX_new(), EVP_MD_CTX_free) { EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr); }
  void update(std::span<const std::byte> bytes) { EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()); }
  Sha256 finish() {
    Sha256 digest{};
    EVP_DigestFinal_ex(context_.get(), digest.data(), nullptr);
    return digest;
  }

 private:
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_;
};

}  // namespace

Sha256 sha256(std::span<const std::byte> bytes) {
  Hasher hasher;
  hasher.update(bytes);
  return hasher.finish();
}

Result<Sha256> sha256_file(const std::filesystem::path& path) {
  auto file = File::open(path);
  if (!file) return file.error();
  std::vector<std::byte> buffer(size_t{1} << 20);
  Hasher hasher;
  for (uint64_t offset = 0; offset < file->size();) {
    const size_t n = static_cast<size_t>(std::min<uint64_t>(buffer.size(), file->size() - offset));
    auto read = file->read(offset, std::span(buffer).first(n));
    if (!read) return read.error();
    hasher.update(std::span(buffer).first(n));
    offset += n;
  }
  return hasher.finish();
}

std::string to_hex(const Sha256& digest) {
  std::string hex;
  for (const uint8_t byte : digest) hex += fmt::format("{:02x}", byte);
  return hex;
}

}  // namespace tenon
