// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/build_info.h"

namespace credence {

const char* version() { return CREDENCE_VERSION; }

const char* instruction_set()
{
#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512CD__) && defined(__AVX512DQ__)                    \
    && defined(__AVX512VL__)
    return "x86-64-v4";
#elif defined(__AVX2__) && defined(__FMA__) && defined(__BMI2__) && defined(__F16C__)
    return "x86-64-v3";
#elif defined(__SSE4_2__) && defined(__POPCNT__)
    return "x86-64-v2";
#else
    return "baseline";
#endif
}

}   // namespace credence
