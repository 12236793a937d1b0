// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/bridge_sets.h"
#include "views/chosen_logits.h"
#include "views/reasons.h"
#include "views/view_support.h"

#include "foundation/error.h"
#include "outputs/bridge_scores.h"
#include "runs/kept_results.h"

namespace credence {

using namespace view_support;

namespace {

struct ScoresKey {
    WeakMoment moment;
    int samples = 0, rows = 0;

    bool gone() const { return moment.gone(); }
    bool operator==(const ScoresKey&) const = default;
};

std::optional<Chart> make_bridge_scores(const RunSnapshot& moment, const ViewOptions& options,
                                        const std::stop_token& stop)
{
    if (!gives_logits(moment))
        throw Error(why_no_logits(moment));
    static KeptResults<ScoresKey, BridgeScores> kept(3);
    const int samples = predictive_of(moment, options).n_samples();
    const auto scores = kept.find_or_make({moment, samples, options.rows}, stop,
                                          [&] { return bridge_scores_of(moment, options, stop); });
    if (!scores)
        return {};
    return with_setting(to_chart(*scores), moment, samples);
}

}   // namespace

View bridge_scores_view()
{
    return {
        .id    = "bridge_scores",
        .title = "Sampling and bridge",
        .help =
            "Class probabilities for the test set and for out-of-distribution (OOD) inputs, computed in several "
            "ways. From the Gaussian over the logits N(f(x), JΣJᵀ): by sampling, and by each variant of the Laplace "
            "Bridge α_k = (1/Σ_kk)(1 − 2/K + (e^μ_k/K²) Σ e^−μ_l), which needs no samples. For comparison: by weight "
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
