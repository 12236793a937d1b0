// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/chosen_logits.h"

#include "foundation/error.h"
#include "foundation/progress.h"
#include "foundation/statistics.h"
#include "outputs/bridge_scores.h"
#include "posterior/outputs_posterior.h"
#include "prediction/linearised_logits.h"
#include "prediction/logit_samples.h"
#include "prediction/recalibration.h"
#include "runs/other_data.h"
#include "runs/result_cache.h"
#include "views/scored_predictions.h"
#include "views/view_support.h"

#include <algorithm>
#include <functional>

namespace credence {

using namespace view_support;

namespace {

using view_support::weight_draws_of;

constexpr std::size_t most_numbers = 20'000'000, most_rows = 10000;
constexpr std::size_t block = 250;   // rows between two checks of the stop token

/// Evenly spaced inputs of one set.
struct Inputs {
    std::string name;
    std::vector<float> values;   ///< standardised [n × d]
    std::size_t n = 0, d = 0;
    std::vector<int> labels;
    std::vector<std::string> classes;
};

Inputs chosen_from(std::string name, std::span<const float> all, std::size_t n_all, std::size_t d,
                   std::span<const int> labels, std::vector<std::string> classes, std::size_t most)
{
    Inputs out{.name    = std::move(name),
               .values  = {},
               .n       = std::min(n_all, most),
               .d       = d,
               .labels  = {},
               .classes = std::move(classes)};
    for (const std::size_t row : evenly_spaced(n_all, most)) {
        out.values.insert(out.values.end(), all.begin() + static_cast<std::ptrdiff_t>(row * d),
                          all.begin() + static_cast<std::ptrdiff_t>((row + 1) * d));
        if (!labels.empty())
            out.labels.push_back(labels[row]);
    }
    if (out.n < n_all)
        out.name += ", " + std::to_string(out.n) + " of " + std::to_string(n_all);
    return out;
}

/// Names what was sampled: imported predictions have no weights.
const char* drawn_from(const Experiment& experiment)
{
    return experiment.outputs ? " samples of the outputs" : " samples of the weights";
}

using CachedPredictions = std::function<std::shared_ptr<const ScoredPredictions>()>;

class SetMaker {
public:
    SetMaker(const RunSnapshot& run, const ViewOptions& options, std::stop_token stop)
        : snapshot_(run), predictive_(weight_draws_of(run, options)), linearised_(gives_linearised_logits(run)),
          stop_(std::move(stop))
    {}

    bool linearised() const { return linearised_; }
    double gaussian_seconds() const { return total_ > 0 ? gaussian_seconds_ * 1e4 / static_cast<double>(total_) : 0; }

    /// @param cached  predictions of these inputs by weight samples, if another view has already
    /// requested them; empty: they are computed here
    /// @return  empty: stopped
    std::optional<SetByMethods> operator()(const Inputs& inputs, const BridgeScoresOptions& options,
                                           const CachedPredictions& cached = {})
    {
        const Stopwatch watch;
        auto logits = gaussians(inputs);
        if (!logits)
            return {};
        gaussian_seconds_ += watch.seconds();
        total_ += inputs.n;
        auto methods = by_methods(*logits, options, stop_);
        if (!methods)
            return {};
        auto drawn = cached ? from_cache(cached()) : by_weights(inputs);
        if (!drawn)
            return {};
        methods->methods.insert(methods->methods.begin() + 2, std::move(*drawn));
        return methods;
    }

private:
    std::optional<LogitSet> gaussians(const Inputs& inputs)
    {
        const auto& model     = snapshot_.experiment->model;
        const auto& posterior = *snapshot_.snapshot->posterior;
        const int K           = model.architecture.outputs();
        LogitSet set{.name       = inputs.name,
                     .n          = static_cast<int>(inputs.n),
                     .K          = K,
                     .mu         = {},
                     .covariance = {},
                     .labels     = inputs.labels,
                     .classes    = inputs.classes};
        for (std::size_t first = 0; first < inputs.n; first += block) {
            const std::size_t n = std::min(block, inputs.n - first);
            const ProgressScope of_block(static_cast<double>(first) / static_cast<double>(inputs.n),
                                         static_cast<double>(first + n) / static_cast<double>(inputs.n));
            const auto part = std::span<const float>(inputs.values).subspan(first * inputs.d, n * inputs.d);
            if (linearised_) {
                const auto outputs = linearised_outputs<float>(model, posterior, part, static_cast<int>(n), stop_);
                set.mu.insert(set.mu.end(), outputs.mu.begin(), outputs.mu.end());
                set.covariance.insert(set.covariance.end(), outputs.covariance.begin(), outputs.covariance.end());
            } else if (const auto* known = known_gaussians(snapshot_)) {
                for (const auto row : rows_named(part, *known)) {
                    const auto z = known->gaussian(row).value();
                    set.mu.insert(set.mu.end(), z.mu().begin(), z.mu().end());
                    const auto sigma = z.covariance();
                    set.covariance.insert(set.covariance.end(), sigma.begin(), sigma.end());
                }
            } else {
                const auto draws = sample_logits(model, posterior, part, static_cast<int>(n),
                                                 std::max(2, predictive_.n_samples()), snapshot_.experiment->study.seed,
                                                 stop_);
                if (draws.n_samples == 0)
                    return {};
                for (const auto& z : logits_by_moments(draws, view_support::added_variance(*snapshot_.experiment))) {
                    set.mu.insert(set.mu.end(), z.mu().begin(), z.mu().end());
                    const auto sigma = z.covariance();
                    set.covariance.insert(set.covariance.end(), sigma.begin(), sigma.end());
                }
            }
            if (stop_.stop_requested())
                return {};
        }
        return set;
    }

    std::optional<MethodOnSet> from_cache(const std::shared_ptr<const ScoredPredictions>& scored) const
    {
        if (!scored)
            return {};
        const auto& classes = scored->set.classes;
        return MethodOnSet{.name       = weights_name(),
                           .confidence = {classes.confidence.begin(), classes.confidence.end()},
                           .score      = confidence_scores(classes),
                           .predicted  = classes.predicted,
                           .seconds    = scored->seconds};
    }

    std::string weights_name() const
    {
        return std::to_string(predictive_.n_samples()) + drawn_from(*snapshot_.experiment);
    }

    /// Samples the weights themselves, without linearisation.
    std::optional<MethodOnSet> by_weights(const Inputs& inputs) const
    {
        const Stopwatch watch;
        const auto set = set_predictions(predictive_, inputs.values, static_cast<int>(inputs.d), {}, stop_);
        if (!set)
            return {};
        const auto& classes = set->classes;
        return MethodOnSet{.name       = weights_name(),
                           .confidence = {classes.confidence.begin(), classes.confidence.end()},
                           .score      = confidence_scores(classes),
                           .predicted  = classes.predicted,
                           .seconds    = watch.seconds()};
    }

    const RunSnapshot& snapshot_;
    PosteriorPredictive predictive_;
    bool linearised_;
    std::stop_token stop_;
    double gaussian_seconds_ = 0;
    std::size_t total_       = 0;
};

std::optional<Chart> make_bridge_scores(const RunSnapshot& run, const ViewOptions& options, const std::stop_token& stop)
{
    if (!gives_logits(run))
        throw Error(why_no_logits(run));
    static ResultCache<SnapshotKey<int, int>, BridgeScores> kept(3);   // by samples and rows
    const int samples = predictive_of(run, options).n_samples();
    const auto scores = kept.find_or_make({run, samples, options.rows}, stop,
                                          [&] { return bridge_scores_of(run, options, stop); });
    if (!scores)
        return {};
    return with_setting(to_chart(*scores), run, samples);
}

}   // namespace

std::shared_ptr<const BridgeScores> bridge_scores_of(const RunSnapshot& run, const ViewOptions& options,
                                                     std::stop_token stop)
{
    const auto& experiment = *run.experiment;
    const auto& names      = experiment.data->training.class_names;
    const std::size_t d    = experiment.data->training.n_features;
    const auto K           = static_cast<std::size_t>(experiment.model.architecture.outputs());
    require_classes_of_a_covariance(static_cast<int>(K));
    const std::size_t most = std::max<std::size_t>(
        1, std::min({options.rows > 0 ? static_cast<std::size_t>(options.rows) : most_rows, most_rows,
                     most_numbers / (K * K)}));
    const BridgeScoresOptions methods{.n_draws = 1000,
                                      .seed    = experiment.study.seed,
                                      .mean_of = experiment.outputs ? "Mean logits alone"
                                                                    : BridgeScoresOptions().mean_of};

    SetMaker make(run, options, stop);
    std::vector<SetByMethods> sets;
    const auto add = [&](const Inputs& inputs, const CachedPredictions& cached = {}) {
        auto set = inputs.n > 0 ? make(inputs, methods, cached) : std::nullopt;
        if (set)
            sets.push_back(std::move(*set));
        return !stop.stop_requested();
    };
    // Whole-set predictions are shared with other views, except those of the linearised network and
    // recalibrated ones, whose samples differ.
    const auto shared = [&](std::size_t n, auto predictions) {
        const bool same = n <= most && !experiment.model.linearised_at_prediction
                          && experiment.study.prediction.recalibration == RecalibrationKind::none;
        return same ? CachedPredictions([&run, &options, stop, predictions] { return predictions(run, options, stop); })
                    : CachedPredictions();
    };
    const auto own = view_support::scored_set(experiment);
    if (!add(chosen_from(experiment.data->training.name + ", " + own.name, own.inputs, own.data->n_rows, d,
                         own.data->labels, names, most),
             shared(own.data->n_rows, scored_predictions)))
        return nullptr;
    const auto add_other = [&](const OtherData& other, const CachedPredictions& cached = {}) {
        return add(chosen_from(other.name, other.inputs, other.n, d, other.labels, other.class_names, most), cached);
    };
    const bool alone = experiment.outputs
                       && experiment.outputs->other.n == 0;   // imported predictions without a second file
    if (!alone)
        if (const auto other = other_data(run.experiment); !add_other(*other, shared(other->n, ood_predictions)))
            return nullptr;
    for (const auto& set : further_data(experiment))
        if (!add_other(load_further_data(experiment, set)))
            return nullptr;
    auto scores             = bridge_scores(sets, names, methods);
    scores.gaussian         = make.linearised() ? "by linearisation"
                              : known_gaussians(run)
                                  ? "from the file"
                                  : "by moments of " + std::to_string(weight_draws_of(run, options).n_samples())
                                + drawn_from(experiment);
    scores.gaussian_seconds = make.gaussian_seconds();
    return std::make_shared<const BridgeScores>(std::move(scores));
}

View bridge_scores_view()
{
    return {
        .id    = "bridge_scores",
        .title = "Sampling and bridge",
        .group = ViewGroup::scores,
        .help =
            "Class probabilities for the test set and for out-of-distribution (OOD) inputs, computed in several ways. "
            "From the Gaussian over the logits N(f(x), JΣ_θJᵀ): by sampling, and by each variant of the Laplace Bridge "
            "α_k = (1/Σ_kk)(1 − 2/K + e^{μ_k}/K² Σ_l e^{−μ_l}), which needs no samples. For comparison: by weight "
            "samples, by the mean weights alone, and by the probit approximation. MMC: mean of max p̄. AUROC = P(an "
            "in-distribution input has higher confidence than an OOD input) + ½ P(equal). Times are measured on this "
            "machine, in milliseconds for 10,000 inputs, starting from given Gaussians. Bars: mean variance of the "
            "predicted class's probability under the Dirichlet, m(1 − m)/(α₀ + 1). It should be small for "
            "in-distribution inputs and larger for OOD inputs. Proposition 1: the share of inputs whose predicted "
            "class has α_k > ¼(√(9R² + 10R + 1) − R − 1), R = α₀ − α_k; only then does Var π_k grow with Var z_k. "
            "Source: Hobbhahn 2020, Tables 5.1 and 7.1, Fig. 5.1.",
        .asks             = Asks::outputs,
        .cost             = Cost::slow,
        .table_in_results = true,
        .why_not          = why_no_varying_classes,
        .make             = make_bridge_scores};
}

}   // namespace credence
