// Case 25 of the plug-in host's contract (what is no YAML), case 27 (duplicate keys), and places. Lines, columns and
// carets are counted by hand.
#include <catch2/catch.hpp>
#include <tenon/config/yaml.hpp>

using namespace tenon;

namespace {

std::string parse_error(std::string text) {
  const auto yaml = parse_yaml(std::move(text), "t.yaml");
  return yaml ? "" : yaml.error().message;
}

Yaml parse(std::string text) {
  auto yaml = parse_yaml(std::move(text), "t.yaml");
  if (!yaml) FAIL(yaml.error().message);
  return std::move(*yaml);
}

}  // namespace

TEST_CASE("a file becomes a tree that keeps the order of its keys") {
  const Yaml yaml = parse("b: 1\na: [x, 'y', ~]\n");
  REQUIRE(yaml.is_map());
  REQUIRE(yaml.entries().size() == 2);
  CHECK(yaml.entries()[0].key == "b");
  CHECK(yaml.find("b")->scalar() == "1");
  CHECK(yaml.find("c") == nullptr);
  const Yaml& list = *yaml.find("a");
  REQUIRE(list.items().size() == 3);
  CHECK_FALSE(list.items()[0].quoted());
  CHECK(list.items()[1].quoted());
  CHECK(list.items()[2].is_null());
}

TEST_CASE("keys and values know their line and column") {
  const Yaml yaml = parse("a: 1\nsub:\n  key: [x, y]\n");
  const Yaml& sub = *yaml.find("sub");
  CHECK(yaml.entries()[1].key_place.line == 2);
  CHECK(yaml.entries()[1].key_place.column == 1);
  CHECK(sub.entries()[0].key_place.line == 3);
  CHECK(sub.entries()[0].key_place.column == 3);
  CHECK(sub.find("key")->items()[1].place().column == 12);
  CHECK(sub.find("key")->place().source->name == "t.yaml");
}

TEST_CASE("a column counts characters, not bytes") {
  const Yaml yaml = parse("{é: 1, 中文: 2}");
  CHECK(yaml.entries()[1].key_place.column == 8);
  CHECK(yaml.entries()[1].value.place().column == 12);
}

TEST_CASE("a value that is not there has the place of its key") {
  const Yaml yaml = parse("a:\n\n\nb: 1\n");
  CHECK(yaml.find("a")->is_null());
  CHECK(yaml.find("a")->place().line == 1);
}

TEST_CASE("a byte order mark and CRLF are accepted and change no place") {
  const Yaml yaml = parse(
      "\xEF\xBB\xBF"
      "a: 1\r\nb: x\r\n");
  CHECK(yaml.entries()[0].key == "a");
  CHECK(yaml.entries()[0].key_place.column == 1);
  CHECK(yaml.find("b")->scalar() == "x");
  CHECK(yaml.find("b")->place().line == 2);
  CHECK(parse("a: 1\rb: 2\r").entries().size() == 2);
  CHECK(parse("\xEF\xBB\xBF{a: 1, b: 2}").find("b")->place().column == 11);
}

TEST_CASE("an error shows the line and a caret under the column") {
  CHECK(
      parse_error("a: 1\nb: c: d\n") ==
      "CONFIG_SYNTAX: t.yaml:2:5: a ':' where none can stand; check the indentation, or quote a text that holds ': '\n"
      "  b: c: d\n"
      "      ^");
}

TEST_CASE("the caret stands right behind tabs and wide characters") {
  // The tab is kept, the two wide characters take two columns each.
  CHECK(parse_error("\"a\t中文\": @\n") ==
        "CONFIG_SYNTAX: t.yaml:1:9: no value can start with this character; put it in quotes\n"
        "  \"a\t中文\": @\n"
        "    \t       ^");
}

TEST_CASE("a long line is shown around the place") {
  const std::string message = parse_error("{" + std::string(3000, ' ') + "a: @" + std::string(3000, ' ') + "}");
  CHECK(message.find("t.yaml:1:3005:") != std::string::npos);
  CHECK(message.find("  ..." + std::string(77, ' ') + "a: @") != std::string::npos);
  CHECK(message.size() < 500);
}

TEST_CASE("an empty file is a syntax error") {
  const std::string expected = "CONFIG_SYNTAX: t.yaml: it is empty or holds only comments, expected YAML";
  CHECK(parse_error("") == expected);
  CHECK(parse_error("\n  \n# a comment\n") == expected);
  CHECK(parse_error("\xEF\xBB\xBF") == expected);
}

TEST_CASE("an unclosed bracket is named where it opens") {
  CHECK(parse_error("a: 1\nb: [1, 2\nc: 3\n") ==
        "CONFIG_SYNTAX: t.yaml:2:4: the bracket that opens here is not closed, or a ',' is missing before line 3\n"
        "  b: [1, 2\n"
        "     ^");
  CHECK(parse_error("a: {b: [1, {c: 2}]").find("t.yaml:1:4:") != std::string::npos);
  CHECK(parse_error("[[[").find("t.yaml:1:3: the bracket that opens here is not closed") != std::string::npos);
}

TEST_CASE("an unclosed quote is named where it opens") {
  // yaml-cpp itself takes these for complete.
  CHECK(parse_error("a: \"x\n") ==
        "CONFIG_SYNTAX: t.yaml:1:4: the quote that opens here is never closed\n"
        "  a: \"x\n"
        "     ^");
  CHECK(parse_error("a: \"x").find("t.yaml:1:4: the quote that opens here") != std::string::npos);
  CHECK(parse_error("a: 1\nb: &n !!str 'it''s\n").find("t.yaml:2:13: the quote") != std::string::npos);
  CHECK(parse("a: 'it''s'\n").find("a")->scalar() == "it's");
  CHECK(parse("a: \"say \\\"x\\\"\"\n").find("a")->scalar() == "say \"x\"");
}

TEST_CASE("a tab that indents is said to be one") {
  CHECK(parse_error("a:\n\tb: 1\n").find("t.yaml:2:3: the line is indented by a tab; use spaces") != std::string::npos);
  CHECK(parse_error("a: b\n\tc: d\n").find("indented by a tab") != std::string::npos);
}

TEST_CASE("a key without a colon is not taken for an empty setting") {
  CHECK(parse_error("a: 1\nruntime\n") ==
        "CONFIG_SYNTAX: t.yaml:2:1: expected 'key: value', found only 'runtime'\n"
        "  runtime\n"
        "  ^");
}

TEST_CASE("two documents in one file are refused") {
  CHECK(parse_error("a: 1\n---\nb: 2\n") ==
        "CONFIG_SYNTAX: t.yaml:2:1: a second document starts here; one file holds one document\n"
        "  ---\n"
        "  ^");
  CHECK(parse_error("{a: 1} b\n").find("t.yaml:1:8: this does not belong to what is above it") != std::string::npos);
  CHECK(parse_error("---\na: 1\n...\n").empty());
}

TEST_CASE("a duplicate key names both lines") {
  CHECK(parse_error("a:\n  x: 1\n  y: 2\n  x: 3\n") ==
        "CONFIG_DUPLICATE_KEY: t.yaml:4:3: key 'x' is given in line 2 and again in line 4; remove one\n"
        "    x: 3\n"
        "    ^");
  CHECK(parse_error("a: 1\n\"a\": 2\n").find("CONFIG_DUPLICATE_KEY: t.yaml:2:1") == 0);
  CHECK(parse_error("a: {x: 1}\nb: {x: 1}\n").empty());
}

TEST_CASE("a key that is no text is refused") {
  CHECK(parse_error("? [a]\n: b\n").find("CONFIG_SYNTAX: t.yaml:1:3: a key must be a text") == 0);
  CHECK(parse_error(": x\n").find("CONFIG_SYNTAX: t.yaml:1:1: a key is missing") == 0);
  CHECK(parse_error("~: x\n").find("CONFIG_SYNTAX: t.yaml:1:1: a key is missing") == 0);
}

TEST_CASE("bytes that are no UTF-8 are named with their place") {
  CHECK(parse_error("a: 1\nb: \"x\xFF\"\n") ==
        "CONFIG_SYNTAX: t.yaml:2:6: byte 0xff is not valid UTF-8; save the file as UTF-8\n"
        "  b: \"x\uFFFD\"\n"
        "       ^");
  for (const char* bad : {"\xC0\x80", "\xE0\x80\xAF", "\xF0\x8F\xBF\xBF", "\xED\xA0\x80", "\xF4\x90\x80\x80",
                          "\xE2\x82", "\x80"}) {  // overlong, surrogate, ...
    CHECK(parse_error(std::string("a: ") + bad).find("CONFIG_SYNTAX: t.yaml:1:4: byte") == 0);
  }
  // UTF-16 with its mark
  CHECK(parse_error(std::string("\xFF\xFE"
                                "a\0:\0",
                                6))
            .find("CONFIG_SYNTAX: t.yaml:1:1: byte 0xff") == 0);
}

TEST_CASE("control characters and NUL are refused, also as escapes") {
  CHECK(parse_error("a: \x1B[31m").find("CONFIG_SYNTAX: t.yaml:1:4: control character U+001B") == 0);
  CHECK(parse_error(std::string("a: x\0y", 6)).find("control character U+0000") != std::string::npos);
  CHECK(parse_error("a: \x04").find("control character U+0004") != std::string::npos);  // yaml-cpp's end of file
  CHECK(parse_error("a: \"x\\0y\"").find("CONFIG_SYNTAX: t.yaml:1:4: the text holds a NUL") == 0);
}

TEST_CASE("only the core tags are known, and they are checked") {
  const Yaml yaml = parse("a: !!str 5\nb: !!int 5\nc: !!map {}\nd: !!null ''\n");
  CHECK(yaml.find("a")->quoted());
  CHECK_FALSE(yaml.find("b")->quoted());
  CHECK(yaml.find("d")->is_null());
  CHECK(parse_error("a: !python/object x").find("CONFIG_SYNTAX: t.yaml:1:4: unknown tag '!python/object'") == 0);
  CHECK(parse_error("a: !foo [1]").find("CONFIG_SYNTAX: t.yaml:1:4: tag '!foo' on a list") == 0);
  CHECK(parse_error("a: !!int x").find("CONFIG_TYPE: t.yaml:1:4: 'x' is no !!int") == 0);
}

TEST_CASE("a question mark inside a word is part of it") {
  // YAML 1.2, 7.3.3: a plain text may hold '?'; recipes mark optional tensors so.
  const Yaml yaml = parse("a: [x?, y?z, 'q?']\nb?: {c?: d?}\ne: why? # what?\nf: |\n  so?\n");
  CHECK(yaml.find("a")->items()[0].scalar() == "x?");
  CHECK(yaml.find("a")->items()[1].scalar() == "y?z");
  CHECK(yaml.find("a")->items()[2].scalar() == "q?");
  CHECK(yaml.find("b?")->find("c?")->scalar() == "d?");
  CHECK(yaml.find("e")->scalar() == "why?");
  CHECK(yaml.find("f")->scalar() == "so?\n");
  CHECK(parse("? key\n: value\n").find("key")->scalar() == "value");
  CHECK(parse("{? key : value}\n").find("key")->scalar() == "value");
  CHECK(parse_error("a: \"x\\?\"").find("unknown escape character: ?") != std::string::npos);
}

TEST_CASE("an alias stands for what its anchor named") {
  const Yaml yaml = parse("a: &m {x: [1, &s two]}\nb: *m\nc: [*s]\n");
  CHECK(yaml.find("b")->find("x")->items()[1].scalar() == "two");
  CHECK(yaml.find("b")->place().line == 1);
  CHECK(yaml.find("c")->items()[0].scalar() == "two");
}

TEST_CASE("an alias inside its own anchor is refused") {
  CHECK(parse_error("a: &x [1, *x]\n") ==
        "CONFIG_SYNTAX: t.yaml:1:11: this alias stands inside what it names, which has no end\n"
        "  a: &x [1, *x]\n"
        "            ^");
  CHECK(parse_error("&x a: {b: [*y]}").find("CONFIG_SYNTAX: t.yaml:1:12: the alias names no anchor") == 0);
}
