// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/error.h"

#include <string>

/// The sentence of the error of `work`; "" if there is none.
template <class Work>
std::string sentence_of_error(Work&& work)
{
    try {
        work();
    } catch (const credence::Error& error) {
        return error.what();
    }
    return {};
}

/// The same, preceded by the field if any: "data.n | Number of points is …".
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
