// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace credence {

/// How this thread treats numbers below the smallest normal float (1.2e-38). Weights under decay and Adam's moments of dead units reach them, and
/// processors then take a hundred times longer for a product; in training they are nothing but zero.
class DenormalMode {
public:
#if defined(__SSE2__)
    static unsigned of_this_thread() { return _mm_getcsr(); }
    static unsigned flush_to_zero() { return _mm_getcsr() | 0x8040u; }   // FTZ and DAZ
    explicit DenormalMode(unsigned mode) : before_(_mm_getcsr())
    {
        if (mode != before_)
            _mm_setcsr(mode);
    }
    ~DenormalMode()
    {
        if (_mm_getcsr() != before_)
            _mm_setcsr(before_);
    }
#else
    static unsigned of_this_thread() { return 0; }
    static unsigned flush_to_zero() { return 0; }
    explicit DenormalMode(unsigned mode) : before_(mode) {}
#endif
    DenormalMode(const DenormalMode&)            = delete;
    DenormalMode& operator=(const DenormalMode&) = delete;

private:
    unsigned before_;
};

}   // namespace credence
