// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>
#include <thread>

/// Turns Ctrl+C (SIGINT) and SIGTERM into a stop request while it lives. A second one during its life ends the program at once, as usual.
class Interrupt {
public:
    Interrupt();
    ~Interrupt();
    std::stop_token token() const { return m_source.get_token(); }

private:
    std::stop_source m_source;
    std::jthread     m_watcher;
};
