// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace credence {

/// While alive, this thread takes numbers below the smallest normal one (1.2e-38 for a float) as zero. Weights under decay and Adam's moments of dead units
/// reach them, and processors then take a hundred times longer for a product; in training they are nothing but zero.
///
/// The one decision on this for all of core: Threads::run, every piece of a loop of parallel.h and Trainer::run make one, whichever thread they run on, so
/// that no bit depends on which thread computes.
class FlushDenormals {
public:
#if defined(__SSE2__)
    FlushDenormals() : before_(_mm_getcsr())
    {
        if (const unsigned mode = before_ | flush; mode != before_)
            _mm_setcsr(mode);
    }
    ~FlushDenormals()
    {
        if ((before_ & flush) != flush)
            _mm_setcsr(before_);
    }
#else
    FlushDenormals() {}
    ~FlushDenormals() {}
#endif
    FlushDenormals(const FlushDenormals&)            = delete;
    FlushDenormals& operator=(const FlushDenormals&) = delete;

#if defined(__SSE2__)
private:
    static constexpr unsigned flush = 0x8040;   // results (FTZ) and operands (DAZ)
    unsigned before_;
#endif
};

}   // namespace credence
