// SPDX-License-Identifier: GPL-3.0-or-later
#include "checks.h"

#include "laplace/fit_curvature.h"
#include "laplace/laplace_gaussian.h"
#include "network/network.h"
#include "prediction/linearised_logits.h"
#include "simplex/laplace_bridge.h"

namespace credence::reference {
namespace {

constexpr Tolerance laplace{1e-9, 1e-12};

ActivationKind activation_of(const std::string& name)
{
    for (const auto kind : {ActivationKind::relu, ActivationKind::tanh, ActivationKind::sigmoid,
                            ActivationKind::softplus, ActivationKind::elu, ActivationKind::identity})
        if (name == name_of(kind))
            return kind;
    throw std::runtime_error("activation \"" + name + "\" is not known");
}

/// The eigenvectors' matrix again: Vᵀ diag(values) V.
std::vector<double> composed(const std::vector<double>& values, const std::vector<double>& vectors)
{
    const std::size_t n = values.size();
    std::vector<double> matrix(n * n);
    for (std::size_t r = 0; r < n; ++r)
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j)
                matrix[i * n + j] += values[r] * vectors[r * n + i] * vectors[r * n + j];
    return matrix;
}

struct Classifier {
    Model model;
    std::vector<double> theta, x, x_test;
    std::vector<int> labels;
    int n = 0, n_test = 0;
    double precision = 1;

    explicit Classifier(const Json& values)
    {
        std::vector<int> sizes;
        for (const double size : numbers(values.at("sizes")))
            sizes.push_back(static_cast<int>(size));
        if (sizes.size() < 2)
            throw std::runtime_error("found " + std::to_string(sizes.size()) + " sizes, expected at least 2");
        model.architecture = mlp(sizes.front(), {sizes.begin() + 1, sizes.end() - 1}, sizes.back(),
                                 activation_of(values.at("activation")));
        theta              = numbers(values.at("theta"));
        x                  = numbers(values.at("X"));
        x_test             = numbers(values.at("X_test"));
        for (const double y : numbers(values.at("y")))
            labels.push_back(static_cast<int>(y));
        n         = static_cast<int>(values.at("X").size());
        n_test    = static_cast<int>(values.at("X_test").size());
        precision = values.at("prior_precision");
        if (theta.size() != layout_of(model.architecture).size() || labels.size() != static_cast<std::size_t>(n))
            throw std::runtime_error("theta or y do not fit sizes and X");
    }

    std::shared_ptr<const Curvature> curvature(CurvatureStructure structure,
                                               CurvatureLayers layers = CurvatureLayers::all,
                                               KroneckerForm form     = KroneckerForm::joint,
                                               CurvatureKind kind     = CurvatureKind::ggn) const
    {
        return curvature_of<double>(model, theta, x, Targets{labels, {}}, n, {structure, layers, kind, form});
    }
};

}   // namespace

void check_laplace_mlp(const Json& values, const std::string& name, Report& report)
{
    const Classifier c(values);
    const Json& expected = values.at("expected");
    const int K          = c.model.architecture.outputs();
    Case check(report, name, expected, laplace);

    const Network<double> network(c.model.architecture);
    Network<double>::Workspace workspace(network, c.n);
    const auto outputs = network.forward(c.theta, c.x.data(), c.n, workspace);
    const std::vector<double> logits(outputs.begin(), outputs.end());
    check.near("logits", logits);
    std::vector<double> dz(logits.size()), gradient(c.theta.size()), probabilities, fisher(c.theta.size());
    const double nll = negative_log_likelihood<double>(c.model.likelihood, logits, c.n, K, Targets{c.labels, {}}, dz,
                                                       1.0);
    check.near("nll_sum", nll);
    for (std::size_t i = 0; i < dz.size(); ++i)
        probabilities.push_back(dz[i] + (c.labels[i / K] == static_cast<int>(i % K) ? 1 : 0));
    check.near("probabilities", probabilities);
    network.backward(c.theta, dz, workspace, gradient);
    check.near("grad_nll_sum", gradient);
    Network<double>::Workspace single(network, 1);
    for (int i = 0; i < c.n; ++i) {
        network.forward(c.theta, c.x.data() + static_cast<std::ptrdiff_t>(i) * c.model.architecture.inputs, 1, single);
        network.backward(c.theta, {dz.data() + static_cast<std::ptrdiff_t>(i) * K, static_cast<std::size_t>(K)}, single,
                         gradient);
        for (std::size_t p = 0; p < fisher.size(); ++p)
            fisher[p] += gradient[p] * gradient[p];
    }
    check.near("empirical_fisher_diag", fisher);

    constexpr auto full_structure = CurvatureStructure::full, diagonal = CurvatureStructure::diagonal,
                   kronecker = CurvatureStructure::kronecker;
    const auto full          = c.curvature(full_structure),
               exact = c.curvature(full_structure, CurvatureLayers::all, KroneckerForm::joint, CurvatureKind::hessian);
    check.near("ggn", composed(full->data().eigenvalues, full->data().eigenvectors));
    check.near("hessian", composed(exact->data().eigenvalues, exact->data().eigenvectors));
    const auto diag = c.curvature(diagonal);
    check.near("ggn_diag", diag->data().diagonal);
    check.near(
        "hessian_diag",
        c.curvature(diagonal, CurvatureLayers::all, KroneckerForm::joint, CurvatureKind::hessian)->data().diagonal);
    check.near("logdet_precision_full", full->log_determinant(c.precision));
    check.near("log_marginal_likelihood", full->log_evidence(c.precision));
    const auto kron = c.curvature(kronecker);
    if (expected.contains("kron"))
        for (std::size_t l = 0; l < expected.at("kron").size(); ++l) {
            const KroneckerFactor& f = kron->data().kronecker.at(l);
            Case factors(report, name + " (Kronecker factors of layer " + std::to_string(l) + ")",
                         expected.at("kron")[l], laplace);
            factors.near("A_mean", composed(f.a_values, f.a_vectors));
            factors.near("B_sum", composed(f.b_values, f.b_vectors));
        }
    const auto sqrt_form  = c.curvature(kronecker, CurvatureLayers::all, KroneckerForm::square_root),
               split_form = c.curvature(kronecker, CurvatureLayers::all, KroneckerForm::split);
    check.near("posterior_covariance_full_diag", LaplaceGaussian<double>(full, c.precision).variances());
    check.near("posterior_variance_diag", LaplaceGaussian<double>(diag, c.precision).variances());
    check.near("posterior_covariance_kron_diag", LaplaceGaussian<double>(kron, c.precision).variances());
    check.near("posterior_covariance_kron_sqrt_diag", LaplaceGaussian<double>(sqrt_form, c.precision).variances());
    check.near("posterior_covariance_kron_split_diag", LaplaceGaussian<double>(split_form, c.precision).variances());
    if (!expected.contains("tests"))
        return;

    const auto last = [&](CurvatureStructure structure, KroneckerForm form = KroneckerForm::joint) {
        return c.curvature(structure, CurvatureLayers::last, form);
    };
    const std::pair<const char*, std::shared_ptr<const Curvature>> variants[] = {
        {"full", full},
        {"diag", diag},
        {"kron", kron},
        {"kron_sqrt", sqrt_form},
        {"kron_split", split_form},
        {"last_full", last(full_structure)},
        {"last_diag", last(diagonal)},
        {"last_kron", last(kronecker)},
        {"last_kron_sqrt", last(kronecker, KroneckerForm::square_root)},
        {"last_kron_split", last(kronecker, KroneckerForm::split)},
    };
    std::vector<LinearisedOutputs<double>> linearised;
    for (const auto& [key, curvature] : variants)
        linearised.push_back(
            linearised_outputs<double>(c.model, LaplaceGaussian<double>(curvature, c.precision), c.x_test, c.n_test));
    for (int t = 0; t < c.n_test; ++t) {
        const Json& test        = expected.at("tests").at(static_cast<std::size_t>(t));
        const std::string which = name + " (test input " + std::to_string(t);
        const std::size_t k2    = static_cast<std::size_t>(K) * K;
        const auto of_test      = [&](const std::vector<double>& all, std::size_t size) {
            return std::vector<double>(all.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(t) * size),
                                       all.begin()
                                           + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(t + 1) * size));
        };
        const auto mu = of_test(linearised[0].mu, static_cast<std::size_t>(K));
        Case whole(report, which + ")", test, laplace);
        whole.near("logits", mu);
        std::vector<double> jacobian;
        network.forward(c.theta, c.x_test.data() + static_cast<std::ptrdiff_t>(t) * c.model.architecture.inputs, 1,
                        single);
        for (int k = 0; k < K; ++k) {
            std::vector<double> unit(static_cast<std::size_t>(K));
            unit[static_cast<std::size_t>(k)] = 1;
            network.backward(c.theta, unit, single, gradient);
            jacobian.insert(jacobian.end(), gradient.begin(), gradient.end());
        }
        whole.near("jacobian", jacobian);
        const auto section = [&](const char* key) { return test.contains(key) ? test.at(key) : Json::object(); };
        const Json wanted_covariances = section("logit_covariance"),
                   wanted_alphas      = section("laplace_bridge_alpha");   // outlive their cases
        Case covariances(report, which + ", covariances)", wanted_covariances, laplace);
        Case alphas(report, which + ", bridge)", wanted_alphas, laplace);
        for (std::size_t v = 0; v < std::size(variants); ++v) {
            const auto sigma = of_test(linearised[v].covariance, k2);
            covariances.near(variants[v].first, sigma);
            if (alphas.wants(variants[v].first))
                alphas.near(
                    variants[v].first,
                    bridge(LogitGaussian::from_covariance(mu, sigma), BridgeVariant::plain).dirichlet().alpha());
        }
    }
}

}   // namespace credence::reference
