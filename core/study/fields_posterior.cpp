// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/field_makers.h"

// Settings of the groups posterior and prior.
namespace credence::field_makers {
namespace {

template <Family... families>
bool is_one_of(const Study& s)
{
    return ((s.posterior.family == families) || ...);
}
constexpr auto mean_field = is_one_of<Family::mean_field>;
constexpr auto dropout    = is_one_of<Family::bernoulli_dropout>;
constexpr auto with_tau   = is_one_of<Family::layer_scale, Family::tridiagonal>;
constexpr auto with_rho   = is_one_of<Family::tridiagonal>;
constexpr auto with_prior = is_one_of<Family::mean_field, Family::layer_scale, Family::tridiagonal>;
constexpr auto laplace    = is_one_of<Family::laplace>;
bool kronecker(const Study& s) { return laplace(s) && s.posterior.laplace.curvature.structure == CurvatureStructure::kronecker; }
bool precision_by_hand(const Study& s) { return laplace(s) && s.posterior.laplace.precision_from == PrecisionFrom::hand; }
bool precision_by_confidence(const Study& s) { return laplace(s) && s.posterior.laplace.precision_from == PrecisionFrom::confidence; }
bool gaussian(const Study& s) { return with_prior(s) && s.prior.kind == PriorKind::gaussian; }
bool mixture(const Study& s) { return with_prior(s) && s.prior.kind == PriorKind::scale_mixture; }

const std::vector<Option<Family>> families = {
    {Family::point_estimate, {"point_estimate", "Point estimate", "One weight vector, an ordinary net: the baseline that knows no doubt about itself."}},
    {Family::bernoulli_dropout, {"bernoulli_dropout", "Bernoulli dropout", "Random masks at prediction too: the cheapest way to some uncertainty."}},
    {Family::mean_field, {"mean_field", "Mean field (Bayes by Backprop)", "A mean and a spread for every weight: the standard first choice."}},
    {Family::layer_scale, {"layer_scale", "One τ per block", "One relative spread for all weights of a layer: hardly more parameters than a plain net."}},
    {Family::tridiagonal, {"tridiagonal", "τ and correlation ρ per block", "Neighbouring weights vary together: one more number a layer than the family above."}},
    {Family::laplace, {"laplace", "Laplace approximation", "Trains an ordinary net, then fits a Gaussian to the curvature there: uncertainty after the fact."}},
};

const std::vector<Option<PriorKind>> prior_kinds = {
    {PriorKind::gaussian, {"gaussian", "Gaussian", "N(mean, sd²) on each weight; its KL has a closed form. The default."}},
    {PriorKind::scale_mixture, {"scale_mixture", "Scale mixture", "Wide and narrow Gaussian: many weights near 0, a few large (Blundell et al. 2015, (7))."}},
};

const std::vector<Option<CurvatureStructure>> structures = {
    {CurvatureStructure::diagonal, {"diagonal", "Diagonal", "Each weight by itself: cheap at any size, and far too sure, since weights that make up for one another are not seen."}},
    {CurvatureStructure::kronecker, {"kronecker", "Kronecker-factored", "Two small matrices a layer: inputs and outputs of a layer vary together. The choice for most nets."}},
    {CurvatureStructure::full, {"full", "Full", "Every weight with every other: the reference, for nets of some thousand weights or the last layer."}},
};

const std::vector<Option<CurvatureLayers>> curved_layers = {
    {CurvatureLayers::all, {"all", "All layers", "All weights are uncertain."}},
    {CurvatureLayers::last, {"last", "Last layer", "Only the last layer is uncertain, the others are fixed features: cheap, and often nearly as good."}},
};

const std::vector<Option<CurvatureKind>> curvatures = {
    {CurvatureKind::ggn, {"ggn", "Gauss–Newton", "Σ JᵀΛJ with the likelihood's curvature Λ: never negative. The default."}},
    {CurvatureKind::hessian, {"hessian", "Exact Hessian", "With the second derivatives of the net, for small dense nets; equal to Gauss–Newton for the last layer."}},
};

const std::vector<Option<KroneckerForm>> forms = {
    {KroneckerForm::joint, {"joint", "B ⊗ A + λI", "λ is added to the product, the bias is one more input. The default."}},
    {KroneckerForm::split, {"split", "B ⊗ A + λI, biases apart", "The biases have a block of their own, B + λI."}},
    {KroneckerForm::square_root, {"square_root", "(B/√N + √λI) ⊗ (√N A + √λI)", "√λ is added to each factor: to repeat Hobbhahn 2020, (3.8)."}},
};

const std::vector<Option<PrecisionFrom>> precisions = {
    {PrecisionFrom::hand, {"hand", "By hand", "The number below, or the slider of the Laplace panel."}},
    {PrecisionFrom::evidence, {"evidence", "Maximum of the evidence", "The λ under which the data are most probable: no data are held back for it (MacKay 1992)."}},
    {PrecisionFrom::confidence, {"confidence", "Target confidence", "The λ at which the mean confidence on the training data is as wanted (Hobbhahn 2020)."}},
};

const std::vector<Option<LaplacePredictive>> predictives = {
    {LaplacePredictive::linearised, {"linearised", "Linearised net", "f(x; θ_MAP) + J(x)(θ − θ_MAP): what the curvature was made for, and what its evidence speaks of. The choice for most nets."}},
    {LaplacePredictive::weights, {"weights", "Draws of weights", "The net itself at every draw: where the Gaussian is wide, the draws fit nothing any more, and doubt is everywhere."}},
};

}  // namespace

void add_posterior_fields(std::vector<Field>& fields)
{
    const auto add = [&](Field field) { fields.push_back(std::move(field)); };

    add(choice({.path = "posterior.family", .label = "Posterior",
                .help = "Which distribution over the weights is learned. All families train by the same loop, so that a change here changes nothing else; the Laplace approximation "
                        "trains the point estimate by it and looks at the curvature afterwards. Sources: Blundell et al. 2015 (mean field), Steinbrener et al. 2020 (one τ), Posch "
                        "and Pilz (τ and ρ; also Bernoulli dropout as they compare it), Hobbhahn 2020 and MacKay 1992 (Laplace)."},
               [](auto& s) -> auto& { return s.posterior.family; }, families));
    add(plain({.path = "posterior.initial_sd", .label = "Starting σ",
               .help = "Standard deviation of every weight at the start; σ = softplus(pre-softplus σ) is learned from there (Blundell et al. 2015, section 3.2). Small "
                       "values (0.01 to 0.1) train like a plain net at first; large ones drown the gradient in noise.",
               .min = 0, .max = 10, .min_open = true, .applies = mean_field},
              [](auto& s) -> auto& { return s.posterior.initial_sd; }));
    add(plain({.path = "posterior.initial_tau", .label = "Starting τ",
               .help = "Relative spread at the start, w = m(1 + τε): one number a block in the order weights, biases, weights, biases, …; a shorter list repeats its last "
                       "pair. τ = softplus(δ) is learned. Steinbrener et al. 2020 start with 0.4 for weights and 0.1 for biases; the closed form is (11)–(31) there.",
               .min = 0, .max = 10, .min_open = true, .applies = with_tau},
              [](auto& s) -> auto& { return s.posterior.initial_tau; }));
    add(plain({.path = "posterior.initial_rho", .label = "Starting ρ",
               .help = "Correlation of neighbouring weights at the start, one number a block as for τ. ρ = σ(γ) − ½ is learned and stays between −½ and ½, where the "
                       "covariance is positive definite (Posch and Pilz (22)). Their guard keeps |ρ| ≥ 0.01, so 0 starts just beside 0.",
               .min = -0.5, .max = 0.5, .min_open = true, .max_open = true, .applies = with_rho},
              [](auto& s) -> auto& { return s.posterior.initial_rho; }));
    add(plain({.path = "posterior.dropout_rate", .label = "Dropout rate",
               .help = "Probability with which each input of a weight layer is set to zero, in training and in prediction. Posch and Pilz use 0.2 on MNIST and 0.1 on "
                       "CIFAR-10. The rate is not learned, so it decides how much uncertainty there is.",
               .min = 0, .max = 1, .max_open = true, .applies = dropout},
              [](auto& s) -> auto& { return s.posterior.dropout_rate; }));
    add(plain({.path = "posterior.guard_gamma", .label = "Keep ρ away from 0",
               .help = "Keeps |γ| ≥ 0.04000533, that is |ρ| ≥ 0.01 (Posch and Pilz, pseudocode lines 7–25). Their recursion divides by a number that vanishes with ρ; the "
                       "closed form used here does not, so the guard may be switched off.",
               .advanced = true, .applies = with_rho},
              [](auto& s) -> auto& { return s.posterior.guard_gamma; }));
    add(plain({.path = "posterior.guard_spread", .label = "Keep τ and means away from 0",
               .help = "Keeps τ ≥ 0.01 (δ ≥ −4.600166), |γ| ≤ 10 and |m| ≥ 10⁻⁶ (Posch and Pilz, pseudocode lines 7–25). The KL needs m ≠ 0 and τ > 0: its "
                       "gradient holds −1/m and −K/τ.",
               .advanced = true, .applies = with_tau},
              [](auto& s) -> auto& { return s.posterior.guard_spread; }));

    add(choice({.path = "posterior.laplace_structure", .label = "Structure of Σ",
                .help = "Which entries of the curvature are kept: the posterior is N(θ_MAP, Σ) with Σ⁻¹ = curvature + λI. Diagonal: one number a weight. Kronecker: B ⊗ A per layer, A the "
                        "mean of ããᵀ over its inputs, B the sum of the curvature of the loss in its outputs. Full: the whole matrix. Source: Hobbhahn 2020, (3.1)–(3.9); Ritter et al. "
                        "2018.",
                .applies = laplace},
               [](auto& s) -> auto& { return s.posterior.laplace.curvature.structure; }, structures));
    add(choice({.path = "posterior.laplace_layers", .label = "Uncertain layers",
                .help = "The layers whose weights get a spread; those of the others stay at their MAP values. With the last layer alone the Gaussian over logits is exact for the "
                        "linearised net, since logits are linear in it (Hobbhahn 2020, (3.7)–(3.9)).",
                .applies = laplace},
               [](auto& s) -> auto& { return s.posterior.laplace.curvature.layers; }, curved_layers));
    add(choice({.path = "posterior.laplace_precision_from", .label = "Prior precision λ from",
                .help = "λ = 1/σ₀² of the prior N(0, σ₀²) that the curvature is added to: small λ, wide posterior. Changing it needs no new curvature, so it can be moved after the "
                        "training. Evidence: maximises ln p(D|λ) ≈ −nll − ½λ‖θ‖² + ½P ln λ − ½ ln det(curvature + λI). Confidence: moved until the mean of max p̄ over the training "
                        "data is the target. The evidence speaks of the linearised net; where predictions come from draws of weights through the net itself, these often wander too far at "
                        "its maximum and want a larger λ.",
                .applies = laplace},
               [](auto& s) -> auto& { return s.posterior.laplace.precision_from; }, precisions));
    add(plain({.path = "posterior.laplace_precision", .label = "Prior precision λ",
               .help = "λ = 1/σ₀², added to every eigenvalue of the curvature of the summed loss over N examples. The weight decay under which the point estimate was trained is a "
                       "precision as well: λ = N · weight decay, since the decay stands beside the mean loss. Both agree if λ is that number; a larger one makes the posterior "
                       "narrower.",
               .min = smallest_precision, .max = largest_precision, .applies = precision_by_hand},
              [](auto& s) -> auto& { return s.posterior.laplace.precision; }));
    add(plain({.path = "posterior.laplace_confidence", .label = "Target confidence",
               .help = "Mean of max p̄ over the training data that λ is moved to meet. Hobbhahn takes 5 % below that of the point estimate. A target that no λ reaches takes the nearest "
                       "one and the run says so.",
               .min = 0, .max = 1, .min_open = true, .max_open = true, .applies = precision_by_confidence},
              [](auto& s) -> auto& { return s.posterior.laplace.confidence; }));
    add(choice({.path = "posterior.laplace_predictive", .label = "Predict by",
                .help = "How the draws θ of the Gaussian become predictions. Linearised net: f(x; θ_MAP) + J(x)(θ − θ_MAP), J the Jacobian of the outputs in the weights; its outputs are "
                        "exactly N(f(x; θ_MAP), JΣJᵀ), and one draw is one function of x. Draws of weights: f(x; θ), the net itself. The Gauss–Newton curvature is that of the linearised "
                        "net, so that draws through the net itself underfit as soon as Σ is wide. Equal for the last layer. Needs no new training and no new curvature. Source: Immer, "
                        "Korzepa and Bauer 2021.",
                .applies = laplace},
               [](auto& s) -> auto& { return s.posterior.laplace.predictive; }, predictives));
    add(choice({.path = "posterior.laplace_curvature", .label = "Curvature",
                .help = "Gauss–Newton: Σ_n J_nᵀ(diag p_n − p_n p_nᵀ)J_n over all training data, positive semidefinite everywhere. The exact Hessian adds the second derivatives of the "
                        "net; where the training has not converged it has negative eigenvalues. Source: Hobbhahn 2020, (3.4).",
                .advanced = true, .applies = laplace},
               [](auto& s) -> auto& { return s.posterior.laplace.curvature.kind; }, curvatures));
    add(choice({.path = "posterior.laplace_form", .label = "λ and Kronecker factors",
                .help = "How the prior precision joins the two factors of a layer. The sum with the product is the prior N(0, 1/λ) itself; the product of sums adds a little more, "
                        "√λ (B ⊗ I/√N + √N I ⊗ A). Source: Hobbhahn 2020, (3.8).",
                .advanced = true, .applies = kronecker},
               [](auto& s) -> auto& { return s.posterior.laplace.curvature.form; }, forms));

    add(choice({.path = "prior.kind", .label = "Prior",
                .help = "What is believed of the weights before any data. Training balances the fit against the distance of the posterior from it, KL(q‖p).",
                .applies = with_prior},
               [](auto& s) -> auto& { return s.prior.kind; }, prior_kinds));
    add(plain({.path = "prior.weight_sd", .label = "Prior sd of weights",
               .help = "Standard deviation of N(mean, sd²) on the weights, one number a layer; a shorter list repeats its last number. It sets how much the functions vary "
                       "away from the data: small values give stiff functions, and far too small ones hold the net at its prior. Typical: 0.3 to 5 (1 in Posch and "
                       "Pilz, 5 in Steinbrener et al.).",
               .min = 0, .max = 1000, .min_open = true, .applies = gaussian},
              [](auto& s) -> auto& { return s.prior.weight_sd; }));
    add(plain({.path = "prior.bias_sd", .label = "Prior sd of biases",
               .help = "The same for the biases. They shift the bends of the net, so a wide prior here lets it bend far from 0. Typical: 1 to 10 (10 in Steinbrener et al. "
                       "for LeNet).",
               .min = 0, .max = 1000, .min_open = true, .applies = gaussian},
              [](auto& s) -> auto& { return s.prior.bias_sd; }));
    add(plain({.path = "prior.weight_mean", .label = "Prior mean of weights",
               .help = "Mean of the Gaussian prior on the weights, one number a layer. Nearly always 0.", .min = -1000, .max = 1000, .advanced = true, .applies = gaussian},
              [](auto& s) -> auto& { return s.prior.weight_mean; }));
    add(plain({.path = "prior.bias_mean", .label = "Prior mean of biases",
               .help = "Mean of the Gaussian prior on the biases, one number a layer. Nearly always 0.", .min = -1000, .max = 1000, .advanced = true, .applies = gaussian},
              [](auto& s) -> auto& { return s.prior.bias_mean; }));
    add(plain({.path = "prior.pi", .label = "Share π of the wide part",
               .help = "p(w) = π N(w; 0, σ₁²) + (1 − π) N(w; 0, σ₂²). Blundell et al. 2015 try ¼, ½ and ¾ (section 5.1).", .min = 0, .max = 1, .min_open = true,
               .max_open = true, .applies = mixture},
              [](auto& s) -> auto& { return s.prior.mixture.pi; }));
    add(plain({.path = "prior.sigma_wide", .label = "Wide σ₁",
               .help = "Standard deviation of the wide part, for the weights that matter. Blundell et al. 2015 try −ln σ₁ in {0, 1, 2}, that is 1, 0.37 and 0.14.", .min = 0,
               .max = 1000, .min_open = true, .applies = mixture},
              [](auto& s) -> auto& { return s.prior.mixture.sigma_wide; }));
    add(plain({.path = "prior.sigma_narrow", .label = "Narrow σ₂",
               .help = "Standard deviation of the narrow part, for the many weights near 0. Blundell et al. 2015 try −ln σ₂ in {6, 7, 8}, that is 0.0025 to 0.00034. It "
                       "must be below σ₁.",
               .min = 0, .max = 1000, .min_open = true, .applies = mixture},
              [](auto& s) -> auto& { return s.prior.mixture.sigma_narrow; }));
}

}  // namespace credence::field_makers
