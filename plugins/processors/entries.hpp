// The processors of this plug-in, one file each.
#pragma once

#include <tenon/processor.hpp>

namespace tenon::processors {

extern const ProcessorEntry kTemperature, kTopK, kTopP, kMinP, kRepetition, kFrequency, kPresence, kLogitBias;
extern const ProcessorEntry kGreedy, kSample, kCategorical;

}  // namespace tenon::processors
