// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/attacker.h"

#include "charts/chart.h"
#include "foundation/error.h"
#include "foundation/statistics.h"
#include "prediction/attack.h"
#include "prediction/class_predictions.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace credence::view_support {

std::optional<std::string> why_no_attack(const Experiment& experiment)
{
    if (experiment.task() == Task::classification)
        return {};
    return "An attack changes a decision between classes: this Study predicts a numeric target.";
}

AttackSpace attack_space(const Experiment& experiment)
{
    constexpr double white = 255;
    const auto& scale      = experiment.data->inputs;
    AttackSpace space;
    for (std::size_t j = 0; j < scale.sd.size(); ++j) {
        space.unit.push_back(static_cast<float>((experiment.data->image ? white : 1.0) / scale.sd[j]));
        if (experiment.data->image) {
            space.lowest.push_back(static_cast<float>((0 - scale.mean[j]) / scale.sd[j]));
            space.highest.push_back(static_cast<float>((white - scale.mean[j]) / scale.sd[j]));
        }
    }
    return space;
}

std::vector<double> attack_strengths(const Experiment& experiment)
{
    std::vector<double> strengths{0, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3};
    if (experiment.data->image)
        return strengths;
    const double mean   = mean_of(experiment.data->inputs.sd);
    const int magnitude = static_cast<int>(std::lround(std::log10(mean)));
    const double power  = std::pow(10.0, std::abs(magnitude));   // positive exponents only: negative powers of ten are
                                                                 // not exact
    for (double& strength : strengths)
        strength = magnitude < 0 ? strength / power : strength * power;
    return strengths;
}

std::string attack_unit(const Experiment& experiment)
{
    return experiment.data->image ? "of the step from black to white" : "units of the data";
}

Attacker attacker_of(const RunSnapshot& run, const ViewOptions& options, int most_draws)
{
    const auto& experiment = *run.experiment;
    const auto& study      = experiment.study;
    int samples            = options.samples > 0 ? options.samples : study.prediction.samples;
    if (most_draws > 0 && options.samples <= 0)
        samples = std::min(samples, most_draws);
    if (!(options.attack.epsilon >= 0) || !std::isfinite(options.attack.epsilon))
        throw Error("The strength ε of the attack is " + number_text(options.attack.epsilon, 6)
                    + ", expected at least 0.");
    const int draws  = options.attack.method.gradient == AttackGradient::one_draw ? 1 : options.attack.method.draws;
    const auto apart = draws_apart(run.snapshot->posterior, draws);
    return {Attack(experiment.model, apart.gradient, attack_space(experiment), options.attack.method, study.seed),
            PosteriorPredictive(experiment.model, apart.fresh, samples, study.seed), options.attack.method};
}

std::string attack_text(const RunSnapshot& run, const Attacker& attacker)
{
    const auto& options    = attacker.options;
    const auto& experiment = *run.experiment;
    const auto draws       = [](int n) { return std::to_string(n) + (n == 1 ? " sample" : " samples"); };
    std::string text       = options.kind == AttackKind::fast_gradient_sign ? "Fast gradient sign"
                             : options.kind == AttackKind::random_signs     ? "Random signs"
                                                                            : "Projected gradient";
    if (options.kind == AttackKind::projected_gradient)
        text += " (" + std::to_string(options.steps) + " steps of " + number_text(options.step_share, 3) + " ε)";
    if (options.kind != AttackKind::random_signs) {
        if (experiment.model.linearised_at_prediction && run.snapshot->posterior->has_weight_noise())
            text += ", gradient of the loss at the mean weights";
        else if (options.gradient == AttackGradient::one_draw)
            text += ", gradient of the loss of one sample";
        else
            text += std::string(", gradient of ")
                    + (options.gradient == AttackGradient::mean_loss ? "the mean loss" : "−ln p̄") + " over "
                    + draws(attacker.attack.n_draws());
    }
    return text + "; predictions by "
           + (attacker.fresh.n_samples() == 1 ? "the single network"
                                              : draws(attacker.fresh.n_samples()) + " not used by the attacker")
           + ".";
}

std::string zeros_text(const Attacker& attacker, double share, double rows)
{
    if (attacker.options.kind == AttackKind::random_signs)
        return {};
    return " Exactly zero: " + number_text(100 * share, 3) + " % of the gradient entries, and the whole gradient of "
           + number_text(100 * rows, 3) + " % of the inputs.";
}

ChosenInput unattacked_input(const RunSnapshot& run, const ViewOptions& options)
{
    return chosen_input(run, options.attack.unattacked.value_or(options.input));
}

std::optional<int> attacked_label(const ChosenInput& input, const PosteriorPredictive& fresh,
                                  const std::stop_token& stop)
{
    if (input.label)
        return input.label;
    const auto summary = fresh.summarise(input.standardised, 1, stop);
    if (stop.stop_requested())
        return {};
    return class_predictions(summary).predicted.front();
}

}   // namespace credence::view_support

namespace credence {

void add_arrow(Line& arrows, std::pair<double, double> from, std::pair<double, double> to, Range x, Range y)
{
    constexpr double head = 0.018, opening = 0.45;   // length as a share of the axes; half its angle, radians
    constexpr double gap = std::numeric_limits<double>::quiet_NaN();
    const double width = x.second - x.first, height = y.second - y.first;
    const double dx = (to.first - from.first) / width, dy = (to.second - from.second) / height;
    const double length = std::hypot(dx, dy);
    if (!(length > 0))
        return;
    const double size = std::min(head, length / 3), angle = std::atan2(dy, dx);
    const auto add = [&](double px, double py) {
        arrows.x.push_back(px);
        arrows.y.push_back(py);
    };
    const auto add_side = [&](double side) {
        add(to.first - size * std::cos(angle + side) * width, to.second - size * std::sin(angle + side) * height);
    };
    add(from.first, from.second);
    add(to.first, to.second);
    add(gap, gap);
    add_side(opening);
    add(to.first, to.second);
    add_side(-opening);
    add(gap, gap);
}

std::optional<AttackedInput> attacked_input(const RunSnapshot& run, const ViewOptions& options,
                                            const std::stop_token& stop)
{
    using namespace view_support;
    if (const auto sentence = why_no_attack(*run.experiment))
        throw Error(*sentence);
    const auto input    = unattacked_input(run, options);
    const auto attacker = attacker_of(run, options);
    const auto label    = attacked_label(input, attacker.fresh, stop);
    if (!label)
        return {};
    std::vector<float> attacked;
    const auto done = attacker.attack.run(
        input.standardised, std::span(&*label, 1), std::span(&options.attack.epsilon, 1),
        [&](std::size_t, std::span<const float> x) { attacked.assign(x.begin(), x.end()); }, stop);
    if (!done)
        return {};
    return AttackedInput{run.experiment->data->inputs.undone(attacked),
                         input.name + ", attacked with ε = " + number_text(options.attack.epsilon, 4), input.label};
}

}   // namespace credence
