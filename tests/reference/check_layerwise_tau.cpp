// SPDX-License-Identifier: GPL-3.0-or-later
#include "checks.h"

#include "foundation/elementary.h"
#include "one_block.h"
#include "posterior/scaled_means.h"

namespace credence::reference {
namespace {

constexpr double limit_of_the_paper = 1000;   // Steinbrener et al. 2020, section 3.2

template <class T>
void check_layerwise_tau_case(const Json& values, const std::string& name, Report& report)
{
    const auto m = numbers(values.at("m")), noise = numbers(values.at("eps"));
    const auto K = m.size();
    LayerScale<T> posterior(one_block(K), {.family = "layer_scale"}, std::vector<float>(K, 1.0f));
    std::copy(m.begin(), m.end(), posterior.parameters().begin());
    posterior.parameters()[K] = static_cast<T>(values.at("delta").get<double>());
    Draw<T> draw              = posterior.make_draw();
    std::copy(noise.begin(), noise.end(), draw.noise.begin());
    posterior.transform(draw);

    const Prior prior = listed_prior(numbers(values.at("mu"), K), values.at("zeta"));
    const auto g      = as<T>(numbers(values.at("g")));
    const std::vector<T> none(K, T(0));
    const auto data    = whole_gradient<T>(posterior, draw, g, {});
    const auto kl      = whole_gradient<T>(posterior, draw, none, {.prior = &prior, .weight = 1});
    const auto limited = whole_gradient<T>(posterior, draw, none,
                                           {.prior = &prior, .weight = 1, .limit = limit_of_the_paper});
    const auto total   = whole_gradient<T>(posterior, draw, g, {.prior = &prior, .weight = values.value("nu", 1.0)});
    std::vector<double> variance;
    for (std::size_t i = 0; i < K; ++i)
        variance.push_back(std::pow(posterior.tau(0) * static_cast<double>(posterior.parameters()[i]), 2));

    Case check(report, name + precision_name<T>(), values.at("expected"),
               sizeof(T) == sizeof(double) ? Tolerance{1e-12, 1e-12} : in_float);
    check.near("tau", posterior.tau(0));
    check.near("w_delta", sigmoid(static_cast<double>(posterior.parameters()[K])));
    check.near("w", {draw.weights.begin(), draw.weights.end()});
    check.near("sigma_diag", variance);
    check.near("kl", *posterior.kl(prior));
    check.near("dL_dm", part(data, 0, K));
    check.near("dL_ddelta", data[K]);
    check.near("dKL_dm", part(kl, 0, K));
    check.near("dKL_ddelta", kl[K]);
    check.near("dKL_dm_limited", part(limited, 0, K));
    check.near("dKL_ddelta_limited", limited[K]);
    check.near("grad_m", part(total, 0, K));
    check.near("grad_delta", total[K]);
}

}   // namespace

void check_layerwise_tau(const Json& values, const std::string& name, Report& report)
{
    check_layerwise_tau_case<double>(values, name, report);
    check_layerwise_tau_case<float>(values, name, report);
}

}   // namespace credence::reference
