#include <tenon/engine/text_stream.hpp>

#include <catch2/catch.hpp>

using tenon::TextStream;

namespace {

/// All text that a stream gives for the pieces, and what it gave after each push.
std::string stream_all(TextStream& stream, const std::vector<std::string>& pieces) {
  std::string text;
  for (const std::string& piece : pieces) text += stream.push(piece);
  return text + stream.finish();
}

bool is_whole_utf8(const std::string& text) {
  std::string bytes = text, out;
  tenon::move_characters(bytes, out, false);
  return bytes.empty() && out == text;
}

}  // namespace

TEST_CASE("a character split over tokens comes out whole, at every cut") {
  const std::string text = "да \xED\x95\x9C\xEA\xB5\xAD \xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x92\xBB!";
  for (size_t cut = 0; cut <= text.size(); ++cut) {
    TextStream stream({});
    const std::string first = stream.push(text.substr(0, cut));
    CHECK(is_whole_utf8(first));
    const std::string second = stream.push(text.substr(cut));
    CHECK(first + second + stream.finish() == text);
  }
}

TEST_CASE("bytes that can be no character become U+FFFD, one for each maximal broken piece") {
  TextStream stream({});
  // As the Unicode standard's table 3-8: 41 | C0 | AF | 41 | F4 | 80 80 41 -> the truncated F4 80 80 is one piece.
  CHECK(stream_all(stream, {"\x41\xC0\xAF\x41\xF4\x80\x80\x41"}) ==
        "A\xEF\xBF\xBD\xEF\xBF\xBD"
        "A\xEF\xBF\xBD"
        "A");
  TextStream surrogate({});
  CHECK(stream_all(surrogate, {"\xED\xA0\x80"}) == "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST_CASE("an incomplete character at the very end becomes one U+FFFD") {
  TextStream stream({});
  CHECK(stream.push("ok\xE2\x82") == "ok");
  CHECK(stream.finish() == "\xEF\xBF\xBD");
}

TEST_CASE("a stop string is found across tokens and is not part of the text") {
  TextStream stream({"###"});
  CHECK(stream.push("one #") == "one ");
  CHECK(stream.push("# two ##") == "## two ");
  CHECK_FALSE(stream.stopped());
  CHECK(stream.push("# three").empty());
  CHECK(stream.stopped());
  CHECK(stream.push("more").empty());
  CHECK(stream.finish().empty());
}

TEST_CASE("text that only looked like a stop string is given back at the end") {
  TextStream stream({"<end>"});
  CHECK(stream.push("a <en") == "a ");
  CHECK(stream.finish() == "<en");
}

TEST_CASE("the earliest of several stop strings ends the text") {
  TextStream stream({"world", "o w"});
  CHECK(stream_all(stream, {"hello world"}) == "hell");
}
