// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "json_compare.h"

// One function for each kind of case; `name` is how the report calls it.
namespace credence::reference {

using Check = void (*)(const Json& values, const std::string& name, Report& report);

void check_tridiagonal(const Json& values, const std::string& name, Report& report);
void check_tridiagonal_big(const Json& values, const std::string& name, Report& report);
void check_clamps(const Json& values, const std::string& name, Report& report);

void check_layerwise_tau(const Json& values, const std::string& name, Report& report);

void check_mean_field(const Json& values, const std::string& name, Report& report);
void check_mixture_grid(const Json& values, const std::string& name, Report& report);
void check_minibatch_weights(const Json& values, const std::string& name, Report& report);
void check_minibatch_weights_long(const Json& values, const std::string& name, Report& report);
void check_pruning(const Json& values, const std::string& name, Report& report);
void check_gaussian_nll(const Json& values, const std::string& name, Report& report);

void check_metrics(const Json& values, const std::string& name, Report& report);
void check_quantile_type7(const Json& values, const std::string& name, Report& report);
void check_auroc_ties(const Json& values, const std::string& name, Report& report);
void check_ece_small(const Json& values, const std::string& name, Report& report);

void check_regression_curve(const Json& values, const std::string& name, Report& report);
void check_learning_rate(const Json& values, const std::string& name, Report& report);
void check_momentum_sgd(const Json& values, const std::string& name, Report& report);
void check_adam(const Json& values, const std::string& name, Report& report);
void check_bandit(const Json& values, const std::string& name, Report& report);
void check_mushroom(const Json& values, const std::string& name, Report& report);

void check_conv(const Json& values, const std::string& name, Report& report);
void check_maxpool(const Json& values, const std::string& name, Report& report);
void check_avepool(const Json& values, const std::string& name, Report& report);
void check_lrn(const Json& values, const std::string& name, Report& report);
void check_fully_connected(const Json& values, const std::string& name, Report& report);
void check_softmax_cross_entropy(const Json& values, const std::string& name, Report& report);
void check_small_network(const Json& values, const std::string& name, Report& report);

void check_whole_network(const Json& values, const std::string& name, Report& report);
void check_hash(const Json& values, const std::string& name, Report& report);
void check_dirichlet_to_gauss(const Json& values, const std::string& name, Report& report);
void check_gauss_to_dirichlet(const Json& values, const std::string& name, Report& report);
void check_dirichlet(const Json& values, const std::string& name, Report& report);
void check_dirichlet_kl(const Json& values, const std::string& name, Report& report);
void check_beta_quantiles(const Json& values, const std::string& name, Report& report);
void check_beta_cdf(const Json& values, const std::string& name, Report& report);
void check_topk(const Json& values, const std::string& name, Report& report);
void check_proposition1(const Json& values, const std::string& name, Report& report);
void check_logistic_normal(const Json& values, const std::string& name, Report& report);

void check_laplace_mlp(const Json& values, const std::string& name, Report& report);

void check_sgld(const Json& values, const std::string& name, Report& report);
void check_psgld(const Json& values, const std::string& name, Report& report);
void check_sghmc(const Json& values, const std::string& name, Report& report);
void check_sgfuncrld(const Json& values, const std::string& name, Report& report);
void check_mean_field_U(const Json& values, const std::string& name, Report& report);
void check_double_well(const Json& values, const std::string& name, Report& report);

}   // namespace credence::reference
