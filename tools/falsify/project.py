"""The throwaway project of the self-test: a plug-in, a test program that loads it from a search path, probes."""

import subprocess
from pathlib import Path

CMAKE = """cmake_minimum_required(VERSION 3.25)
project(calc CXX)
enable_testing()
add_library(calc MODULE calc.cpp)
set_target_properties(calc PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/plugins")
target_link_options(calc PRIVATE -Wl,--build-id=sha1)
add_library(spare OBJECT spare.cpp)
add_executable(check check.cpp)
target_link_libraries(check PRIVATE ${CMAKE_DL_LIBS})
foreach(name adds twice counts looks_up nothing skips)
  add_test(NAME ${name} COMMAND check ${name})
  set_tests_properties(${name} PROPERTIES ENVIRONMENT "CALC_PATH=${CMAKE_BINARY_DIR}/plugins" SKIP_RETURN_CODE 77)
endforeach()
add_test(NAME adds_by_path COMMAND check adds)
set_tests_properties(adds_by_path PROPERTIES ENVIRONMENT "CALC_PATH=${CMAKE_BINARY_DIR}/stale:${CMAKE_BINARY_DIR}/plugins")
"""

CALC = """// A plug-in.
extern "C" int add(int a, int b) { return a + b; }
extern "C" int twice(int a) { return add(a, a); }
extern "C" int thrice(int a) { return a * 3; }  // no test
extern "C" int count(int n) {
  volatile int i = 0;
  while (i < n) i = i + 1;
  return i;
}
extern "C" int look_up(int i) {
  static int table[] = {7, 8, 9};
  volatile int* at = table;
  return at[i];
}
"""

SPARE = "int spare() { return 1; }\n"

CHECK = r"""#include <dlfcn.h>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
int main(int, char** argv) {
  const std::string name = argv[1];
  if (name == "skips") return 77;
  std::stringstream path(std::getenv("CALC_PATH"));
  void* calc = nullptr;
  for (std::string folder; calc == nullptr && std::getline(path, folder, ':');) {
    const std::string file = folder + "/calc.so";
    if (std::ifstream(file).good()) calc = dlopen(file.c_str(), RTLD_NOW);
  }
  auto call = [&](const char* what) { return reinterpret_cast<int (*)(int)>(dlsym(calc, what)); };
  int found = 0, want = 0;
  if (name == "adds") found = reinterpret_cast<int (*)(int, int)>(dlsym(calc, "add"))(2, 3), want = 5;
  else if (name == "twice") found = call("twice")(4), want = 8;
  else if (name == "counts") found = call("count")(10), want = 10;
  else if (name == "looks_up") found = call("look_up")(1), want = 8;
  else std::puts("No tests ran");
  if (found != want) std::printf("FAILED: %d, want %d\n", found, want);
  return found == want ? 0 : 1;
}
"""

_ADD = "return a + b;"
# id, file, find, replace, red, green, expected verdict
PROBES = [
    ("canary", "calc.cpp", _ADD, "return a - b;", ["adds"], [], "KILLED"),
    ("comment", "calc.cpp", "// A plug-in.", "// A broken one.", [], [], "NO-OP"),
    ("no-match", "calc.cpp", "return a ^ b;", "return 0;", ["adds"], [], "NOT-APPLIED"),
    ("two-matches", "calc.cpp", "return a", "return 1 + a", ["adds"], [], "NOT-APPLIED"),
    ("does-not-compile", "calc.cpp", _ADD, "return a +;", ["adds"], [], "NOT-BUILT"),
    ("not-linked", "spare.cpp", "return 1;", "return 2;", ["adds"], [], "NOT-BUILT"),
    ("stale-on-path", "calc.cpp", _ADD, "return a - b;", ["adds_by_path"], [], "NOT-LOADED"),
    ("empty-filter", "calc.cpp", _ADD, "return a - b;", ["nothing"], [], "NOT-RUN"),
    ("no-such-test", "calc.cpp", _ADD, "return a - b;", ["no_such_test"], [], "NOT-RUN"),
    ("skipped", "calc.cpp", _ADD, "return a - b;", ["skips"], [], "NOT-RUN"),
    ("crash", "calc.cpp", "return at[i];", "return at[i + 500000000];", ["looks_up"], [], "CRASH"),
    ("hang", "calc.cpp", "while (i < n) i", "while (i < n || true) i", ["counts"], [], "TIMEOUT"),
    ("survives", "calc.cpp", "return a * 3;", "return a * 4;", ["twice"], [], "SURVIVED"),
    ("collateral", "calc.cpp", _ADD, "return a - b;", ["adds"], ["twice"], "COLLATERAL"),
]


def _quoted(value: str | list[str]) -> str:
    return f"'{value}'" if isinstance(value, str) else "[" + ", ".join(_quoted(each) for each in value) + "]"


def probes_text(chosen: list[tuple]) -> str:
    """A probes.toml; the verdict that is expected of a test of the tool is not the one that a user expects."""
    text = ""
    for name, file, find, replace, red, green, _ in chosen:
        control = name in ("canary", "comment")
        text += (f"[[probe]]\nid = '{name}'\nfile = '{file}'\nfind = '{find}'\nreplace = '{replace}'\n"
                 f"binary = 'plugins/calc.so'\nred = {_quoted(red)}\ngreen = {_quoted(green)}\nseconds = 5\n"
                 f"control = {str(control).lower()}\nexpect = '{'NO-OP' if name == 'comment' else 'KILLED'}'\n\n")
    return text


def make(folder: Path) -> None:
    """Writes the project and commits it."""
    folder.mkdir(parents=True)
    for name, text in (("CMakeLists.txt", CMAKE), ("calc.cpp", CALC), ("spare.cpp", SPARE), ("check.cpp", CHECK),
                       ("probes.toml", probes_text(PROBES[:2]))):
        (folder / name).write_text(text, encoding="utf-8")
    for arguments in (["init", "-q"], ["add", "-A"], ["-c", "user.name=t", "-c", "user.email=t@t", "commit", "-qm", "calc"]):
        subprocess.run(["git", *arguments], cwd=folder, check=True)
