// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/recalibration.h"

#include "foundation/error.h"
#include "foundation/number_text.h"
#include "foundation/parallel.h"
#include "foundation/softmax.h"
#include "prediction/class_predictions.h"
#include "prediction/recalibrated_noise.h"

#include <boost/math/tools/minima.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>

namespace credence {

namespace {

constexpr std::size_t recalibration_chunk = 64;

/// ln p_s of one row and one sample, from the class samples; 0 becomes −inf.
void recalibration_logs(const ClassSamples& samples, int s, std::size_t row, std::span<double> to)
{
    const auto K     = to.size();
    const auto first = (static_cast<std::size_t>(s) * static_cast<std::size_t>(samples.n_inputs) + row) * K;
    for (std::size_t k = 0; k < K; ++k)
        to[k] = samples.logarithms ? samples.values[first + k] : std::log(samples.values[first + k]);
}

/// z ← a ∘ z + b, where −inf stays −inf.
void scale_logs(const Recalibration& how, std::span<double> z)
{
    if (how.kind == RecalibrationKind::temperature) {
        for (double& one : z)
            one /= how.temperature;
        return;
    }
    for (std::size_t k = 0; k < z.size(); ++k)
        z[k] = how.scale[k] * z[k] + how.bias[k];
}

void require_recalibration_classes(const Recalibration& how, int n_classes)
{
    if (how.kind == RecalibrationKind::vector
        && (how.scale.size() != static_cast<std::size_t>(n_classes) || how.bias.size() != how.scale.size()))
        throw Error("prediction.recalibration", "The recalibration has " + std::to_string(how.scale.size())
                                                    + " classes, but the network has " + std::to_string(n_classes)
                                                    + ".");
}

template <class Value>
void require_recalibration_rows(int n_inputs, std::span<const Value> truth)
{
    if (n_inputs < 1 || truth.size() != static_cast<std::size_t>(n_inputs))
        throw Error("Recalibration: " + std::to_string(truth.size()) + " true values for " + std::to_string(n_inputs)
                    + " predictions, expected at least one of each.");
}

struct ScaleMinimum {
    double at, value;
};

/// The minimum of a function of a positive number: a coarse grid in its logarithm, which includes
/// 1, then Brent's method between the neighbours of the best point.
template <class Function>
ScaleMinimum minimum_over_scale(const Function& f)
{
    constexpr int half = 16;   // number of points on either side of 1
    const double step  = std::log(largest_recalibration) / half;
    ScaleMinimum best{1, f(1.0)};
    int place = 0;
    for (int i = -half; i <= half; ++i) {
        if (i == 0)
            continue;
        const double at = std::exp(i * step), value = f(at);
        if (value < best.value) {
            best  = {at, value};
            place = i;
        }
    }
    const double low = std::max(-half, place - 1) * step, high = std::min(half, place + 1) * step;
    constexpr int digits       = 26;   // half the bits of a double, the attainable precision of a minimum
    const auto [log_at, value] = boost::math::tools::brent_find_minima(
        [&](double log_scale) { return f(std::exp(log_scale)); }, low, high, digits);
    return value < best.value ? ScaleMinimum{std::exp(log_at), value} : best;
}

/// −ln (1/S) Σ_s softmax(z_s)_y of one row. @param z  scratch [K]; @param logs  scratch [S]
double recalibrated_nll_of_row(const Recalibration& how, const ClassSamples& samples, std::size_t row, int label,
                               std::span<double> z, std::span<double> logs)
{
    for (int s = 0; s < samples.n_samples; ++s) {
        recalibration_logs(samples, s, row, z);
        if (how.of_classes()) {
            scale_logs(how, z);
            to_log_softmax(z);
        }
        logs[static_cast<std::size_t>(s)] = z[static_cast<std::size_t>(label)];
    }
    return std::log(samples.n_samples) - log_sum_exp(logs);
}

/// The mean NLL of vector scaling and its gradient with respect to ln a and b [2K].
struct VectorObjective {
    const ClassSamples& samples;
    std::span<const int> labels;

    /// @param x  ln a, then b
    double operator()(std::span<const double> x, std::vector<double>& gradient) const
    {
        const auto K = static_cast<std::size_t>(samples.n_classes), N = static_cast<std::size_t>(samples.n_inputs);
        const std::size_t chunks = (N + recalibration_chunk - 1) / recalibration_chunk;
        std::vector<std::vector<double>> parts(chunks);   // of the gradient; added in the order of the rows
        const Recalibration how = at(x);
        const double sum        = parallel_sum(N, recalibration_chunk, [&](std::size_t begin, std::size_t end) {
            auto& part = parts[begin / recalibration_chunk];
            part.assign(2 * K, 0);
            double nll = 0;
            for (std::size_t i = begin; i < end; ++i)
                nll += add_row(how, i, part);
            return nll;
        });
        gradient.assign(2 * K, 0);
        for (const auto& part : parts)
            for (std::size_t j = 0; j < 2 * K; ++j)
                gradient[j] += part[j] / static_cast<double>(N);
        return sum / static_cast<double>(N);
    }

    Recalibration at(std::span<const double> x) const
    {
        const auto K = static_cast<std::size_t>(samples.n_classes);
        Recalibration how{.kind = RecalibrationKind::vector, .scale = std::vector<double>(K), .bias = {}};
        std::transform(x.begin(), x.begin() + samples.n_classes, how.scale.begin(),
                       [](double log_a) { return std::exp(log_a); });
        how.bias.assign(x.begin() + samples.n_classes, x.end());
        return how;
    }

private:
    /// With r_s the share of sample s in p̄_y:
    ///     d nll/d b_k = Σ_s r_s (p_sk − [k = y]),  d nll/d ln a_k = Σ_s r_s (p_sk − [k = y]) a_k ln p_sk
    /// where the last factor is the log probability before scaling.
    double add_row(const Recalibration& how, std::size_t row, std::vector<double>& gradient) const
    {
        const auto K = static_cast<std::size_t>(samples.n_classes), S = static_cast<std::size_t>(samples.n_samples);
        const auto y = static_cast<std::size_t>(labels[row]);
        std::vector<double> before(S * K), after, logs(S);
        for (std::size_t s = 0; s < S; ++s)
            recalibration_logs(samples, static_cast<int>(s), row, std::span(before).subspan(s * K, K));
        after = before;
        for (std::size_t s = 0; s < S; ++s) {
            const auto z = std::span(after).subspan(s * K, K);
            scale_logs(how, z);
            to_log_softmax(z);
            logs[s] = z[y];
        }
        const double total = log_sum_exp(logs);
        for (std::size_t s = 0; s < S; ++s) {
            const double share = std::exp(logs[s] - total);
            for (std::size_t k = 0; k < K; ++k) {
                const double slope = share * (std::exp(after[s * K + k]) - (k == y ? 1 : 0));
                if (slope == 0)   // the logarithm can be −inf
                    continue;
                gradient[k] += slope * how.scale[k] * before[s * K + k];
                gradient[K + k] += slope;
            }
        }
        return std::log(static_cast<double>(S)) - total;
    }
};

double recalibration_dot(std::span<const double> a, std::span<const double> b)
{
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// The last steps of L-BFGS with the changes of the gradient, as an approximation of the inverse
/// Hessian.
class LbfgsPairs {
public:
    bool empty() const { return pairs_.empty(); }
    void clear() { pairs_.clear(); }
    void add(std::vector<double> step, std::vector<double> change)
    {
        constexpr std::size_t kept = 10;
        const double product       = recalibration_dot(step, change);
        if (!(product > 1e-14 * recalibration_dot(change, change)))
            return;
        if (pairs_.size() == kept)
            pairs_.erase(pairs_.begin());
        pairs_.push_back({std::move(step), std::move(change), product});
    }
    /// The approximation times a vector. @param first  the factor while there are no pairs
    std::vector<double> times(std::vector<double> direction, double first) const
    {
        std::vector<double> alpha(pairs_.size());
        for (std::size_t j = pairs_.size(); j-- > 0;) {
            alpha[j] = recalibration_dot(pairs_[j].step, direction) / pairs_[j].product;
            add_multiple(-alpha[j], pairs_[j].change, direction);
        }
        if (!empty())
            first = pairs_.back().product / recalibration_dot(pairs_.back().change, pairs_.back().change);
        for (double& one : direction)
            one *= first;
        for (std::size_t j = 0; j < pairs_.size(); ++j) {
            const double beta = recalibration_dot(pairs_[j].change, direction) / pairs_[j].product;
            add_multiple(alpha[j] - beta, pairs_[j].step, direction);
        }
        return direction;
    }

private:
    struct Pair {
        std::vector<double> step, change;
        double product;
    };
    static void add_multiple(double factor, const std::vector<double>& of, std::vector<double>& to)
    {
        for (std::size_t i = 0; i < to.size(); ++i)
            to[i] += factor * of[i];
    }

    std::vector<Pair> pairs_;
};

/// A point of the minimisation.
struct LbfgsPoint {
    std::vector<double> x, gradient;
    double value = 0;
};

/// Halves the step until it decreases the objective enough (Armijo). Empty: none does.
std::optional<LbfgsPoint> lbfgs_line_search(const VectorObjective& objective, const LbfgsPoint& from,
                                            const std::vector<double>& direction)
{
    const std::size_t n = from.x.size(), K = n / 2;
    const double bound = std::log(largest_recalibration);
    LbfgsPoint next{.x = std::vector<double>(n), .gradient = {}};
    for (double length = 1; length > 1e-10; length /= 2) {
        double expected = 0;
        for (std::size_t i = 0; i < n; ++i) {
            next.x[i] = from.x[i] - length * direction[i];
            if (i < K)   // ln a within the range of temperatures
                next.x[i] = std::clamp(next.x[i], -bound, bound);
            expected += from.gradient[i] * (next.x[i] - from.x[i]);
        }
        next.value = objective(next.x, next.gradient);
        if (expected < 0 && next.value <= from.value + 1e-4 * expected)
            return next;
    }
    return {};
}

std::vector<double> differences(const std::vector<double>& a, const std::vector<double>& b)
{
    std::vector<double> out(a.size());
    std::ranges::transform(a, b, out.begin(), std::minus{});
    return out;
}

/// L-BFGS with a line search: the objective never increases.
std::vector<double> minimise_by_lbfgs(const VectorObjective& objective, std::vector<double> x)
{
    constexpr int most_steps = 200;
    LbfgsPairs pairs;
    LbfgsPoint at{.x = std::move(x), .gradient = {}};
    at.value = objective(at.x, at.gradient);
    for (int step = 0; step < most_steps; ++step) {
        const double largest = std::fabs(
            *std::ranges::max_element(at.gradient, {}, [](double one) { return std::fabs(one); }));
        if (!(largest > 1e-7))
            break;
        const auto direction = pairs.times(at.gradient, 1 / std::max(1.0, largest));
        auto next            = lbfgs_line_search(objective, at, direction);
        if (!next) {
            if (pairs.empty())
                break;
            pairs.clear();   // restarts along the gradient
            continue;
        }
        pairs.add(differences(next->x, at.x), differences(next->gradient, at.gradient));
        const double decrease = at.value - next->value;
        at                    = std::move(*next);
        if (decrease < 1e-12 * std::max(1.0, std::fabs(at.value)))
            break;
    }
    return at.x;
}

/// Σ of(i, f, s, scratch) over the rows, with the samples of row i scaled by c about their mean.
/// @param scratch  [S], of this call
template <class OfRow>
double sum_over_scaled_rows(double c, const RegressionSamples& samples, const OfRow& of)
{
    const auto N = static_cast<std::size_t>(samples.n_inputs), S = static_cast<std::size_t>(samples.n_samples);
    return parallel_sum(N, recalibration_chunk, [&](std::size_t begin, std::size_t end) {
        std::vector<double> f(S), s(S), scratch(S);
        double sum = 0;
        for (std::size_t i = begin; i < end; ++i) {
            double mean = 0;
            for (std::size_t j = 0; j < S; ++j)
                mean += samples.f[j * N + i] / static_cast<double>(S);
            for (std::size_t j = 0; j < S; ++j) {
                f[j] = mean + c * (samples.f[j * N + i] - mean);
                s[j] = c * samples.s[j * N + i];
            }
            sum += of(i, f, s, scratch);
        }
        return sum;
    });
}

void state_fit(Recalibration& fitted, long n_rows, double before, double after)
{
    fitted.n_rows     = n_rows;
    fitted.nll_before = before;
    fitted.nll_after  = after;
}

}   // namespace

const char* name_of(RecalibrationKind kind)
{
    switch (kind) {
    case RecalibrationKind::none: break;
    case RecalibrationKind::temperature: return "temperature";
    case RecalibrationKind::vector: return "vector";
    case RecalibrationKind::sigma: return "sigma";
    case RecalibrationKind::cdf: return "cdf";
    }
    return "none";
}

void recalibrate_logits(const Recalibration& how, std::span<float> logits, int n_classes)
{
    if (!how.of_classes())
        return;
    require_recalibration_classes(how, n_classes);
    if (how.kind == RecalibrationKind::temperature) {
        for (float& z : logits)
            z = static_cast<float>(static_cast<double>(z) / how.temperature);
        return;
    }
    const auto K = static_cast<std::size_t>(n_classes);
    std::vector<double> z(K);
    for (std::size_t first = 0; first < logits.size(); first += K) {
        std::copy_n(logits.begin() + static_cast<std::ptrdiff_t>(first), K, z.begin());
        to_log_softmax(z);
        scale_logs(how, z);
        std::transform(z.begin(), z.end(), logits.begin() + static_cast<std::ptrdiff_t>(first),
                       [](double one) { return static_cast<float>(one); });
    }
}

void recalibrate(const Recalibration& how, ClassSamples& samples)
{
    if (!how.of_classes())
        return;
    require_recalibration_classes(how, samples.n_classes);
    const auto K    = static_cast<std::size_t>(samples.n_classes);
    const auto rows = samples.values.size() / K;
    parallel_chunks(rows, 4096, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const auto z = std::span(samples.values).subspan(i * K, K);
            if (!samples.logarithms)
                for (double& p : z)
                    p = std::log(p);
            scale_logs(how, z);
            to_log_softmax(z);
        }
    });
    samples.logarithms = true;
}

void recalibrate_numbers(const Recalibration& how, OutputSamples& samples)
{
    if (!how.of_numbers() || samples.n_outputs != 2 || samples.n_samples == 0)
        return;
    if (!how.levels.is_identity())
        samples.levels = std::make_shared<const LevelMap>(how.levels);
    const auto N = static_cast<std::size_t>(samples.n_inputs), S = static_cast<std::size_t>(samples.n_samples);
    parallel_chunks(N, 256, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            double mean = 0;
            for (std::size_t s = 0; s < S; ++s)
                mean += static_cast<double>(samples.values[2 * (s * N + i)]);
            mean /= static_cast<double>(S);
            for (std::size_t s = 0; s < S; ++s) {
                float* const at = samples.values.data() + 2 * (s * N + i);
                at[0]           = static_cast<float>(mean + how.factor * (static_cast<double>(at[0]) - mean));
                at[1]           = static_cast<float>(how.factor * static_cast<double>(at[1]));
            }
        }
    });
}

void recalibrate(const Recalibration& how, RegressionSamples& samples)
{
    if (!how.of_numbers() || samples.n_samples == 0)
        return;
    const auto N    = static_cast<std::size_t>(samples.n_inputs);
    const auto mean = mean_function(samples);
    for (std::size_t j = 0; j < samples.f.size(); ++j) {
        samples.f[j] = mean[j % N] + how.factor * (samples.f[j] - mean[j % N]);
        samples.s[j] *= how.factor;
    }
    if (!how.levels.is_identity())
        set_noise(samples, std::make_shared<const RecalibratedNoise>(samples.noise,
                                                                     std::make_shared<const LevelMap>(how.levels)));
}

double recalibrated_nll(const Recalibration& how, const ClassSamples& samples, std::span<const int> labels)
{
    require_recalibration_rows(samples.n_inputs, labels);
    require_recalibration_classes(how, samples.n_classes);
    const auto N = static_cast<std::size_t>(samples.n_inputs);
    return parallel_sum(
               N, recalibration_chunk,
               [&](std::size_t begin, std::size_t end) {
        std::vector<double> z(static_cast<std::size_t>(samples.n_classes)),
            logs(static_cast<std::size_t>(samples.n_samples));
        double sum = 0;
        for (std::size_t i = begin; i < end; ++i)
            sum += recalibrated_nll_of_row(how, samples, i, labels[i], z, logs);
        return sum;
               })
        / static_cast<double>(N);
}

double recalibrated_nll(const Recalibration& how, const RegressionSamples& samples, std::span<const double> targets)
{
    require_recalibration_rows(samples.n_inputs, targets);
    const double c = how.of_numbers() ? how.factor : 1;
    const auto sum = sum_over_scaled_rows(
        c, samples, [&](std::size_t i, std::span<const double> f, std::span<const double> s, std::span<double> logs) {
            samples.noise->log_densities(f, s, targets[i], logs);
            const double nll = std::log(static_cast<double>(logs.size())) - log_sum_exp(logs);
            return how.levels.is_identity()
                       ? nll
                       : nll - std::log(how.levels.slope(samples.noise->mixture_cdf(f, s, targets[i])));
        });
    return sum / samples.n_inputs;
}

Recalibration fit_temperature(const ClassSamples& samples, std::span<const int> labels)
{
    require_recalibration_rows(samples.n_inputs, labels);
    require_probabilities(samples);
    Recalibration fitted{.kind = RecalibrationKind::temperature};
    const auto nll = [&](double temperature) {
        return recalibrated_nll({.kind = RecalibrationKind::temperature, .temperature = temperature}, samples, labels);
    };
    const auto best    = minimum_over_scale(nll);
    fitted.temperature = best.at;
    state_fit(fitted, samples.n_inputs, nll(1), best.value);
    return fitted;
}

Recalibration fit_vector_scaling(const ClassSamples& samples, std::span<const int> labels)
{
    const Recalibration start = fit_temperature(samples, labels);
    if (!std::isfinite(start.nll_after))
        throw Error("prediction.recalibration",
                    "Vector scaling needs positive probabilities of the true classes, but a calibration row has "
                    "probability 0.");
    const auto K = static_cast<std::size_t>(samples.n_classes);
    const VectorObjective objective{samples, labels};
    std::vector<double> x(2 * K, 0);
    std::fill_n(x.begin(), K, -std::log(start.temperature));
    x                 = minimise_by_lbfgs(objective, std::move(x));
    const double mean = std::accumulate(x.begin() + samples.n_classes, x.end(), 0.0) / static_cast<double>(K);
    for (std::size_t k = K; k < 2 * K; ++k)   // a softmax ignores a shared bias
        x[k] -= mean;
    Recalibration fitted = objective.at(x);
    state_fit(fitted, start.n_rows, start.nll_before, recalibrated_nll(fitted, samples, labels));
    return fitted;
}

Recalibration fit_sigma_scaling(const RegressionSamples& samples, std::span<const double> targets)
{
    require_recalibration_rows(samples.n_inputs, targets);
    Recalibration fitted{.kind = RecalibrationKind::sigma};
    const auto nll = [&](double factor) {
        return recalibrated_nll({.kind = RecalibrationKind::sigma, .factor = factor}, samples, targets);
    };
    const auto best = minimum_over_scale(nll);
    fitted.factor   = best.at;
    state_fit(fitted, samples.n_inputs, nll(1), best.value);
    return fitted;
}

Recalibration fit_cdf(const RegressionSamples& samples, std::span<const double> targets)
{
    Recalibration fitted  = fit_sigma_scaling(samples, targets);
    const double by_scale = fitted.nll_after;
    fitted.kind           = RecalibrationKind::cdf;
    std::vector<double> pit(targets.size());
    sum_over_scaled_rows(
        fitted.factor, samples,
        [&](std::size_t i, std::span<const double> f, std::span<const double> s, std::span<double> /*scratch*/) {
        return pit[i] = std::clamp(samples.noise->mixture_cdf(f, s, targets[i]), 0.0, 1.0);
        });
    fitted.levels    = fit_level_map(pit);
    fitted.nll_after = recalibrated_nll(fitted, samples, targets);
    if (!(fitted.nll_after <= by_scale)) {   // rounding
        fitted.levels    = {};
        fitted.nll_after = by_scale;
    }
    return fitted;
}

std::optional<double> calibrated_log_likelihood(const ClassPredictions& predictions, std::span<const int> labels)
{
    require_recalibration_rows(predictions.n_inputs, labels);
    if (predictions.n_inputs < 4)
        return {};
    const auto K = static_cast<std::size_t>(predictions.n_classes);
    ClassSamples halves[2];
    std::vector<int> labels_of[2];
    for (auto& half : halves)
        half = {1, 0, predictions.n_classes, {}};
    for (int i = 0; i < predictions.n_inputs; ++i) {
        auto& half      = halves[i % 2];
        const auto mean = predictions.mean_of(i);
        for (std::size_t k = 0; k < K; ++k)
            half.values.push_back(mean[k] < smallest_exact_mean ? predictions.log_mean_of(i, static_cast<int>(k))
                                                                : std::log(mean[k]));
        ++half.n_inputs;
        labels_of[i % 2].push_back(labels[static_cast<std::size_t>(i)]);
    }
    double sum = 0;
    for (int half = 0; half < 2; ++half) {
        const int other  = 1 - half;
        const double nll = recalibrated_nll(fit_temperature(halves[other], labels_of[other]), halves[half],
                                            labels_of[half]);
        sum -= nll * halves[half].n_inputs;
    }
    if (!std::isfinite(sum))
        return {};
    return sum / predictions.n_inputs;
}

}   // namespace credence
