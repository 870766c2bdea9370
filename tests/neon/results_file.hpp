// Results of cases in a file: for each case its name, then its rows. Both processors are little endian.
#pragma once

#include <conformance/op_case.hpp>

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

namespace tenon::test {

class ResultsWriter {
 public:
  explicit ResultsWriter(const std::string& path) : out_(path, std::ios::binary) {
    out_.exceptions(std::ios::failbit | std::ios::badbit);
  }
  void write(const std::string& name, const std::vector<Rows>& results) {
    put(static_cast<int64_t>(name.size()));
    out_.write(name.data(), static_cast<std::streamsize>(name.size()));
    put(static_cast<int64_t>(results.size()));
    for (const Rows& rows : results) {
      put(rows.n);
      put(rows.width);
      out_.write(reinterpret_cast<const char*>(rows.values.data()),
                 static_cast<std::streamsize>(4 * rows.values.size()));
    }
  }

 private:
  void put(int64_t number) { out_.write(reinterpret_cast<const char*>(&number), 8); }
  std::ofstream out_;
};

/// Throws where the file ends early.
class ResultsReader {
 public:
  explicit ResultsReader(const std::string& path) : in_(path, std::ios::binary) {
    in_.exceptions(std::ios::failbit | std::ios::badbit);
  }
  std::string read_name() {
    std::string name(static_cast<size_t>(get()), '\0');
    in_.read(name.data(), static_cast<std::streamsize>(name.size()));
    return name;
  }
  std::vector<Rows> read_results() {
    std::vector<Rows> results(static_cast<size_t>(get()));
    for (Rows& rows : results) {
      const int64_t n = get(), width = get();
      rows = Rows::zeros(n, width);
      in_.read(reinterpret_cast<char*>(rows.values.data()), static_cast<std::streamsize>(4 * rows.values.size()));
    }
    return results;
  }
  bool at_end() { return in_.peek() == std::ifstream::traits_type::eof(); }

 private:
  int64_t get() {
    int64_t number = 0;
    in_.read(reinterpret_cast<char*>(&number), 8);
    return number;
  }
  std::ifstream in_;
};

}  // namespace tenon::test
