// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/scores.h"

#include "charts/chart.h"
#include "foundation/error.h"
#include "foundation/statistics.h"
#include "views/scored_predictions.h"
#include "views/view_support.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace credence {

using namespace view_support;

namespace {

/// Ranks from 0; equal values share their mean rank.
std::vector<double> mean_ranks(std::span<const double> values)
{
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
    std::vector<double> ranks(values.size());
    for (std::size_t first = 0, end = 0; first < order.size(); first = end) {
        while (end < order.size() && values[order[end]] == values[order[first]])
            ++end;
        for (std::size_t i = first; i < end; ++i)
            ranks[order[i]] = 0.5 * static_cast<double>(first + end - 1);
    }
    return ranks;
}

/// The rows whose order is that of the human labels.
ScoredSet human_set(const Experiment& experiment)
{
    return final_test_set(experiment).value_or(scored_set(experiment));
}

std::optional<std::string> why_no_human_labels(const Experiment& experiment)
{
    const auto matched = matched_human_labels(experiment, *human_set(experiment).data);
    return matched.labels ? std::nullopt : std::optional(matched.why_not);
}

/// "cat 60 %, dog 40 %": the most frequent answers.
std::string words_of_shares(std::span<const double> shares, std::span<const std::string> names)
{
    std::vector<int> order(shares.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, std::greater(), [&](int k) { return shares[static_cast<std::size_t>(k)]; });
    std::string out;
    for (std::size_t i = 0; i < std::min<std::size_t>(3, order.size()); ++i)
        if (const double share = shares[static_cast<std::size_t>(order[i])]; share >= 0.005)
            out += (out.empty() ? "" : ", ") + class_name(names, order[i]) + " " + number_text(100 * share, 2) + " %";
    return out;
}

struct HumanPoint {
    double x = 0, y = 0;
    std::size_t at = 0;   ///< index in the predictions
};

/// @param linked  a click on a point selects its image
Panel human_panel(const ScoredPredictions& scored, const std::shared_ptr<const HumanLabels>& humans,
                  const std::vector<std::string>& names, bool linked)
{
    constexpr std::size_t most_points = 2000;
    const auto& classes               = scored.set.classes;
    std::array<Points, 2> groups{
        Points{.name = "Correct", .tone = {Tone::Kind::posterior}, .marker = Marker::circle, .size = 3.5},
        Points{.name = "Wrong", .tone = {Tone::Kind::wrong}, .marker = Marker::diamond, .size = 4.5}};
    std::vector<HumanPoint> points;
    double largest = 0;
    for (const std::size_t i : evenly_spaced(scored.rows.size(), most_points)) {
        const HumanPoint point{entropy(humans->row(scored.rows[i])), classes.expected_entropy[i], i};
        auto& group = groups[classes.predicted[i] == scored.labels[i] ? 0 : 1];
        group.x.push_back(point.x);
        group.y.push_back(point.y);
        if (linked)
            group.data_rows.push_back({DataRow::Part::scored, scored.rows[i]});
        largest = std::max({largest, point.x, point.y});
        points.push_back(point);
    }
    const Range range{-0.03 * largest, 1.04 * std::max(largest, 1e-9)};
    Panel panel{.x            = {.label = "Human entropy", .unit = "nats", .range = range},
                .y            = {.label = "Aleatoric part", .unit = "nats", .range = range},
                .equal_aspect = true};
    if (points.size() < scored.rows.size())
        panel.note = std::to_string(points.size()) + " of " + grouped_text(static_cast<long>(scored.rows.size()))
                     + " images are drawn.";
    panel.words_at = [points, humans, names, rows = scored.rows, mean = classes.mean,
                      most = 0.02 * (range.second - range.first)](double x, double y) -> std::string {
        const auto away = [&](const HumanPoint& point) { return std::hypot(point.x - x, point.y - y); };
        const auto near = std::ranges::min_element(points, {}, away);
        if (near == points.end() || away(*near) > most)
            return {};
        const std::size_t K = humans->n_classes;
        return "Test image " + std::to_string(rows[near->at])
               + "\nPeople: " + words_of_shares(humans->row(rows[near->at]), names)
               + "\nPredicted: " + words_of_shares({mean.data() + near->at * K, K}, names);
    };
    panel.series.push_back(Rule{.direction = Rule::Direction::diagonal});
    for (auto& group : groups)
        if (!group.x.empty())
            panel.series.push_back(std::move(group));
    return panel;
}

std::optional<Chart> make_human_labels(const RunSnapshot& run, const ViewOptions& options, const std::stop_token& stop)
{
    const auto set     = human_set(*run.experiment);
    const auto matched = matched_human_labels(*run.experiment, *set.data);
    if (!matched.labels)
        throw Error(matched.why_not);
    const bool final  = final_test_set(*run.experiment).has_value();
    const auto scored = final ? final_test_predictions(run, options, stop) : scored_predictions(run, options, stop);
    if (!scored)
        return {};
    const auto found = human_comparison(scored->set.classes, scored->rows, *matched.labels);
    Chart chart{.id = "human_labels", .title = "Human labels"};
    chart.panels.push_back(human_panel(*scored, matched.labels, set.data->class_names, !final));
    const auto text = [](const std::optional<double>& value) { return value ? fixed_text(*value, 3) : "undefined"; };
    chart.caption   = "Entropy of the human labels of each image (CIFAR-10H) against the aleatoric part of the "
                      "predictive entropy. Rank correlation "
                    + text(found.with_aleatoric) + "; with the whole predictive entropy " + text(found.with_entropy)
                    + ". Cross-entropy to the human labels " + fixed_text(found.cross_entropy, 3)
                    + " nats, of which their own entropy is " + fixed_text(found.human_entropy, 3) + ".";
    return on_rows(std::move(chart), run, *scored);
}

}   // namespace

std::optional<double> rank_correlation(std::span<const double> a, std::span<const double> b)
{
    require_no_nan("Rank correlation", a);
    require_no_nan("Rank correlation", b);
    const auto x = mean_ranks(a), y = mean_ranks(b);
    const double centre = 0.5 * (static_cast<double>(x.size()) - 1);
    double xx = 0, yy = 0, xy = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        xx += (x[i] - centre) * (x[i] - centre);
        yy += (y[i] - centre) * (y[i] - centre);
        xy += (x[i] - centre) * (y[i] - centre);
    }
    if (xx == 0 || yy == 0)
        return {};
    return xy / std::sqrt(xx * yy);
}

HumanComparison human_comparison(const ClassPredictions& predictions, std::span<const std::uint32_t> rows,
                                 const HumanLabels& humans)
{
    HumanComparison out{.n = predictions.n_inputs};
    std::vector<double> human_entropy(rows.size());
    for (int i = 0; i < predictions.n_inputs; ++i) {
        const auto at   = static_cast<std::size_t>(i);
        const auto h    = humans.row(rows[at]);
        const auto mean = predictions.mean_of(i);
        for (std::size_t k = 0; k < h.size(); ++k) {
            if (h[k] > 0)   // 0 ln 0 := 0
                out.cross_entropy -= h[k] * predictions.log_mean_of(i, static_cast<int>(k));
            out.total_variation += 0.5 * std::fabs(h[k] - mean[k]);
        }
        human_entropy[at] = entropy(h);
        out.human_entropy += human_entropy[at];
        out.accuracy += h[static_cast<std::size_t>(predictions.predicted[at])] == *std::ranges::max_element(h) ? 1 : 0;
    }
    for (double* sum : {&out.cross_entropy, &out.total_variation, &out.human_entropy, &out.accuracy})
        *sum /= std::max(1, out.n);
    out.divergence     = out.cross_entropy - out.human_entropy;
    out.with_entropy   = rank_correlation(human_entropy, predictions.entropy);
    out.with_aleatoric = rank_correlation(human_entropy, predictions.expected_entropy);
    return out;
}

MatchedHumanLabels matched_human_labels(const Experiment& experiment, const Dataset& rows)
{
    constexpr std::size_t K = 10;
    const ImageShape size{3, 32, 32};
    if (experiment.task() != Task::classification || rows.n_classes() != K
        || (!experiment.outputs && experiment.data->image != size))
        return {.why_not = "Human labels exist only for the test images of CIFAR-10 (CIFAR-10H)."};
    try {
        auto humans = human_labels();
        if (!humans)
            return {.why_not = "CIFAR-10H is not installed. " + where_to_get_human_labels()};
        if (rows.labels.size() != rows.n_rows)
            return {.why_not = "Rows are matched with CIFAR-10H by their true classes, which this file does not have."};
        if (rows.n_rows != humans->n || humans->n_classes != K)
            return {.why_not = "The test set has " + grouped_text(static_cast<long>(rows.n_rows))
                               + " rows, but CIFAR-10H has " + grouped_text(static_cast<long>(humans->n))
                               + ": expected all test images of CIFAR-10 in their order, without data.only_classes "
                                 "and data.exchanged."};
        std::size_t agreeing = 0;
        for (std::size_t i = 0; i < rows.n_rows; ++i)
            agreeing += argmax(humans->row(i)) == rows.labels[i] ? 1 : 0;
        if (2 * agreeing <= rows.n_rows)
            return {.why_not = "The true class is the most frequent human label in only "
                               + number_text(100 * static_cast<double>(agreeing) / static_cast<double>(rows.n_rows), 2)
                               + " % of the rows: expected the test images and classes of CIFAR-10 in their order."};
        return {.labels = std::move(humans)};
    } catch (const Error& error) {
        return {.why_not = error.what()};
    }
}

View human_labels_view()
{
    return {
        .id    = "human_labels",
        .title = "Human labels",
        .group = ViewGroup::uncertainty,
        .help =
            "Compares the uncertainty of a run on CIFAR-10 with that of people who labelled each test image about 50 "
            "times (CIFAR-10H; Peterson et al. 2019). Horizontal axis: the entropy of the human labels. Vertical axis: "
            "the aleatoric part E H(p_s) of the predictive entropy. If the aleatoric part is the ambiguity of the "
            "image, points are near the diagonal. At most 2,000 images are drawn, evenly spaced; the correlations use "
            "all. Click a point to select its image. Scores lists cross-entropy, divergence and total variation.",
        .asks              = Asks::labels,
        .cost              = Cost::all_rows,
        .coarse_while_live = true,
        .why_not           = why_no_human_labels,
        .make              = make_human_labels};
}

}   // namespace credence
