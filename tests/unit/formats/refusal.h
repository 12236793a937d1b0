// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/error.h"

#include <string>

/// The error of `work`, preceded by its field if any: "data.n | Number of points is …"; "" if there is none.
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
