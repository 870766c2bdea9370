// SHA-256 (FIPS 180-4), by OpenSSL.
#pragma once

#include <tenon/result.hpp>

#include <array>
#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

namespace tenon {

using Sha256 = std::array<uint8_t, 32>;

Sha256 sha256(std::span<const std::byte> bytes);
/// Reads the file in pieces; an error names the path and the cause.
Result<Sha256> sha256_file(const std::filesystem::path& path);
/// 64 lower-case hex digits.
std::string to_hex(const Sha256& digest);

}  // namespace tenon
