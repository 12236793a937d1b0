// SPDX-License-Identifier: GPL-3.0-or-later

#include "charts/chart.h"
#include "charts/shared_captions.h"
#include "foundation/progress.h"
#include "foundation/statistics.h"
#include "prediction/scores.h"
#include "runs/probe_places.h"
#include "views/attacker.h"
#include "views/views.h"

#include <algorithm>

namespace credence {

Chart to_chart(std::span<const AttackCurve> curves, const std::string& unit, std::span<const double> listed)
{
    Chart chart{.id = "attack_curve", .title = "Attacks", .columns = 2};
    Axis strength{.label = "ε", .unit = unit};
    if (!curves.empty() && curves.front().epsilons.size() > 1)
        strength.range = Range{curves.front().epsilons.front(), curves.front().epsilons.back()};
    Panel accuracy{.x = strength, .y = {.label = "Accuracy", .range = Range{0, 1}}};
    Panel entropy{.x = strength, .y = {.label = "Mean predictive entropy", .unit = "nats"}};
    for (std::size_t c = 0; c < curves.size(); ++c) {
        const auto& curve = curves[c];
        const auto line   = [&](const std::vector<double>& y, bool control) {
            return Line{.name  = curve.name + (control ? ", random signs" : ""),
                          .x     = curve.epsilons,
                          .y     = y,
                          .tone  = category(static_cast<int>(c)),
                          .style = control ? LineStyle::dashed : LineStyle::solid,
                          .width = control ? 1.2 : 2.0};
        };
        for (const bool control : {false, true}) {
            const auto& scores = control ? curve.control : curve.attacked;
            accuracy.series.push_back(line(scores.accuracy, control));
            entropy.series.push_back(line(scores.entropy, control));
        }
    }
    chart.panels = {std::move(accuracy), std::move(entropy)};

    Table table{.columns = {{"Run"},
                            {"ε", unit},
                            {"Accuracy", "", 4},
                            {"Mean entropy", "nats", 4},
                            {"Accuracy, random signs", "", 4},
                            {"Mean entropy, random signs", "nats", 4},
                            {"Exactly zero in the gradients", "%", 2},
                            {"Inputs without a gradient", "%", 2}},
                .rows    = {}};
    for (const auto& curve : curves)
        for (const double epsilon : listed) {
            const auto found = std::find(curve.epsilons.begin(), curve.epsilons.end(), epsilon);
            if (found == curve.epsilons.end())
                continue;
            const auto i = static_cast<std::size_t>(found - curve.epsilons.begin());
            table.rows.push_back({curve.name, epsilon, curve.attacked.accuracy[i], curve.attacked.entropy[i],
                                  curve.control.accuracy[i], curve.control.entropy[i], 100 * curve.zero_share,
                                  100 * curve.zero_rows});
        }
    chart.table = std::move(table);
    return chart;
}

using namespace view_support;

namespace {

constexpr std::size_t usual_rows = 1000;   // default of the options
constexpr int usual_draws        = 50;     // default of the options: at most this many for each prediction

struct AttackedRows {
    std::vector<float> inputs;   // standardised [n × d]
    std::vector<int> labels;     // [n]
    std::string name;
};

AttackedRows rows_to_attack(const Experiment& experiment, const ViewOptions& options)
{
    const auto set      = scored_set(experiment);
    const std::size_t d = experiment.data->training.n_features, all = set.data->n_rows,
                      n = std::min(all, options.rows > 0 ? static_cast<std::size_t>(options.rows) : usual_rows);
    AttackedRows rows{.inputs = {}, .labels = {}, .name = set.name};
    if (n < all)
        rows.name += ", " + std::to_string(n) + " of " + std::to_string(all) + " rows, evenly spaced";
    for (const std::size_t row : evenly_spaced(all, n)) {
        const auto first = set.inputs.begin() + static_cast<std::ptrdiff_t>(row * d);
        rows.inputs.insert(rows.inputs.end(), first, first + static_cast<std::ptrdiff_t>(d));
        rows.labels.push_back(set.data->labels[row]);
    }
    return rows;
}

/// Scores fresh samples at each strength. @return  the gradients at the unattacked inputs; empty:
/// stopped
std::optional<InputGradients> scores_along(const Attack& attack, const PosteriorPredictive& fresh,
                                           const AttackedRows& rows, const std::vector<double>& epsilons,
                                           AttackCurve::Scores& scores, const std::stop_token& stop)
{
    const int n = static_cast<int>(rows.labels.size());
    return attack.run(
        rows.inputs, rows.labels, epsilons,
        [&](std::size_t i, std::span<const float> attacked) {
        const auto all = static_cast<double>(epsilons.size());
        const ProgressScope of_strength(static_cast<double>(i) / all, static_cast<double>(i + 1) / all);
        const auto summary = fresh.summarise(attacked, n, stop);
        if (stop.stop_requested())
            return;
        const auto found = classification_scores(class_predictions(summary), rows.labels);
        scores.accuracy.push_back(found.accuracy);
        scores.entropy.push_back(found.mean_entropy);
        },
        stop);
}

std::optional<AttackCurve> curve_of(const RunSnapshot& run, const std::string& name, const Attacker& attacker,
                                    const AttackedRows& rows, const std::vector<double>& epsilons,
                                    const std::stop_token& stop)
{
    AttackCurve curve{.name = name, .epsilons = epsilons, .attacked = {}, .control = {}};
    std::optional<InputGradients> gradients;
    {
        const ProgressScope first_half(0, 0.5);
        gradients = scores_along(attacker.attack, attacker.fresh, rows, epsilons, curve.attacked, stop);
    }
    if (!gradients || stop.stop_requested())
        return {};
    curve.zero_share = gradients->zero_share;
    curve.zero_rows  = gradients->zero_rows;
    auto control     = attacker.options;
    control.kind     = AttackKind::random_signs;
    const Attack by_chance(run.experiment->model, run.snapshot->posterior, attack_space(*run.experiment), control,
                           run.experiment->study.seed);
    const ProgressScope second_half(0.5, 1);
    scores_along(by_chance, attacker.fresh, rows, epsilons, curve.control, stop);
    if (stop.stop_requested())
        return {};
    return curve;
}

std::optional<Chart> compare_attack_curves(std::span<const RunSnapshot> runs, const ViewOptions& options,
                                           const std::stop_token& stop)
{
    Chart empty{.id = "attack_curve", .title = "Attacks"};
    if (runs.empty()) {
        empty.message = "No run is selected. Tick the runs to attack.";
        return empty;
    }
    const auto names    = names_of(runs);
    const auto& first   = *runs.front().experiment;
    const auto epsilons = attack_strengths(first);
    const std::vector<double> listed{epsilons[2], epsilons[3], epsilons[5]};
    std::vector<AttackCurve> curves;
    std::vector<std::string> captions;
    for (std::size_t r = 0; r < runs.size(); ++r) {
        const auto& experiment = *runs[r].experiment;
        if (const auto sentence = why_no_attack(experiment)) {
            empty.message = names[r] + ": " + *sentence;
            return empty;
        }
        if (experiment.data->image.has_value() != first.data->image.has_value()) {
            empty.message = names[r] + " is " + (first.data->image ? "not on images" : "on images") + " and " + names[0]
                            + " is" + (first.data->image ? "" : " not") + ": they cannot share one ε axis.";
            return empty;
        }
        const ProgressScope of_run(static_cast<double>(r) / static_cast<double>(runs.size()),
                                   static_cast<double>(r + 1) / static_cast<double>(runs.size()));
        const auto rows     = rows_to_attack(experiment, options);
        const auto attacker = attacker_of(runs[r], options, usual_draws);
        auto curve          = curve_of(runs[r], names[r], attacker, rows, epsilons, stop);
        if (!curve)
            return {};
        captions.push_back(attack_text(runs[r], attacker) + " Rows: the " + rows.name + "."
                           + zeros_text(attacker, curve->zero_share, curve->zero_rows) + " "
                           + setting_of(runs[r], attacker.fresh.n_samples()));
        curves.push_back(std::move(*curve));
    }
    Chart chart = to_chart(curves, attack_unit(first), listed);
    chart.caption =
        "Accuracy and mean predictive entropy after an attack of strength ε (every input value changes by at most "
        "ε). Dashed: "
        "random signs of the same size."
        + (runs.size() == 1 ? " " + captions.front() : settings_side_by_side(names, captions));
    return chart;
}

std::optional<Chart> make_attack_curve(const RunSnapshot& run, const ViewOptions& options, const std::stop_token& stop)
{
    return compare_attack_curves(std::span(&run, 1), options, stop);
}

}   // namespace

View attack_curve_view()
{
    return {
        .id    = "attack_curve",
        .title = "Attacks",
        .group = ViewGroup::attacks,
        .help =
            "Accuracy and predictive entropy when the inputs change a little in the most harmful direction. Fast "
            "gradient sign (Goodfellow, Shlens and Szegedy 2015) changes every input value by ε sgn ∇L, where L is the "
            "loss of the true class. Projected gradient (Madry, Makelov, Schmidt, Tsipras and Vladu 2018) takes many "
            "small steps in this direction and is stronger. For images, ε = 1 is the step from black to white and "
            "pixels are clipped to this range; for tables, ε is in the units of the data. The gradient is that of one "
            "weight sample, of the mean loss of several samples, or of −ln p̄, the mean prediction that is actually "
            "used. The effect is scored with other samples. A good network keeps its accuracy, or at least becomes "
            "less confident: entropy should rise where accuracy falls. Random signs of the same size (dashed) use no "
            "gradient: they show the effect of noise, not of an attack. Gradients are computed so that even a very "
            "confident network has one. The caption gives the share of gradient entries that are still exactly zero. "
            "Are Bayesian neural networks robust? The literature disagrees. Carbone, Wicker, Laurenti, Patane, "
            "Bortolussi and Sanguinetti 2020 argue that with many data and wide networks the gradients of the samples "
            "cancel on average, so an attacker who averages over the posterior finds no direction. In their tests, "
            "networks trained by HMC and variational inference withstood attacks well. Feng, Rudner, Tsilivis and "
            "Kempe 2024 found that in careful replications the same kinds of posteriors fail under standard attacks on "
            "the mean prediction. They attribute opposite claims to mistakes in evaluation, such as gradients lost in "
            "rounding or attacks that were too weak. So check the share of zeros, both attacks and the gradient of −ln "
            "p̄ before you call a run robust. A flat curve shows only that this attack failed. Figure adapted from the "
            "functional-BNN submission, Fig. 3.",
        .cost              = Cost::slow,
        .with_results      = false,
        .coarse_while_live = true,
        .why_not           = why_no_attack,
        .make              = make_attack_curve,
        .compare           = compare_attack_curves};
}

}   // namespace credence
