// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/set_predictions.h"

#include "foundation/error.h"
#include "foundation/number_text.h"
#include "foundation/parallel.h"
#include "foundation/softmax.h"
#include "foundation/statistics.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace credence {
namespace {

constexpr std::size_t most_rows_of_a_task = 16, values_of_a_task = 32'000;

/// Evaluates criterion (i) for one input at several levels. With 1,000 classes hardly any come
/// close to the predicted one: classes whose largest sample is below the
/// predicted one's interval are skipped, and samples are sorted only if this matters.
class Disjointness {
public:
    Disjointness(int n_samples, std::span<const double> levels)
        : levels_(levels), sorted_(static_cast<std::size_t>(n_samples)), lower_(levels.size()), upper_(levels.size()),
          disjoint_(levels.size())
    {}

    /// @param probabilities  of the input, all samples [S × K]
    /// @param largest        of each class [K]
    /// @return               by level
    const std::vector<char>& operator()(std::span<const double> probabilities, int predicted,
                                        std::span<const double> largest)
    {
        probabilities_ = probabilities;
        n_classes_     = largest.size();
        sort(predicted);
        for (std::size_t l = 0; l < levels_.size(); ++l) {
            lower_[l]    = quantile_of_sorted(sorted_, (1 - levels_[l]) / 2);
            upper_[l]    = quantile_of_sorted(sorted_, (1 + levels_[l]) / 2);
            disjoint_[l] = 1;
        }
        constexpr double rounding = 1e-9;   // of quantiles between two samples
        const double below        = *std::min_element(lower_.begin(), lower_.end()) * (1 - rounding);
        const auto undecided      = [](char disjoint) { return disjoint != 0; };
        for (int k = 0; k < static_cast<int>(largest.size()); ++k) {
            if (k == predicted || largest[static_cast<std::size_t>(k)] < below)
                continue;
            if (std::none_of(disjoint_.begin(), disjoint_.end(), undecided))
                break;
            sort(k);
            for (std::size_t l = 0; l < levels_.size(); ++l) {
                const double lower[] = {lower_[l], quantile_of_sorted(sorted_, (1 - levels_[l]) / 2)},
                             upper[] = {upper_[l], quantile_of_sorted(sorted_, (1 + levels_[l]) / 2)};
                disjoint_[l]         = disjoint_[l] && is_disjoint(0, lower, upper);
            }
        }
        return disjoint_;
    }

private:
    void sort(int k)
    {
        for (std::size_t s = 0; s < sorted_.size(); ++s)
            sorted_[s] = probabilities_[s * n_classes_ + static_cast<std::size_t>(k)];
        std::sort(sorted_.begin(), sorted_.end());
    }

    std::span<const double> probabilities_, levels_;
    std::size_t n_classes_ = 0;
    std::vector<double> sorted_, lower_, upper_;
    std::vector<char> disjoint_;
};

/// ln p̄ of one class by log-sum-exp over the samples, for means that underflow.
double log_mean_of(const ClassSamples& samples, int input, int k)
{
    std::vector<double> logs(static_cast<std::size_t>(samples.n_samples));
    for (int s = 0; s < samples.n_samples; ++s) {
        const double value                = samples.at(s, input, k);
        logs[static_cast<std::size_t>(s)] = samples.logarithms ? value : std::log(value);
    }
    return log_sum_exp(logs) - std::log(samples.n_samples);
}

/// H(p_s) of one sample, nats. @param at  ln p or p [K], as in the samples; @param p  [K]
double entropy_of_draw(const ClassSamples& samples, const double* at, std::span<const double> p)
{
    if (!samples.logarithms)
        return entropy(p);
    double sum = 0;
    for (std::size_t k = 0; k < p.size(); ++k)
        if (p[k] > 0)
            sum -= p[k] * at[k];
    return sum;
}

/// Allocates the predictions of all inputs, with means of 0.
SetPredictions with_room(const ClassSamples& samples, std::span<const double> levels)
{
    const auto n = static_cast<std::size_t>(samples.n_inputs), k_classes = static_cast<std::size_t>(samples.n_classes);
    SetPredictions out{.levels = {levels.begin(), levels.end()}, .n_samples = samples.n_samples};
    auto& c     = out.classes;
    c.n_inputs  = samples.n_inputs;
    c.n_classes = samples.n_classes;
    c.mean.assign(n * k_classes, 0);
    c.predicted.resize(n);
    for (auto* column : {&c.confidence, &c.log_rest, &c.entropy, &c.expected_entropy, &c.mutual_information})
        column->resize(n);
    out.certainty.assign(levels.size(), {std::vector<char>(n), std::vector<char>(n)});
    return out;
}

}   // namespace

SetPredictions set_predictions(const ClassSamples& samples, std::span<const double> levels)
{
    require_probabilities(samples);
    for (const double level : levels)
        if (!(level > 0 && level < 1))
            throw Error("prediction.level", "Predictions of a set: the level is " + plain_text(level)
                                                + ", expected a number between 0 and 1.");
    const int S = samples.n_samples, N = samples.n_inputs, K = samples.n_classes;
    const auto n = static_cast<std::size_t>(N), k_classes = static_cast<std::size_t>(K);
    SetPredictions out = with_room(samples, levels);
    auto& c            = out.classes;

    const auto rows_of_a_task = std::clamp<std::size_t>(values_of_a_task / (k_classes * static_cast<std::size_t>(S)), 1,
                                                        most_rows_of_a_task);
    std::vector<std::vector<ClassPredictions::TinyMean>> tiny(n);   // by row, to keep the order of the rows
    parallel_chunks(n, rows_of_a_task, [&](std::size_t begin, std::size_t end) {
        std::vector<double> of_draws(static_cast<std::size_t>(S) * k_classes), largest(k_classes);
        Disjointness disjoint(S, out.levels);
        for (std::size_t i = begin; i < end; ++i) {
            double* const mean      = c.mean.data() + i * k_classes;
            double expected_entropy = 0;
            std::fill(largest.begin(), largest.end(), -1.0);
            for (int s = 0; s < S; ++s) {
                const double* const at = samples.values.data()
                                         + (static_cast<std::size_t>(s) * n + i) * k_classes;   // [K]
                const std::span<double> p(of_draws.data() + static_cast<std::size_t>(s) * k_classes, k_classes);
                for (std::size_t k = 0; k < k_classes; ++k) {
                    p[k] = samples.logarithms ? std::exp(at[k]) : at[k];
                    mean[k] += p[k];
                    largest[k] = std::max(largest[k], p[k]);
                }
                expected_entropy += entropy_of_draw(samples, at, p);
            }
            const auto log_mean = [&](std::size_t k) {
                return log_mean_of(samples, static_cast<int>(i), static_cast<int>(k));
            };
            for (std::size_t k = 0; k < k_classes; ++k) {
                mean[k] /= S;
                if (mean[k] < smallest_exact_mean && samples.logarithms)
                    tiny[i].push_back({i * k_classes + k, log_mean(k)});
            }
            c.expected_entropy[i] = expected_entropy / S;
            complete_row(c, i, log_mean);
            if (S == 1) {   // exactly no epistemic part
                c.expected_entropy[i]   = c.entropy[i];
                c.mutual_information[i] = 0;
            }
            if (out.levels.empty())
                continue;
            const auto& verdicts = disjoint(of_draws, c.predicted[i], largest);
            for (std::size_t l = 0; l < out.levels.size(); ++l) {
                out.certainty[l].disjoint[i] = verdicts[l];
                out.certainty[l].probable[i] = reaches(c.confidence[i], out.levels[l]);
            }
        }
    });
    for (const auto& of_row : tiny)
        c.tiny.insert(c.tiny.end(), of_row.begin(), of_row.end());
    return out;
}

void append(SetPredictions& to, const SetPredictions& more)
{
    if (to.levels != more.levels)
        throw Error("Predictions of a set: the two parts have different levels.");
    append(to.classes, more.classes);
    for (std::size_t l = 0; l < to.certainty.size(); ++l) {
        to.certainty[l].disjoint.insert(to.certainty[l].disjoint.end(), more.certainty[l].disjoint.begin(),
                                        more.certainty[l].disjoint.end());
        to.certainty[l].probable.insert(to.certainty[l].probable.end(), more.certainty[l].probable.begin(),
                                        more.certainty[l].probable.end());
    }
}

std::optional<SetPredictions> set_predictions(const PosteriorPredictive& predictive, std::span<const float> inputs,
                                              int n_features, std::span<const double> levels, std::stop_token stop,
                                              std::size_t most_values)
{
    SetPredictions all{.classes   = {.n_classes = predictive.n_outputs()},
                       .levels    = {levels.begin(), levels.end()},
                       .certainty = {},
                       .n_samples = predictive.n_samples()};
    all.certainty.resize(levels.size());
    const auto n_rows = inputs.size() / static_cast<std::size_t>(n_features);
    all.classes.mean.reserve(n_rows * static_cast<std::size_t>(predictive.n_outputs()));   // large for 1,000 classes
    const bool whole = predictive.stream_classes(
        inputs, n_features, stop,
        [&](const ClassSamples& samples, std::size_t first) {
        require_probabilities(samples, first);   // with row numbers in the whole set
        append(all, set_predictions(samples, levels));
        },
        most_values);
    return whole ? std::optional(std::move(all)) : std::nullopt;
}

std::vector<RowPrediction> row_predictions(const ClassSamples& samples, double level)
{
    if (!(level > 0 && level < 1))
        throw Error("prediction.level",
                    "Row predictions: the level is " + plain_text(level) + ", expected a number between 0 and 1.");
    const SetPredictions set    = set_predictions(samples, std::span(&level, 1));
    const ClassPredictions& all = set.classes;
    std::vector<RowPrediction> rows;
    rows.reserve(static_cast<std::size_t>(all.n_inputs));
    for (std::size_t i = 0; i < static_cast<std::size_t>(all.n_inputs); ++i)
        rows.push_back({.predicted              = all.predicted[i],
                        .confidence             = static_cast<float>(all.confidence[i]),
                        .entropy                = static_cast<float>(all.entropy[i]),
                        .mutual_information     = static_cast<float>(all.mutual_information[i]),
                        .certain_no_overlap     = set.certainty[0].disjoint[i] != 0,
                        .certain_by_probability = set.certainty[0].probable[i] != 0});
    return rows;
}

std::vector<RowPrediction> row_predictions(const PosteriorPredictive& predictive, std::span<const float> inputs,
                                           int n_features, double level, std::stop_token stop,
                                           const RowsArrived& arrived, std::size_t most_values)
{
    std::vector<RowPrediction> all;
    all.reserve(inputs.size() / static_cast<std::size_t>(n_features));
    const bool whole = predictive.stream_classes(
        inputs, n_features, stop,
        [&](const ClassSamples& samples, std::size_t first) {
        require_probabilities(samples, first);
        const auto rows = row_predictions(samples, level);
        all.insert(all.end(), rows.begin(), rows.end());
        if (arrived && !rows.empty())
            arrived(first, rows);
        },
        most_values);
    return whole ? all : std::vector<RowPrediction>();
}

}   // namespace credence
