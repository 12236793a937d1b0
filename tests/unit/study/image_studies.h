// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "study/fields.h"
#include "study/presets.h"

#include <initializer_list>
#include <string>

namespace credence {

/// The study with some fields set: "path=value".
inline Study with(Study study, std::initializer_list<const char*> assignments)
{
    for (const char* assignment : assignments)
        set_field(study, assignment);
    return study;
}

inline const std::string families[] = {"point_estimate", "bernoulli_dropout", "mean_field", "layer_scale",
                                       "tridiagonal"};

inline Study of_family(const std::string& stem, const std::string& family,
                       const std::string& bernoulli = "bernoulli_dropout", const std::string& point = "point_estimate")
{
    return preset(stem + (family == "point_estimate" ? point : family == "bernoulli_dropout" ? bernoulli : family));
}
inline Study strokes_of(const std::string& family)
{
    return of_family("stroke_digits_lenet_", family, "bernoulli_dropout", "point");
}
inline Study mnist_of(const std::string& family) { return of_family("mnist_lenet_", family, "bernoulli", "point"); }

}   // namespace credence
