// SPDX-License-Identifier: GPL-3.0-or-later
#include "posterior/scaled_means.h"

#include "methods/trained.h"
#include "study/field_makers.h"

namespace credence {

using namespace method_parts;

namespace {

std::vector<Field> tridiagonal_fields()
{
    using field_makers::plain;
    auto all = scale_fields();
    all.push_back(plain(
        {.path  = "posterior.initial_rho",
         .label = "Starting ρ",
         .help =
             "Initial correlation of neighbouring weights, one number per block as for τ. ρ = σ(γ) − ½ is learned and "
             "stays between −½ and ½, where the covariance is positive definite (Posch and Pilz (22)). Their guard "
             "keeps |ρ| ≥ 0.01, so 0 starts close to 0, not at it.",
         .min      = -0.5,
         .max      = 0.5,
         .min_open = true,
         .max_open = true},
        [](auto& s) -> auto& { return s.posterior.initial_rho; }));
    all.push_back(plain(
        {.path  = "posterior.guard_gamma",
         .label = "Keep ρ away from 0",
         .help = "Keeps |γ| ≥ 0.04000533, that is |ρ| ≥ 0.01 (Posch and Pilz, pseudocode lines 7–25). Their recursion "
                 "divides by a number that vanishes with ρ; the closed form used here does not, so you can switch the "
                 "guard off.",
         .advanced = true},
        [](auto& s) -> auto& { return s.posterior.guard_gamma; }));
    return all;
}

}   // namespace

/// One τ and one correlation ρ of neighbouring weights for each block (Posch and Pilz 2021), with κ
/// = 50.
Method tridiagonal_method()
{
    return {.id          = "tridiagonal",
            .title       = "τ and correlation ρ per block",
            .hint        = "Neighbouring weights are correlated: one more parameter per layer than one τ per block.",
            .group       = MethodGroup::variational,
            .cost        = "1 to 2 × a point estimate",
            .source      = "Posch and Pilz 2021",
            .short_title = "τ and correlation ρ",
            .axis_title  = "τ and ρ",
            .fields      = tridiagonal_fields(),
            .usual =
                [](const Study& study) {
        return with(usual_of_scales(study), {{"posterior.initial_rho", "0.01, 0.01"}, {"training.kappa", "50"}});
            },
            .training    = {.prior = PriorUse::kl, .has_correlation = true, .accepts_new_points = true},
            .block_lists = {"posterior.initial_tau", "posterior.initial_rho"},
            .start       = begins_with<Tridiagonal<float>>,
            .fit         = trained,
            .online      = trains_online};
}

}   // namespace credence
