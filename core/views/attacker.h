// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "prediction/attack.h"
#include "prediction/posterior_predictive.h"
#include "views/view_support.h"

#include <span>
#include <string>
#include <vector>

// Shared by the attack views.
namespace credence::view_support {

std::optional<std::string> why_no_attack(const Experiment& experiment);

/// Returns the units of the data. For images 1 is the step from black to white, and pixels are
/// clipped to this range; tables and points use the units of their columns, without clipping.
AttackSpace attack_space(const Experiment& experiment);
/// Strengths of a curve, rising from 0: 0, 0.025, 0.05, 0.1, …, 0.3. For tables they are multiplied
/// by the power of ten nearest to the mean standard deviation of the columns.
std::vector<double> attack_strengths(const Experiment& experiment);
std::string attack_unit(const Experiment& experiment);   ///< "of the step from black to white", or "units of the data"

/// An attack, and the samples that evaluate it; the two sets of samples are disjoint (DrawsApart).
struct Attacker {
    Attack attack;
    PosteriorPredictive fresh;
    AttackOptions options;
};
/// @param most_draws  default number of samples for the predictions (options.samples overrides it);
/// 0: all of the study
Attacker attacker_of(const RunSnapshot& run, const ViewOptions& options, int most_draws = 0);
/// "Fast gradient sign, gradient of −ln p̄ over 10 draws; predictions by 50 draws not used by the
/// attacker."
std::string attack_text(const RunSnapshot& run, const Attacker& attacker);

/// " Exactly zero: 12.3 % of the gradient entries, and the whole gradient of 0 % of the inputs.";
/// empty for random signs. @param share, rows  see InputGradients
std::string zeros_text(const Attacker& attacker, double share, double rows);

/// The selected input before any attack.
ChosenInput unattacked_input(const RunSnapshot& run, const ViewOptions& options);
/// Returns the input's class; if unknown, the class predicted without the attack. Empty: stopped.
std::optional<int> attacked_label(const ChosenInput& input, const PosteriorPredictive& fresh,
                                  const std::stop_token& stop);

}   // namespace credence::view_support

namespace credence {

/// Adds an arrow to a line of arrows: a shaft and a head of two strokes, separated from its
/// neighbours by NaN. If both points are equal, nothing is added.
/// @param x, y  ranges of the axes: the head has the same size on paper in every direction, at most
/// a third of the shaft
void add_arrow(Line& arrows, std::pair<double, double> from, std::pair<double, double> to, Range x, Range y);

/// The selected input after an attack of strength options.attack.epsilon.
struct AttackedInput {
    std::vector<double> input;   ///< original units [n_features]
    std::string name;            ///< "test image 3, attacked with ε = 0.1"
    std::optional<int> label;    ///< of the unattacked input
};
/// @return  empty if `stop` was requested
std::optional<AttackedInput> attacked_input(const RunSnapshot& run, const ViewOptions& options,
                                            const std::stop_token& stop);

/// The effect of attacks of rising strength on one run's predictions of labelled inputs, and that
/// of random signs of the same size.
struct AttackCurve {
    /// One value per strength.
    struct Scores {
        std::vector<double> accuracy;   ///< share right
        std::vector<double> entropy;    ///< mean H(p̄), nats
    };
    std::string name;               ///< of the run
    std::vector<double> epsilons;   ///< rising from 0
    Scores attacked, control;       ///< control: random signs
    double zero_share = 0;          ///< share of gradient entries that are exactly zero
    double zero_rows  = 0;          ///< share of inputs whose gradient is exactly zero
};

/// Accuracy and mean entropy against ε, one colour per run, its control dashed; and a table of the
/// strengths in `listed`, with the shares of zero gradients.
/// @param unit    of ε
/// @param listed  strengths in the table, a subset of those of the curves
/// Source: the functional-BNN submission, Fig. 3
Chart to_chart(std::span<const AttackCurve> curves, const std::string& unit, std::span<const double> listed);

}   // namespace credence
