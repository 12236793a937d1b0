// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/attacker.h"
#include "views/classification_figures.h"
#include "views/views.h"

#include "charts/chart.h"
#include "charts/pictures.h"

#include <algorithm>
#include <cmath>

namespace credence {

using namespace view_support;

namespace {

constexpr int strengths_of_input = 25;   // from 0 to the largest strength of the test-set curve

/// The image, the attacked image and their difference: grey is unchanged, white + ε, black − ε.
std::vector<Picture> attacked_pictures(const Experiment& experiment, std::vector<float> before,
                                       std::vector<float> after, double epsilon)
{
    const auto& data = *experiment.data;
    data.inputs.undo(before);
    data.inputs.undo(after);
    std::vector<float> difference(before.size());
    const double scale = epsilon > 0 ? 0.5 / epsilon : 0;
    for (std::size_t i = 0; i < before.size(); ++i)
        difference[i] = static_cast<float>(127.5 + scale * static_cast<double>(after[i] - before[i]));
    std::vector<Picture> pictures;
    const auto add = [&](const std::vector<float>& image, const std::string& caption) {
        pictures.push_back(picture_of(std::span<const float>(image), *data.image));
        pictures.back().caption = caption;
    };
    add(before, "itself");
    add(after, "ε = " + number_text(epsilon, 3));
    add(difference, "difference / ε");
    return pictures;
}

/// @param decision  without the attack; `change` is the smallest ε that changes it, up to `most`
std::string caption_of(const ChosenInput& input, const std::string& attacked, const std::string& decision,
                       std::optional<double> change, double most)
{
    return "Mean probability of each class and entropy of " + input.name + " against the strength ε of an attack on "
           + (input.label ? "its class " : "the class predicted without the attack, ") + attacked
           + ". Classes that stay below 5 % everywhere are left out. "
           + (change ? "Smallest ε that changes the decision " + decision + ": " + number_text(*change, 3)
                           + " (first change along the curve, refined by bisection). "
                     : "No ε up to " + number_text(most, 3) + " changes the decision " + decision + ". ");
}

/// Marks the smallest ε that changes the decision in the two panels of the curves.
void mark_change(Chart& chart, double change)
{
    for (std::size_t p = chart.panels.size() - 2; p < chart.panels.size(); ++p)
        chart.panels[p].series.push_back(Rule{.direction = Rule::Direction::vertical,
                                              .at        = change,
                                              .label     = "decision changes",
                                              .tone      = {Tone::Kind::wrong}});
}

/// The input attacked at each of these strengths [n × features]. Empty: stopped.
std::vector<float> attacked_inputs(const Attacker& attacker, const ChosenInput& input, int label,
                                   std::span<const double> epsilons, const std::stop_token& stop)
{
    std::vector<float> all;
    const auto done = attacker.attack.run(
        input.standardised, std::span(&label, 1), epsilons,
        [&](std::size_t, std::span<const float> x) { all.insert(all.end(), x.begin(), x.end()); }, stop);
    return done ? all : std::vector<float>();
}

std::optional<Chart> make_attack_input(const RunSnapshot& run, const ViewOptions& options, const std::stop_token& stop)
{
    const auto& experiment = *run.experiment;
    const auto& data       = *experiment.data;
    const auto input       = unattacked_input(run, options);
    const auto attacker    = attacker_of(run, options);
    const auto label       = attacked_label(input, attacker.fresh, stop);
    if (!label)
        return {};
    const double most = std::max(attack_strengths(experiment).back(), options.attack.epsilon);
    std::vector<double> epsilons;
    for (int i = 0; i < strengths_of_input; ++i)
        epsilons.push_back(most * i / (strengths_of_input - 1));
    const auto attacked_at = [&](std::span<const double> at) {
        return attacked_inputs(attacker, input, *label, at, stop);
    };
    const auto attacked = attacked_at(epsilons);
    if (attacked.empty())
        return {};
    const auto summary = attacker.fresh.summarise(attacked, strengths_of_input, stop);
    if (stop.stop_requested())
        return {};
    const auto predictions = class_predictions(summary);
    const int decision     = predictions.predicted.front();
    const auto change      = smallest_change(epsilons, predictions.predicted, [&](double epsilon) {
        const auto x = attacked_at(std::span(&epsilon, 1));
        if (stop.stop_requested())
            return decision;
        const auto there = attacker.fresh.summarise(x, 1, stop);
        return stop.stop_requested() ? decision : class_predictions(there).predicted.front();
    });
    const auto gradients   = attacker.options.kind == AttackKind::random_signs
                                 ? std::optional(InputGradients{})
                                 : attacker.attack.gradients(input.standardised, std::span(&*label, 1), stop);
    if (!gradients || stop.stop_requested())
        return {};
    DisturbanceCurve curve{.input       = input.name,
                           .quantity    = "ε",
                           .unit        = attack_unit(experiment),
                           .at          = epsilons,
                           .predictions = predictions,
                           .class_names = data.training.class_names,
                           .true_class  = input.label,
                           .now         = {},
                           .pictures    = {}};
    if (options.attack.unattacked)
        curve.now = options.attack.epsilon;
    if (data.image) {
        const auto now = attacked_at(std::span(&options.attack.epsilon, 1));
        if (now.empty())
            return {};
        curve.pictures = attacked_pictures(experiment, input.standardised, now, options.attack.epsilon);
    }
    Chart chart = to_chart(curve);
    chart.id    = "attack_input";
    chart.title = "Attack";
    if (change)
        mark_change(chart, *change);
    const auto& names = data.training.class_names;
    chart.caption = caption_of(input, names.at(*label), names.at(decision), change, most) + attack_text(run, attacker)
                    + zeros_text(attacker, gradients->zero_share, gradients->zero_rows);
    return with_setting(std::move(chart), run, attacker.fresh.n_samples());
}

}   // namespace

View attack_input_view()
{
    return {
        .id    = "attack_input",
        .title = "Attack",
        .group = ViewGroup::attacks,
        .help =
            "Every value of the selected input changes by at most ε, in the direction that increases the loss of its "
            "class. For images you see the original, the attacked image and their difference: grey where nothing "
            "changed, white or black where a pixel became lighter or darker by ε (1 is the step from black to white). "
            "Below, the mean probability p̄ of each class and the predictive entropy with its parts are drawn against "
            "ε, computed from samples that the attacker has not used. The caption gives the smallest ε that changes "
            "the decision: the first change along the curve, refined by bisection. The slider makes the attacked input "
            "the selected one, so boxplots, simplex and verdict follow; at 0 it is the original input again. Fast "
            "gradient sign takes one step in one direction. Projected gradient takes small steps and recomputes the "
            "gradient after each. Random signs use no gradient and serve as a control. The gradient is that of one "
            "weight sample, of the mean loss of ten samples, or of −ln p̄, their mean prediction. If the class of an "
            "input is unknown, the attack uses the predicted class. Whether Bayesian neural networks are harder to "
            "attack is disputed (yes: Carbone et al. 2020; no: Feng et al. 2024): see the help of Attacks, the "
            "test-set curve. Sources: Goodfellow, Shlens and Szegedy 2015; Madry et al. 2018.",
        .needs_input       = true,
        .coarse_while_live = true,
        .why_not           = why_no_attack,
        .make              = make_attack_input};
}

}   // namespace credence
