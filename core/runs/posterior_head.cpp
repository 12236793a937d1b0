// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/posterior_head.h"

#include "foundation/error.h"
#include "foundation/finite.h"

#include <nlohmann/json.hpp>

#include <cstring>

namespace credence {
namespace {

using nlohmann::json;

constexpr auto samples = "samples";

}   // namespace

json posterior_head(const Posterior& posterior)
{
    if (const auto* set = dynamic_cast<const SampleSet*>(&posterior))
        return {{"kind", samples},
                {"chains", set->origin().chains},
                {"steps", set->origin().steps},
                {"draws", set->n_draws()}};
    return nullptr;
}

SampleOrigin origin_from(const json& head)
{
    if (const auto kind = head.at("kind").get<std::string>(); kind != samples)
        throw Error("its posterior is of the kind \"" + kind + "\", expected " + samples);
    return {head.at("chains").get<std::vector<int>>(), head.at("steps").get<std::vector<long>>()};
}

void require_finite_numbers(std::span<const float> numbers)
{
    if (!all_finite(numbers))
        throw Error("a snapshot has a parameter that is not finite");
}

void require_parameter_bytes(const VariationalFamily<float>& family, std::int64_t bytes)
{
    const std::size_t expected = family.parameters().size_bytes();
    if (bytes < 0 || static_cast<std::size_t>(bytes) != expected)
        throw Error("a snapshot has " + std::to_string(bytes) + " bytes, expected " + std::to_string(expected));
}

std::shared_ptr<const Posterior> parameters_from(const std::string& bytes, const VariationalFamily<float>& family)
{
    std::shared_ptr<VariationalFamily<float>> posterior = family.clone();
    require_parameter_bytes(family, static_cast<std::int64_t>(bytes.size()));
    std::memcpy(posterior->parameters().data(), bytes.data(), bytes.size());
    require_finite_numbers(posterior->parameters());
    return posterior;
}

}   // namespace credence
