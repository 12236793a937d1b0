// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "study/fields.h"
#include "study/study.h"

#include <set>

// Rules between settings. What can be wrong with one setting alone stands in its Field.
namespace credence {
namespace {

bool variational(Family family) { return family != Family::point_estimate && family != Family::bernoulli_dropout; }

void require_prior(const Study& study)
{
    if (!variational(study.posterior.family))
        return;
    if (study.prior.kind == PriorKind::scale_mixture) {
        if (study.training.complexity != Complexity::Kind::sampled)
            throw Error("training.complexity",
                        "training.complexity is closed, but the KL to a scale mixture prior has no closed form: expected sampled, or prior.kind gaussian.");
        if (study.posterior.family != Family::mean_field)
            throw Error("prior.kind", "prior.kind is scale_mixture, which needs the family mean_field: expected gaussian, or posterior.family mean_field.");
        if (!(study.prior.mixture.sigma_narrow < study.prior.mixture.sigma_wide))
            throw Error("prior.sigma_narrow", "prior.sigma_narrow is " + value_text(study.prior.mixture.sigma_narrow) + ", expected less than prior.sigma_wide, which is " +
                                                  value_text(study.prior.mixture.sigma_wide) + ".");
        return;
    }
    const auto require_numbers = [](const char* path, const std::vector<double>& list) {
        if (list.empty())
            throw Error(path, std::string(path) + " is empty, expected at least one number.");
    };
    require_numbers("prior.weight_mean", study.prior.weight_mean);
    require_numbers("prior.weight_sd", study.prior.weight_sd);
    require_numbers("prior.bias_mean", study.prior.bias_mean);
    require_numbers("prior.bias_sd", study.prior.bias_sd);
}

void require_block_lists(const Study& study)
{
    const std::size_t blocks = 2 * (study.network.hidden.size() + 1);
    const auto require = [&](const char* path, const std::vector<double>& list) {
        if (list.empty() || list.size() > blocks)
            throw Error(path, std::string(path) + " has " + std::to_string(list.size()) + " numbers, expected 1 to " + std::to_string(blocks) +
                                  ": one for the weights and one for the biases of each layer.");
    };
    if (study.posterior.family == Family::layer_scale || study.posterior.family == Family::tridiagonal)
        require("posterior.initial_tau", study.posterior.initial_tau);
    if (study.posterior.family == Family::tridiagonal)
        require("posterior.initial_rho", study.posterior.initial_rho);
}

void require_points(const Study& study)
{
    const auto& points = study.data.points;
    if (points.size() < 2)
        throw Error("data.points", "data.points holds " + std::to_string(points.size()) + " points, expected at least 2: draw some on the map.");
    if (study.data.drawn_task == Task::regression)
        return;
    std::set<int> labels;
    for (const auto& point : points)
        labels.insert(point.label);
    if (labels.size() < 2)
        throw Error("data.points", "data.points holds points of one class only, expected at least two classes.");
}

}  // namespace

void check(const Study& study)
{
    for (const auto& f : study_fields()) {
        Study copy;   // a setter checks its own range
        f.set(copy, f.get(study));
    }
    if (study.data.source == DataSource::csv && study.data.file.empty())
        throw Error("data.file", "data.file is empty, expected the path of a table.");
    if (study.data.source == DataSource::csv && study.data.csv.decimal_comma && study.data.csv.separator == ',')
        throw Error("data.separator", "data.separator is comma, but data.decimal_comma is true: expected another separator.");
    if (study.data.source == DataSource::drawn)
        require_points(study);
    if (study.network.hidden.size() > 50)
        throw Error("network.hidden", "network.hidden has " + std::to_string(study.network.hidden.size()) + " layers, expected at most 50.");
    require_prior(study);
    require_block_lists(study);
}

}  // namespace credence
