// SPDX-License-Identifier: GPL-3.0-or-later
#include "checks.h"

#include "simplex/bridge_rows.h"
#include "simplex/dirichlet_fit.h"
#include "simplex/laplace_bridge.h"
#include "simplex/logistic_normal.h"
#include "simplex/ternary_grid.h"
#include "simplex/top_k.h"

#include <span>

namespace credence::reference {
namespace {

constexpr Tolerance simplex_usual{1e-11, 1e-12}, of_quantiles{1e-10, 1e-12}, of_quadrature{1e-9, 1e-12},
    of_log_density{1e-11, 1e-12};

LogitGaussian logits_of(const Json& values)
{
    if (values.contains("sigma"))
        return LogitGaussian::from_covariance(numbers(values.at("mu")), numbers(values.at("sigma")));
    if (values.contains("sigma_factor"))
        return LogitGaussian::from_factor(numbers(values.at("mu")), numbers(values.at("sigma_diag_part")),
                                          numbers(values.at("sigma_factor")));
    return LogitGaussian::from_diagonal(numbers(values.at("mu")), numbers(values.at("sigma_diag")));
}

template <class Distribution>
std::vector<double> log_pdfs(const Distribution& distribution, const Json& points)
{
    std::vector<double> out;
    for (const Json& point : points)
        out.push_back(distribution.log_pdf(numbers(point)));
    return out;
}

std::vector<double> exponentials(const std::vector<double>& logs)
{
    std::vector<double> out(logs);
    for (double& v : out)
        v = std::exp(v);
    return out;
}

/// The same numbers from `bridge_rows_log`.
void check_rows(Case& check, const LogitGaussian& logits, BridgeVariant variant)
{
    const auto mu = logits.mu(), variance = logits.variance(), sums = logits.row_sums();
    std::vector<double> log_alpha(mu.size());
    bridge_rows_log({logits.n_classes(), mu, variance, sums}, variant, log_alpha);
    check.near("log_alpha", log_alpha);
}

/// And, where they fit, from the single-precision version.
void check_float_rows(Case& check, const LogitGaussian& logits, BridgeVariant variant)
{
    const auto mu = as<float>(logits.mu()), variance = as<float>(logits.variance()),
               sums = as<float>(logits.row_sums());
    std::vector<float> alpha(mu.size());
    bridge_rows({logits.n_classes(), mu, variance, sums}, variant, alpha);
    check.near("alpha", std::vector<double>(alpha.begin(), alpha.end()), {2e-5, 1e-5});
}

}   // namespace

void check_dirichlet_to_gauss(const Json& values, const std::string& name, Report& report)
{
    const Dirichlet distribution(numbers(values.at("alpha")));
    const LogitGaussian gauss = logit_gaussian(distribution);
    const Json& expected      = values.at("expected");
    Case check(report, name, expected, simplex_usual);
    check.near("mu", gauss.mu());
    check.near("sigma", gauss.covariance());
    check.near("sigma_diag", gauss.variance());
    if (expected.contains("sigma_row_index")) {
        std::vector<double> rows;
        for (const int k : expected.at("sigma_row_index").get<std::vector<int>>())
            for (int l = 0; l < gauss.n_classes(); ++l)
                rows.push_back(gauss.covariance(k, l));
        check.near("sigma_rows", rows);
    }
    check.near("alpha_back", bridge(gauss, BridgeVariant::plain).dirichlet().alpha());
}

void check_gauss_to_dirichlet(const Json& values, const std::string& name, Report& report)
{
    const LogitGaussian logits = logits_of(values);
    const Json& expected       = values.at("expected");
    for (const BridgeVariant variant : bridge_variants) {
        if (!expected.contains(credence::name(variant)))
            continue;
        const Json& want        = expected.at(credence::name(variant));
        const CorrectedLogits c = corrected(logits, variant);
        const LogDirichlet out  = bridge(c);
        Case check(report, name + ", " + credence::name(variant), want, simplex_usual);
        check.near("mu", c.mu);
        check.near("sigma_diag", c.variance);
        check.near("c", c.c);
        check.near("log_alpha", out.log_alpha);
        check.near("log_alpha0", out.log_total);
        check.near("mean", out.mean());
        check.near("alpha", exponentials(out.log_alpha));
        check.near("variance", out.variance());
        check_rows(check, logits, variant);
        if (want.contains("alpha"))
            check_float_rows(check, logits, variant);
    }
    if (expected.contains("probit_mean")) {
        Case check(report, name + ", probit", expected, simplex_usual);
        check.near("probit_mean", probit_mean(logits));
    }
}

void check_dirichlet(const Json& values, const std::string& name, Report& report)
{
    const Dirichlet distribution(numbers(values.at("alpha")));
    const Json& expected = values.at("expected");
    Case check(report, name, expected, simplex_usual);
    if (values.contains("points"))
        check.near("log_pdf", log_pdfs(distribution, values.at("points")));
    check.near("mean", distribution.mean());
    check.near("variance", distribution.variance());
    if (expected.contains("covariance_rows")) {
        std::vector<double> rows;
        for (const int k : expected.at("covariance_rows").get<std::vector<int>>()) {
            const auto row = distribution.covariance_row(k);
            rows.insert(rows.end(), row.begin(), row.end());
        }
        check.near("covariance", rows);
    } else
        check.near("covariance", distribution.covariance());
    check.near("mode", distribution.mode());
    check.near("log_beta", distribution.log_beta());
    check.near("entropy", distribution.entropy());
    check.near("e_log_pi", distribution.expected_log());
    check.near("expected_categorical_entropy", distribution.expected_categorical_entropy());
    check.near("entropy_of_mean", distribution.entropy_of_mean());
    check.near("mutual_information", distribution.mutual_information());
    if (expected.contains("marginal_beta") && !expected.at("marginal_beta").empty()) {
        std::vector<double> shapes;
        for (int k = 0; k < distribution.n_classes(); ++k) {
            shapes.push_back(distribution.marginal(k).a);
            shapes.push_back(distribution.marginal(k).b);
        }
        check.near("marginal_beta", shapes);
    }
    if (expected.contains("grouped_first_two") && !expected.at("grouped_first_two").empty()) {
        std::vector<int> group(distribution.n_classes(), 2);
        group[0] = 0;
        group[1] = 1;
        check.near("grouped_first_two", distribution.grouped(group).alpha());
    }
    std::vector<double> thresholds;
    for (int k = 0; k < distribution.n_classes(); ++k)
        thresholds.push_back(proposition1_threshold(distribution.rest(k)));
    check.near("proposition1_threshold", thresholds);
    check.exact("proposition1_holds", proposition1_holds(distribution));
}

void check_dirichlet_kl(const Json& values, const std::string& name, Report& report)
{
    const Dirichlet alpha(numbers(values.at("alpha"))), beta(numbers(values.at("beta")));
    Case check(report, name, values, simplex_usual);
    check.near("kl", kl_divergence(alpha, beta));
    check.near("kl_reverse", kl_divergence(beta, alpha));
    check.near("kl_self", kl_divergence(alpha, alpha));
}

void check_beta_quantiles(const Json& values, const std::string& name, Report& report)
{
    const Beta distribution{values.at("a"), values.at("b")};
    std::vector<double> value, complement;
    for (const double p : numbers(values.at("p"))) {
        const UnitPlace x = quantile(distribution, p);
        value.push_back(x.value);
        complement.push_back(x.complement);
    }
    Case check(report, name, values, of_quantiles);
    check.near("quantile", value);
    check.near("complement", complement);
    // The smaller tail of each, relative to itself
    for (const auto& [key, got] : {std::pair{"quantile", value}, std::pair{"complement", complement}})
        if (values.contains(key)) {
            const auto want = numbers(values.at(key));
            for (std::size_t i = 0; i < want.size(); ++i)
                if (want[i] < 0.5)
                    check.relative_to(std::string(key) + " " + std::to_string(i), got[i], want[i], want[i],
                                      {1e-10, 1e-300});
        }
}

void check_beta_cdf(const Json& values, const std::string& name, Report& report)
{
    const Beta distribution{values.at("a"), values.at("b")};
    std::vector<double> got;
    for (const double x : numbers(values.at("x")))
        got.push_back(cdf(distribution, x));
    Case check(report, name, values, simplex_usual);
    check.near("cdf", got);
}

void check_topk(const Json& values, const std::string& name, Report& report)
{
    const TopK got = uncertain_top_k(Dirichlet(numbers(values.at("alpha"))), values.at("T"));
    std::vector<double> left, right;
    for (const UnitPlace& x : got.left_previous)
        left.push_back(x.value);
    for (const UnitPlace& x : got.right_current)
        right.push_back(x.value);
    Case check(report, name, values, of_quantiles);
    check.exact("selected", got.selected);
    // A file can continue after the first failure
    const auto first = [&](const char* key, std::vector<double> values_of) {
        for (std::size_t i = values_of.size(); check.wants(key) && i < values.at(key).size(); ++i)
            values_of.push_back(values.at(key).at(i));
        return values_of;
    };
    check.near("left_previous", first("left_previous", left));
    check.near("right_current", first("right_current", right));
}

void check_proposition1(const Json& values, const std::string& name, Report& report)
{
    std::vector<double> got;
    for (const double rest : numbers(values.at("alpha_rest")))
        got.push_back(proposition1_threshold(rest));
    Case check(report, name, values, simplex_usual);
    check.near("threshold", got);
}

void check_logistic_normal(const Json& values, const std::string& name, Report& report)
{
    const LogisticNormal distribution(logits_of(values));
    const Json& expected = values.at("expected");
    Case check(report, name, expected, of_quadrature);
    check.near("alr_mean", distribution.alr_mean());
    check.near("alr_cov", distribution.alr_covariance());
    if (values.contains("points"))
        check.near("log_pdf", log_pdfs(distribution, values.at("points")), of_log_density);
    check.near("differential_entropy_alr", distribution.alr_entropy());
    const bool by_quadrature = distribution.n_classes() <= 4;
    if (by_quadrature) {
        const LogitExpectations e = expectations(distribution.logits());
        check.near("mean", e.mean);
        check.near("covariance", e.covariance);
        check.near("expected_categorical_entropy", e.expected_categorical_entropy);
        check.near("e_logsumexp", e.e_logsumexp);
        check.near("e_log_pi", e.expected_log);
        if (expected.contains("kl_to_dirichlet"))
            for (const BridgeVariant variant : bridge_variants)
                if (const char* key = credence::name(variant); expected.at("kl_to_dirichlet").contains(key)) {
                    const Dirichlet bridged = bridge(distribution.logits(), variant).dirichlet();
                    const double want       = expected.at("kl_to_dirichlet").at(key);
                    check.relative_to(std::string("kl_to_dirichlet.") + key, kl_divergence(distribution, bridged, e),
                                      want, std::fabs(want), of_quadrature);
                    if (expected.contains("alpha") && expected.at("alpha").contains(key)) {
                        const auto alpha = numbers(expected.at("alpha").at(key));
                        for (std::size_t k = 0; k < alpha.size(); ++k)
                            check.relative_to(std::string("alpha.") + key, bridged.alpha().at(k), alpha[k],
                                              *std::max_element(alpha.begin(), alpha.end()), simplex_usual);
                    }
                }
    }
    if (values.contains("B") && distribution.n_classes() == 3) {
        const int B      = values.at("B");
        const auto log_p = log_cell_probabilities(distribution, B),
                   log_q = log_cell_probabilities(bridge(distribution.logits(), BridgeVariant::plain).dirichlet(), B);
        const auto p = exponentials(log_p), q = exponentials(log_q);
        std::vector<int> places;
        for (int i = 0; i < B; ++i)
            for (int j = 0; i + j < B; ++j) {
                places.push_back(i);
                places.push_back(j);
            }
        check.exact("cells", places);
        check.near("cell_probability", p);
        check.near("dirichlet_cell_probability", q);
        check.near("kl_cells_dirichlet", kl_of_log_cells(log_p, log_q));
        if (values.contains("counts"))
            check.near("kl_cells_histogram",
                       kl_of_cells(p, histogram_probabilities(values.at("counts").get<std::vector<long>>())));
    }
}

}   // namespace credence::reference
