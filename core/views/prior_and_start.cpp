// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/weights.h"

#include "charts/chart.h"
#include "foundation/statistics.h"
#include "study/method.h"
#include "views/layers.h"
#include "views/view_support.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace credence {

using namespace view_support;

namespace {

/// Components of a Gaussian mixture that a picture can evaluate: at most `limit`, evenly spaced
/// over the weights.
struct Components {
    std::vector<double> mean, sd;

    double density(double x) const
    {
        double sum = 0;
        for (std::size_t i = 0; i < mean.size(); ++i)
            sum += normal_density(x, mean[i], sd[i]);
        return sum / static_cast<double>(mean.size());
    }
};

Components thinned(const std::vector<double>& mean, const std::vector<double>& sd, std::size_t limit)
{
    Components out;
    for (const std::size_t i : evenly_spaced(mean.size(), limit)) {
        out.mean.push_back(mean[i]);
        out.sd.push_back(sd[i]);
    }
    return out;
}

PriorAndStart::Kind kind_of(BlockKind kind, const ParameterLayout& layout, const Prior& prior,
                            std::span<const float> start_mean, std::span<const float> start_sd)
{
    PriorAndStart::Kind out;
    out.kind = kind;
    std::vector<double> mean, sd;
    Range range{0, 0};
    for (std::size_t b = 0; b < layout.blocks.size(); ++b) {
        const auto& block = layout.blocks[b];
        if (block.kind != kind)
            continue;
        mean.insert(mean.end(), start_mean.begin() + block.begin, start_mean.begin() + block.end());
        sd.insert(sd.end(), start_sd.begin() + block.begin, start_sd.begin() + block.end());
        const double centre = prior_mean(prior.blocks[b]), width = prior_sd(prior.blocks[b]);
        range = mean.size() == block.size
                    ? Range{centre - 3 * width, centre + 3 * width}
                    : Range{std::min(range.first, centre - 3 * width), std::max(range.second, centre + 3 * width)};
    }
    out.n = mean.size();
    if (out.n == 0)
        return out;
    const double n = static_cast<double>(out.n);
    for (const double m : mean)
        out.mean += m / n;
    double variance = 0;
    for (std::size_t i = 0; i < mean.size(); ++i)
        variance += ((mean[i] - out.mean) * (mean[i] - out.mean) + sd[i] * sd[i]) / n;
    out.sd = std::sqrt(variance);
    range  = {std::min(range.first, out.mean - 4 * out.sd), std::max(range.second, out.mean + 4 * out.sd)};

    const auto add_grid = [&](double centre, double half, int steps) {
        for (int i = -steps; i <= steps; ++i)
            out.x.push_back(centre + half * i / steps);
    };
    add_grid((range.first + range.second) / 2, (range.second - range.first) / 2, 150);
    if (out.sd > 0)
        add_grid(out.mean, 4 * out.sd, 100);   // the initialisation is often much narrower than the prior
    std::sort(out.x.begin(), out.x.end());
    out.x.erase(std::unique(out.x.begin(), out.x.end()), out.x.end());

    out.prior.assign(out.x.size(), 0);
    for (std::size_t b = 0; b < layout.blocks.size(); ++b)
        if (layout.blocks[b].kind == kind)
            for (std::size_t i = 0; i < out.x.size(); ++i)
                out.prior[i] += std::exp(log_density(prior.blocks[b], out.x[i]))
                                * static_cast<double>(layout.blocks[b].size) / n;
    if (std::all_of(sd.begin(), sd.end(), [](double s) { return s > 0; })) {
        // A kernel no narrower than the grid step prevents weights with almost no spread from
        // becoming spikes between two grid points.
        const double floor = 8 * out.sd / 200;
        for (double& s : sd)
            s = std::max(s, floor);
        const auto components = thinned(mean, sd, 4000);
        for (const double x : out.x)
            out.start.push_back(components.density(x));
    } else
        out.start_means = histogram(mean);
    return out;
}

std::optional<std::string> why_not_prior_and_start(const Experiment& experiment)
{
    if (method_of(experiment.study).has_kl())
        return {};
    if (method_of(experiment.study).training.prior == PriorUse::sampled)
        return "A chain starts at one weight vector, so there is no distribution to compare with the prior.";
    return "This posterior is trained without an explicit prior; it uses weight decay instead.";
}

std::optional<Chart> make_prior_and_start(const RunSnapshot& run, const ViewOptions&, const std::stop_token&)
{
    const auto& start  = *run.experiment->start;
    const auto moments = moments_of(start);
    return with_setting(to_chart(prior_and_start(start.layout(), run.experiment->prior, moments.mean, moments.sd)),
                        run);
}

}   // namespace

PriorAndStart prior_and_start(const ParameterLayout& layout, const Prior& prior, std::span<const float> start_mean,
                              std::span<const float> start_sd)
{
    PriorAndStart out;
    for (const auto kind : {BlockKind::weights, BlockKind::biases})
        if (auto part = kind_of(kind, layout, prior, start_mean, start_sd); part.n > 0)
            out.kinds.push_back(std::move(part));
    return out;
}

Chart to_chart(const PriorAndStart& figure)
{
    Chart chart{.id = "prior_and_start", .title = "Prior and initialisation"};
    if (figure.kinds.empty()) {
        chart.message = "This network has no weights.";
        return chart;
    }
    chart.caption = "Prior density of the weights and of the biases, and the distribution from which training starts.";
    for (const auto& part : figure.kinds) {
        const std::string name = part.kind == BlockKind::weights ? "Weights" : "Biases";
        Panel panel{.title = name, .x = {.label = "Weight"}, .y = {.label = "Density"}};
        panel.series.push_back(Line{
            .name = "Prior", .x = part.x, .y = part.prior, .tone = {Tone::Kind::prior}, .style = LineStyle::dashed});
        if (!part.x.empty())
            panel.x.range = Range{part.x.front(), part.x.back()};
        const double prior_top = part.prior.empty() ? 0 : *std::max_element(part.prior.begin(), part.prior.end());
        const double start_top = part.start.empty() ? 0 : *std::max_element(part.start.begin(), part.start.end());
        const double length    = part.x.empty() ? 0 : part.x.back() - part.x.front();
        if (part.sd <= 1e-3 * length)   // too narrow to draw next to the prior
            panel.series.push_back(Rule{.direction = Rule::Direction::vertical,
                                        .at        = part.mean,
                                        .label     = "start: all near " + number_text(part.mean, 3),
                                        .tone      = {Tone::Kind::posterior},
                                        .style     = LineStyle::solid});
        else if (!part.start.empty()) {
            panel.series.push_back(
                Line{.name = "Start", .x = part.x, .y = part.start, .tone = {Tone::Kind::posterior}, .width = 2});
            if (start_top > 200 * prior_top)
                panel.y.range = Range{0, 200 * prior_top};
        } else
            panel.series.push_back(bars_of(part.start_means, "Start (values, no spread)", {Tone::Kind::posterior}));
        chart.panels.push_back(std::move(panel));
        chart.caption += " " + name + " start with mean " + number_text(part.mean, 3) + " and standard deviation "
                         + number_text(part.sd, 3) + ".";
    }
    chart.columns = static_cast<int>(chart.panels.size());
    return chart;
}

View prior_and_start_view()
{
    return {
        .id    = "prior_and_start",
        .title = "Prior and initialisation",
        .group = ViewGroup::weights,
        .help =
            "The prior density of the weights and of the biases, and the distribution from which training starts, as "
            "a mixture over all weights or biases. An initialisation much narrower than the prior has a large KL at "
            "first. Source: Steinbrener et al. 2020, Figs. 4 and 5.",
        .cost         = Cost::quick,
        .when_pruned  = WhenPruned::whole,
        .many_targets = ManyTargets::all,
        .why_not      = why_not_prior_and_start,
        .make         = make_prior_and_start};
}

}   // namespace credence
