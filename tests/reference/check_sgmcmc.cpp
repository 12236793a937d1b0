// SPDX-License-Identifier: GPL-3.0-or-later
#include "checks.h"

#include "chains/double_well.h"
#include "one_block.h"
#include "posterior/mean_field.h"
#include "training/langevin.h"

namespace credence::reference {
namespace {

constexpr Tolerance sgmcmc_usual{1e-12, 1e-12};

std::vector<double> row(const Json& values, const char* key, std::size_t t) { return numbers(values.at(key).at(t)); }

/// The state vectors of a chain after each step, concatenated.
struct Path {
    std::vector<double> all;
    template <class T>
    void add(const std::vector<T>& state)
    {
        all.insert(all.end(), state.begin(), state.end());
    }
};

template <class T>
void sgld(const Json& values, const std::string& name, Report& report, Tolerance tolerance)
{
    auto theta           = as<T>(numbers(values.at("theta0")));
    const double epsilon = values.at("eta");   // of the whole potential: η∇Ū is (ε/2)∇U
    Path path;
    for (std::size_t t = 0; t < values.at("grad_U").size(); ++t) {
        sgld_update<T>(static_cast<T>(epsilon / 2), static_cast<T>(std::sqrt(epsilon)), as<T>(row(values, "grad_U", t)),
                       as<T>(row(values, "noise", t)), theta);
        path.add(theta);
    }
    Case check(report, name + precision_name<T>(), values, tolerance);
    check.near("theta", path.all);
}

template <class T>
void psgld(const Json& values, const std::string& name, Report& report, Tolerance tolerance)
{
    auto theta           = as<T>(numbers(values.at("theta0")));
    const double epsilon = values.at("eta"), N = values.at("N"), floor = values.at("lam");
    const PsgldStep<T> step{static_cast<T>(epsilon * N / 2), static_cast<T>(std::sqrt(epsilon)),
                            static_cast<T>(values.at("alpha").get<double>()), static_cast<T>(floor), 0};
    std::vector<T> mean_square(theta.size(), 0);
    Path path, of_squares, preconditioners;
    for (std::size_t t = 0; t < values.at("noise").size(); ++t) {
        const auto likelihood = row(values, "grad_mean_loglik", t), prior = row(values, "grad_logprior", t);
        std::vector<T> loss, whole;   // both go up, the updates go down
        for (std::size_t k = 0; k < likelihood.size(); ++k) {
            loss.push_back(static_cast<T>(-likelihood[k]));
            whole.push_back(static_cast<T>(-likelihood[k] - prior.at(k) / N));
        }
        psgld_update<T>(step, loss, whole, as<T>(row(values, "noise", t)), mean_square, theta);
        path.add(theta);
        of_squares.add(mean_square);
        for (const T V : mean_square)
            preconditioners.all.push_back(1 / (floor + std::sqrt(static_cast<double>(V))));
    }
    Case check(report, name + precision_name<T>(), values, tolerance);
    check.near("theta", path.all);
    check.near("V", of_squares.all);
    check.near("preconditioner", preconditioners.all);
}

template <class T>
void sghmc(const Json& values, const std::string& name, Report& report, Tolerance tolerance)
{
    auto theta = as<T>(numbers(values.at("theta0")));
    std::vector<T> v;   // of the other sign
    for (const double v0 : numbers(values.at("v0")))
        v.push_back(static_cast<T>(-v0));
    const double epsilon = values.at("eta"), alpha = values.at("alpha"), estimate = values.at("bhat");
    Path path, velocities;
    for (std::size_t t = 0; t < values.at("grad_U").size(); ++t) {
        sghmc_update<T>(static_cast<T>(epsilon), static_cast<T>(1 - alpha),
                        static_cast<T>(std::sqrt(2 * (alpha - estimate) * epsilon)), as<T>(row(values, "grad_U", t)),
                        as<T>(row(values, "noise", t)), v, theta);
        path.add(theta);
        for (const T each : v)
            velocities.all.push_back(-static_cast<double>(each));
    }
    Case check(report, name + precision_name<T>(), values, tolerance);
    check.near("theta", path.all);
    check.near("v", velocities.all);
}

FuncRldNoise variant_of(const std::string& name)
{
    for (const auto& [known, noise] : {std::pair{"as_printed", FuncRldNoise::as_printed},
                                       {"matched_half", FuncRldNoise::matched_half},
                                       {"matched_full", FuncRldNoise::matched_full}})
        if (name == known)
            return noise;
    throw std::runtime_error("the variant " + name + " is not known");
}

template <class T>
void sgfuncrld(const Json& values, const Json& variant, const std::string& name, Report& report, Tolerance tolerance)
{
    auto lambda      = as<T>(numbers(values.at("lambda0")));
    const double eta = values.at("eta"), beta1 = values.at("beta1"), beta2 = values.at("beta2");
    std::vector<T> m(lambda.size(), 0), G(lambda.size(), 0);
    Path path, means, squares, means_hat, squares_hat;
    for (std::size_t t = 0; t < values.at("grad_U").size(); ++t) {
        const double power       = static_cast<double>(t + 1);
        const double correction1 = 1 / (1 - std::pow(beta1, power)), correction2 = 1 / (1 - std::pow(beta2, power));
        const FuncRldStep<T> step{.eta         = static_cast<T>(eta),
                                  .s           = static_cast<T>(std::sqrt(2 * eta)),
                                  .n_examples  = 1,
                                  .beta1       = static_cast<T>(beta1),
                                  .beta2       = static_cast<T>(beta2),
                                  .correction1 = static_cast<T>(correction1),
                                  .correction2 = static_cast<T>(correction2),
                                  .epsilon     = static_cast<T>(values.at("eps").get<double>()),
                                  .noise       = variant_of(variant.at("name"))};
        sgfuncrld_update<T>(step, as<T>(row(values, "grad_U", t)), as<T>(row(values, "noise", t)), m, G, lambda);
        path.add(lambda);
        means.add(m);
        squares.add(G);
        for (std::size_t k = 0; k < m.size(); ++k) {
            means_hat.all.push_back(correction1 * static_cast<double>(m[k]));
            squares_hat.all.push_back(correction2 * static_cast<double>(G[k]));
        }
    }
    const std::string title = name + " " + variant.at("name").get<std::string>() + precision_name<T>();
    {
        Case check(report, title, variant, tolerance);
        check.near("lambda", path.all);
    }
    Case check(report, title + ", averages", values, tolerance);
    check.near("m", means.all);
    check.near("G", squares.all);
    check.near("m_hat", means_hat.all);
    check.near("G_hat", squares_hat.all);
}

template <class T>
void mean_field_U(const Json& values, const std::string& name, Report& report, Tolerance tolerance)
{
    const auto mu = numbers(values.at("mu")), rho = numbers(values.at("rho"));
    const std::size_t n = mu.size();
    MeanField<T> posterior(one_block(n), {}, std::vector<float>(n));
    std::copy(mu.begin(), mu.end(), posterior.parameters().begin());
    std::copy(rho.begin(), rho.end(), posterior.parameters().begin() + static_cast<std::ptrdiff_t>(n));
    const Prior prior = listed_prior({}, values.at("prior_sigma"));
    auto draw         = posterior.make_draw();
    const auto noise  = as<T>(numbers(values.at("eps")));
    draw.noise.assign(noise.begin(), noise.end());
    posterior.transform(draw);
    const auto gradient = whole_gradient<T>(posterior, draw, as<T>(numbers(values.at("dnll_dtheta"))),
                                            {.prior = &prior, .kind = Complexity::Kind::closed, .weight = 1});
    Case check(report, name + precision_name<T>(), values, tolerance);
    check.near("theta", {draw.weights.begin(), draw.weights.end()});
    check.near("kl", posterior.kl(prior).value());
    check.near("grad_mu", part(gradient, 0, n));
    check.near("grad_rho", part(gradient, n, n));
}

}   // namespace

void check_sgld(const Json& values, const std::string& name, Report& report)
{
    sgld<double>(values, name, report, sgmcmc_usual);
    sgld<float>(values, name, report, in_float);
}

void check_psgld(const Json& values, const std::string& name, Report& report)
{
    psgld<double>(values, name, report, sgmcmc_usual);
    psgld<float>(values, name, report, in_float);
}

void check_sghmc(const Json& values, const std::string& name, Report& report)
{
    sghmc<double>(values, name, report, sgmcmc_usual);
    sghmc<float>(values, name, report, in_float);
}

void check_sgfuncrld(const Json& values, const std::string& name, Report& report)
{
    for (const Json& variant : values.at("variants")) {
        sgfuncrld<double>(values, variant, name, report, sgmcmc_usual);
        sgfuncrld<float>(values, variant, name, report, in_float);
    }
}

void check_mean_field_U(const Json& values, const std::string& name, Report& report)
{
    mean_field_U<double>(values, name, report, sgmcmc_usual);
    mean_field_U<float>(values, name, report, in_float);
}

void check_double_well(const Json& values, const std::string& name, Report& report)
{
    {
        std::vector<double> potential, slope;
        for (const double theta : numbers(values.at("theta"))) {
            potential.push_back(double_well::potential(theta));
            slope.push_back(double_well::slope(theta));
        }
        Case check(report, name, values, sgmcmc_usual);
        check.near("U", potential);
        check.near("dU", slope);
        check.near("normaliser", double_well::normaliser());
        check.near("variance", double_well::variance());
    }
    for (std::size_t i = 0; i < values.at("functional").size(); ++i) {
        const Json& part = values.at("functional")[i];
        const double mu = part.at("mu"), sd = part.at("sigma");
        const auto energy = double_well::expected_potential(mu, sd), free_energy = double_well::free_energy(mu, sd);
        Case check(report, name + " functional " + std::to_string(i), part, sgmcmc_usual);
        check.near("expected_U", energy.value);
        check.near("dEU_dmu", energy.by_mu);
        check.near("dEU_dsigma", energy.by_sd);
        check.near("entropy", double_well::entropy(sd).value);
        check.near("free_energy", free_energy.value);
        check.near("dF_dmu", free_energy.by_mu);
        check.near("dF_dsigma", free_energy.by_sd);
    }
    const Json& trace = values.at("momentum_trace");
    std::vector<double> theta{trace.at("theta0")}, v{-trace.at("v0").get<double>()}, path;
    for (std::size_t t = 0; t < trace.at("steps").size(); ++t) {
        sghmc_update<double>(trace.at("lr"), trace.at("momentum"), 0, std::vector{double_well::slope(theta[0])}, {}, v,
                             theta);
        path.insert(path.end(), {theta[0], -v[0]});
    }
    Case check(report, name + " momentum_trace", trace, sgmcmc_usual);
    check.near("steps", path);
}

}   // namespace credence::reference
