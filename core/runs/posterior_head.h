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

/// Data that the archive stores about a posterior in addition to its numbers: for a set of draws
/// their number and origin. Null if the Study determines it: parameters of its family, or θ_MAP of
/// a Laplace approximation, whose curvature is a separate part.
nlohmann::json posterior_head(const Posterior& posterior);
/// Returns the origin of the draws of a set with this head. @throws Error or nlohmann's exceptions
/// for an invalid head
SampleOrigin origin_from(const nlohmann::json& head);

/// Refuses numbers that are not finite. @throws Error
void require_finite_numbers(std::span<const float> numbers);
/// Refuses a size other than that of the family's parameters. @throws Error
void require_parameter_bytes(const VariationalFamily<float>& family, std::int64_t bytes);

/// Returns the posterior of the Study's family with these bytes as its parameters, as in memory
/// (little endian). @throws Error if sizes do not match or a number is not finite
std::shared_ptr<const Posterior> parameters_from(const std::string& bytes, const VariationalFamily<float>& family);

}   // namespace credence
