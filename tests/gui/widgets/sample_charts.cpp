// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/sample_charts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace credence {
namespace {

constexpr double pi = std::numbers::pi;

/// A low-discrepancy stand-in for random numbers: the fractional part of k times the golden ratio.
double spread(int k) { return std::fmod(k * 0.6180339887498949, 1.0); }
double bell(int k) { return (spread(k) + spread(3 * k + 1) + spread(7 * k + 2) - 1.5) * 2; }

Points moon(int label, int n)
{
    Points points;
    points.name = label == 0 ? "class 0" : "class 1";
    points.tone = category(label);
    for (int k = 0; k < n; ++k) {
        const double t = pi * k / (n - 1);
        points.x.push_back((label == 0 ? std::cos(t) : 1 - std::cos(t)) + 0.1 * bell(k));
        points.y.push_back((label == 0 ? std::sin(t) : 0.5 - std::sin(t)) + 0.1 * bell(5 * k + 3));
    }
    return points;
}

HeatMap entropyMap(int cells, double sharpness)
{
    HeatMap map;
    map.name = "Predictive entropy";
    map.unit = "nats";
    map.nx = map.ny = cells;
    map.x           = {-2, 3};
    map.y           = {-1.5, 2};
    map.z_range     = {0, std::log(2.0)};
    for (int row = 0; row < cells; ++row)
        for (int column = 0; column < cells; ++column) {
            const double x = -2 + 5.0 * column / (cells - 1), y = -1.5 + 3.5 * row / (cells - 1);
            const double p = 1
                             / (1 + std::exp(-sharpness * (y - 0.25 - 0.6 * std::sin(2 * x - 1)) / (1 + x * x * 0.3)));
            map.z.push_back(static_cast<float>(-p * std::log(p + 1e-9) - (1 - p) * std::log(1 - p + 1e-9)));
        }
    return map;
}

Panel mapPanel(const std::string& title, HeatMap map)
{
    Panel panel;
    panel.title        = title;
    panel.x            = {"x₁", "", Range{-2, 3}, false, {}};
    panel.y            = {"x₂", "", Range{-1.5, 2}, false, {}};
    panel.equal_aspect = true;
    panel.series       = {std::move(map), moon(0, 60), moon(1, 60)};
    return panel;
}

Chart chart(const std::string& id, const std::string& title, std::vector<Panel> panels, int columns = 1)
{
    Chart result;
    result.id      = id;
    result.title   = title;
    result.caption = title + " of two moons (500 points, noise 0.1), mean field, 200 samples, seed 1.";
    result.columns = columns;
    result.panels  = std::move(panels);
    return result;
}

}   // namespace

Chart decisionMapChart(int cells)
{
    HeatMap map  = entropyMap(cells, 4);
    map.contours = {0.35};
    return chart("decision_map", "Decision map", {mapPanel("", map)});
}

Chart decisionMapsChart()
{
    return chart("compare", "Decision maps",
                 {mapPanel("Point estimate", entropyMap(60, 12)), mapPanel("Mean field", entropyMap(60, 4)),
                  mapPanel("Tridiagonal", entropyMap(60, 2))},
                 3);
}

Chart regionsChart()
{
    HeatMap map = entropyMap(80, 4);
    map.name    = "Certainty";
    map.unit.clear();
    for (float& z : map.z)
        z = z < 0.2F ? 0 : z < 0.5F ? 1 : 2;
    map.categories = {"certain: class 0", "certain: class 1", "uncertain"};
    return chart("certainty_map", "Certainty", {mapPanel("", map)});
}

Chart regressionChart()
{
    Panel panel;
    panel.x = {"x", "", {}, false, {}};
    panel.y = {"y", "", {}, false, {}};
    Band wide, narrow;
    wide.name = "95 % credible interval";
    wide.tone = narrow.tone = {Tone::Kind::posterior};
    wide.opacity            = 0.18;
    narrow.name             = "interquartile range";
    narrow.opacity          = 0.3;
    Line median;
    median.name  = "median";
    median.tone  = {Tone::Kind::posterior};
    median.width = 2;
    std::vector<Line> bundle(8);
    for (int k = 0; k <= 120; ++k) {
        const double x = -0.4 + 1.8 * k / 120, y = x + 0.3 * std::sin(2 * pi * x) + 0.3 * std::sin(4 * pi * x);
        const double width = 0.05 + 0.5 * std::max({0.0, -x, x - 0.6});
        for (Band* band : {&wide, &narrow}) {
            const double w = band == &wide ? 1.96 * width : 0.67 * width;
            band->x.push_back(x);
            band->lower.push_back(y - w);
            band->upper.push_back(y + w);
        }
        median.x.push_back(x);
        median.y.push_back(y);
        for (std::size_t j = 0; j < bundle.size(); ++j) {
            bundle[j].x.push_back(x);
            bundle[j].y.push_back(y
                                  + width * bell(static_cast<int>(j) + 1) * std::cos(x * (2 + static_cast<double>(j))));
        }
    }
    Points data;
    data.name = "training data";
    data.tone = {Tone::Kind::data};
    data.size = 4;
    for (int k = 0; k < 60; ++k) {
        const double x = 0.5 * spread(k + 1);
        data.x.push_back(x);
        data.y.push_back(x + 0.3 * std::sin(2 * pi * x) + 0.3 * std::sin(4 * pi * x) + 0.04 * bell(k));
    }
    panel.series = {wide, narrow};
    for (std::size_t j = 0; j < bundle.size(); ++j) {
        bundle[j].name    = j == 0 ? "posterior functions" : "";
        bundle[j].tone    = {Tone::Kind::muted};
        bundle[j].width   = 0.8;
        bundle[j].opacity = 0.6;
        panel.series.emplace_back(bundle[j]);
    }
    panel.series.emplace_back(median);
    panel.series.emplace_back(data);
    return chart("regression_band", "Regression band", {panel});
}

Chart boxplotsChart(int classes)
{
    Panel panel;
    panel.x = {"Class", "", {}, false, {}};
    panel.y = {"Class probability", "", Range{0, 1}, false, {}};
    Boxes boxes;
    for (int k = 0; k < classes; ++k) {
        panel.x.categories.push_back("class " + std::to_string(k));
        const double m = 0.1 + 0.7 * spread(k + 1);
        boxes.boxes.push_back({static_cast<double>(k),
                               m - 0.1,
                               m - 0.05,
                               m,
                               m + 0.06,
                               m + 0.12,
                               {m - 0.13, m + 0.15, m + 0.17},
                               category(k)});
    }
    Rule truth;
    truth.direction = Rule::Direction::vertical;
    truth.at        = 1;
    truth.label     = "true class";
    truth.tone      = {Tone::Kind::right};
    panel.series    = {boxes, truth};
    return chart("boxplots", "Sampled outputs", {panel});
}

Chart intervalsChart()
{
    Panel panel;
    panel.x = {"Class", "", {}, false, {"class 0", "class 1", "class 2"}};
    panel.y = {"Class probability", "", Range{0, 1}, false, {}};
    IntervalBars bars;
    bars.name = "95 % credible interval";
    for (int k = 0; k < 3; ++k)
        bars.bars.push_back({static_cast<double>(k), 0.1 + 0.2 * k, 0.2 + 0.22 * k, 0.35 + 0.25 * k, category(k)});
    Rule level;
    level.at     = 0.5;
    level.label  = "1/2";
    panel.series = {bars, level};
    Chart result = chart("intervals", "Credible intervals", {panel});
    result.table = Table{{{"Criterion", "", -1}, {"Verdict", "", -1}, {"Probability", "", 3}},
                         {{std::string("(i) no overlap"), std::string("uncertain"), 0.81},
                          {std::string("(ii) probability ≥ α"), std::string("uncertain"), 0.9312}}};
    return result;
}

Chart trainingChart(int points)
{
    Line loss, kl, train, test;
    loss.name   = "data loss";
    loss.tone   = category(0);
    kl.name     = "KL × weight";
    kl.tone     = category(1);
    train.name  = "training";
    train.tone  = {Tone::Kind::training};
    test.name   = "test";
    test.tone   = {Tone::Kind::test};
    train.steps = test.steps = true;
    for (int k = 0; k < points; ++k) {
        const double step = 5000.0 * k / points;
        loss.x.push_back(step), loss.y.push_back(0.6 * std::exp(-step / 800) + 0.02 + 0.004 * (1 + bell(k)));
        kl.x.push_back(step), kl.y.push_back(0.2 * std::exp(-step / 4000));
        train.x.push_back(step), train.y.push_back(50 * std::exp(-step / 700) + 0.5 + 0.2 * (1 + bell(k)));
        test.x.push_back(step), test.y.push_back(50 * std::exp(-step / 800) + 1.5 + 0.3 * (1 + bell(k + 1)));
    }
    Panel top, bottom;
    top.title     = "Loss";
    top.x         = {"Step", "", {}, false, {}};
    top.y         = {"Loss", "nats per example", {}, true, {}};
    top.series    = {loss, kl};
    bottom.title  = "Error";
    bottom.x      = {"Step", "", {}, false, {}};
    bottom.y      = {"Error", "%", {}, false, {}};
    bottom.series = {train, test};
    return chart("training_curves", "Training curves", {top, bottom}, 2);
}

Chart histogramsChart()
{
    std::vector<Panel> panels;
    for (int p = 0; p < 4; ++p) {
        Panel panel;
        panel.title = std::vector<std::string>{"Means", "One draw", "Standard deviations",
                                               "Signal-to-noise"}[static_cast<std::size_t>(p)];
        panel.x     = {p == 3 ? "Signal-to-noise" : "Weight", p == 3 ? "dB" : "", {}, false, {}};
        panel.y     = {"Density", "", {}, false, {}};
        Bars bars;
        bars.name  = "layer 1";
        bars.tone  = {Tone::Kind::posterior};
        bars.width = 0.1;
        Line prior;
        prior.name  = "prior";
        prior.tone  = {Tone::Kind::prior};
        prior.style = LineStyle::dashed;
        for (int k = -20; k <= 20; ++k) {
            const double x = 0.1 * k;
            bars.position.push_back(x);
            bars.height.push_back(std::exp(-x * x / (0.2 + 0.2 * p)) / std::sqrt(pi * (0.2 + 0.2 * p))
                                  * (1 + 0.1 * bell(k + 30)));
            prior.x.push_back(x), prior.y.push_back(std::exp(-x * x / 2) / std::sqrt(2 * pi));
        }
        Rule mean;
        mean.direction = Rule::Direction::vertical;
        mean.label     = "pruned";
        mean.at        = -0.5;
        panel.series   = {bars, prior, mean};
        panels.push_back(panel);
    }
    return chart("weights", "Weights", std::move(panels), 2);
}

Chart confusionChart()
{
    HeatMap map;
    map.name = "Test points";
    map.nx = map.ny = 4;
    map.x = map.y = {0, 3};
    map.z         = {48, 1, 0, 2, 3, 50, 1, 0, 0, 2, 47, 0, 1, 0, 0, 45};
    map.z_range   = {0, 50};
    map.map       = ColourMap::cividis;
    Panel panel;
    panel.x            = {"Predicted class", "", {}, false, {"lower left", "upper right", "upper left", "lower right"}};
    panel.y            = {"True class", "", {}, false, {"lower left", "upper right", "upper left", "lower right"}};
    panel.equal_aspect = true;
    panel.series       = {map};
    return chart("confusion", "Confusion", {panel});
}

Chart reliabilityChart()
{
    Panel panel;
    panel.x            = {"Confidence", "", Range{0, 1}, false, {}};
    panel.y            = {"Accuracy", "", Range{0, 1}, false, {}};
    panel.equal_aspect = true;
    Bars bars;
    bars.name  = "accuracy";
    bars.tone  = {Tone::Kind::posterior};
    bars.width = 0.1;
    Line roc;
    roc.name = "ROC";
    roc.tone = {Tone::Kind::wrong};
    for (int k = 0; k < 10; ++k) {
        bars.position.push_back(0.05 + 0.1 * k), bars.height.push_back(std::pow(0.05 + 0.1 * k, 1.3));
        roc.x.push_back(1 - 0.1 * k), roc.y.push_back(std::pow(1 - 0.1 * k, 0.3));
    }
    Rule diagonal;
    diagonal.direction = Rule::Direction::diagonal;
    diagonal.label     = "calibrated";
    panel.series       = {bars, roc, diagonal};
    return chart("calibration", "Calibration", {panel});
}

Chart certaintyChart()
{
    Chart result = chart("certainty", "Certainty table", {});
    result.table = Table{{{"Level", "%", 1},
                          {"Criterion", "", -1},
                          {"Correct, certain", "%", 2},
                          {"Correct, uncertain", "%", 2},
                          {"Wrong, certain", "%", 2},
                          {"Wrong, uncertain", "%", 2}},
                         {}};
    for (const double level : {90.0, 95.0, 99.0})
        for (const char* criterion : {"(i)", "(ii)"})
            result.table->rows.push_back({level, std::string(criterion), 97.5 - level / 20, level / 20, 0.25,
                                          std::numeric_limits<double>::quiet_NaN()});
    return result;
}

Chart emptyChart()
{
    Chart result = chart("weights", "Weights", {});
    result.message =
        "A point estimate has no standard deviations. Choose a Bayesian family in the Study panel and train again.";
    return result;
}

std::vector<Chart> sampleCharts()
{
    return {decisionMapChart(), decisionMapsChart(), regionsChart(),   regressionChart(),
            boxplotsChart(),    intervalsChart(),    trainingChart(),  histogramsChart(),
            confusionChart(),   reliabilityChart(),  certaintyChart(), emptyChart()};
}

}   // namespace credence
