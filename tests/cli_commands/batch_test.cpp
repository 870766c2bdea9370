// tenon batch on the demo model.
#include "tenon_process.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <map>
#include <sstream>

using nlohmann::json;

namespace {

struct Files {
  TemporaryFolder folder;
  std::string in = folder.path("prompts.jsonl"), out = folder.path("answers.jsonl");

  Outcome run(std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {"batch", "-i", in, "-o", out});
    return run_tenon(more);
  }

  /// By id; every line of the file is one object.
  std::map<std::string, json> answers() const {
    std::map<std::string, json> all;
    std::istringstream lines(content_of(out));
    for (std::string line; std::getline(lines, line);) {
      const json answer = json::parse(line);
      REQUIRE(all.emplace(answer["id"].dump(), answer).second);
    }
    return all;
  }
};

const char* kPrompts[] = {"The little cat", "Anna had a red ball and", "Once there was", "A dog", "In the garden"};

std::string five_lines() {
  std::string lines;
  for (int i = 0; i < 5; ++i) {
    lines += json{{"id", i}, {"prompt", kPrompts[i]}, {"seed", i}, {"max_tokens", 10 + 5 * i}}.dump() + "\n";
  }
  return lines;
}

}  // namespace

TEST_CASE("each answer of a batch is the text that the prompt gets alone") {
  for (const char* parallel : {"1", "3"}) {
    const Files files;
    write_file(files.in, five_lines());
    const Outcome batch = files.run({"--parallel", parallel});
    CHECK(batch.code == 0);
    CHECK(batch.out.empty());
    CHECK(batch.err.starts_with("tenon: 5 answers written, 0 were there, 0 lines refused; "));
    auto answers = files.answers();
    REQUIRE(answers.size() == 5);
    for (int i = 0; i < 5; ++i) {
      const Outcome alone = run_tenon({"run", "--raw", "--json", "-p", kPrompts[i], "--set",
                                       "sampling.seed=" + std::to_string(i), "-n", std::to_string(10 + 5 * i)});
      const json expected = json::parse(alone.out);
      const json& answer = answers[std::to_string(i)];
      CHECK(answer["text"] == expected["text"]);
      CHECK(answer["finish_reason"] == expected["finish"]);
      CHECK(answer["prompt_tokens"] == expected["prompt_tokens"]);
      CHECK(answer["completion_tokens"] == expected["tokens"].size());
    }
  }
}

TEST_CASE("a batch tells how many prompt tokens an earlier text had computed") {
  for (const char* parallel : {"1", "2"}) {
    const Files files;
    // The same prompt three times: all but its last token are there for those that come when one has begun.
    std::string lines;
    for (int i = 0; i < 3; ++i) {
      lines +=
          json{{"id", i}, {"prompt", kPrompts[1]}, {"seed", i}, {"max_tokens", 3 + 20 * i}, {"stop", json::array()}}
              .dump() +
          "\n";
    }
    write_file(files.in, lines);
    const Outcome batch = files.run({"--parallel", parallel});
    REQUIRE(batch.code == 0);
    const auto n = files.answers()["0"]["prompt_tokens"].get<int>();
    const int n_shared = (std::string_view(parallel) == "1" ? 2 : 1) * (n - 1);
    CHECK(batch.err == "tenon: 3 answers written, 0 were there, 0 lines refused; " + std::to_string(n_shared) + " of " +
                           std::to_string(3 * n) + " prompt tokens were shared\n");
  }
}

TEST_CASE("a batch that was cut off goes on: whole lines stay, half a line goes, the rest is written") {
  const Files files;
  write_file(files.in, five_lines());
  REQUIRE(files.run().code == 0);
  const auto whole = files.answers();
  const std::string content = content_of(files.out);
  const size_t second_end = content.find('\n', content.find('\n') + 1) + 1;
  write_file(files.out, content.substr(0, second_end + 12));
  const Outcome again = files.run();
  CHECK(again.code == 0);
  CHECK(again.err.starts_with("tenon: 3 answers written, 2 were there, 0 lines refused; "));
  CHECK(content_of(files.out).starts_with(content.substr(0, second_end)));
  CHECK(files.answers() == whole);
}

TEST_CASE("bad lines are told by number, those with an id are answered with an error, and the others go on") {
  const Files files;
  std::string long_prompt;
  for (int i = 0; i < 600; ++i) long_prompt += " cat";
  write_file(files.in, R"({"id": "good", "prompt": "The little cat", "max_tokens": 4}
not json

{"prompt": "no id"}
[1]
{"id": {}, "prompt": "x"}
{"id": "temperature", "prompt": "x", "temperature": 0.5}
{"id": "both", "prompt": "x", "messages": []}
{"id": "negative", "prompt": "x", "max_tokens": -1}
{"id": "template", "messages": [{"role": "user", "content": "x"}]}
{"id": "stop", "prompt": "x", "stop": [""]}
{"id": "good", "prompt": "again"}
{"id": "long", "prompt": ")" +
                           long_prompt + R"("}
{"id": "last", "prompt": "A dog", "max_tokens": 4})");
  const Outcome batch = files.run();
  CHECK(batch.code == 1);
  for (const char* message :
       {"tenon: line 2: no JSON: ", "tenon: line 4: the line has no 'id'\n",
        "tenon: line 5: the line is an array, expected a JSON object\n",
        "tenon: line 6: 'id' is an object, expected a text or a whole number\n",
        "tenon: line 7: 'temperature' is not known; a line has id, prompt or messages, max_tokens",
        "tenon: line 8: the line needs either 'prompt' or 'messages'\n",
        "tenon: line 9: 'max_tokens' is -1, expected a whole number from 0 to 1000000000\n",
        "tenon: line 10: this model has no chat template: give a plain prompt\n",
        "tenon: line 11: a stop string is empty: it would end every text at once\n",
        "tenon: line 12: the id \"good\" stands in an earlier line too; this one is left out\n",
        "tenon: line 13: context_length_exceeded: the prompt has 601 tokens, the context 512",
        "tenon: 2 answers written, 0 were there, 11 lines refused; "}) {
    INFO(message);
    CHECK(batch.err.find(message) != std::string::npos);
  }
  auto answers = files.answers();
  CHECK(answers.size() == 8);
  CHECK(answers["\"good\""]["completion_tokens"] == 4);
  CHECK(answers["\"last\""]["completion_tokens"] == 4);
  CHECK(answers["\"negative\""] ==
        json{{"id", "negative"}, {"error", "'max_tokens' is -1, expected a whole number from 0 to 1000000000"}});
  // Again: what failed is tried and told once more, and fails in the same words, which are there already.
  const std::string once = content_of(files.out);
  const Outcome again = files.run();
  CHECK(again.code == 1);
  CHECK(again.err.find("tenon: 0 answers written, 2 were there, 11 lines refused; ") != std::string::npos);
  CHECK(content_of(files.out) == once);
}

TEST_CASE("a batch writes into no file that holds anything but answers") {
  const Files files;
  write_file(files.in, five_lines());
  write_file(files.out, "{\"id\": 1, \"text\": \"\"}\nmy notes\n");
  const Outcome batch = files.run();
  CHECK(batch.code == 2);
  CHECK(batch.err ==
        "tenon: " + files.out + ":2: no answer of a batch; name another file for the answers, or mend the line\n");
  CHECK(content_of(files.out).ends_with("my notes\n"));
  CHECK(run_tenon({"batch", "-i", files.in, "-o", files.in}).code == 2);
  CHECK(content_of(files.in) == five_lines());
}

TEST_CASE("stop strings, greedy and the command's defaults reach the requests") {
  const Files files;
  write_file(files.in, R"({"id": 1, "prompt": "The little cat", "greedy": true, "max_tokens": 12}
{"id": 2, "prompt": "The little cat", "stop": "a"}
{"id": 3, "prompt": "The little cat"}
)");
  REQUIRE(files.run({"--greedy", "-n", "6"}).code == 0);
  auto answers = files.answers();
  CHECK(answers["1"]["completion_tokens"] == 12);
  CHECK(answers["3"]["completion_tokens"] == 6);
  const auto text = answers["1"]["text"].get<std::string>();
  CHECK(answers["2"]["text"] == text.substr(0, text.find('a')));
  CHECK(answers["2"]["finish_reason"] == "stop_string");
}
