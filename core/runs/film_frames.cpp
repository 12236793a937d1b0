// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/film_frames.h"

#include "foundation/error.h"
#include "foundation/number_text.h"
#include "runs/laplace_fit.h"
#include "study/method.h"
#include "study/names.h"

#include <algorithm>

namespace credence {
namespace {

/// "Two moons · mean field"
std::string data_and_method(const Study& study)
{
    std::string words = named_for_source(study);   // "Two moons, mean field"
    if (const auto comma = words.rfind(", "); comma != words.npos)
        words.replace(comma, 2, " · ");
    return words;
}

/// "step 1,200 of 10,000"; a Laplace approximation has two snapshots of its last step.
std::string step_in_words(const Study& study, const Snapshot& snapshot)
{
    const long step   = snapshot.point.step;
    std::string words = "step " + grouped_text(step) + " of " + grouped_text(std::max(step, steps_of(study)));
    if (method_of(study).training.fits_curvature)
        words += laplace_of(snapshot) ? " · curvature" : " · point estimate";
    return words;
}

}   // namespace

std::vector<FilmFrame> film_frames(const Study& study, std::span<const std::shared_ptr<const Snapshot>> recorded,
                                   std::optional<std::size_t> frames, const std::optional<std::string>& title)
{
    const std::size_t available = recorded.size();
    if (available < 2)
        throw Error(study.name + ": found " + std::to_string(available) + " recorded step" + (available == 1 ? "" : "s")
                    + ", expected at least 2 for a film.");
    const std::size_t wanted = frames.value_or(std::min(available, usual_film_frames));
    if (wanted < 2 || wanted > available)
        throw Error("A film of " + study.name + " can have 2 to " + std::to_string(available)
                    + " frames, the number of recorded steps; found " + std::to_string(wanted) + ".");
    const std::string start = title.value_or(data_and_method(study));
    const double last       = static_cast<double>(std::max(1L, recorded.back()->point.step));
    std::vector<FilmFrame> chosen;
    chosen.reserve(wanted);
    for (std::size_t k = 0; k < wanted; ++k) {
        const std::size_t index  = (k * (available - 1) + (wanted - 1) / 2) / (wanted - 1);
        const Snapshot& snapshot = *recorded[index];
        chosen.push_back({index, start + (start.empty() ? "" : " · ") + step_in_words(study, snapshot),
                          static_cast<double>(snapshot.point.step) / last});
    }
    return chosen;
}

}   // namespace credence
