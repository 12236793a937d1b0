// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "study/fields.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace credence {

/// A setting that had another path in older versions: their files are read, but nobody can type it.
struct FormerPath {
    std::string was, is;
    std::string remark;   ///< a sentence for anyone who types it
};
/// @return  null: no setting was called so
const FormerPath* former_path(const std::string& path);

/// Returns the field of a path that somebody types. @throws Error  also for a former path, with the present one
const Field& typed_field(const std::string& path);

/// Returns the JSON of a Study with settings under their present paths.
nlohmann::json with_present_paths(nlohmann::json study);

}   // namespace credence
