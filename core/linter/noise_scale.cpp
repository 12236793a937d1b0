// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/finite.h"
#include "foundation/number_text.h"
#include "linter/evidence.h"
#include "linter/rules.h"
#include "prediction/regression.h"
#include "views/view_support.h"

#include <algorithm>
#include <cmath>

namespace credence {

using namespace lint_support;

namespace lint_support {

std::optional<NoiseScale> noise_scale(const Experiment& experiment)
{
    const auto& data    = experiment.data->training;
    const auto& network = experiment.study.network;
    if (data.task != Task::regression || network.noise == NoiseModel::learned || data.n_rows < 2)
        return {};
    const double n = static_cast<double>(data.n_rows);
    double sum = 0, squares = 0;
    for (const double y : data.targets)
        sum += y;
    for (const double y : data.targets)
        squares += (y - sum / n) * (y - sum / n);
    return NoiseScale{network.noise_sd, std::sqrt(squares / n)};
}

}   // namespace lint_support

namespace {

constexpr double most_errors = 4;   // RMSE in predictive standard deviations: 1 for the right likelihood

/// Errors of the mean prediction on training rows, with the predictive standard deviation.
struct Errors {
    std::size_t rows = 0;
    double rmse = 0, predicted_sd = 0;   // root mean squares, in the units of the target
};

/// Empty: stopped, or a prediction is not finite.
std::optional<Errors> training_errors(const RunSnapshot& run, const std::stop_token& stop)
{
    constexpr std::size_t most_rows = 200;
    constexpr int most_draws        = 50;
    const auto& data                = *run.experiment->data;
    const std::size_t n = std::min(data.training.n_rows, most_rows), d = data.training.n_features;
    std::vector<float> inputs;
    std::vector<double> targets;
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t row = i * data.training.n_rows / n;
        const auto input      = std::span(data.training_inputs).subspan(row * d, d);
        inputs.insert(inputs.end(), input.begin(), input.end());
        targets.push_back(data.training.targets[row]);
    }
    ViewOptions options;
    options.samples    = std::min(most_draws, run.experiment->study.prediction.samples);
    const auto outputs = view_support::predictive_of(run, options).sample_outputs(inputs, static_cast<int>(n), stop);
    if (outputs.n_samples == 0 || !all_finite(std::span<const float>(outputs.values)))
        return {};
    const auto samples = regression_samples(view_of(outputs), data.target_mean, data.target_sd);
    const auto mean    = mean_function(samples);
    Errors out{.rows = n};
    for (std::size_t i = 0; i < n; ++i) {
        out.rmse += (mean[i] - targets[i]) * (mean[i] - targets[i]);
        for (int s = 0; s < samples.n_samples; ++s) {
            const double off = samples.f_of(s)[i] - mean[i], noise = samples.s[static_cast<std::size_t>(s) * n + i];
            out.predicted_sd += (off * off + noise * noise) / samples.n_samples;
        }
    }
    out.rmse         = std::sqrt(out.rmse / static_cast<double>(n));
    out.predicted_sd = std::sqrt(out.predicted_sd / static_cast<double>(n));
    return out;
}

std::optional<Finding> too_narrow(const NoiseScale& noise, const LintCase& lint_case, const std::stop_token& stop)
{
    const auto errors = training_errors(lint_case.run, stop);
    if (!errors || !(errors->rmse > most_errors * errors->predicted_sd))
        return {};
    const std::string unit = " units of " + lint_case.run.experiment->data->training.target_name;
    return Finding{
        .severity = Severity::wrong,
        .title    = "The noise of the likelihood does not fit the scale of the targets.",
        .evidence = "network.noise_sd is " + number(noise.noise_sd) + unit
                    + ", the targets have a standard deviation of " + number(noise.target_sd) + ", and the RMSE on "
                    + counted(static_cast<long>(errors->rows), "training row") + " is " + number(errors->rmse) + ", or "
                    + number(errors->rmse / errors->predicted_sd) + " predictive standard deviations; expected at most "
                    + number(most_errors) + ".",
        .reason =
            "network.noise_sd is in the units of the target, even if targets are standardised. With this value, the "
            "intervals cover almost no rows and the NLL means little.",
        .remedy = {.label    = "Set the noise to the RMSE",
                   .settings = {{"network.noise_sd", shortest_text(rounded_number(errors->rmse, 2))}}}};
}

std::optional<Finding> check_noise_scale(const LintCase& lint_case, const std::stop_token& stop)
{
    if (!is_own_run(lint_case))
        return {};
    const auto noise = noise_scale(*lint_case.run.experiment);
    if (!noise || !(noise->target_sd > 0))
        return {};
    if (noise->is_too_narrow())
        return too_narrow(*noise, lint_case, stop);
    if (!noise->is_too_wide())
        return {};
    return Finding{
        .severity = Severity::doubtful,
        .title    = "The noise of the likelihood is wider than the targets.",
        .evidence = "network.noise_sd is " + number(noise->noise_sd) + " units of "
                    + lint_case.run.experiment->data->training.target_name
                    + ", the targets have a standard deviation of " + number(noise->target_sd) + "; expected at most "
                    + number(NoiseScale::widest) + " times that.",
        .reason =
            "Noise is part of the spread of the targets and cannot exceed it. With this value, the data carry almost "
            "no information and the posterior stays close to the prior.",
        .remedy = {.label = "Learn the noise", .settings = {{"network.noise", "learned"}}}};
}

}   // namespace

LintRule noise_scale_rule()
{
    return {
        .id    = "noise_scale",
        .title = "Noise that does not fit the targets",
        .what =
            "Regression with fixed noise. Wrong if network.noise_sd is below 2 % of the standard deviation of the "
            "training targets and the RMSE on training rows is more than 4 predictive standard deviations: most likely "
            "it was left at its default, in other units than the targets. Doubtful if it is more than 1.5 times the "
            "standard deviation of the targets, of which noise is a part.",
        .threshold =
            "chosen for Credence: 2 % and 1.5 times the standard deviation, and 4 predictive standard deviations",
        .check = check_noise_scale};
}

}   // namespace credence
