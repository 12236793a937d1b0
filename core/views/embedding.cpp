// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/embedding.h"

#include "data/dataset.h"
#include "foundation/error.h"
#include "foundation/number_text.h"
#include "foundation/statistics.h"
#include "network/network.h"
#include "posterior/sample_set.h"
#include "prediction/set_predictions.h"
#include "runs/other_data.h"
#include "runs/result_cache.h"
#include "views/view_support.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace credence {

using namespace view_support;

namespace {

constexpr std::size_t most_training_embedded = 2000, most_other_embedded = 1000, most_neighbours = 5;
constexpr std::size_t most_classes_in_legend = 10;

EmbeddedRows rows_to_embed(DataRow::Part part, std::span<const float> inputs, std::size_t n, std::size_t most)
{
    EmbeddedRows out{.part = part};
    const std::size_t d = n > 0 ? inputs.size() / n : 0;
    for (const std::size_t row : evenly_spaced(n, most)) {
        out.rows.push_back(static_cast<std::uint32_t>(row));
        const auto input = inputs.subspan(row * d, d);
        out.inputs.insert(out.inputs.end(), input.begin(), input.end());
    }
    return out;
}

std::shared_ptr<const Embedding> made_embedding(const RunSnapshot& run, const std::stop_token& stop)
{
    const auto& experiment = *run.experiment;
    const auto& data       = *experiment.data;
    const auto& posterior  = *run.snapshot->posterior;
    const auto weights     = embedding_weights(posterior);
    const bool tests       = data.test.n_rows > 0;
    auto out               = std::make_shared<Embedding>();
    out->weights = sample_set_of(posterior) ? "the first sample of the posterior" : "the mean weights of the posterior";
    out->training = rows_to_embed(tests ? DataRow::Part::training : DataRow::Part::scored, data.training_inputs,
                                  data.training.n_rows, most_training_embedded);
    if (tests)
        out->test = rows_to_embed(DataRow::Part::scored, data.test_inputs, data.test.n_rows, most_other_embedded);
    try {
        const auto other = other_data(run.experiment);
        out->ood         = rows_to_embed(DataRow::Part::ood, other->inputs, other->n, most_other_embedded);
        out->ood_name    = other->name;
    } catch (const Error& error) {   // this set does not exist: the others are shown
        out->no_ood = error.what();
    }
    for (auto* rows : {&out->training, &out->test, &out->ood})
        rows->features = hidden_features(experiment, weights, rows->inputs, stop);
    if (stop.stop_requested())
        return nullptr;
    out->units      = out->training.features.size() / out->training.n();
    auto components = principal_components(out->training.features, out->units, 2, stop);
    if (!components)
        return nullptr;
    out->components = std::move(*components);
    for (auto* rows : {&out->training, &out->test, &out->ood})
        rows->places = out->components.coordinates(rows->features);
    return out;
}

/// The epistemic part for each row: first training rows, then test rows, then OOD rows.
std::shared_ptr<const std::vector<double>> uncertainty_of(const RunSnapshot& run, const ViewOptions& options,
                                                          const Embedding& embedded, const std::stop_token& stop)
{
    const auto& experiment = *run.experiment;
    const auto predictive  = predictive_of(run, options);
    const int d            = static_cast<int>(experiment.data->training.n_features);
    std::vector<float> inputs;
    for (const auto* rows : {&embedded.training, &embedded.test, &embedded.ood})
        inputs.insert(inputs.end(), rows->inputs.begin(), rows->inputs.end());
    if (experiment.task() == Task::classification) {
        const std::array levels{experiment.study.prediction.level};
        const auto set = set_predictions(predictive, inputs, d, levels, stop);
        return set ? std::make_shared<const std::vector<double>>(set->classes.mutual_information) : nullptr;
    }
    auto sd         = std::make_shared<std::vector<double>>();
    const bool done = predictive.stream_outputs(inputs, d, stop, [&](const OutputSamples& block, std::size_t) {
        for (int i = 0; i < block.n_inputs; ++i) {
            double mean = 0, square = 0;
            for (int s = 0; s < block.n_samples; ++s)
                mean += static_cast<double>(block.at(s, i, 0)) / block.n_samples;
            for (int s = 0; s < block.n_samples; ++s)
                square += std::pow(static_cast<double>(block.at(s, i, 0)) - mean, 2) / block.n_samples;
            sd->push_back(experiment.data->target_sd * std::sqrt(square));
        }
    });
    return done ? sd : nullptr;
}

/// The groups of equal colour: classes, or levels of a number.
struct ColourGroups {
    std::vector<Tone> tones;
    std::vector<std::string> names;
    std::array<std::vector<int>, 3> group;   // of each training, test and OOD row; −1: unknown
    std::string what;                        // "class", "Target y"
};

/// Five levels with about equally many of the values.
/// @param values  of the parts; an empty list: unknown
ColourGroups levels_of(const std::array<std::vector<double>, 3>& values, const std::array<std::size_t, 3>& sizes)
{
    std::vector<double> all;
    for (const auto& part : values)
        all.insert(all.end(), part.begin(), part.end());
    std::vector<double> edges;
    for (int k = 1; k < n_levels; ++k)
        edges.push_back(quantile(all, static_cast<double>(k) / n_levels));
    const auto text = [](double value) { return number_text(value, 3); };
    ColourGroups out;
    for (int k = 0; k < n_levels; ++k) {
        const auto at = static_cast<std::size_t>(k);
        out.tones.push_back({Tone::Kind::level, k});
        out.names.push_back(k == 0              ? "up to " + text(edges.front())
                            : k == n_levels - 1 ? "above " + text(edges.back())
                                                : text(edges[at - 1]) + " to " + text(edges[at]));
    }
    for (std::size_t p = 0; p < 3; ++p) {
        out.group[p].assign(sizes[p], -1);
        for (std::size_t i = 0; i < values[p].size(); ++i)
            out.group[p][i] = static_cast<int>(
                std::count_if(edges.begin(), edges.end(), [&](double edge) { return values[p][i] > edge; }));
    }
    return out;
}

ColourGroups groups_by_target(const Experiment& experiment, const Embedding& embedded)
{
    const auto& data = *experiment.data;
    const std::array<std::size_t, 3> sizes{embedded.training.n(), embedded.test.n(), embedded.ood.n()};
    if (experiment.task() == Task::regression) {
        std::array<std::vector<double>, 3> targets;
        for (const auto row : embedded.training.rows)
            targets[0].push_back(data.training.targets[row]);
        for (const auto row : embedded.test.rows)
            targets[1].push_back(data.test.targets[row]);
        auto out = levels_of(targets, sizes);
        out.what = "target " + data.training.target_name;
        return out;
    }
    ColourGroups out;
    out.what = "class";
    for (std::size_t k = 0; k < data.training.n_classes(); ++k) {
        out.tones.push_back(category(static_cast<int>(k)));
        out.names.push_back(data.training.class_names[k]);
    }
    for (const auto row : embedded.training.rows)
        out.group[0].push_back(data.training.labels[row]);
    for (const auto row : embedded.test.rows)
        out.group[1].push_back(data.test.labels[row]);
    out.group[2].assign(sizes[2], -1);
    return out;
}

ColourGroups groups_by_uncertainty(const Experiment& experiment, const Embedding& embedded,
                                   const std::vector<double>& uncertainty)
{
    const std::array<std::size_t, 3> sizes{embedded.training.n(), embedded.test.n(), embedded.ood.n()};
    std::array<std::vector<double>, 3> values;
    auto next = uncertainty.begin();
    for (std::size_t p = 0; p < 3; ++p) {
        const auto end = next + static_cast<std::ptrdiff_t>(sizes[p]);
        values[p].assign(next, end);
        next = end;
    }
    auto out = levels_of(values, sizes);
    out.what = experiment.task() == Task::classification ? "epistemic part (mutual information, nats)"
                                                         : "standard deviation of f over the samples, in "
                                                               + target_unit(experiment.data->training.target_name);
    return out;
}

struct PartLook {
    Marker marker;
    double size;
    bool filled;
};
constexpr std::array part_looks{PartLook{Marker::circle, 4, true}, PartLook{Marker::diamond, 6, true},
                                PartLook{Marker::circle, 6, false}};

Points points_like(const PartLook& look, Tone tone, std::string name)
{
    return {.name = std::move(name), .tone = tone, .marker = look.marker, .size = look.size, .filled = look.filled};
}

void add_embedded_rows(Panel& panel, const Embedding& embedded, const ColourGroups& groups)
{
    const std::array<const EmbeddedRows*, 3> parts{&embedded.training, &embedded.test, &embedded.ood};
    const bool named = groups.tones.size() <= most_classes_in_legend;
    for (const std::size_t p : std::array<std::size_t, 3>{2, 0, 1})   // OOD rows are drawn first, below the others
        for (int g = -1; g < static_cast<int>(groups.tones.size()); ++g) {
            const auto at = static_cast<std::size_t>(std::max(0, g));
            Points points = points_like(part_looks[p], g < 0 ? Tone{Tone::Kind::muted} : groups.tones[at],
                                        p == 0 && g >= 0 && named ? groups.names[at] : "");
            for (std::size_t i = 0; i < parts[p]->n(); ++i)
                if (groups.group[p][i] == g) {
                    points.x.push_back(parts[p]->places[2 * i]);
                    points.y.push_back(parts[p]->places[2 * i + 1]);
                    points.data_rows.push_back(parts[p]->row(i));
                }
            if (!points.x.empty() || !points.name.empty())
                panel.series.push_back(std::move(points));
        }
    // The meaning of the markers, for the legend.
    const std::array<std::string, 3> names{"Training rows", "Test rows", "OOD: " + embedded.ood_name};
    for (std::size_t p = 0; p < 3; ++p)
        if (parts[p]->n() > 0)
            panel.series.push_back(points_like(part_looks[p], {Tone::Kind::muted}, names[p]));
}

/// The selected input, its nearest training rows with their ranks, and the table of these.
void add_neighbours(Chart& chart, const Experiment& experiment, const Embedding& embedded,
                    std::span<const double> features)
{
    auto& panel         = chart.panels.front();
    const auto near     = nearest_rows(embedded.training.features, features, most_neighbours);
    const auto& data    = experiment.data->training;
    const bool images   = experiment.data->image.has_value();
    const bool labels   = experiment.task() == Task::classification;
    const double spread = std::sqrt(embedded.components.total_variance);
    Table table{.columns = {{images ? "Nearest training image" : "Nearest training row"},
                            {"Distance", "", 4},
                            {"Relative distance", "", 3},
                            {labels ? "Class" : data.target_name}}};
    Points neighbours{.name   = "Nearest training rows",
                      .tone   = {Tone::Kind::accent},
                      .marker = Marker::circle,
                      .size   = 9,
                      .filled = false};
    for (const auto& [i, distance] : near) {
        const auto row = embedded.training.row(i);
        table.rows.push_back(
            {static_cast<long>(row.row), distance, spread > 0 ? distance / spread : 0.0,
             labels ? Cell(class_name(data.class_names, data.labels[row.row])) : Cell(data.targets[row.row])});
        table.data_rows.push_back(row);
        neighbours.x.push_back(embedded.training.places[2 * i]);
        neighbours.y.push_back(embedded.training.places[2 * i + 1]);
        neighbours.labels.push_back(std::to_string(neighbours.x.size()));
    }
    const auto place = embedded.components.coordinates(features);
    panel.series.push_back(std::move(neighbours));
    panel.series.push_back(Points{.name   = "Selected input",
                                  .x      = {place[0]},
                                  .y      = {place[1]},
                                  .tone   = {Tone::Kind::accent},
                                  .marker = Marker::diamond,
                                  .size   = 9});
    chart.table = std::move(table);
}

Axis component_axis(const PrincipalComponents& components, std::size_t i)
{
    return {.label = (i == 0 ? "First component (" : "Second component (") + fixed_text(100 * components.share(i), 1)
                     + " % of the variance)"};
}

std::string caption_of_embedding(const Embedding& embedded, const ColourGroups& groups, const std::string& input)
{
    const auto count = [](std::size_t n) { return grouped_text(static_cast<long>(n)); };
    std::string out  = "The last hidden layer (" + count(embedded.units) + " units) of " + count(embedded.training.n())
                      + " training rows (circles)";
    if (embedded.test.n() > 0)
        out += (embedded.ood.n() > 0 ? ", " : " and ") + count(embedded.test.n()) + " test rows (diamonds)";
    if (embedded.ood.n() > 0)
        out += " and " + count(embedded.ood.n()) + " out-of-distribution rows (hollow; " + embedded.ood_name + ")";
    out += ", at " + embedded.weights + ". Axes: the first two principal components of the training rows. Colour: "
           + groups.what + ". The table lists the training rows nearest to " + input
           + " by the Euclidean distance over all units. A relative distance of 1 is the root mean square distance of "
             "the training rows from their mean.";
    if (!embedded.no_ood.empty())
        out += " No out-of-distribution rows: " + embedded.no_ood;
    return out;
}

std::optional<std::string> why_no_embedding(const Experiment& experiment)
{
    const auto& layers = experiment.model.architecture.layers;
    const auto weights = std::count_if(layers.begin(), layers.end(), [](const Layer& layer) {
        return std::holds_alternative<Dense>(layer) || std::holds_alternative<Conv2d>(layer);
    });
    if (weights > 1)
        return {};
    return "This network has no hidden layer. Add one under Network.";
}

std::optional<Chart> make_embedding(const RunSnapshot& run, const ViewOptions& options, const std::stop_token& stop)
{
    static ResultCache<SnapshotKey<int>, std::vector<double>> memory(3);   // by samples
    const auto& experiment = *run.experiment;
    const auto embedded    = embedding(run, stop);
    if (!embedded)
        return {};
    std::optional<int> n_samples;
    std::optional<ColourGroups> groups;
    if (options.embedding_colour == EmbeddingColour::uncertainty) {
        n_samples              = predictive_of(run, options).n_samples();
        const auto uncertainty = memory.find_or_make({run, *n_samples}, stop,
                                                     [&] { return uncertainty_of(run, options, *embedded, stop); });
        if (!uncertainty)
            return {};
        groups = groups_by_uncertainty(experiment, *embedded, *uncertainty);
    } else {
        groups = groups_by_target(experiment, *embedded);
    }
    const auto input    = chosen_input(run, options.input);
    const auto features = hidden_features(experiment, embedding_weights(*run.snapshot->posterior), input.standardised,
                                          stop);
    if (stop.stop_requested())
        return {};
    Chart chart{.id = "embedding", .title = "Embedding"};
    chart.panels.push_back(Panel{.title  = {},
                                 .x      = component_axis(embedded->components, 0),
                                 .y      = component_axis(embedded->components, 1),
                                 .series = {}});
    add_embedded_rows(chart.panels.front(), *embedded, *groups);
    add_neighbours(chart, experiment, *embedded, features);
    chart.caption = caption_of_embedding(*embedded, *groups, input.name);
    return with_setting(std::move(chart), run, n_samples);
}

}   // namespace

std::span<const float> embedding_weights(const Posterior& posterior)
{
    const auto* set = sample_set_of(posterior);
    return set ? set->draw_number(0) : posterior.means();
}

std::vector<double> hidden_features(const Experiment& experiment, std::span<const float> weights,
                                    std::span<const float> inputs, const std::stop_token& stop)
{
    constexpr std::size_t batch = 128;
    const Network<float> network(experiment.model.architecture);
    const auto d          = static_cast<std::size_t>(experiment.model.architecture.inputs);
    const std::size_t all = inputs.size() / d;
    Network<float>::Workspace workspace(network, static_cast<int>(std::clamp<std::size_t>(all, 1, batch)));
    std::vector<double> out;
    for (std::size_t first = 0; first < all && !stop.stop_requested(); first += batch) {
        const std::size_t n = std::min(batch, all - first);
        network.forward(weights, inputs.data() + first * d, static_cast<int>(n), workspace);
        const auto features = network.features(workspace);
        out.insert(out.end(), features.begin(), features.end());
    }
    return out;
}

std::shared_ptr<const Embedding> embedding(const RunSnapshot& run, const std::stop_token& stop)
{
    static ResultCache<SnapshotKey<>, Embedding> memory(3);
    return memory.find_or_make({run}, stop, [&] { return made_embedding(run, stop); });
}

View embedding_view()
{
    return {
        .id    = "embedding",
        .title = "Embedding",
        .group = ViewGroup::uncertainty,
        .help =
            "The representation of the data before the last layer. Each row is a vector of the outputs of the last "
            "hidden layer, at the mean weights of the posterior (chains and ensembles: at the first sample), without "
            "dropout. The axes are the first two principal components of the training rows, with their share of the "
            "variance (Pearson 1901). At most 2,000 training rows and 1,000 test and OOD rows, evenly spaced. Colours: "
            "class or target, or the epistemic uncertainty in five levels of equal size. OOD rows are hollow: where "
            "they overlap the training rows, this layer cannot separate them. Click a point to select its input. The "
            "table lists the five training rows nearest to it in the whole layer; click one to select it.",
        .needs_input  = true,
        .asks         = Asks::weights,
        .cost         = Cost::all_rows,
        .with_results = false,
        .why_not      = why_no_embedding,
        .make         = make_embedding};
}

}   // namespace credence
