// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/weights.h"

#include "charts/shared_captions.h"
#include "foundation/error.h"
#include "foundation/progress.h"
#include "foundation/statistics.h"
#include "posterior/sample_set.h"
#include "prediction/set_predictions.h"
#include "runs/derived_runs.h"
#include "views/view_support.h"

#include <algorithm>
#include <cmath>

namespace credence {

using namespace view_support;

namespace {

struct PruningScore {
    const char* title;
    const char* unit;
    double factor;
    double ClassificationScores::*value;
};
constexpr std::array pruning_scores_shown{PruningScore{"Error", "%", 100, &ClassificationScores::error},
                                          PruningScore{"NLL", "nats", 1, &ClassificationScores::nll},
                                          PruningScore{"ECE", "", 1, &ClassificationScores::ece}};

Panel panel_of_pruning(const PruningScore& score, const PruningCurve& value)
{
    Panel panel{.title = score.title,
                .x     = {.label = "Weights removed", .unit = "%", .range = Range{0, 100}},
                .y     = {.label = score.title, .unit = score.unit}};
    for (std::size_t c = 0; c < value.curves.size(); ++c) {
        const auto& curve = value.curves[c];
        const Tone tone   = category(static_cast<int>(c));
        Line line{.name = curve.name, .tone = tone, .style = static_cast<LineStyle>(c % 3)};
        for (const auto& point : curve.points) {
            line.x.push_back(100 * point.share);
            line.y.push_back(score.factor * point.scores.*score.value);
        }
        panel.series.push_back(std::move(line));
        if (curve.drawn.empty())
            continue;
        Points drawn{.name = curve.name + ", " + std::to_string(curve.n_draws)
                             + (curve.n_draws == 1 ? " sample" : " samples"),
                     .tone = tone};
        for (const auto& point : curve.drawn) {
            drawn.x.push_back(100 * point.share);
            drawn.y.push_back(score.factor * point.scores.*score.value);
        }
        panel.series.push_back(std::move(drawn));
    }
    if (value.now)
        panel.series.push_back(Rule{.direction = Rule::Direction::vertical,
                                    .at        = 100 * *value.now,
                                    .label     = "now",
                                    .tone      = {Tone::Kind::accent}});
    return panel;
}

const PruningCurve::Point* at_share(const std::vector<PruningCurve::Point>& points, double share)
{
    const auto found = std::find_if(points.begin(), points.end(),
                                    [&](const auto& point) { return point.share == share; });
    return found == points.end() ? nullptr : &*found;
}

Table table_of_pruning(const PruningCurve& value)
{
    const bool drawn = std::any_of(value.curves.begin(), value.curves.end(),
                                   [](const auto& curve) { return !curve.drawn.empty(); });
    Table table{.columns = {{"Removed by"}, {"Removed", "%"}, {"Error", "%", 2}, {"NLL", "nats", 4}, {"ECE", "", 4}},
                .rows    = {}};
    if (drawn)
        for (const Column& column :
             {Column{"Error by samples", "%", 2}, Column{"NLL by samples", "nats", 4}, Column{"ECE by samples", "", 4}})
            table.columns.push_back(column);
    for (const auto& curve : value.curves)
        for (const double share : published_shares) {
            const auto* mean = at_share(curve.points, share);
            if (!mean)
                continue;
            std::vector<Cell> row{curve.name, 100 * share};
            const auto add = [&row](const PruningCurve::Point* point) {
                for (const auto& score : pruning_scores_shown)
                    row.push_back(point ? Cell(score.factor * point->scores.*score.value) : Cell(std::string()));
            };
            add(mean);
            if (drawn)
                add(at_share(curve.drawn, share));
            table.rows.push_back(std::move(row));
        }
    return table;
}

/// The network at the mean weights, as a set of one sample.
PosteriorPredictive predictive_at_means(const RunSnapshot& run)
{
    const auto& posterior       = *run.snapshot->posterior;
    Model model                 = view_support::model_of_weight_draws(*run.experiment);
    model.dropout_at_prediction = false;
    const auto means            = posterior.means();
    return {model, std::make_shared<SampleSet>(posterior.layout(), aligned_vector<float>(means.begin(), means.end())),
            1, run.experiment->study.seed};
}

constexpr int most_draws_of_pruned = 10;   // at each published share; one sample of a large network takes half a second

/// Empty: stopped.
std::optional<PruningCurve::Curve> curve_at_means(const RunSnapshot& run, PruneRule rule, const ViewOptions& options,
                                                  const std::stop_token& stop)
{
    PruningCurve::Curve curve{.name = symbol_of(rule.by), .points = {}, .drawn = {}};
    for (std::size_t i = 0; i < pruned_shares.size(); ++i) {
        const ProgressScope part(static_cast<double>(i) / pruned_shares.size(),
                                 static_cast<double>(i + 1) / pruned_shares.size());
        rule.share        = pruned_shares[i];
        const auto scores = pruned_scores(run, rule, 0, static_cast<std::size_t>(options.rows), stop);
        if (!scores)
            return {};
        curve.points.push_back({rule.share, *scores->classes});
    }
    return curve;
}

/// Adds the scores by samples at the published shares. @return false: stopped
bool add_draws(PruningCurve::Curve& curve, const RunSnapshot& run, PruneRule rule, const ViewOptions& options,
               const std::stop_token& stop)
{
    const int samples = options.samples > 0 ? options.samples : run.experiment->study.prediction.samples;
    for (std::size_t i = 0; i < published_shares.size(); ++i) {
        const ProgressScope part(static_cast<double>(i) / published_shares.size(),
                                 static_cast<double>(i + 1) / published_shares.size());
        rule.share        = published_shares[i];
        const auto scores = pruned_scores(run, rule, std::min(samples, most_draws_of_pruned),
                                          static_cast<std::size_t>(options.rows), stop);
        if (!scores)
            return false;
        curve.drawn.push_back({rule.share, *scores->classes});
        curve.n_draws = scores->n_draws;
    }
    return true;
}

PruningCurve begun(const RunSnapshot& run, const ViewOptions& options)
{
    const auto set = scored_set(*run.experiment);
    const auto n   = static_cast<std::size_t>(std::max(0, options.rows));
    PruningCurve out{
        .curves = {}, .rows = set.name, .per_layer = options.prune.per_layer, .biases = options.prune.biases};
    if (n > 0 && n < set.data->n_rows)
        out.rows += ", " + std::to_string(n) + " of " + std::to_string(set.data->n_rows);
    if (options.prune.on())
        out.now = options.prune.share;
    return out;
}

/// |μ|/σ first; weights without spread have a single order.
std::vector<PruneBy> orders_of(const RunSnapshot& run)
{
    if (!run.snapshot->posterior->has_weight_noise())
        return {PruneBy::magnitude};
    return {PruneBy::signal_to_noise, PruneBy::magnitude, PruneBy::spread};
}

std::optional<Chart> make_pruning_curve(const RunSnapshot& run, const ViewOptions& options, const std::stop_token& stop)
{
    auto value        = begun(run, options);
    const auto orders = orders_of(run);
    const auto parts  = static_cast<double>(orders.size() + 1);
    for (std::size_t i = 0; i < orders.size(); ++i) {
        const ProgressScope part(static_cast<double>(i) / parts, static_cast<double>(i + 1) / parts);
        auto rule  = options.prune;
        rule.by    = orders[i];
        auto curve = curve_at_means(run, rule, options, stop);
        if (!curve)
            return {};
        value.curves.push_back(std::move(*curve));
    }
    if (run.experiment->model.dropout_at_prediction || run.snapshot->posterior->has_weight_noise()) {
        const ProgressScope part(static_cast<double>(orders.size()) / parts, 1);
        auto rule = options.prune;
        rule.by   = orders.front();
        if (!add_draws(value.curves.front(), run, rule, options, stop))
            return {};
    }
    return with_setting(to_chart(value), run);
}

/// Several runs, each by |μ|/σ, or by |μ| if its weights have no spread.
std::optional<Chart> compare_pruning(std::span<const RunSnapshot> runs, const ViewOptions& options,
                                     const std::stop_token& stop)
{
    Chart refused{.id = "pruning_curve", .title = "Pruning curve"};
    if (runs.empty()) {
        refused.message = "No run is selected. Tick the runs to overlay.";
        return refused;
    }
    const auto names = names_of(runs);
    auto value       = begun(runs.front(), options);
    std::vector<std::string> settings;
    for (std::size_t r = 0; r < runs.size(); ++r) {
        if (const auto why = why_no_classes_to_count(*runs[r].experiment)) {
            refused.message = "Run \"" + names[r] + "\" cannot be compared. " + *why;
            return refused;
        }
        const ProgressScope part(static_cast<double>(r) / static_cast<double>(runs.size()),
                                 static_cast<double>(r + 1) / static_cast<double>(runs.size()));
        auto rule  = options.prune;
        rule.by    = orders_of(runs[r]).front();
        auto curve = curve_at_means(runs[r], rule, options, stop);
        if (!curve)
            return {};
        curve->name = names[r] + ", by " + symbol_of(rule.by);
        settings.push_back(setting_of(runs[r]));
        value.curves.push_back(std::move(*curve));
    }
    Chart chart = to_chart(value);
    chart.caption += settings_side_by_side(names, settings);
    return chart;
}

}   // namespace

Chart to_chart(const PruningCurve& value)
{
    Chart chart{.id = "pruning_curve", .title = "Pruning curve", .columns = 3};
    for (const auto& score : pruning_scores_shown)
        chart.panels.push_back(panel_of_pruning(score, value));
    chart.table = table_of_pruning(value);
    chart.caption =
        "Error, NLL and ECE when a share of the weights is set to zero"
        + std::string(value.per_layer ? ", of each layer separately" : "") + (value.biases ? "" : ", biases kept")
        + ". Lines: the network at its mean weights; marks: the mean over a few samples of the remaining weights. "
          "Rows: the "
        + value.rows + ".";
    return chart;
}

std::optional<PrunedScores> pruned_scores(const RunSnapshot& run, const PruneRule& rule, int draws, std::size_t rows,
                                          std::stop_token stop)
{
    const auto& experiment = *run.experiment;
    const auto set         = view_support::scored_set(experiment);
    const std::size_t d = set.data->n_features, all = set.data->n_rows;
    const auto chosen   = evenly_spaced(all, rows > 0 ? rows : all);
    const std::size_t n = chosen.size();
    if (n == 0)
        throw Error("There are no rows to score: the data of this Study are empty.");
    const RunSnapshot left = pruned(run, rule);
    if (stop.stop_requested())
        return {};
    std::vector<float> some;
    auto inputs = set.inputs;
    if (n < all) {
        some.reserve(n * d);
        for (const std::size_t row : chosen)
            some.insert(some.end(), set.inputs.begin() + static_cast<std::ptrdiff_t>(row * d),
                        set.inputs.begin() + static_cast<std::ptrdiff_t>((row + 1) * d));
        inputs = some;
    }
    ViewOptions options;
    options.samples       = draws;
    const auto predictive = draws > 0 ? view_support::unrecalibrated_predictive_of(left, options)
                                      : predictive_at_means(left);
    const auto* by        = pruning_of(left);
    PrunedScores out{
        .rule = by ? *by : rule, .n_draws = draws > 0 ? predictive.n_samples() : 0, .rows = n, .all_rows = all};
    if (experiment.task() == Task::classification) {
        std::vector<int> labels;
        for (const std::size_t row : chosen)
            labels.push_back(set.data->labels[row]);
        const auto predicted = set_predictions(predictive, inputs, static_cast<int>(d), {}, stop);
        if (!predicted)
            return {};
        out.classes = classification_scores(predicted->classes, labels);
        return out;
    }
    const auto summary = predictive.summarise(inputs, static_cast<int>(n), stop);
    if (stop.stop_requested())
        return {};
    const auto& data = *experiment.data;
    if (data.training.n_targets() > 1)
        throw Error("The RMSE of several targets has no unit: choose one.");
    double squares = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const double f = data.target_mean + data.target_sd * summary.mean[i], miss = f - set.data->targets[chosen[i]];
        squares += miss * miss;
    }
    out.rmse = std::sqrt(squares / static_cast<double>(n));
    if (!std::isfinite(out.rmse))
        throw Error("The predictions of the pruned network are not finite.");
    return out;
}

View pruning_curve_view()
{
    return {
        .id    = "pruning_curve",
        .title = "Pruning curve",
        .group = ViewGroup::weights,
        .help =
            "Error, NLL and ECE of the network after a share of its weights is set to zero: how many weights does it "
            "need? The share is on the x axis, with a curve for each of three orders: smallest |μ|/σ first, as Bayes "
            "by Backprop proposes; smallest |μ| first, which needs no posterior; and largest σ first. If the first "
            "order stays low the longest, the posterior spread identifies the weights that the network does not need. "
            "If the first two agree, magnitude alone is enough. With one τ per block σ is τ|μ|, so |μ|/σ is constant "
            "within a block and blocks are removed one after the other; use |μ| instead. Lines show the network at its "
            "mean weights, marks the mean over at most 10 weight samples. For ensembles and chains the mean weights "
            "were never trained as a network, so only the marks are meaningful. The table has the published shares: 0, "
            "50, 75, 95 and 98 %. The network is not retrained after pruning. Several runs at once: one curve each. "
            "Source: Blundell et al. 2015, section 5.1, Table 2.",
        .cost         = Cost::all_rows,
        .with_results = false,
        .when_pruned  = WhenPruned::shows,
        .why_not      = why_no_classes_to_count,
        .make         = make_pruning_curve,
        .compare      = compare_pruning};
}

}   // namespace credence
