// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/time_text.h"

#include <ctime>

namespace credence {

std::string local_time_text()
{
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    localtime_r(&now, &parts);
    char text[40];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S%z", &parts);
    return text;
}

}   // namespace credence
