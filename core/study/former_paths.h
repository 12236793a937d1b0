// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "study/fields.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace credence {

/// A setting that had another path in older versions. Old files can still be read, but the old path
/// is no longer accepted as input.
struct FormerPath {
    std::string was, is;
    std::string remark;   ///< explanation for users who type it
};
/// @return  null: no setting had this path
const FormerPath* former_path(const std::string& path);

/// Returns the field with the typed path. @throws Error  also for a former path, with the present
/// one
const Field& typed_field(const std::string& path);

/// Returns the JSON of a Study with all settings under their present paths.
nlohmann::json with_present_paths(nlohmann::json study);

}   // namespace credence
