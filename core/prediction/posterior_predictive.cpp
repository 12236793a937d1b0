// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/posterior_predictive.h"

#include "foundation/error.h"
#include "foundation/number_text.h"
#include "foundation/parallel.h"
#include "foundation/progress.h"
#include "foundation/softmax.h"
#include "foundation/statistics.h"
#include "posterior/outputs_posterior.h"
#include "prediction/draw_loop.h"
#include "prediction/output_sampling.h"
#include "prediction/recalibration.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace credence {
namespace {

void read_outputs(const Model& model, const Recalibration& recalibration, std::span<const float> raw, float* outputs,
                  float* entropy)
{
    const int k = model.architecture.outputs();
    if (!recalibration.of_classes()) {
        model.likelihood->predict(raw, k, outputs, entropy);
        return;
    }
    std::vector<float> logits(raw.begin(), raw.end());
    recalibrate_logits(recalibration, logits, k);
    model.likelihood->predict(logits, k, outputs, entropy);
}

/// @return  null: `stop` was requested
std::shared_ptr<const Recalibration> recalibration_from(const RecalibrationSource& source, const std::stop_token& stop)
{
    static const auto none = std::make_shared<const Recalibration>();
    return source ? source(stop) : none;
}

int outputs_read(const Model& model) { return model.likelihood->n_predicted(model.architecture.outputs()); }

/// Limits the number of samples to the number of different ones. With random masks, all samples
/// differ.
int draws_worth_making(const Model& model, const Posterior& posterior, int n)
{
    n                = std::max(1, n);
    const auto there = posterior.different_draws();
    const auto masks = [&] {
        return model.dropout_at_prediction
               && std::any_of(model.architecture.layers.begin(), model.architecture.layers.end(), has_noise);
    };
    return there && *there < static_cast<std::size_t>(n) && !masks() ? static_cast<int>(*there) : n;
}

}   // namespace

PosteriorPredictive::PosteriorPredictive(const Model& model, std::shared_ptr<const Posterior> posterior, int n_samples,
                                         std::uint64_t seed, DrawsOf of)
    : model_(model), posterior_(std::move(posterior)), n_samples_(draws_worth_making(model_, *posterior_, n_samples)),
      seed_(seed), outputs_(of == DrawsOf::outputs && has_output_distribution(model_, *posterior_))
{}

PosteriorPredictive PosteriorPredictive::recalibrated(RecalibrationSource source) const
{
    PosteriorPredictive copy = *this;
    copy.recalibration_      = std::move(source);
    return copy;
}

int PosteriorPredictive::n_outputs() const { return outputs_read(model_); }

OutputSamples read_stored_samples(const RowOutputs& outputs, RowOutputs::Kind kind, std::span<const float> inputs,
                                  int n_samples, const std::stop_token& stop)
{
    const auto rows = rows_named(inputs, outputs);
    const int S     = std::min(n_samples, outputs.n_draws());
    OutputSamples samples{S, static_cast<int>(rows.size()), outputs.n_classes(), {}};
    std::vector<double> values(static_cast<std::size_t>(S) * rows.size() * static_cast<std::size_t>(samples.n_outputs));
    if (!outputs.read(kind, rows, S, values, stop))
        return {};
    samples.values.assign(values.begin(), values.end());
    return samples;
}

OutputSamples PosteriorPredictive::sample_outputs(std::span<const float> inputs, int n, std::stop_token stop) const
{
    if (const auto* imported = outputs_of(*posterior_))
        return read_stored_samples(*imported, RowOutputs::Kind::probabilities,
                                   inputs.first(static_cast<std::size_t>(n)), n_samples_, stop);
    const auto recalibration = recalibration_from(recalibration_, stop);
    if (!recalibration)
        return {};
    const int k = outputs_read(model_);
    OutputSamples samples{n_samples_, n, k, std::vector<float>(static_cast<std::size_t>(n_samples_) * n * k)};
    if (outputs_ && n == 1) {
        std::vector<float> entropy(static_cast<std::size_t>(n_samples_));
        const bool whole = for_each_output_draw(model_, *posterior_, seed_, n_samples_, inputs, stop,
                                                [&](int first, std::span<const float> raw) {
            read_outputs(model_, *recalibration, raw, samples.values.data() + static_cast<std::size_t>(first) * k,
                         entropy.data() + first);
        });
        if (!whole)
            return {};
        recalibrate_numbers(*recalibration, samples);
        return samples;
    }
    std::vector<float> entropy(static_cast<std::size_t>(draws_at_once) * std::max(1, n));
    const bool whole = for_each_draw(
        model_, *posterior_, seed_, n_samples_, inputs, n, stop,
        [&](int draw, int row, std::span<const float> raw) {
        read_outputs(model_, *recalibration, raw,
                     samples.values.data() + (static_cast<std::size_t>(draw) * n + row) * k,
                     entropy.data() + static_cast<std::size_t>(draw % draws_at_once) * n + row);
        },
        [](int, int, int, int) {});
    if (!whole)
        return {};
    recalibrate_numbers(*recalibration, samples);
    return samples;
}

ClassSamples PosteriorPredictive::sample_classes(std::span<const float> inputs, int n,
                                                 const std::stop_token& stop) const
{
    const int k = outputs_read(model_);
    ClassSamples samples{n_samples_, n, k, std::vector<double>(static_cast<std::size_t>(n_samples_) * n * k)};
    if (const auto* imported = outputs_of(*posterior_)) {
        const auto rows    = rows_named(inputs.first(static_cast<std::size_t>(n)), *imported);
        samples.logarithms = imported->exact_kind() == RowOutputs::Kind::log_probabilities;
        const bool whole   = imported->read(imported->exact_kind(), rows, n_samples_, samples.values, stop);
        return whole ? std::move(samples) : ClassSamples{};
    }
    const auto recalibration = recalibration_from(recalibration_, stop);
    if (!recalibration)
        return {};
    /// Stores logits of some rows, or of some samples of one row.
    const auto store = [&](std::size_t first, std::span<const float> logits) {
        const auto classes = static_cast<std::size_t>(k);
        log_softmax_rows(logits, classes, std::span(samples.values).subspan(first * classes, logits.size()));
    };
    const bool whole = outputs_ && n == 1 ? for_each_output_draw(
                           model_, *posterior_, seed_, n_samples_, inputs, stop,
                           [&](int first, std::span<const float> logits) {
        store(static_cast<std::size_t>(first), logits);
                           })
        : for_each_draw(
            model_, *posterior_, seed_, n_samples_, inputs, n, stop,
            [&](int draw, int row, std::span<const float> logits) {
        store(static_cast<std::size_t>(draw) * static_cast<std::size_t>(n) + static_cast<std::size_t>(row), logits);
            },
            [](int, int, int, int) {});
    if (!whole)
        return {};
    recalibrate(*recalibration, samples);
    return samples;
}

namespace {

/// Calls with(first, size) for one block of rows after the other and reports progress. Returns
/// false if stopped.
template <class With>
bool in_blocks(std::size_t n, std::size_t block, const std::stop_token& stop, const With& with)
{
    for (std::size_t first = 0; first < n; first += block) {
        const std::size_t size = std::min(block, n - first);
        const ProgressScope of_block(static_cast<double>(first) / static_cast<double>(n),
                                     static_cast<double>(first + size) / static_cast<double>(n));
        if (!with(first, size))
            return false;
    }
    return !stop.stop_requested();
}

}   // namespace

bool PosteriorPredictive::stream_outputs(std::span<const float> inputs, int n_features, std::stop_token stop,
                                         const std::function<void(const OutputSamples& block, std::size_t first)>& use,
                                         std::size_t most_values) const
{
    const std::size_t d = static_cast<std::size_t>(n_features);
    return in_blocks(inputs.size() / d, rows_at_once(most_values), stop, [&](std::size_t first, std::size_t size) {
        const auto samples = sample_outputs(inputs.subspan(first * d, size * d), static_cast<int>(size), stop);
        if (!stop.stop_requested())
            use(samples, first);
        return !stop.stop_requested();
    });
}

bool PosteriorPredictive::stream_classes(std::span<const float> inputs, int n_features, const std::stop_token& stop,
                                         const std::function<void(const ClassSamples& block, std::size_t first)>& use,
                                         std::size_t most_values) const
{
    const std::size_t d = static_cast<std::size_t>(n_features);
    return in_blocks(inputs.size() / d, rows_at_once(most_values), stop, [&](std::size_t first, std::size_t size) {
        const auto samples = sample_classes(inputs.subspan(first * d, size * d), static_cast<int>(size), stop);
        if (!stop.stop_requested())
            use(samples, first);
        return !stop.stop_requested();
    });
}

std::size_t PosteriorPredictive::rows_at_once(std::size_t most_values) const
{
    const auto values_of_row = static_cast<std::size_t>(n_samples_) * static_cast<std::size_t>(n_outputs());
    return std::clamp<std::size_t>(most_values / values_of_row, 1, 4096);
}

/// Each row separately, samples in order. @param classes  otherwise the outputs are (f, s) of each
/// target, and only the means of f are computed
static PredictiveSummary summary_of(const OutputSamples& samples, bool classes)
{
    if (samples.n_samples == 0)
        return {};
    const auto n = static_cast<std::size_t>(samples.n_inputs);
    const auto k = static_cast<std::size_t>(classes ? samples.n_outputs : samples.n_outputs / 2);
    PredictiveSummary summary{samples.n_inputs, static_cast<int>(k), std::vector<double>(n * k),
                              std::vector<double>(classes ? n : 0)};
    for (std::size_t i = 0; i < n; ++i) {
        for (int s = 0; s < samples.n_samples; ++s)
            for (std::size_t c = 0; c < k; ++c) {
                const double p = samples.at(s, static_cast<int>(i), static_cast<int>(classes ? c : 2 * c));
                summary.mean[i * k + c] += p / samples.n_samples;
                if (classes && p > 0)
                    summary.expected_entropy[i] -= p * std::log(p) / samples.n_samples;
            }
    }
    return summary;
}

PredictiveSummary PosteriorPredictive::summarise(std::span<const float> inputs, int n, std::stop_token stop) const
{
    if (outputs_of(*posterior_))
        return summary_of(sample_outputs(inputs, n, stop), true);
    const bool classes = model_.likelihood->has_labels();
    const int k        = outputs_read(model_);
    if (outputs_ && n == 1)
        return summary_of(sample_outputs(inputs, n, stop), classes);
    const auto recalibration = recalibration_from(recalibration_, stop);
    if (!recalibration)
        return {};
    const int kept = classes ? k : k / 2;   // regression: the mean of f only
    const int held = std::min(n, rows_at_most);
    std::vector<float> outputs(static_cast<std::size_t>(std::min(draws_at_once, n_samples_)) * held * k);
    std::vector<float> entropy(static_cast<std::size_t>(std::min(draws_at_once, n_samples_)) * held);
    PredictiveSummary summary{n, kept, std::vector<double>(static_cast<std::size_t>(n) * kept),
                              std::vector<double>(classes ? n : 0)};
    const bool whole = for_each_draw(
        model_, *posterior_, seed_, n_samples_, inputs, n, stop,
        [&](int draw, int row, std::span<const float> raw) {
        const std::size_t place = static_cast<std::size_t>(draw % draws_at_once) * held + row % rows_at_most;
        read_outputs(model_, *recalibration, raw, outputs.data() + place * k, entropy.data() + place);
        },
        [&](int, int group, int first_row, int rows) {
        parallel_chunks(rows, 512, [&](std::size_t begin, std::size_t end) {   // each row by one task, samples in order
            for (int draw = 0; draw < group; ++draw) {
                const std::size_t place = static_cast<std::size_t>(draw) * held;
                const float* values     = outputs.data() + place * k;
                double* mean            = summary.mean.data() + static_cast<std::size_t>(first_row) * kept;
                if (classes) {
                    const float* h   = entropy.data() + place;
                    double* expected = summary.expected_entropy.data() + first_row;
                    for (std::size_t i = begin * k; i < end * k; ++i)
                        mean[i] += values[i];
                    for (std::size_t i = begin; i < end; ++i)
                        expected[i] += h[i];
                } else {
                    for (std::size_t i = begin * kept; i < end * kept; ++i)   // (f, s) of each target
                        mean[i] += values[2 * i];
                }
            }
        });
    });
    if (!whole)
        return {};
    for (double& value : summary.mean)
        value /= n_samples_;
    for (double& value : summary.expected_entropy)
        value /= n_samples_;
    return summary;
}

template <class T>
void SampleView<T>::check() const
{
    const auto expected = static_cast<std::size_t>(n_samples) * static_cast<std::size_t>(n_inputs)
                          * static_cast<std::size_t>(n_outputs);
    if (n_samples < 1 || n_inputs < 0 || n_outputs < 1 || values.size() != expected)
        throw Error("Sampled outputs: " + std::to_string(values.size()) + " values do not fit "
                    + std::to_string(n_samples) + " samples × " + std::to_string(n_inputs) + " inputs × "
                    + std::to_string(n_outputs) + " outputs.");
}

template struct SampleView<float>;
template struct SampleView<double>;

namespace {

/// @param bad  index of the value
template <class T>
[[noreturn]] void refuse(const SampleView<T>& samples, std::size_t bad, std::size_t first_input)
{
    const auto K = static_cast<std::size_t>(samples.n_outputs), N = static_cast<std::size_t>(samples.n_inputs);
    throw Error("Predictions: sample " + std::to_string(bad / K / N) + " gives "
                + shortest_text(static_cast<double>(samples.values[bad])) + " for output " + std::to_string(bad % K)
                + " of input " + std::to_string(first_input + bad / K % N) + ", expected finite numbers.");
}

}   // namespace

template <class T>
void require_finite(const SampleView<T>& samples, std::size_t first_input)
{
    if (all_finite(samples.values))
        return;
    const auto bad = std::find_if(samples.values.begin(), samples.values.end(),
                                  [](T value) { return !std::isfinite(value); });
    refuse(samples, static_cast<std::size_t>(bad - samples.values.begin()), first_input);
}

void require_probabilities(const ClassSamples& samples, std::size_t first_input)
{
    const SampleView<double> view{samples.values, samples.n_samples, samples.n_inputs, samples.n_classes};
    view.check();
    const auto bad = std::find_if(samples.values.begin(), samples.values.end(), [&](double value) {
        return samples.logarithms ? std::isnan(value) : !std::isfinite(value);
    });
    if (bad != samples.values.end())
        refuse(view, static_cast<std::size_t>(bad - samples.values.begin()), first_input);
}

template void require_finite(const SampleView<float>&, std::size_t);
template void require_finite(const SampleView<double>&, std::size_t);

SampleView<float> view_of(const OutputSamples& samples)
{
    return {samples.values, samples.n_samples, samples.n_inputs, samples.n_outputs, samples.levels};
}

}   // namespace credence
