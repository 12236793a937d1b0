// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Annotations for ThreadSanitizer. The libraries of TBB and Qt are not built with it, so it does
// not see how they pass work between threads. Without ThreadSanitizer these functions do nothing.

// CREDENCE_TELLS_TSAN: set for files that are not instrumented themselves.
#if defined(__SANITIZE_THREAD__) || defined(CREDENCE_TELLS_TSAN)
#define CREDENCE_WITH_TSAN
#include <sanitizer/tsan_interface.h>
#endif

namespace credence {

/// Everything this thread did before hand_over(work) happens before what another thread does after
/// take_over(work).
inline void hand_over([[maybe_unused]] void* work)
{
#if defined(CREDENCE_WITH_TSAN)
    __tsan_release(work);
#endif
}
inline void take_over([[maybe_unused]] void* work)
{
#if defined(CREDENCE_WITH_TSAN)
    __tsan_acquire(work);
#endif
}

}   // namespace credence
