#include "jinja_plugin.hpp"
