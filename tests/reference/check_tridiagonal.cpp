// SPDX-License-Identifier: GPL-3.0-or-later
#include "checks.h"

#include "formula_numbers.h"
#include "foundation/elementary.h"
#include "one_block.h"
#include "posterior/scaled_means.h"

namespace credence::reference {
namespace {

template <class T>
Tridiagonal<T> make(const std::vector<double>& m, double delta, double gamma)
{
    Tridiagonal<T> posterior(one_block(m.size()), {.family = "tridiagonal"}, std::vector<float>(m.size(), 1.0f));
    auto theta = posterior.parameters();
    std::copy(m.begin(), m.end(), theta.begin());
    theta[m.size()]     = static_cast<T>(delta);
    theta[m.size() + 1] = static_cast<T>(gamma);
    return posterior;
}

template <class T>
Draw<T> draw_with(const VariationalFamily<T>& posterior, const std::vector<double>& noise)
{
    Draw<T> draw = posterior.make_draw();
    std::copy(noise.begin(), noise.end(), draw.noise.begin());
    posterior.transform(draw);
    return draw;
}

struct Gradients {
    std::vector<double> data, kl, total;   // [means, δ, γ]
};
template <class T>
Gradients gradients(const Tridiagonal<T>& posterior, const Draw<T>& draw, const std::vector<double>& g,
                    const Prior& prior, double nu, double kappa)
{
    return {whole_gradient<T>(posterior, draw, as<T>(g), {}),
            whole_gradient<T>(posterior, draw, std::vector<T>(g.size(), T(0)), {.prior = &prior, .weight = 1}),
            whole_gradient<T>(posterior, draw, as<T>(g), {.prior = &prior, .weight = nu, .kappa = kappa})};
}

template <class T>
void check_tridiagonal_case(const Json& values, const std::string& name, Report& report)
{
    const bool exact             = sizeof(T) == sizeof(double);
    const Tolerance usual        = exact ? Tolerance{1e-11, 1e-12} : in_float,
                    of_gamma     = exact ? Tolerance{1e-9, 1e-12} : in_float;
    const auto m                 = numbers(values.at("m"));
    const auto K                 = m.size();
    const auto posterior         = make<T>(m, values.at("delta"), values.at("gamma"));
    const Prior prior            = listed_prior(numbers(values.at("mu"), K), values.at("zeta"));
    const auto noise             = numbers(values.at("x"));
    const Draw<T> draw           = draw_with<T>(posterior, noise);
    const auto [data, kl, total] = gradients<T>(posterior, draw, numbers(values.at("g")), prior,
                                                values.value("nu", 1.0), values.value("kappa", 1.0));
    const double gamma           = static_cast<double>(posterior.parameters()[K + 1]);

    Case check(report, name + precision_name<T>(), values.at("expected"), usual);
    check.near("tau", posterior.tau(0));
    check.near("rho", posterior.rho(0));
    check.near("w_delta", sigmoid(static_cast<double>(posterior.parameters()[K])));
    check.near("w_gamma", sigmoid(gamma) * sigmoid(-gamma));
    check.near("r_squared", squared_correlations(posterior.rho(0), K));
    const auto factor     = posterior.neighbour_factor(0);
    const auto covariance = posterior.neighbour_covariance(0);
    check.near("a", factor.diagonal);
    check.near("c", factor.subdiagonal);
    check.near("e", posterior.relative_noise(0, std::span<const T>(draw.noise)));
    check.near("w", {draw.weights.begin(), draw.weights.end()});
    check.near("sigma_diag", covariance.diagonal);
    check.near("sigma_offdiag", covariance.off_diagonal);
    if (check.wants("sigma")) {
        std::vector<double> sigma(K * K);
        for (std::size_t i = 0; i < K; ++i) {
            sigma[i * K + i] = covariance.diagonal[i];
            if (i + 1 < K)
                sigma[i * K + i + 1] = sigma[(i + 1) * K + i] = covariance.off_diagonal[i];
        }
        check.near("sigma", sigma);
    }
    check.near("logdet_sigma", covariance.log_determinant);
    check.near("logdet_corr", covariance.log_det_correlation);
    check.near("kl", *posterior.kl(prior));
    check.near("dL_dm", part(data, 0, K));
    check.near("dL_ddelta", data[K]);
    check.near("dL_dgamma", data[K + 1], of_gamma);
    check.near("dKL_dm", part(kl, 0, K));
    check.near("dKL_ddelta", kl[K]);
    check.near("dKL_dgamma", kl[K + 1], of_gamma);
    check.near("grad_m", part(total, 0, K));
    check.near("grad_delta", total[K]);
    check.near("grad_gamma", total[K + 1], of_gamma);
}

template <class T>
void check_big_case(const Json& values, const std::string& name, Report& report)
{
    const Tolerance tolerance = sizeof(T) == sizeof(double) ? Tolerance{1e-9, 1e-12} : in_float;
    const std::size_t K       = values.at("K");
    auto m                    = symmetric(values.at("seed_m"), K, values.at("scale_m"));
    for (double& mean : m)
        mean = guarded_mean(mean, 1.0);
    const auto posterior         = make<T>(m, values.at("delta"), values.at("gamma"));
    const Prior prior            = listed_prior(numbers(values.at("mu"), K), values.at("zeta"));
    const Draw<T> draw           = draw_with<T>(posterior, symmetric(values.at("seed_x"), K, values.at("scale_x")));
    const auto g                 = symmetric(values.at("seed_g"), K, values.at("scale_g"));
    const auto [data, kl, total] = gradients<T>(posterior, draw, g, prior, 1, 1);

    const Json& expected = values.at("expected");
    Case check(report, name + precision_name<T>(), expected, tolerance);
    check.near("tau", posterior.tau(0));
    check.near("rho", posterior.rho(0));
    check.near("kl", *posterior.kl(prior));
    check.near("logdet_corr", log_det_correlation(posterior.rho(0), K));
    check.near("dL_ddelta", data[K]);
    check.near("dL_dgamma", data[K + 1]);
    check.near("dKL_ddelta", kl[K]);
    check.near("dKL_dgamma", kl[K + 1]);
    check_listed_summary(check, expected, "w", {draw.weights.begin(), draw.weights.end()}, tolerance);
    check_listed_summary(check, expected, "dL_dm", part(data, 0, K), tolerance);
    check_listed_summary(check, expected, "dKL_dm", part(kl, 0, K), tolerance);
}

}   // namespace

void check_tridiagonal(const Json& values, const std::string& name, Report& report)
{
    check_tridiagonal_case<double>(values, name, report);
    check_tridiagonal_case<float>(values, name, report);
}

void check_tridiagonal_big(const Json& values, const std::string& name, Report& report)
{
    check_big_case<double>(values, name, report);
    check_big_case<float>(values, name, report);
}

void check_clamps(const Json& values, const std::string& name, Report& report)
{
    const double coin = values.at("coin");
    const auto each   = [&](const char* key, auto guard) {
        std::vector<double> out;
        if (values.contains(key))
            for (const double value : numbers(values.at(key)))
                out.push_back(guard(value));
        return out;
    };
    Case check(report, name, values, {0, 0});
    check.exact("gamma_out", each("gamma_in", [&](double v) { return limited_gamma(guarded_gamma(v, coin)); }));
    check.exact("delta_out", each("delta_in", [](double v) { return guarded_delta(v); }));
    check.exact("m_out", each("m_in", [&](double v) { return guarded_mean(v, coin); }));
}

}   // namespace credence::reference
