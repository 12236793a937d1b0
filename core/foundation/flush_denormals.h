// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace credence {

/// While alive, this thread treats denormal numbers (below 1.2e-38 for a float) as zero. Decaying
/// weights and Adam's moments of dead units become denormal, and processors then take a hundred
/// times longer for a product. Training is unaffected by the difference.
///
/// This is the only place that sets the mode in core. Threads::run, every task of a loop in
/// parallel.h and Trainer::run create one on whichever thread they run, so results do not depend on
/// the thread.
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
