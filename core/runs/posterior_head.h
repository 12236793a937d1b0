// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "posterior/variational_family.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <memory>
#include <string>

namespace credence {

/// What the archive keeps of a posterior beside its numbers. Null where the Study says it all: parameters of its family, or θ_MAP of a Laplace approximation, whose
/// curvature is a part of its own.
nlohmann::json posterior_head(const Posterior& posterior);

/// Refuses a number of bytes that is not that of the family's parameters. @throws Error
void require_parameter_bytes(const VariationalFamily<float>& family, std::int64_t bytes);

/// The posterior of this head, with these bytes as its numbers.
/// @param family  of the Study, for layout and kind; @param bytes  as they are in memory (little endian). @throws Error if they do not fit together or a number is not finite
std::shared_ptr<const Posterior> posterior_from(const nlohmann::json& head, const std::string& bytes,
                                                const VariationalFamily<float>& family);

}   // namespace credence
