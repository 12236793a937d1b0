// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/views.h"

#include "figures/kernels.h"
#include "foundation/error.h"
#include "study/method.h"
#include "views/image_rows.h"
#include "views/view_makers.h"

#include <algorithm>

namespace credence {

namespace {

using namespace view_makers;

bool always(const Experiment&) { return true; }
bool has_classes(const Experiment& experiment) { return experiment.task() == Task::classification; }
/// Classes, and weights or masks that vary: there is a Gaussian over the logits.
bool varies(const Experiment& experiment)
{
    return has_classes(experiment) && method_of(experiment.study).noise != NoiseIn::nothing;
}
bool sees_images(const Experiment& experiment) { return has_kernels(experiment.model.architecture); }
bool learns_prior(const Experiment& experiment) { return method_of(experiment.study).has_kl; }
bool is_laplace(const Experiment& experiment) { return method_of(experiment.study).fits_curvature; }
bool has_spread(const Experiment& experiment) { return method_of(experiment.study).noise == NoiseIn::weights; }

std::vector<View> make_views()
{
    return {
        {.id    = "decision_map",
         .title = "Decision map",
         .help =
             "What the network says at every place of the plane. Many networks are drawn from the posterior, and their class probabilities p are averaged to p̄. "
             "Predictive entropy H(p̄) = −Σ p̄ ln p̄ is the whole doubt, in nats: 0 where all is clear, ln K where every class is equally likely. It has two parts: the "
             "aleatoric one, E H(p), is the doubt that each single network has (the classes overlap); the epistemic one, H(p̄) − E H(p), is how much the "
             "networks disagree (no data were seen there), and it should grow away from the points. The certainty regions show where the prediction is certain: "
             "(i) the credible interval of the predicted class meets no other one, (ii) its mean probability reaches the level α. Source: "
             "Posch and Pilz 2021, section IV-A, for the criteria. Click to choose an input.",
         .needs_input       = false,
         .coarse_while_live = true,
         .applies           = has_map,
         .make              = decision_map_view},
        {.id    = "regression_band",
         .title = "Regression band",
         .help =
             "Many functions drawn from the posterior, and what they say together: their median, the range of the middle half of them (dark band) and the credible interval "
             "(light band). Between and beyond the data the functions part, and the bands should widen. Dashed: the interval for a new observation, which "
             "contains the noise as well; quantiles of the mixture (1/S) Σ N(f_s(x), s_s(x)²). Source: Blundell et al. 2015, Fig. 5.",
         .needs_input       = false,
         .coarse_while_live = true,
         .applies           = has_band,
         .make              = regression_band_view},
        {.id    = "boxplots",
         .title = "Boxplots",
         .help =
             "The sampled outputs for the chosen input, one box per class: each drawn network gives one probability. The line is the median, the box holds the middle half, "
             "the whiskers reach to the farthest draws within 1.5 interquartile ranges, circles are outliers, the diamond is the mean. High and narrow: certain. "
             "Boxes that overlap: the networks do not agree. Quartiles of type 7. Source: Posch and Pilz 2021; Steinbrener et al. 2020.",
         .needs_input = true,
         .applies     = always,
         .make        = boxplots_view},
        {.id    = "intervals",
         .title = "Intervals",
         .help =
             "The credible interval of each class at level α for the chosen input: from the quantile (1 − α)/2 to (1 + α)/2 of the sampled probabilities. The verdict by two "
             "criteria: (i) certain if the interval of the predicted class meets no other class's interval; (ii) certain if its mean probability is at least α. "
             "With 200 draws and α = 99.999 % the interval is the whole range of the draws. Source: Posch and Pilz 2021, section IV-A.",
         .needs_input = true,
         .applies     = has_classes,
         .make        = intervals_view},
        {.id    = "simplex",
         .title = "Simplex",
         .help =
             "The law of the class probabilities themselves, π = softmax(z), for the chosen input: z ~ N(μ, Σ) is the Gaussian over its logits that the posterior gives. Each point "
             "of the triangle is one set of probabilities for three classes, a corner is certainty. Left the exact law, whose density has a closed form; right the Dirichlet of its "
             "Laplace Bridge, α_k = (1/Σ_kk)(1 − 2/K + e^{μ_k}/K² Σ_l e^{−μ_l}); both with respect to the same measure and in the same colours, and lines hold 50 % and 90 % of "
             "each. KL(exact‖Dirichlet), total variation and Hellinger's distance say how far they are apart. Wide and flat: the draws disagree. Of more than three classes the most "
             "probable are shown among themselves. Two classes have a density on a line. Source: MacKay 1998; Hobbhahn, Kristiadi and Hennig 2022.",
         .needs_input = true,
         .applies     = has_law_of_classes,
         .make        = simplex_view},
        {.id    = "verdict",
         .title = "Verdict",
         .help =
             "What the draws say of the chosen input, in words: the class with the largest mean probability p̄; predictive entropy H(p̄) in nats with its aleatoric part "
             "E H(p) and its epistemic part H(p̄) − E H(p); and whether the prediction is certain: by (i), the credible interval of the predicted class at level α meets no "
             "other class's interval; by (ii), its mean probability is at least α. Source: Posch and Pilz 2021, section IV-A.",
         .needs_input = true,
         .applies     = has_classes,
         .make        = verdict_view},
        {.id    = "beta_marginals",
         .title = "Beta marginals",
         .help =
             "The law of each class probability under the Dirichlet that the Laplace Bridge makes of the Gaussian over the logits at the chosen input: Beta(α_k, α_0 − α_k) for "
             "the most probable classes. Which of them can be told apart? Uncertainty-aware top-k: keep the most probable class; then, one after the other, each class whose 1 − T/2 "
             "quantile is above the T/2 quantile of the class before it; stop at the first that is not. The smaller the threshold T, the longer the list. One class left: the net knows; "
             "many: it does not. Source: Hobbhahn 2020, Algorithm 1 and Fig. 5.5.",
         .needs_input = true,
         .applies     = varies,
         .make        = beta_marginals_view},
        {.id    = "nearest_images",
         .title = "Nearest images",
         .help =
             "The training images that are nearest to the chosen one, by the Euclidean distance √Σ (a − b)² over all pixels, 1 being the step from black to white. If those of "
             "another class are as near as those of its own, the doubt is in the data; if all are far, nothing like it was learned.",
         .needs_input = true,
         .applies     = has_images,
         .make        = nearest_images_view},
        {.id    = "disturbance_curve",
         .title = "Disturbance",
         .help =
             "The chosen image is disturbed more and more, and the draws are asked each time: mean probability p̄ of each class, predictive entropy H(p̄) with its aleatoric part "
             "E H(p) and its epistemic part H(p̄) − E H(p). A net that knows what it does not know passes through doubt before it changes its mind: the entropy, above all its "
             "epistemic part, should rise where the image looks like nothing that was learned. After Gal and Ghahramani 2016, Fig. 4.",
         .needs_input       = true,
         .coarse_while_live = true,
         .applies           = has_images,
         .make              = disturbance_curve_view},
        {.id    = "layers",
         .title = "Layers",
         .help =
             "How uncertain the weights and biases of each layer are now. Families with one τ per block: each weight has standard deviation τ|m|, m its mean; τ above 1 means "
             "that a typical weight may well change its sign. ρ is the correlation of neighbouring weights, between −½ and ½ (tridiagonal family). For other families "
             "the medians of σ and σ/|μ| over the block. Open marks: the prior's standard deviation; a block that sits on its prior has learned little. Source: "
             "Posch and Pilz 2021, Table II; Steinbrener et al. 2020.",
         .needs_input = false,
         .cost        = Cost::quick,
         .applies     = always,
         .make        = layers_view},
        {.id    = "layers_over_training",
         .title = "Layers over training",
         .help =
             "The same numbers at every recorded step, one line per block; solid for weights, dashed for biases. They settle later than the loss does: a run whose τ still "
             "moves is not finished.",
         .needs_input = false,
         .cost        = Cost::quick,
         .applies     = always,
         .make        = layers_over_training_view},
        {.id    = "laplace_evidence",
         .title = "Laplace",
         .help =
             "The prior precision λ of a Laplace approximation N(θ_MAP, (curvature + λI)⁻¹): small λ, wide posterior. Above: how probable λ makes the training data, ln p(D|λ) ≈ −nll − "
             "½λ‖θ‖² + ½P ln λ − ½ ln det(curvature + λI), nats; the circle is its maximum, the diamond the precision on show, the dotted line the precision under which the point "
             "estimate was trained, N times its weight decay. Below: mean of max p̄ over the training inputs, from 1/K towards that of the point estimate. Source: MacKay 1992; "
             "Hobbhahn 2020, section 3.1.",
         .needs_input = false,
         .applies     = is_laplace,
         .make        = laplace_evidence_view},
        {.id    = "weights",
         .title = "Weights",
         .help =
             "Histograms over all weights: their means, one draw of them, and their standard deviations (bins by Freedman and Diaconis). A draw spreads wider than the means: that "
             "is the uncertainty. The pruning slider removes the weights with the smallest |μ|/σ, which say least. Source: Blundell et al. 2015, Fig. 3 and Table 2.",
         .needs_input = false,
         .cost        = Cost::quick,
         .applies     = always,
         .make        = weights_view},
        {.id    = "signal_to_noise",
         .title = "Signal-to-noise",
         .help =
             "The signal-to-noise ratio |μ|/σ of every weight in decibel, 10 log10(|μ|/σ): density and distribution function. 0 dB: the mean is as large as the standard "
             "deviation. Two humps mean that many weights can be pruned without harm. The vertical line is the pruning slider's cut. Source: Blundell et al. 2015, Fig. 4.",
         .needs_input = false,
         .cost        = Cost::quick,
         .applies     = has_spread,
         .make        = signal_to_noise_view},
        {.id    = "one_weight",
         .title = "One weight",
         .help =
             "The posterior density of one weight, N(μ, σ²), over its prior. Much narrower than the prior: the data determine it. Equal to the prior: the network does not use it.",
         .needs_input = false,
         .cost        = Cost::quick,
         .applies     = has_spread,
         .make        = one_weight_view},
        {.id    = "prior_and_start",
         .title = "Prior and start",
         .help =
             "The prior density of the weights and of the biases, and the distribution from which training starts, as a mixture over all weights of the kind. A start much "
             "narrower than the prior pays a large KL at first. Source: Steinbrener et al. 2020, Figs. 4 and 5.",
         .needs_input = false,
         .cost        = Cost::quick,
         .applies     = learns_prior,
         .make        = prior_and_start_view},
        {.id    = "kernels",
         .title = "Kernels",
         .help =
             "What the first layer looks for, as small pictures: the kernels of a convolution, or the weights of a dense layer's units laid out as the image that they "
             "are multiplied with (those of largest norm). Blue is negative, red positive, white zero; the posterior mean and one draw of the weights stand on one scale, so "
             "that their difference is the uncertainty: with one τ per block a draw is w = m(1 + τe), e of variance 1, and ρ is the correlation of neighbouring weights, kernel "
             "by kernel, row by row. Kernels that look alike in both columns are well determined. Source: Posch and Pilz 2021, Table II; Steinbrener et al. 2020, Table 3.",
         .needs_input = false,
         .cost        = Cost::quick,
         .applies     = sees_images,
         .make        = kernels_view},
        {.id    = "training_curves",
         .title = "Training",
         .help =
             "Data loss: mean −ln p(y | x, w) over the minibatches since the last point, nats per example. KL(q‖prior): how far the posterior has left the prior, nats; and the "
             "same times its weight, which is what is added to the loss. Errors on training and test set: share of wrong classes, or root mean squared error. A growing gap "
             "between the two errors is overfitting.",
         .needs_input = false,
         .cost        = Cost::quick,
         .applies     = always,
         .make        = training_curves_view},
        {.id    = "certainty",
         .title = "Certainty",
         .help =
             "Test inputs counted by correct or wrong and by certain or uncertain, at several levels. Good: few that are certain and wrong, many that are certain and correct. "
             "Criterion (i): the credible interval of the predicted class meets no other interval; (ii): its mean probability is at least α. Source: Posch and Pilz, "
             "Table III.",
         .needs_input = false,
         .cost        = Cost::all_rows,
         .applies     = has_classes,
         .make        = certainty_view},
        {.id    = "certain_but_wrong",
         .title = "Certain but wrong",
         .help =
             "The images that the net gets wrong although a criterion calls its prediction certain at level α: (i) the credible interval of the predicted class meets no other "
             "one, (ii) its mean probability p̄ is at least α. No threshold on certainty catches them. Below each: true class → predicted class, p̄, the criteria that failed, and "
             "its number in the test set. Often the label is the doubtful part. Source: Steinbrener et al. 2020, Fig. 11; Posch and Pilz 2021, Fig. 6.",
         .needs_input = false,
         .cost        = Cost::all_rows,
         .applies     = has_images,
         .make        = certain_but_wrong_view},
        {.id    = "image_list",
         .title = "Images by doubt",
         .help =
             "Test images at the ends of each measure: the highest predictive entropy H(p̄) = −Σ p̄ ln p̄ (the whole doubt, nats), the highest mutual information H(p̄) − E H(p) (the "
             "draws disagree: more data of this kind would help), the most confident mistakes, and the surest images. Wrong ones are framed.",
         .needs_input = false,
         .cost        = Cost::all_rows,
         .applies     = has_images,
         .make        = image_list_view},
        {.id    = "confusion",
         .title = "Confusion",
         .help =
             "How often each true class (rows) is predicted as each class (columns). What lies off the diagonal is wrong.",
         .needs_input = false,
         .cost        = Cost::all_rows,
         .applies     = has_classes,
         .make        = confusion_view},
        {.id    = "roc",
         .title = "ROC",
         .help =
             "How well the mean probability p̄ of each class tells it from all others: the share of its inputs above a threshold (true positives) against the share of the others above "
             "it (false positives), for all thresholds, and the mean of the curves. AUROC = P(p̄ of a member > p̄ of another) + ½ P(equal): 1 is perfect, ½ is chance. Where "
             "curves hug the corner, it is enlarged beside. Source: Steinbrener et al. 2020, Fig. 3.",
         .needs_input = false,
         .cost        = Cost::all_rows,
         .applies     = has_classes,
         .make        = roc_view},
        {.id    = "calibration",
         .title = "Calibration",
         .help =
             "Left: does the network know how often it is right? Predictions are sorted into 15 bins of confidence max p̄; bars on the diagonal are calibrated, below it is "
             "overconfident. ECE = Σ (n_b/n) |share right − mean confidence|. Right: the error that remains when the inputs with the highest predictive entropy are "
             "handed over to somebody else; it should fall. Source: Guo et al. 2017.",
         .needs_input = false,
         .cost        = Cost::all_rows,
         .applies     = has_classes,
         .make        = calibration_view},
        {.id    = "out_of_distribution",
         .title = "Out of distribution",
         .help =
             "Does the net know what it does not know? Its doubt about the test set beside its doubt about inputs of another kind (prediction.other_data; for tables: points beyond the "
             "data). MMC is the mean of max p̄; the predictive entropy H(p̄) of foreign inputs should be high, up to ln K. AUROC = P(a foreign input is more doubtful) + ½ P(equal), by "
             "confidence, by entropy and by mutual information: 1 tells all apart, ½ tells nothing. Below: the foreign images that the net is surest of, and its own that it doubts "
             "most. Source: Hobbhahn 2020, Table 5.1.",
         .needs_input = false,
         .cost        = Cost::all_rows,
         .applies     = has_classes,
         .make        = out_of_distribution_view},
        {.id    = "list_lengths",
         .title = "List lengths",
         .help =
             "How many classes the uncertainty-aware top-k keeps for each row of the test set (see Beta marginals), at threshold T. Short lists that hold the true class are good; the mean length "
             "is the price of the accuracy gained over the single best class. Source: Hobbhahn 2020, section 5.5 and Fig. 5.6.",
         .needs_input = false,
         .cost        = Cost::all_rows,
         .applies     = varies,
         .make        = list_lengths_view},
        {.id    = "laplace_maps",
         .title = "Laplace maps",
         .help =
             "One net over the plane, by several posteriors at the same weights. Above, on one scale, the predictive entropy H(p̄) in nats: of the point estimate (MAP), and of Laplace "
             "approximations whose curvature is diagonal, Kronecker-factored and full, all with the prior precision λ of the run; the missing curvatures are fitted here, once. p̄ is the "
             "mean softmax of 1,000 draws of the linearised logits N(f(x), JΣJᵀ). Below, without any draws, the Dirichlet that the Laplace Bridge (projected) gives for the run's own structure: the "
             "entropy of its mean E π = α/α₀; its differential entropy −∫ p ln p, highest where every π is as likely, low where it is narrow or sits in the corners; the sum of its variances, "
             "(1 − Σ m²)/(α₀ + 1); and the entropy of the weighted estimate (α_k + 1)/(α₀ + K), which is the mean drawn to 1/K by as much as the Dirichlet does not know: "
             "one more pseudo-count for each class. A point estimate is sure almost everywhere, also where it has seen nothing; the others should doubt there. Numbers: mean over the cells that hold training points → mean over the "
             "quarter of cells farthest from all of them. Source: Hobbhahn 2020, Fig. 5.4.",
         .needs_input = false,
         .cost        = Cost::slow,
         .applies     = has_laplace_maps,
         .make        = laplace_maps_view},
        {.id          = "bridge_scores",
         .title       = "Sampling and bridge",
         .help        = "For the test set and for foreign inputs: class probabilities from the Gaussian over the logits N(f(x), JΣJᵀ), by drawing from it and by the Laplace Bridge α_k = (1/Σ_kk)(1 − 2/K + "
                        "(e^μ_k/K²) Σ e^−μ_l), which needs no draws, in each of its variants; besides, by draws of the weights, by the mean weights alone, and by the probit approximation. MMC: mean of max p̄. "
                        "AUROC = P(an own input is surer than a foreign one) + ½ P(equal). Times are measured here and now on this machine, in milliseconds for 10,000 inputs, from given Gaussians. Bars: mean "
                        "variance of the predicted class's probability under the Dirichlet, m(1 − m)/(α₀ + 1): small where the net knows its inputs, larger where it does not. Proposition 1: the share of inputs whose predicted class has α_k > "
                        "¼(√(9R² + 10R + 1) − R − 1), R = α₀ − α_k; only then Var π_k grows with Var z_k. Source: Hobbhahn 2020, Tables 5.1 and 7.1, Fig. 5.1.",
         .needs_input = false,
         .cost        = Cost::slow,
         .applies     = has_classes,
         .make        = bridge_scores_view},
        {.id    = "scores",
         .title = "Scores",
         .help =
             "All scores of the run on its test set. NLL = −mean ln p̄(true class), nats: the honest price of a probability. Brier = mean Σ (p̄ − 1[true])², summed over classes, 0 to "
             "2. ECE: calibration. MMC: mean confidence. For numbers: RMSE, NLL of the mixture over draws, and the share of targets inside the predictive interval, "
             "which should be its level.",
         .needs_input = false,
         .cost        = Cost::all_rows,
         .applies     = always,
         .make        = scores_view},
    };
}

}   // namespace

const std::vector<View>& views()
{
    static const auto list = make_views();
    return list;
}

const View& view(const std::string& id)
{
    const auto found = std::find_if(views().begin(), views().end(), [&](const View& v) { return v.id == id; });
    if (found != views().end())
        return *found;
    std::string ids;
    for (const auto& v : views())
        ids += (ids.empty() ? "" : ", ") + v.id;
    throw Error("There is no view \"" + id + "\", expected one of " + ids + ".");
}

}   // namespace credence
