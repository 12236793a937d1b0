// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "layers/kind.h"

namespace credence {

/// Local normalisation (images/local_normalisation.h): each pixel less the mean of the SIZE × SIZE window around it, divided by √(variance + FLOOR²), channel by channel, windows
/// cut off at the border. A step of the data that stands in front of a network (data.local_normalisation), so that pictures, disturbances and attacks are those of
/// the image itself and gradients pass through it.
struct LocalNorm {
    int size                                = 9;
    double floor                            = 0.02;   ///< in the units of what enters
    bool operator==(const LocalNorm&) const = default;

    static constexpr const char* syntax    = "localnorm SIZE FLOOR";
    static constexpr const char* words     = "localnorm";
    static constexpr const char* json_name = "local_norm";
    static constexpr bool needs_image = true, has_weights = false, in_exact_hessian = false;

    static constexpr bool has_noise() { return false; }
    void pass(Flow& flow) const;
    std::string text() const;
    static std::optional<LocalNorm> from_text(LayerWords& words);
    LayerJsonMembers json() const { return {{json_name, size}, {"floor", floor}}; }
    static LocalNorm from_json(const LayerJson& json) { return {json.whole(json_name), json.number("floor")}; }
    template <class T>
    std::unique_ptr<Stage<T>> stage(const StagePlace& place) const;
};

}   // namespace credence
