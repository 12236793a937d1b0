// SPDX-License-Identifier: GPL-3.0-or-later
#include "chains/network_density.h"
#include "charts/shared_captions.h"
#include "foundation/parallel.h"
#include "foundation/progress.h"
#include "foundation/statistics.h"
#include "posterior/sample_set.h"
#include "study/method.h"
#include "views/decision_map.h"
#include "views/view_support.h"
#include "views/weight_space.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>

namespace credence {

using namespace view_support;

namespace {

constexpr std::size_t most_projected = 200;   // steps or samples

/// A weight vector that is drawn in the plane.
struct WeightPoint {
    std::string name;   ///< "step 0", "chain 2, draw 17"
    WeightVector weights;
    int chain = -1;   ///< of a draw
};

/// The points that define the plane, and the points projected onto it.
struct PlanePoints {
    enum class Of {
        steps,   ///< of training
        draws,   ///< samples of chains or ensemble members
        runs
    };
    std::vector<WeightPoint> all;
    std::vector<std::size_t> anchors;   ///< indices of two or three of them
    Of of = Of::steps;
};

PlanePoints draws_in_plane(const SampleSet& set)
{
    PlanePoints out{.all = {}, .anchors = {}, .of = PlanePoints::Of::draws};
    const auto& chains = set.origin().chains;
    for (const std::size_t s : evenly_spaced(set.n_draws(), most_projected)) {
        const int chain = chains.empty() ? 0 : chains[s];
        out.all.push_back(
            {(chains.empty() ? "draw " : "chain " + std::to_string(chain) + ", draw ") + std::to_string(s),
             set.draw_number(s), chain});
    }
    for (std::size_t i = out.all.size(); i-- > 0 && out.anchors.size() < 3;)   // the last draw of each chain
        if (std::none_of(out.anchors.begin(), out.anchors.end(),
                         [&](std::size_t a) { return out.all[a].chain == out.all[i].chain; }))
            out.anchors.push_back(i);
    if (out.anchors.size() < 3)   // fewer than three chains
        out.anchors = {0, out.all.size() - 1, out.all.size() / 2};
    return out;
}

/// Returns the final weights of a run: its means, or its last sample.
WeightVector end_of(const RunSnapshot& run)
{
    const auto& posterior = *run.snapshot->posterior;
    const auto* set       = sample_set_of(posterior);
    return set ? WeightVector(set->draw_number(set->n_draws() - 1)) : WeightVector(posterior.means());
}

PlanePoints steps_in_plane(const RunSnapshot& run)
{
    PlanePoints out;
    const auto& recorded = run.recorded;
    for (const std::size_t i : evenly_spaced(recorded.size(), most_projected - 1))
        if (recorded[i]->posterior && recorded[i]->point.step < run.snapshot->point.step)
            out.all.push_back({"step " + std::to_string(recorded[i]->point.step), recorded[i]->posterior->means(), -1});
    if (out.all.empty())
        out.all.push_back({"start", run.experiment->start->means(), -1});
    out.all.push_back({"step " + std::to_string(run.snapshot->point.step), run.snapshot->posterior->means(), -1});
    out.anchors = {0, out.all.size() - 1};
    if (out.all.size() > 2)
        out.anchors.push_back((out.all.size() - 1) / 2);
    return out;
}

/// A square around all projected points.
std::pair<Range, Range> square_around(const std::vector<ProjectedPoint>& points, double size_of_weights)
{
    constexpr double margin = 0.25;
    Range x{INFINITY, -INFINITY}, y = x;
    for (const auto& p : points) {
        x = {std::min(x.first, p.x), std::max(x.second, p.x)};
        y = {std::min(y.first, p.y), std::max(y.second, p.y)};
    }
    double side = std::max(x.second - x.first, y.second - y.first);
    if (!(side > 0))   // a single point
        side = size_of_weights > 0 ? size_of_weights : 1;
    const double half = (0.5 + margin) * side, mx = (x.first + x.second) / 2, my = (y.first + y.second) / 2;
    return {{mx - half, mx + half}, {my - half, my + half}};
}

/// U(w) = −ln p(y | w) − ln p(w), or −ln p(y | w) without a prior, nats, over some of the training rows.
class WeightPotential {
public:
    WeightPotential(const RunSnapshot& run, std::size_t most_rows)
        : with_prior_(method_of(run.experiment->study).under_prior())
    {
        const auto& data    = *run.experiment->data;
        const auto rows     = evenly_spaced(data.training.n_rows, most_rows);
        const std::size_t d = data.training.n_features;
        std::vector<float> inputs, values;
        std::vector<int> labels;
        for (const auto row : rows) {
            const auto x = std::span(data.training_inputs).subspan(row * d, d);
            inputs.insert(inputs.end(), x.begin(), x.end());
            if (data.training.task == Task::classification)
                labels.push_back(data.training.labels[row]);
            else
                values.push_back(data.training_targets[row]);
        }
        n_rows_                  = rows.size();
        scale_                   = static_cast<double>(data.training.n_rows) / static_cast<double>(rows.size());
        constexpr double flat_sd = 1e6;   // its gradient does not matter
        const Prior flat         = Prior::same(run.experiment->start->layout(), GaussianPrior::from_sigma(flat_sd));
        const Prior prior        = with_prior_ ? prior_at(run) : flat;
        density_                 = std::make_unique<NetworkDensity>(run.experiment->model.architecture,
                                                    run.experiment->model.likelihood, prior, inputs,
                                                    Targets{labels, values});
    }
    WeightPotential(const WeightPotential& other)
        : with_prior_(other.with_prior_), n_rows_(other.n_rows_), scale_(other.scale_),
          density_(other.density_->another()), gradient_()
    {}

    std::size_t n_rows() const { return n_rows_; }
    bool with_prior() const { return with_prior_; }
    double at(std::span<const double> weights)
    {
        gradient_.resize(weights.size());
        density_->evaluate(weights, gradient_);
        return -scale_ * density_->log_likelihood() - (with_prior_ ? density_->log_prior() : 0);
    }
    /// Gradient of U over the rows in use, not scaled to all rows.
    void gradient(std::span<const double> weights, std::span<double> out)
    {
        density_->evaluate(weights, out);
        for (double& each : out)
            each = -each;
    }

private:
    bool with_prior_;
    std::size_t n_rows_ = 0;
    double scale_       = 1;
    std::unique_ptr<NetworkDensity> density_;
    std::vector<double> gradient_;
};

/// U at the centres of all cells [ny × nx]. Empty: stopped.
std::vector<double> potential_on(const MapGrid& grid, const WeightPlane& plane, const WeightPotential& potential,
                                 bool in_parallel, const std::stop_token& stop)
{
    const auto places = grid.inputs();
    const auto nx = static_cast<std::size_t>(grid.nx), ny = static_cast<std::size_t>(grid.ny);
    std::vector<double> out(nx * ny);
    std::atomic<std::size_t> done = 0;
    const auto row                = [&](WeightPotential& own, std::size_t j) {
        for (std::size_t i = j * nx; i < (j + 1) * nx && !stop.stop_requested(); ++i)
            out[i] = own.at(plane.at(places[2 * i], places[2 * i + 1]));
        ++done;
    };
    if (in_parallel)
        parallel_for(ny, [&](std::size_t j) {
            WeightPotential own(potential);
            row(own, j);
        });
    else {   // layers that need images use all threads themselves
        WeightPotential own(potential);
        for (std::size_t j = 0; j < ny; ++j) {
            row(own, j);
            report_share(static_cast<double>(done) / static_cast<double>(ny));
        }
    }
    return stop.stop_requested() ? std::vector<double>() : out;
}

/// log₁₀(1 + U − lowest); values that are not finite get the largest one.
std::vector<float> log_colours(const std::vector<double>& values, double lowest)
{
    std::vector<float> out;
    float largest = 0;
    for (const double value : values) {
        out.push_back(std::isfinite(value) ? static_cast<float>(std::log10(1 + std::max(0.0, value - lowest))) : NAN);
        if (std::isfinite(out.back()))
            largest = std::max(largest, out.back());
    }
    for (float& each : out)
        if (!std::isfinite(each))
            each = largest;
    return out;
}

/// Adds the training path, the draws by chain, or the runs. The points that define the plane are
/// large diamonds.
void add_projected(Panel& panel, const PlanePoints& points, const std::vector<ProjectedPoint>& at)
{
    if (points.of == PlanePoints::Of::runs) {
        for (std::size_t i = 0; i < at.size(); ++i)
            panel.series.push_back(Points{.name   = points.all[i].name,
                                          .x      = {at[i].x},
                                          .y      = {at[i].y},
                                          .tone   = category(static_cast<int>(i)),
                                          .marker = Marker::diamond,
                                          .size   = 9});
        return;
    }
    if (points.of == PlanePoints::Of::steps) {
        Line path{.name = "Path of training", .tone = {Tone::Kind::neutral}, .width = 2, .halo = true};
        for (const auto& p : at) {
            path.x.push_back(p.x);
            path.y.push_back(p.y);
        }
        panel.series.push_back(std::move(path));
    } else {
        std::vector<int> chains;
        for (const auto& point : points.all)
            if (std::find(chains.begin(), chains.end(), point.chain) == chains.end())
                chains.push_back(point.chain);
        for (std::size_t c = 0; c < chains.size(); ++c) {
            Points of_chain{
                .name = "chain " + std::to_string(chains[c]), .tone = category(static_cast<int>(c)), .size = 4};
            for (std::size_t i = 0; i < at.size(); ++i)
                if (points.all[i].chain == chains[c]) {
                    of_chain.x.push_back(at[i].x);
                    of_chain.y.push_back(at[i].y);
                }
            panel.series.push_back(std::move(of_chain));
        }
    }
    Points anchors{.name = "Points of the plane", .tone = {Tone::Kind::accent}, .marker = Marker::diamond, .size = 8};
    for (const auto a : points.anchors) {
        anchors.x.push_back(at[a].x);
        anchors.y.push_back(at[a].y);
    }
    panel.series.push_back(std::move(anchors));
}

std::string plane_text(const PlanePoints& points, const WeightPlane& plane)
{
    std::string out = "Coordinates: Euclidean distance in weight space, origin at " + points.all[points.anchors[0]].name
                      + ", e₁ towards " + points.all[points.anchors[1]].name;
    if (points.anchors.size() > 2)
        out += ", e₂ towards " + points.all[points.anchors[2]].name + " at a right angle to e₁";
    if (plane.random)
        out += "; directions that these points do not determine are random";
    return out + ". ";
}

/// Returns the indices of the first point, the last, and evenly spaced points between them.
std::vector<std::size_t> listed_points(std::size_t n)
{
    constexpr std::size_t most = 12;
    const std::size_t m        = std::min(n, most);
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < m; ++i)
        out.push_back(m > 1 ? i * (n - 1) / (m - 1) : 0);
    return out;
}

/// The potential U on the plane.
HeatMap potential_map(const MapGrid& grid, const std::vector<double>& values, double lowest)
{
    HeatMap heat{.name     = "log₁₀(1 + U − min U)",
                 .nx       = grid.nx,
                 .ny       = grid.ny,
                 .x        = grid.x,
                 .y        = grid.y,
                 .z        = log_colours(values, lowest),
                 .contours = {}};
    heat.z_range = {0, std::max(1e-3, static_cast<double>(*std::max_element(heat.z.begin(), heat.z.end())))};
    for (double level = 0.5; level < heat.z_range.second; level += 0.5)
        heat.contours.push_back(level);
    return heat;
}

/// U at evenly spaced t on the straight line between two runs and on the curve.
struct Profile {
    std::vector<double> t{}, line{}, curve{};

    /// Returns the largest rise of U above both ends, nats.
    static double rise(const std::vector<double>& u)
    {
        return *std::max_element(u.begin(), u.end()) - std::max(u.front(), u.back());
    }
};

Profile profile_of(const ModeCurve& curve, WeightPotential& potential)
{
    constexpr int intervals = 40;
    Profile out;
    for (int i = 0; i <= intervals; ++i) {
        const double t = static_cast<double>(i) / intervals;
        auto straight  = curve.a;
        for (std::size_t k = 0; k < straight.size(); ++k)
            straight[k] += t * (curve.b[k] - curve.a[k]);
        out.t.push_back(t);
        out.line.push_back(potential.at(straight));
        out.curve.push_back(potential.at(curve.at(t)));
    }
    return out;
}

/// The straight line and the curve between two runs: on the plane, and U along them.
void add_curve_between(Chart& chart, const ModeCurve& curve, const Profile& profile, const WeightPlane& plane,
                       double lowest)
{
    Line line{
        .name = "Straight line", .tone = {Tone::Kind::muted}, .style = LineStyle::dashed, .width = 2, .halo = true};
    Line bent{.name = "Curve", .tone = {Tone::Kind::neutral}, .width = 2, .halo = true};
    Line line_u = line, bent_u = bent;
    for (const double t : profile.t) {
        const auto w  = curve.at(t);
        const auto at = projection_of(plane, std::vector<float>(w.begin(), w.end()));
        bent.x.push_back(at.x);
        bent.y.push_back(at.y);
    }
    line.x            = {bent.x.front(), bent.x.back()};
    line.y            = {bent.y.front(), bent.y.back()};
    const auto raised = [lowest](const std::vector<double>& u) {
        std::vector<double> out;
        for (const double value : u)
            out.push_back(std::log10(1 + value - lowest));
        return out;
    };
    line_u.x = bent_u.x = profile.t;
    line_u.y            = raised(profile.line);
    bent_u.y            = raised(profile.curve);
    auto& map           = chart.panels.front().series;
    map.insert(map.begin() + 1, {std::move(line), std::move(bent)});
    chart.panels.push_back({.title  = "U between the runs",
                            .x      = {.label = "Position t", .range = Range{0, 1}},
                            .y      = {.label = "log₁₀(1 + U − min U)"},
                            .series = {std::move(line_u), std::move(bent_u)},
                            .weight = 0.7});
    chart.columns = 2;
    chart.caption += " Along the straight line U rises by up to " + number_text(Profile::rise(profile.line), 3)
                     + " nats above both runs, along the curve by " + number_text(Profile::rise(profile.curve), 3)
                     + ". The curve is the quadratic Bézier curve between the runs that approximately minimises the "
                       "mean of U; the plane contains it.";
}

/// @param what  "training loss"
std::string landscape_caption(const RunSnapshot& run, const PlanePoints& points, const WeightPlane& plane,
                              const std::vector<ProjectedPoint>& at, const WeightPotential& potential,
                              const std::string& what)
{
    double farthest = 0;
    for (const auto& p : at)
        farthest = std::max(farthest, p.distance);
    return "The " + what + " U on a plane in weight space, coloured by log₁₀(1 + U − min U). "
           + plane_text(points, plane)
           + (points.of == PlanePoints::Of::draws  ? "Draws"
              : points.of == PlanePoints::Of::runs ? "Runs"
                                                   : "Recorded steps")
           + " are projected at right angles, from a distance of up to " + number_text(farthest, 3)
           + " from the plane. U over " + std::to_string(potential.n_rows()) + " training rows"
           + (potential.n_rows() < run.experiment->data->training.n_rows ? ", scaled to all rows." : ".");
}

/// @param curve  between the first two points; null: none
std::optional<Chart> landscape_of(const RunSnapshot& run, const PlanePoints& points, const ModeCurve* curve,
                                  const ViewOptions& options, const std::stop_token& stop)
{
    const auto& experiment = *run.experiment;
    std::vector<WeightVector> anchors;
    for (const auto a : points.anchors)
        anchors.push_back(points.all[a].weights);
    const auto plane = plane_through(anchors, experiment.study.seed);
    std::vector<ProjectedPoint> at;
    for (const auto& point : points.all)
        at.push_back(projection_of(plane, point.weights));

    const bool images      = experiment.data->image.has_value();
    const std::size_t rows = images ? 100 : 1000;
    const int most_cells   = plane.origin.size() > 20000 || images ? 15 : 31;
    const auto region      = square_around(at, length_of(plane.origin));
    const auto grid        = MapGrid::over(region.first, region.second, std::min(options.map.cells, most_cells));
    const WeightPotential potential(run, rows);
    const auto values = potential_on(grid, plane, potential, !images, stop);
    if (values.empty())
        return {};
    WeightPotential own(potential);
    std::vector<double> of_points;
    for (const auto& point : points.all) {
        if (stop.stop_requested())
            return {};
        of_points.push_back(own.at(std::vector<double>(point.weights.begin(), point.weights.end())));
    }
    const auto profile = curve ? profile_of(*curve, own) : Profile();
    double lowest      = INFINITY;
    for (const auto& list : {values, of_points, profile.line, profile.curve})
        for (const double value : list)
            if (std::isfinite(value))
                lowest = std::min(lowest, value);

    const std::string what = potential.with_prior() ? "negative log posterior" : "training loss";
    Panel panel{.title        = "U: " + what + ", nats",
                .x            = {.label = "Distance along e₁", .range = region.first},
                .y            = {.label = "Distance along e₂", .range = region.second},
                .series       = {potential_map(grid, values, lowest)},
                .equal_aspect = true};
    add_projected(panel, points, at);

    Table table{.columns = {{"Point"}, {"x"}, {"y"}, {"Distance from the plane"}, {.name = "U", .unit = "nats"}},
                .rows    = {}};
    const double rounding = 1e-9 * (region.first.second - region.first.first);
    const auto exact      = [rounding](double value) { return std::fabs(value) < rounding ? 0 : value; };
    for (const std::size_t i : listed_points(at.size()))
        table.rows.push_back({points.all[i].name, exact(at[i].x), exact(at[i].y), exact(at[i].distance), of_points[i]});
    Chart chart{.id = "landscape", .title = "Landscape"};
    chart.caption = landscape_caption(run, points, plane, at, potential, what);
    if (table.rows.size() < at.size())
        chart.caption += " The table has " + std::to_string(table.rows.size()) + " of " + std::to_string(at.size())
                         + " points.";
    chart.panels = {std::move(panel)};
    chart.table  = std::move(table);
    if (curve)
        add_curve_between(chart, *curve, profile, plane, lowest);
    return chart;
}

std::optional<Chart> make_landscape(const RunSnapshot& run, const ViewOptions& options, const std::stop_token& stop)
{
    const auto* set   = sample_set_of(*run.snapshot->posterior);
    const auto points = set && set->n_draws() >= 3 ? draws_in_plane(*set) : steps_in_plane(run);
    auto chart        = landscape_of(run, points, nullptr, options, stop);
    return chart ? std::optional(with_setting(std::move(*chart), run)) : std::nullopt;
}

/// Two runs with the curve between them, or the plane through the first three runs.
std::optional<Chart> landscape_of_runs(std::span<const RunSnapshot> runs, const std::vector<std::string>& names,
                                       const ViewOptions& options, const std::stop_token& stop)
{
    PlanePoints points{.all = {}, .anchors = {0, 1}, .of = PlanePoints::Of::runs};
    for (std::size_t r = 0; r < runs.size(); ++r)
        points.all.push_back({names[r], end_of(runs[r])});
    if (runs.size() > 2) {
        points.anchors.push_back(2);
        return landscape_of(runs.front(), points, nullptr, options, stop);
    }
    const bool images = runs.front().experiment->data->image.has_value();
    WeightPotential potential(runs.front(), images ? 100 : 1000);
    const auto gradient = [&potential](std::span<const double> w, std::span<double> out) {
        potential.gradient(w, out);
    };
    const auto curve = low_curve(points.all[0].weights, points.all[1].weights, gradient, images ? 15 : 150, stop);
    if (!curve)
        return {};
    const std::vector<float> control(curve->control.begin(), curve->control.end());
    points.all.push_back({"control point of the curve", control});
    points.anchors.push_back(2);
    return landscape_of(runs.front(), points, &*curve, options, stop);
}

std::optional<Chart> compare_landscape(std::span<const RunSnapshot> runs, const ViewOptions& options,
                                       const std::stop_token& stop)
{
    Chart refused{.id = "landscape", .title = "Landscape"};
    refused.message = "No run is selected. Tick the runs to compare.";
    if (runs.empty())
        return refused;
    const auto all = names_of(runs);
    std::vector<RunSnapshot> same;
    std::vector<std::string> names, settings;
    std::string others;
    for (std::size_t r = 0; r < runs.size(); ++r)
        if (runs[r].experiment->study.network == runs.front().experiment->study.network) {
            same.push_back(runs[r]);
            names.push_back(all[r]);
            settings.push_back(setting_of(runs[r]));
        } else {
            others += (others.empty() ? "" : ", ") + all[r];
        }
    auto chart = same.size() < 2 ? make_landscape(same.front(), options, stop)
                                 : landscape_of_runs(same, names, options, stop);
    if (chart && same.size() > 1)
        chart->caption += " U is that of " + names.front() + "." + settings_side_by_side(names, settings);
    if (chart && !others.empty())
        chart->caption += " Left out, because the network differs: " + others + ".";
    return chart;
}

}   // namespace

View landscape_view()
{
    return {
        .id    = "landscape",
        .title = "Landscape",
        .group = ViewGroup::weights,
        .help =
            "The negative log posterior −ln p(y|w) − ln p(w), or the training loss −ln p(y|w) of a network without a "
            "prior, on a plane in weight space. After training, the plane contains the first, the middle and the last "
            "recorded step (means of the weights), and the line is the path of training. For chains and ensembles it "
            "contains samples of three different chains, and the dots are all samples. x and y are distances along two "
            "directions at right angles, so lengths and angles in the plane are true. Everything else is projected. "
            "The table gives the distance of up to twelve points from the plane, and U at the point itself, which can "
            "be far lower than the colour at its mark. The colour is log₁₀(1 + U − min U) with U in nats, so that a "
            "difference of 1 nat is visible next to thousands. A plane shows two of many dimensions: two modes that a "
            "ridge separates here can be connected elsewhere. With one ticked run of the same network, the plane "
            "contains both runs and a curve between them along which U is low. It is the quadratic Bézier curve "
            "B(t) = (1−t)² w₁ + 2t(1−t) θ + t² w₂ with an optimised θ. A second chart compares U along the curve with "
            "U along the straight line. With two or more ticked runs, the plane contains three runs. Chains are "
            "represented by their last sample. Dropout layers are switched off. Source: Garipov et al. 2018.",
        .cost         = Cost::slow,
        .with_results = false,
        .when_pruned  = WhenPruned::whole,
        .many_targets = ManyTargets::refused,
        .make         = make_landscape,
        .compare      = compare_landscape};
}

}   // namespace credence
