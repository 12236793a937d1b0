// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/error.h"
#include "views/views.h"

namespace credence {

/// Makes a view that nothing stops.
inline Chart drawn(const std::string& id, const RunMoment& moment, const ViewOptions& options = {})
{
    return view(id).make(moment, options, {}).value();
}

/// The sentence by which a view refuses; empty: it does not.
inline std::string refusal_of(const std::string& id, const RunMoment& moment, const ViewOptions& options = {})
{
    try {
        view(id).make(moment, options, {});
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

}   // namespace credence
