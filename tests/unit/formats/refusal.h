// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/error.h"

#include <string>

/// The sentence with which `work` is refused, with its field in front if it has one: "data.n | Number of points is …"; "" if it is not refused.
template <class Work>
std::string refusal(Work&& work)
{
    try {
        work();
    } catch (const credence::Error& error) {
        return error.field().empty() ? std::string(error.what()) : error.field() + " | " + error.what();
    }
    return {};
}
