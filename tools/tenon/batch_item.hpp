// One line of a batch: JSON to a request.
#pragma once

#include <tenon/engine.hpp>

#include <nlohmann/json.hpp>

#include <string>

namespace tenon::cli {

/// The id of a line, and the request or why there is none.
struct BatchItem {
  nlohmann::json id;  // a text or a whole number
  Result<Request> request;
};

/// Error: the line is no JSON object or has no id, so that no answer could be told from another's.
Result<BatchItem> parse_batch_item(const std::string& line, const Request& defaults);

}  // namespace tenon::cli
