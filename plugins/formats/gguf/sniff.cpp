#include "sniff.hpp"

#include <files/message.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace tenon::gguf {

using formats::quoted;
namespace {

/// Without a byte order mark and leading white space, in small letters.
std::string beginning(std::string_view first) {
  if (first.starts_with("\xEF\xBB\xBF")) first.remove_prefix(3);
  first.remove_prefix(std::min(first.find_first_not_of(" \t\r\n"), first.size()));
  std::string text(first);
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

}  // namespace

std::string explain_no_gguf(std::string_view first) {
  if (first.starts_with("FUGG")) {
    return "a byte-swapped (big-endian) GGUF file; only little-endian files are read: convert the model again";
  }
  for (const std::string_view old : {"lmgg", "fmgg", "tjgg", "algg"}) {  // ggml, ggmf, ggjt, ggla, read as numbers
    if (first.starts_with(old)) return "a GGML file from before GGUF; convert the model to GGUF version 3";
  }
  if (first.starts_with("PK\x03\x04")) return "a zip archive (perhaps PyTorch weights), expected a GGUF file";

  const std::string text = beginning(first);
  if (text.starts_with("version https://git-lfs.github.com/spec/")) {
    return "a Git-LFS pointer, not the model itself: download it again, with `git lfs pull` or from the file's "
           "download link";
  }
  for (const std::string_view tag : {"<!doctype", "<html", "<head", "<body", "<?xml", "<!--"}) {
    if (text.starts_with(tag)) {
      return "an HTML page, not a model (a login or error page was saved in its place): download it again from the "
             "file's download link";
    }
  }
  if (text.starts_with("{")) return "a JSON text, not a model (perhaps a saved error message): download it again";
  return fmt::format("no GGUF file: it starts with {}, expected 'GGUF'", quoted(first.substr(0, 4)));
}

}  // namespace tenon::gguf
