// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/field_makers.h"
#include "study/method.h"

#include <algorithm>
#include <iterator>

// Settings of the groups posterior and prior.
namespace credence::field_makers {
namespace {

bool with_prior(const Study& s) { return method_of(s).under_prior(); }
bool gaussian(const Study& s) { return with_prior(s) && s.prior.kind == PriorKind::gaussian; }
bool mixture(const Study& s) { return with_prior(s) && s.prior.kind == PriorKind::scale_mixture; }

const std::vector<Option<PriorKind>> prior_kinds = {
    {PriorKind::gaussian,
     {"gaussian", "Gaussian", "N(mean, sd²) for each weight; the KL has a closed form. The default."}},
    {PriorKind::scale_mixture,
     {"scale_mixture", "Scale mixture",
      "A wide and a narrow Gaussian: many weights near 0, a few large (Blundell et al. 2015, (7))."}},
};

/// The methods as choices of one field.
std::vector<Option<std::string>> families()
{
    std::vector<Option<std::string>> choices;
    for (const Method& m : methods())
        choices.push_back({m.id, {m.id, m.title, m.hint}});
    return choices;
}

bool has_field(const Method& method, const std::string& path)
{
    return std::any_of(method.fields.begin(), method.fields.end(), [&](const Field& f) { return f.path == path; });
}

/// The settings of all methods, without duplicates; a setting applies if the Study's method has it.
/// The settings of the oldest families keep the order of their files, so that the text of a Study
/// does not change.
std::vector<Field> fields_of_methods()
{
    static constexpr const char* first[] = {"posterior.initial_sd",  "posterior.initial_tau",
                                            "posterior.initial_rho", "posterior.dropout_rate",
                                            "posterior.guard_gamma", "posterior.guard_spread"};
    const auto place                     = [](const Field& f) {
        return std::find(std::begin(first), std::end(first), f.path) - std::begin(first);
    };
    std::vector<Field> all;
    for (const Method& m : methods())
        for (const Field& of_method : m.fields) {
            if (std::any_of(all.begin(), all.end(), [&](const Field& f) { return f.path == of_method.path; }))
                continue;
            all.push_back(of_method);
            all.back().applies = [path = of_method.path, own = of_method.applies](const Study& s) {
                return has_field(method_of(s), path) && own(s);
            };
        }
    std::stable_sort(all.begin(), all.end(), [&](const Field& a, const Field& b) { return place(a) < place(b); });
    return all;
}

void add_posterior_family(std::vector<Field>& fields)
{
    fields.push_back(choice(
        {.path  = "posterior.family",
         .label = "Posterior",
         .help =
             "Approximation of the posterior over the weights. Variational families are trained by the same loop and "
             "differ only in this choice. The Laplace approximation trains a point estimate and then computes the "
             "curvature; chains and ensembles store samples during training. Sources: Blundell et al. 2015 (mean "
             "field), Steinbrener et al. 2020 (one τ), Posch and Pilz (τ and ρ; also Bernoulli dropout as their "
             "baseline), Hobbhahn 2020 and MacKay 1992 (Laplace)."},
        [](auto& s) -> auto& { return s.posterior.family; }, families()));
    for (const Field& field : fields_of_methods())
        fields.push_back(field);
}

void add_prior_kind(std::vector<Field>& fields)
{
    fields.push_back(choice(
        {.path  = "prior.kind",
         .label = "Prior",
         .help = "Distribution of the weights before any data. Training balances the fit against the divergence of the "
                 "posterior from the prior, KL(q‖p). Every family can use either prior; the scale mixture needs the "
                 "sampled KL (for one τ per block, Steinbrener et al. 2020, section 4.2, leave this to future work).",
         .applies = with_prior},
        [](auto& s) -> auto& { return s.prior.kind; }, prior_kinds));
}

void add_gaussian_prior(std::vector<Field>& fields)
{
    fields.push_back(plain(
        {.path  = "prior.weight_sd",
         .label = "Prior sd of weights",
         .help =
             "Standard deviation of N(mean, sd²) for the weights, one number per layer; a shorter list repeats its "
             "last number. It sets how much the functions vary away from the data: small values give stiff functions, "
             "and far too small values keep the network at its prior. Typical: 0.3 to 5 (1 in Posch and Pilz, 5 in "
             "Steinbrener et al.).",
         .min      = 0,
         .max      = 1000,
         .min_open = true,
         .applies  = gaussian},
        [](auto& s) -> auto& { return s.prior.weight_sd; }));
    fields.push_back(plain(
        {.path  = "prior.bias_sd",
         .label = "Prior sd of biases",
         .help =
             "The same for the biases. Biases shift the bends of the function, so a wide prior allows bends far from "
             "0. Typical: 1 to 10 (10 in Steinbrener et al. for LeNet).",
         .min      = 0,
         .max      = 1000,
         .min_open = true,
         .applies  = gaussian},
        [](auto& s) -> auto& { return s.prior.bias_sd; }));
    fields.push_back(plain(
        {.path     = "prior.weight_mean",
         .label    = "Prior mean of weights",
         .help     = "Mean of the Gaussian prior on the weights, one number per layer. Nearly always 0.",
         .min      = -1000,
         .max      = 1000,
         .advanced = true,
         .applies  = gaussian},
        [](auto& s) -> auto& { return s.prior.weight_mean; }));
    fields.push_back(plain(
        {.path     = "prior.bias_mean",
         .label    = "Prior mean of biases",
         .help     = "Mean of the Gaussian prior on the biases, one number per layer. Nearly always 0.",
         .min      = -1000,
         .max      = 1000,
         .advanced = true,
         .applies  = gaussian},
        [](auto& s) -> auto& { return s.prior.bias_mean; }));
}

void add_mixture_prior(std::vector<Field>& fields)
{
    fields.push_back(plain(
        {.path  = "prior.pi",
         .label = "Share π of the wide component",
         .help = "p(w) = π N(w; 0, σ₁²) + (1 − π) N(w; 0, σ₂²). Blundell et al. 2015 try ¼, ½ and ¾ (section 5.1).",
         .min      = 0,
         .max      = 1,
         .min_open = true,
         .max_open = true,
         .applies  = mixture},
        [](auto& s) -> auto& { return s.prior.mixture.pi; }));
    fields.push_back(plain(
        {.path  = "prior.sigma_wide",
         .label = "Wide σ₁",
         .help =
             "Standard deviation of the wide component, for the important weights. Blundell et al. 2015 try −ln σ₁ in "
             "{0, 1, 2}, that is 1, 0.37 and 0.14.",
         .min      = 0,
         .max      = 1000,
         .min_open = true,
         .applies  = mixture},
        [](auto& s) -> auto& { return s.prior.mixture.sigma_wide; }));
    fields.push_back(plain(
        {.path  = "prior.sigma_narrow",
         .label = "Narrow σ₂",
         .help =
             "Standard deviation of the narrow component, for the many weights near 0. Blundell et al. 2015 try −ln σ₂ "
             "in {6, 7, 8}, that is 0.0025 to 0.00034. It must be below σ₁.",
         .min      = 0,
         .max      = 1000,
         .min_open = true,
         .applies  = mixture},
        [](auto& s) -> auto& { return s.prior.mixture.sigma_narrow; }));
}

void add_learned_prior(std::vector<Field>& fields)
{
    fields.push_back(plain(
        {.path  = "prior.learned",
         .label = "Learn the prior",
         .help =
             "Learns the prior's standard deviations (Gaussian: one per block; scale mixture: π, σ₁ and σ₂ of all "
             "weights) together with the posterior, by the gradient of the KL, starting from the values above: "
             "empirical Bayes. The prior then follows the posterior instead of constraining it, and the KL is less "
             "informative. Blundell et al. 2015 (section 3.3) tried it and found it worse than a fixed prior. The view "
             "Layers over training shows the learned values.",
         .advanced = true,
         .applies  = [](const Study& s) { return method_of(s).can_learn_prior(); }},
        [](auto& s) -> auto& { return s.prior.learned; }));
}

}   // namespace

void add_posterior_fields(std::vector<Field>& fields)
{
    add_posterior_family(fields);
    add_prior_kind(fields);
    add_gaussian_prior(fields);
    add_mixture_prior(fields);
    add_learned_prior(fields);
}

}   // namespace credence::field_makers
