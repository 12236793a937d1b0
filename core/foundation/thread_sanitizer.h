// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What ThreadSanitizer has to be told, since it does not see how the libraries of TBB and Qt, which are not built with it, hand work from thread to thread. Elsewhere all of it is nothing.

#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
/// Stands at a function that reads what such a library handed over, before it can say so. What it calls is looked at.
#define CREDENCE_NOT_FOR_TSAN __attribute__((no_sanitize_thread))
#else
#define CREDENCE_NOT_FOR_TSAN
#endif

namespace credence {

/// What this thread has done comes before what another does after take_over(work).
inline void hand_over([[maybe_unused]] void* work)
{
#if defined(__SANITIZE_THREAD__)
    __tsan_release(work);
#endif
}
inline void take_over([[maybe_unused]] void* work)
{
#if defined(__SANITIZE_THREAD__)
    __tsan_acquire(work);
#endif
}

}   // namespace credence
