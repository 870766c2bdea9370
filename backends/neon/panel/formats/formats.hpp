// Every block format.
#pragma once

#include "iq4_nl.hpp"
#include "iq4_xs.hpp"
#include "mxfp4.hpp"
#include "q2_K.hpp"
#include "q3_K.hpp"
#include "q4_0.hpp"
#include "q4_1.hpp"
#include "q4_K.hpp"
#include "q5_0.hpp"
#include "q5_1.hpp"
#include "q5_K.hpp"
#include "q6_K.hpp"
#include "q8_0.hpp"
