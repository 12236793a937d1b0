// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "posterior/sample_set.h"
#include "runs/experiment.h"
#include "study/method.h"
#include "study/usual_settings.h"

#include "unit/runs/short_run.h"

#include <memory>
#include <string>
#include <vector>

// Short runs of the methods whose posterior is a set of draws.
namespace credence {

/// The small study of this method, with its usual settings and these: "posterior.chains=2".
inline Study drawn_study(const std::string& id, const std::vector<std::string>& settings = {})
{
    Study study = with_family_defaults(small_study("mean_field"), id).study;
    for (const auto& setting : settings)
        set_field(study, setting);
    return study;
}

inline std::shared_ptr<const SampleSet> draws_of(const Training& run)
{
    return run.report.last ? std::dynamic_pointer_cast<const SampleSet>(run.report.last->posterior) : nullptr;
}

inline std::shared_ptr<const SampleSet> draws_of(const Study& study) { return draws_of(train(*prepare(study))); }

/// The weights of a draw.
inline std::vector<float> weights_of(const SampleSet& set, std::size_t s)
{
    const auto w = set.draw_number(s);
    return {w.begin(), w.end()};
}

/// The error of a method for a study; empty: none.
inline std::string refusal_of(const Study& study)
{
    try {
        prepare(study);
    } catch (const std::exception& error) {
        return error.what();
    }
    return {};
}

}   // namespace credence
