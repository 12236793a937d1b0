// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstring>
#include <string>

namespace credence {

/// Returns the English message for a system error: "No such file or directory". std::strerror
/// follows the desktop's language.
/// @param code  errno
inline std::string system_reason(int code)
{
#ifdef __GLIBC__
    if (const char* text = strerrordesc_np(code))
        return text;
#endif
    return std::strerror(code);
}

}   // namespace credence
