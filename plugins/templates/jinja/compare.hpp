// Equality, order and membership, as in Python.
#pragma once

#include "value.hpp"

namespace tenon::jinja {

bool equal(Budget& budget, const Value& a, const Value& b);
/// -1, 0 or 1; 2 where not a number stands against a number. Numbers with numbers, strings with strings, lists with
/// lists, tuples with tuples: throws otherwise.
int compare(Budget& budget, const Value& a, const Value& b);
/// `item in container`.
bool contains(Budget& budget, const Value& container, const Value& item);
/// The same text for keys that a dict holds as one. Throws for what Python cannot hash.
std::string hash_key(const Value& key);
/// What sorting, min and unique compare: a string in lower case unless `case_sensitive`.
Value comparable(Budget& budget, const Value& value, bool case_sensitive);

}  // namespace tenon::jinja
