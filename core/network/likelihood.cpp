// SPDX-License-Identifier: GPL-3.0-or-later
#include "network/likelihood.h"

#include "foundation/error.h"
#include "foundation/find_listed.h"
#include "network/noise_model.h"

#include <typeinfo>

namespace credence {

std::vector<NoiseModel> listed_noise_models();   // made from network/likelihoods/list.cmake

bool Likelihood::operator==(const Likelihood& other) const
{
    const LikelihoodFamily &a = *family_, &b = *other.family_;
    return typeid(a) == typeid(b) && a.parameters() == b.parameters();
}

const std::vector<NoiseModel>& noise_models()
{
    static const std::vector<NoiseModel> all = listed_noise_models();
    return all;
}

const NoiseModel& noise_model(const std::string& id)
{
    if (const auto* found = find_listed(noise_models(), id))
        return *found;
    throw Error("network.noise",
                "network.noise is \"" + id + "\", expected one of " + listed_ids(noise_models()) + ".");
}

}   // namespace credence
