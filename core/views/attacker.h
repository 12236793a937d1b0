// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "prediction/attack.h"
#include "prediction/posterior_predictive.h"
#include "views/view_support.h"

/// What the views of attacks share.
namespace credence::view_support {

std::optional<std::string> why_no_attack(const Experiment& experiment);

/// The units of the data: of images 1 is the step from black to white, and pixels are clipped to these; of tables and points those of their columns, without a clip.
AttackSpace attack_space(const Experiment& experiment);
/// Strengths of a curve, rising from 0: 0, 0.025, 0.05, 0.1, …, 0.3; of tables times the power of ten that is nearest to the mean standard deviation of their columns.
std::vector<double> attack_strengths(const Experiment& experiment);
std::string attack_unit(const Experiment& experiment);   ///< "of the step from black to white", or "units of the data"

/// Who attacks, and who is asked what it did: draws that share nothing (prediction/fresh_draws.h).
struct Attacker {
    Attack attack;
    PosteriorPredictive fresh;
    AttackOptions options;
};
/// @param most_draws  of the predictions, where options.samples does not say; 0: all of the study
Attacker attacker_of(const RunMoment& moment, const ViewOptions& options, int most_draws = 0);
/// "Fast gradient sign, gradient of −ln p̄ by 10 draws; predictions by 50 other draws."
std::string attack_text(const RunMoment& moment, const Attacker& attacker);

/// " Exactly zero: 12.3 % of the numbers in the gradients, and the whole gradient of 0 % of the inputs."; empty of random signs. @param share, rows  see InputGradients
std::string zeros_text(const Attacker& attacker, double share, double rows);

/// The chosen input before any attack.
ChosenInput unattacked_input(const RunMoment& moment, const ViewOptions& options);
/// Its class; where none is known the one that is predicted without attack. Empty: stopped.
std::optional<int> attacked_label(const ChosenInput& input, const PosteriorPredictive& fresh,
                                  const std::stop_token& stop);

}   // namespace credence::view_support

namespace credence {

/// The chosen input after an attack of options.epsilon, for whoever makes it the chosen one.
struct AttackedInput {
    std::vector<double> input;   ///< original units [n_features]
    std::string name;            ///< "test image 3, attacked with ε = 0.1"
    std::optional<int> label;    ///< of the unattacked input
};
/// @return  empty if `stop` was requested
std::optional<AttackedInput> attacked_input(const RunMoment& moment, const ViewOptions& options,
                                            const std::stop_token& stop);

}   // namespace credence
