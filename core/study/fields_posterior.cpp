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
bool gaussian(const Study& s) { return with_prior(s) && s.prior.kind == PriorKind::gaussian; }
bool mixture(const Study& s) { return with_prior(s) && s.prior.kind == PriorKind::scale_mixture; }

const std::vector<Option<Family>> families = {
    {Family::point_estimate, {"point_estimate", "Point estimate", "One weight vector, an ordinary net: the baseline that knows no doubt about itself."}},
    {Family::bernoulli_dropout, {"bernoulli_dropout", "Bernoulli dropout", "Random masks at prediction too: the cheapest way to some uncertainty."}},
    {Family::mean_field, {"mean_field", "Mean field (Bayes by Backprop)", "A mean and a spread for every weight: the standard first choice."}},
    {Family::layer_scale, {"layer_scale", "One τ per block", "One relative spread for all weights of a layer: hardly more parameters than a plain net."}},
    {Family::tridiagonal, {"tridiagonal", "τ and correlation ρ per block", "Neighbouring weights vary together: one more number a layer than the family above."}},
};

const std::vector<Option<PriorKind>> prior_kinds = {
    {PriorKind::gaussian, {"gaussian", "Gaussian", "N(mean, sd²) on each weight; its KL has a closed form. The default."}},
    {PriorKind::scale_mixture, {"scale_mixture", "Scale mixture", "Wide and narrow Gaussian: many weights near 0, a few large (B (7))."}},
};

}  // namespace

void add_posterior_fields(std::vector<Field>& fields)
{
    const auto add = [&](Field field) { fields.push_back(std::move(field)); };

    add(choice({.path = "posterior.family", .label = "Posterior",
                .help = "Which distribution over the weights is learned. All families train by the same loop, so that a change here changes nothing else. Sources: "
                        "Blundell et al. 2015 (mean field), Steinbrener et al. 2020 (one τ), Posch and Pilz (τ and ρ; also Bernoulli dropout as they compare it)."},
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
