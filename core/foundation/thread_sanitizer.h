// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What ThreadSanitizer has to be told, since it does not see how the libraries of TBB and Qt, which are not built with it, hand work from thread to thread. Elsewhere all of it is nothing.

// CREDENCE_TELLS_TSAN: in files that are not looked at themselves.
#if defined(__SANITIZE_THREAD__) || defined(CREDENCE_TELLS_TSAN)
#define CREDENCE_WITH_TSAN
#include <sanitizer/tsan_interface.h>
#endif

namespace credence {

/// What this thread has done comes before what another does after take_over(work).
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
