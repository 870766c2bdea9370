// Embedding Tenon: load the demo model and stream a text.
#include <tenon/engine.hpp>

#include <cstdio>

int main() {
  auto engine = tenon::Engine::load({});
  if (!engine) {
    std::fprintf(stderr, "%s\n", engine.error().message.c_str());
    return 1;
  }
  const tenon::Request request{.prompt = "Once there was a little cat", .max_tokens = 40, .greedy = true};
  const auto result = (*engine)->generate(request, [](size_t, std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
    return true;
  });
  std::puts("");
  return result ? 0 : 1;
}
