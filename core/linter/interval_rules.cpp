// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/number_text.h"
#include "foundation/statistics.h"
#include "linter/evidence.h"
#include "linter/lint.h"
#include "prediction/regression.h"
#include "runs/result_cache.h"
#include "study/fields.h"
#include "study/method.h"
#include "views/view_support.h"

#include <boost/math/distributions/binomial.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace credence {

using namespace lint_support;

namespace lint_support {

std::optional<NoiseScale> noise_scale(const Experiment& experiment)
{
    const auto& data  = experiment.data->training;
    const auto& study = experiment.study;
    if (data.task != Task::regression || study.network.noise != "given" || data.n_rows < 2)
        return {};
    if (experiment.target_of > 0)   // of several targets: network.noise_sd is in standardised units
        return {};
    const double n = static_cast<double>(data.n_rows);
    double sum = 0, squares = 0;
    for (const double y : data.targets)
        sum += y;
    for (const double y : data.targets)
        squares += (y - sum / n) * (y - sum / n);
    return NoiseScale{std::get<double>(field("network.noise_sd").get(study)), std::sqrt(squares / n)};
}

}   // namespace lint_support

namespace {

constexpr double most_errors = 4;   // RMSE in predictive standard deviations: 1 for the right likelihood

/// Errors of the mean prediction on training rows, with the predictive standard deviation.
struct Errors {
    std::size_t rows = 0;
    double rmse = 0, predicted_sd = 0;   // root mean squares, in the units of the target
};

/// Empty: stopped. @throws Error if a prediction is not finite
std::optional<Errors> training_errors(const RunSnapshot& run, const std::stop_token& stop)
{
    constexpr std::size_t most_rows = 200;
    constexpr int most_draws        = 50;
    const auto& data                = *run.experiment->data;
    const std::size_t n = std::min(data.training.n_rows, most_rows), d = data.training.n_features;
    std::vector<float> inputs;
    std::vector<double> targets;
    for (const std::size_t row : evenly_spaced(data.training.n_rows, most_rows)) {
        const auto input = std::span(data.training_inputs).subspan(row * d, d);
        inputs.insert(inputs.end(), input.begin(), input.end());
        targets.push_back(data.training.targets[row]);
    }
    ViewOptions options;
    options.samples    = std::min(most_draws, run.experiment->study.prediction.samples);
    const auto outputs = view_support::predictive_of(run, options).sample_outputs(inputs, static_cast<int>(n), stop);
    if (outputs.n_samples == 0)
        return {};
    const auto samples = regression_samples(view_of(outputs), run.experiment->model.likelihood, data.target_mean,
                                            data.target_sd);
    const auto mean    = mean_function(samples);
    Errors out{.rows = n};
    for (std::size_t i = 0; i < n; ++i) {
        out.rmse += (mean[i] - targets[i]) * (mean[i] - targets[i]);
        out.predicted_sd += std::pow(spread_at(samples, mean[i], i).y, 2);
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
    const std::string unit = " " + target_unit(lint_case.run.experiment->data->training.target_name);
    return Finding{
        .severity = Severity::error,
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
        .severity = Severity::warning,
        .title    = "The noise of the likelihood is wider than the targets.",
        .evidence = "network.noise_sd is " + number(noise->noise_sd) + " "
                    + target_unit(lint_case.run.experiment->data->training.target_name)
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
        .what  = "Regression with Gaussian noise that is given. Error if network.noise_sd is below 2 % of the standard "
                 "deviation of the training targets and the RMSE on training rows is more than 4 predictive standard "
                 "deviations: most likely it was left at its default, in other units than the targets. Warning if it "
                 "is more than 1.5 times the standard deviation of the targets, of which noise is a part.",
        .threshold =
            "chosen for Credence: 2 % and 1.5 times the standard deviation, and 4 predictive standard deviations",
        .check = check_noise_scale};
}

namespace {

constexpr double most_missed      = 1.5;   // times the misses that the level allows
constexpr double wanted_in_a_tail = 5;     // samples

/// Expected probability content of an interval between type 7 quantiles of S samples: the k-th of S
/// sorted samples is at k/(S + 1) on average.
double expected_content(int samples, double tail)
{
    const double below = 1 + (samples - 1) * tail;   // position of the lower end among the sorted samples
    return 1 - 2 * below / (samples + 1);
}

std::optional<Finding> check_interval_level(const LintCase& lint_case, const std::stop_token&)
{
    const auto& run = lint_case.run;
    if (!run.experiment || !run.snapshot)
        return {};
    const auto& method  = method_of(run.experiment->study);
    const bool ensemble = !run.experiment->outputs && method.posterior.is_sample_set && !method.training.own_steps;
    const int samples   = view_support::predictive_of(run, lint_case.options).n_samples();
    const double level = run.experiment->study.prediction.level, tail = (1 - level) / 2;
    if (ensemble || samples < 2 || 1 - expected_content(samples, tail) <= most_missed * (1 - level))
        return {};
    const auto wanted  = static_cast<long>(std::ceil(wanted_in_a_tail / tail - 1e-9));
    const auto there   = run.snapshot->posterior->different_draws();
    const bool can_add = !run.experiment->outputs && (!there || static_cast<long>(*there) >= wanted)
                         && static_cast<double>(wanted) <= field("prediction.samples").max;
    return Finding{
        .severity = Severity::warning,
        .title    = "The " + percent_text(level) + " intervals are computed from too few samples.",
        .evidence = "Of " + counted(samples, "sample") + ", " + number(samples * tail)
                    + " are beyond each end of the interval. On average such an interval contains "
                    + percent(expected_content(samples, tail)) + " of the distribution, not " + percent_text(level)
                    + "; " + grouped_text(wanted) + " samples leave " + number(wanted_in_a_tail) + " beyond each end.",
        .reason =
            "Quantiles near the outermost samples are too close to the middle, so that the interval is too short, and "
            "they vary a lot between sets of samples.",
        .remedy = can_add ? Remedy{.label    = "Predict with " + grouped_text(wanted) + " samples",
                                   .settings = {{"prediction.samples", std::to_string(wanted)}}}
                          : Remedy{.label = "Show how much samples differ", .view = view_of_intervals(run)}};
}

}   // namespace

LintRule interval_level_rule()
{
    return {
        .id    = "interval_level",
        .title = "Interval level that the samples cannot resolve",
        .what  = "An interval of level α between the quantiles of type 7 of S samples contains less than α of the "
                 "distribution, on average 1 − 2(1 + (S − 1)(1 − α)/2)/(S + 1). At 95 %, this is 86 % with 20 samples, "
                 "91.3 % with 50, 93.1 % with 100 and 94.1 % with 200. Warning if it misses more than 1.5 times as "
                 "much as the level allows (at 95 % fewer than 75 samples). The remedy leaves five samples beyond each "
                 "end. Skipped for deep ensembles and SWAG, where few members are part of the method, and if all "
                 "samples agree.",
        .idea  = "Hyndman and Fan 1996 (quantiles of type 7)",
        .threshold = "chosen for Credence: 1.5 times the allowed misses",
        .check     = check_interval_level};
}

namespace {

constexpr std::size_t fewest_test_rows = 5, most_test_rows = 1000;
constexpr double rare_count = 0.001;
constexpr double far_more   = 2;                       // times the misses that the level allows
constexpr double central = 0.5, most_central = 0.75;   // the central 50 % interval, and its coverage

/// Null: stopped.
std::shared_ptr<const TargetPredictions> predicted_targets(const RunSnapshot& run, const ViewOptions& options,
                                                           const std::stop_token& stop)
{
    const auto& data    = *run.experiment->data;
    const auto set      = view_support::scored_set(*run.experiment);
    const std::size_t d = set.data->n_features, n = std::min(set.data->n_rows, most_test_rows);
    std::vector<float> inputs;
    auto out      = std::make_shared<TargetPredictions>();
    auto& targets = out->targets;
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t row = i * set.data->n_rows / n;
        const auto first      = set.inputs.begin() + static_cast<std::ptrdiff_t>(row * d);
        inputs.insert(inputs.end(), first, first + static_cast<std::ptrdiff_t>(d));
        targets.push_back(set.data->targets[row]);
    }
    const auto predictive = view_support::predictive_of(run, options);
    const bool done       = predictive.stream_outputs(inputs, static_cast<int>(d), stop,
                                                      [&](const OutputSamples& outputs, std::size_t from) {
        const auto samples = regression_samples(view_of(outputs), run.experiment->model.likelihood, data.target_mean,
                                                      data.target_sd);
        const auto of_part = std::span<const double>(targets).subspan(from, static_cast<std::size_t>(samples.n_inputs));
        const auto mean    = mean_function(samples);
        for (std::size_t i = 0; i < of_part.size(); ++i)
            out->squared_errors.push_back((mean[i] - of_part[i]) * (mean[i] - of_part[i]));
        std::ranges::copy(regression_nll_each(samples, of_part), std::back_inserter(out->nll));
        std::vector<double> f(static_cast<std::size_t>(samples.n_samples)), s(f.size());
        for (int i = 0; i < samples.n_inputs; ++i) {
            for (int k = 0; k < samples.n_samples; ++k) {
                const auto at = static_cast<std::size_t>(k) * static_cast<std::size_t>(samples.n_inputs)
                                + static_cast<std::size_t>(i);
                f[static_cast<std::size_t>(k)] = samples.f[at];
                s[static_cast<std::size_t>(k)] = samples.s[at];
            }
            out->transforms.push_back(samples.noise->mixture_cdf(f, s, of_part[static_cast<std::size_t>(i)]));
        }
    });
    return done ? out : nullptr;
}

std::optional<Finding> check_interval_coverage(const LintCase& lint_case, const std::stop_token& stop)
{
    const auto predicted = target_predictions(lint_case, stop);
    if (!predicted)
        return {};
    const auto& u      = predicted->transforms;
    const double level = lint_case.run.experiment->study.prediction.level;
    const auto [covered, middle, p_short, p_wide, too_short, too_wide] = coverage_verdict(u, level);
    if (!too_short && !too_wide)
        return {};
    const std::string rows = counted(static_cast<long>(u.size()), "test row");
    return Finding{
        .severity = too_short && covered < level / 2 ? Severity::error : Severity::warning,
        .title    = too_short ? "The predictive intervals are too short." : "The predictive intervals are too wide.",
        .evidence = too_short ? "The " + percent_text(level) + " predictive interval contains the target of "
                                    + percent(covered) + " of " + rows
                                    + ". If it were right, the probability of so few would be " + number(p_short) + "."
                              : "The central " + percent_text(central)
                                    + " of the predictive distribution contains the target of " + percent(middle)
                                    + " of " + rows + ". If it were right, the probability of so many would be "
                                    + number(p_wide) + ".",
        .reason =
            too_short
                ? "The run is more confident than its errors allow. The noise is set too small, the posterior is too "
                  "narrow, or the scale of the targets does not fit the noise."
                : "The run is less confident than its errors allow. The noise is set too large, or the posterior is "
                  "too wide.",
        .remedy = {.label = "Show the scores", .view = "scores"}};
}

}   // namespace

std::shared_ptr<const TargetPredictions> lint_support::target_predictions(const LintCase& lint_case,
                                                                          const std::stop_token& stop)
{
    const auto& run = lint_case.run;
    if (!is_own_run(lint_case) || run.experiment->task() != Task::regression
        || run.experiment->data->test.n_rows < fewest_test_rows)
        return nullptr;
    static ResultCache<SnapshotKey<int>, TargetPredictions> kept(4);   // by samples
    return kept.find_or_make({run, view_support::predictive_of(run, lint_case.options).n_samples()}, stop,
                             [&] { return predicted_targets(run, lint_case.options, stop); });
}

CoverageVerdict lint_support::coverage_verdict(std::span<const double> transforms, double level)
{
    const auto n      = static_cast<double>(transforms.size());
    const auto inside = [&](double content) {
        return static_cast<double>(
            std::ranges::count_if(transforms, [&](double u) { return std::fabs(u - 0.5) <= content / 2; }));
    };
    const double covered = inside(level), middle = inside(central);
    CoverageVerdict out{.covered = covered / n, .middle = middle / n};
    out.p_short = boost::math::cdf(boost::math::binomial(n, level), covered);
    if (middle > 0)
        out.p_wide = boost::math::cdf(boost::math::complement(boost::math::binomial(n, central), middle - 1));
    out.too_short = out.p_short < rare_count && 1 - out.covered > far_more * (1 - level);
    out.too_wide  = out.p_wide < rare_count && out.middle > most_central;
    return out;
}

LintRule interval_coverage_rule()
{
    return {
        .id    = "interval_coverage",
        .title = "Predictive intervals whose coverage is far from their level",
        .what =
            "Regression with at least 5 test rows (up to 1,000 of them are used): too short if the predictive "
            "interval at the level of the Study misses more than twice as many targets as the level allows, too wide "
            "if the central 50 % interval contains more than 75 % of the targets, and the exact binomial probability "
            "of such a count is below 0.1 %. Error if the coverage is less than half of the level, otherwise warning.",
        .threshold    = "chosen for Credence: twice the misses, 75 %, and a probability of 0.1 %",
        .about_target = true,
        .check        = check_interval_coverage};
}

}   // namespace credence
