// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "posterior/sample_set.h"
#include "posterior/variational_family.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace credence {

/// What the archive keeps of a posterior beside its numbers: of a set of draws their number and where they come from. Null where the Study says it all: parameters of its family, or
/// θ_MAP of a Laplace approximation, whose curvature is a part of its own.
nlohmann::json posterior_head(const Posterior& posterior);
/// Where the draws of a set with this head come from. @throws Error or nlohmann's exceptions if it is none that was written
SampleOrigin origin_from(const nlohmann::json& head);

/// Refuses numbers of which one is not finite. @throws Error
void require_finite_numbers(std::span<const float> numbers);
/// Refuses a number of bytes that is not that of the family's parameters. @throws Error
void require_parameter_bytes(const VariationalFamily<float>& family, std::int64_t bytes);

/// The posterior of the Study's family with these bytes as its parameters, as they are in memory (little endian). @throws Error if they do not fit together or a number is not finite
std::shared_ptr<const Posterior> parameters_from(const std::string& bytes, const VariationalFamily<float>& family);

}   // namespace credence
