// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <ctime>
#include <functional>

/// Delivers events until the condition is true. Returns false once the program has been idle for
/// this long, or has computed for this long. A loaded machine, which gives the program little time,
/// cannot change the result.
inline bool waitUntil(const std::function<bool()>& condition, int milliseconds = 20000)
{
// Under a sanitizer everything is several times slower.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    constexpr long patience = 10;
#else
    constexpr long patience = 1;
#endif
    constexpr long slice = 2000;   // milliseconds between looks at the processor time
    const auto computed  = [] { return static_cast<long>(std::clock() / (CLOCKS_PER_SEC / 1000)); };
    const long most = patience * milliseconds, start = computed();
    long before = start;
    for (long idle = 0; idle < most && before - start < most;) {
        const long wait = std::min(slice, most - idle);
        if (QTest::qWaitFor(condition, static_cast<int>(wait)))
            return true;
        const long after = computed();
        idle             = after - before < wait / 100 ? idle + wait : 0;
        before           = after;
    }
    return false;
}

/// Waits for one more emission, as `waitUntil` does; QSignalSpy::wait measures the time of a clock.
inline bool waitForSignal(const QSignalSpy& spy, int milliseconds = 20000)
{
    return waitUntil([&, before = spy.count()] { return spy.count() > before; }, milliseconds);
}
