// SPDX-License-Identifier: GPL-3.0-or-later
#include "checks.h"

#include "network/likelihood.h"
#include "one_block.h"
#include "posterior/mean_field.h"
#include "posterior/prior_terms.h"
#include "posterior/pruning.h"
#include "training/trainer.h"

#include <numeric>

namespace credence::reference {
namespace {

BlockPrior prior_of(const Json& values)
{
    const std::string kind = values.at("kind");
    if (kind == "gauss")
        return GaussianPrior::from_sigma(values.at("sigma"));
    if (kind == "mixture")
        return ScaleMixturePrior{values.at("pi"), values.at("sigma1"), values.at("sigma2")};
    throw std::runtime_error("the prior is \"" + kind + "\", expected gauss or mixture");
}

template <class F>
std::vector<double> each(const std::vector<double>& values, F f)
{
    std::vector<double> out;
    for (const double v : values)
        out.push_back(f(v));
    return out;
}

template <class T>
Tolerance tolerance_of()
{
    return sizeof(T) == sizeof(double) ? Tolerance{1e-12, 1e-12} : in_float;
}

template <class T>
void check_mean_field_case(const Json& values, const std::string& name, Report& report)
{
    const auto mu = numbers(values.at("mu")), rho = numbers(values.at("rho")), noise = numbers(values.at("eps"));
    const auto n = mu.size();
    MeanField<T> posterior(one_block(n), {.family = "mean_field"}, std::vector<float>(n, 0.0f));
    const auto theta = posterior.parameters();
    std::copy(rho.begin(), rho.end(), theta.begin() + static_cast<std::ptrdiff_t>(n));
    Draw<T> draw = posterior.make_draw();
    std::fill(draw.noise.begin(), draw.noise.end(), T(1));
    posterior.transform(draw);   // 0 + σ·1
    const std::vector<double> sigma(draw.weights.begin(), draw.weights.end());
    std::copy(mu.begin(), mu.end(), theta.begin());
    std::copy(noise.begin(), noise.end(), draw.noise.begin());
    posterior.transform(draw);
    const std::vector<double> w(draw.weights.begin(), draw.weights.end());

    Prior prior;
    prior.blocks                = {prior_of(values.at("prior"))};
    const BlockPrior& of_weight = prior.blocks[0];
    const bool gaussian         = all_gaussian(prior);
    const double beta           = values.value("beta", 1.0);
    const double log_prior      = prior_log_density(prior, 0, 0, draw.weights.data(), n);
    const double complexity     = *posterior.sampled_complexity(draw, prior);
    const auto g                = as<T>(numbers(values.at("g")));
    const auto sampled          = whole_gradient<T>(posterior, draw, g,
                                           {.prior = &prior, .kind = Complexity::Kind::sampled, .weight = beta});

    Case check(report, name + precision_name<T>(), values.at("expected"), tolerance_of<T>());
    check.near("sigma", sigma);
    check.near("w", w);
    check.near("log_prior", log_prior);
    check.near("log_prior_each", each(w, [&](double v) { return log_density(of_weight, v); }));
    check.near("complexity_sampled", complexity);
    check.near("log_q", complexity + log_prior);
    check.near("grad_mu_sampled", part(sampled, 0, n));
    check.near("grad_rho_sampled", part(sampled, n, n));
    std::vector<T> pull(n);
    prior_pull(prior, 0, 0, draw.weights.data(), n, pull.data());
    check.near("dlog_prior_dw", each({pull.begin(), pull.end()}, [](double v) { return -v; }));
    if (const auto* mixture = std::get_if<ScaleMixturePrior>(&of_weight))
        check.near("responsibility", each(w, [&](double v) { return wide_responsibility(*mixture, v); }));
    std::vector<double> snr;
    for (std::size_t i = 0; i < n; ++i)
        snr.push_back(std::fabs(static_cast<double>(theta[i])) / sigma[i]);
    check.near("snr", snr);
    if (gaussian) {
        const auto kl     = whole_gradient<T>(posterior, draw, std::vector<T>(n, T(0)), {.prior = &prior, .weight = 1});
        const auto closed = whole_gradient<T>(posterior, draw, g, {.prior = &prior, .weight = beta});
        check.near("kl_closed", *posterior.kl(prior));
        check.near("dkl_dmu", part(kl, 0, n));
        check.near("dkl_drho", part(kl, n, n));
        check.near("grad_mu_closed", part(closed, 0, n));
        check.near("grad_rho_closed", part(closed, n, n));
    }
}

template <class T>
void check_grid(const Json& values, const std::string& name, Report& report)
{
    const auto mixture = std::get<ScaleMixturePrior>(prior_of(values.at("prior")));
    const MixtureTerms<T> terms(mixture);
    const auto w = numbers(values.at("w"));
    Case check(report, name + precision_name<T>(), values, tolerance_of<T>());
    check.near("log_density",
               each(w, [&](double v) { return static_cast<double>(terms.log_density(static_cast<T>(v))); }));
    check.near("dlog_dw", each(w, [&](double v) { return -static_cast<double>(terms.pull(static_cast<T>(v))); }));
    if (sizeof(T) == sizeof(double)) {
        check.near("log_density", each(w, [&](double v) { return log_density(mixture, v); }));
        check.near("dlog_dw", each(w, [&](double v) { return log_density_gradient(mixture, v); }));
        check.near("responsibility", each(w, [&](double v) { return wide_responsibility(mixture, v); }));
    }
}

double geometric(int i, int M) { return minibatch_weight(KlWeighting::geometric, i, M); }

}   // namespace

void check_mean_field(const Json& values, const std::string& name, Report& report)
{
    check_mean_field_case<double>(values, name, report);
    check_mean_field_case<float>(values, name, report);
}

void check_mixture_grid(const Json& values, const std::string& name, Report& report)
{
    check_grid<double>(values, name, report);
    check_grid<float>(values, name, report);
}

void check_minibatch_weights(const Json& values, const std::string& name, Report& report)
{
    const int M = values.at("M");
    std::vector<double> weights;
    for (int i = 1; i <= M; ++i)
        weights.push_back(geometric(i, M));
    Case check(report, name, values, {1e-12, 1e-12});
    check.near("weights", weights);
}

void check_minibatch_weights_long(const Json& values, const std::string& name, Report& report)
{
    const int M = values.at("M");
    std::vector<double> at;
    for (const int i : values.at("index"))
        at.push_back(geometric(i, M));
    double sum = 0;
    for (int i = 1; i <= M; ++i)
        sum += geometric(i, M);
    Case check(report, name, values, {1e-12, 1e-12});
    check.near("weights_at", at);
    check.near("sum", sum);
    if (check.wants("weights_at")) {   // the small ones, which the largest would mask
        const auto want = numbers(values.at("weights_at"));
        for (std::size_t k = 0; k < std::min(at.size(), want.size()); ++k)
            check.relative_to("weights_at[" + std::to_string(k) + "]", at[k], want[k], want[k], {1e-12, 0});
    }
}

void check_pruning(const Json& values, const std::string& name, Report& report)
{
    const auto mu = numbers(values.at("mu")), sigma = numbers(values.at("sigma")),
               fractions = numbers(values.at("fractions"));
    std::vector<double> snr, decibels, removed;
    for (std::size_t i = 0; i < mu.size(); ++i) {
        snr.push_back(std::fabs(mu[i]) / sigma[i]);
        decibels.push_back(20 * std::log10(snr.back()));
    }
    const ParameterLayout layout{{{.name = "weights", .size = mu.size()}}};
    for (const double fraction : fractions)
        for (const std::size_t i : pruned_weights<double>({.share = fraction}, layout, mu, sigma))
            removed.push_back(static_cast<double>(i));
    Case check(report, name, values, {1e-12, 1e-12});
    check.near("snr", snr);
    check.near("snr_db", decibels);
    check.exact("removed", removed);
}

void check_gaussian_nll(const Json& values, const std::string& name, Report& report)
{
    const auto y = numbers(values.at("y")), f = numbers(values.at("f"));
    for (std::size_t c = 0; c < values.at("cases").size(); ++c) {
        const Json& part        = values.at("cases")[c];
        const double sigma      = part.at("sigma");
        const std::string title = name + " " + std::to_string(c);
        {   // the density itself
            std::vector<double> nll, slope;
            for (std::size_t i = 0; i < y.size(); ++i) {
                nll.push_back(-log_density(GaussianPrior{f[i], sigma}, y[i]));
                slope.push_back(-log_density_gradient(GaussianPrior{y[i], sigma}, f[i]));
            }
            Case check(report, title + precision_name<double>(), part, {1e-12, 1e-12});
            check.near("nll_each", nll);
            check.near("dnll_df", slope);
        }
        {   // the network's likelihood, whose targets are float
            std::vector<double> nll, slope;
            for (std::size_t i = 0; i < y.size(); ++i) {
                const float target = static_cast<float>(y[i]), output = static_cast<float>(f[i]);
                float gradient = 0;
                nll.push_back(negative_log_likelihood<float>(Likelihood::gaussian(sigma), std::span(&output, 1), 1, 1,
                                                             {{}, std::span(&target, 1)}, std::span(&gradient, 1),
                                                             1.0f));
                slope.push_back(static_cast<double>(gradient));
            }
            Case check(report, title + precision_name<float>(), part, in_float);
            check.near("nll_each", nll);
            check.near("dnll_df", slope);
        }
    }
}

}   // namespace credence::reference
