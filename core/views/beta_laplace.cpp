// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/beta_laplace.h"

#include "charts/chart.h"
#include "foundation/error.h"
#include "simplex/gamma_functions.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

namespace credence {
namespace {

double log_normal_pdf(const NormalDistribution& distribution, double y)
{
    const double u = (y - distribution.mean) / distribution.sd;
    return -0.5 * u * u - std::log(distribution.sd) - 0.5 * std::log(2 * std::numbers::pi);
}
double normal_pdf(const NormalDistribution& distribution, double y)
{
    return std::exp(log_normal_pdf(distribution, y));
}
double softplus(double y) { return y > 0 ? y + std::log1p(std::exp(-y)) : std::log1p(std::exp(y)); }
double logistic(double y) { return y >= 0 ? 1 / (1 + std::exp(-y)) : std::exp(y) / (1 + std::exp(y)); }
/// ln of the density of y = logit π under a Beta: a ln π + b ln(1 − π) − ln B.
double log_beta_of_logit(const Beta& distribution, double y)
{
    return -distribution.a * softplus(-y) - distribution.b * softplus(y)
           - log_beta_function(distribution.a, distribution.b);
}

using Density = std::function<double(double)>;   ///< of y

/// ½ ∫|p − q| dy by the trapezoidal rule.
double total_variation(const Density& p, const Density& q, Range y)
{
    constexpr int n   = 20000;
    double sum        = 0;
    const double step = (y.second - y.first) / n;
    for (int i = 0; i <= n; ++i) {
        const double at = y.first + step * i;
        sum += std::fabs(p(at) - q(at)) * (i == 0 || i == n ? 0.5 : 1);
    }
    return std::clamp(0.5 * sum * step, 0.0, 1.0);
}

/// The range of y that contains all but 1e-9 of the distribution.
Range reach(const Beta& distribution)
{
    return {quantile(distribution, 1e-9).logit, upper_quantile(distribution, 1e-9).logit};
}
Range reach(const NormalDistribution& distribution)
{
    return {distribution.mean - 6.2 * distribution.sd, distribution.mean + 6.2 * distribution.sd};
}
Range both(Range a, Range b) { return {std::min(a.first, b.first), std::max(a.second, b.second)}; }

/// Points in (0, 1) to evaluate: evenly spaced ones, and ones evenly spaced on the logit axis of
/// each distribution, which resolve narrow peaks and corners.
std::vector<double> places(std::initializer_list<Range> logits)
{
    constexpr int even = 300, each = 240;
    std::vector<double> x;
    for (int i = 1; i < even; ++i)
        x.push_back(static_cast<double>(i) / even);
    for (const Range& range : logits)
        for (int i = 0; i <= each; ++i) {
            const double at = logistic(range.first + (range.second - range.first) * i / each);
            if (at > 1e-6 && at < 1 - 1e-6)
                x.push_back(at);
        }
    std::sort(x.begin(), x.end());
    x.erase(std::unique(x.begin(), x.end()), x.end());
    return x;
}

Line curve(std::string name, const std::vector<double>& x, const Density& density, Tone tone, LineStyle style)
{
    Line line{.name = std::move(name), .x = x, .y = {}, .tone = tone, .style = style, .width = 1.6};
    line.y.reserve(x.size());
    for (const double at : x)
        line.y.push_back(density(at));
    return line;
}

/// Densities can be unbounded at the ends; the axis ends slightly above the highest interior value.
Range height_of(const std::vector<Line>& lines, Range within)
{
    double top = 0;
    for (const Line& line : lines)
        for (std::size_t i = 0; i < line.x.size(); ++i)
            if (line.x[i] >= within.first && line.x[i] <= within.second && std::isfinite(line.y[i]))
                top = std::max(top, line.y[i]);
    return {0, top > 0 ? 1.12 * top : 1};
}

Panel panel_of(std::string title, std::string x_label, Range x, std::vector<Line> lines, Range within)
{
    Panel panel{.title = std::move(title),
                .x     = {.label = std::move(x_label), .range = x},
                .y     = {.label = "Density", .range = height_of(lines, within)}};
    for (Line& line : lines)
        panel.series.push_back(std::move(line));
    return panel;
}

constexpr Tone exact_tone{Tone::Kind::posterior}, approximate_tone{Tone::Kind::category, 5};

std::vector<double> evenly(Range range)
{
    std::vector<double> out;
    for (int i = 0; i <= 600; ++i)
        out.push_back(range.first + (range.second - range.first) * i / 600);
    return out;
}

/// The probability of π in [0.02, 0.98], which a picture on [0, 1] can show.
double share_inside(const NormalDistribution& of_logit)
{
    const double edge = std::log(0.98 / 0.02);
    const auto below  = [&](double y) {
        return 0.5 * std::erfc((of_logit.mean - y) / (of_logit.sd * std::numbers::sqrt2));
    };
    return below(edge) - below(-edge);
}

std::string text_of(const Beta& distribution)
{
    std::string out = "Beta(";
    out += number_text(distribution.a, 4);
    out += ", ";
    out += number_text(distribution.b, 4);
    return out + ")";
}

std::string caption_of(const BetaLaplace& value)
{
    std::string caption =
        "A " + text_of(value.distribution)
        + " distribution (solid) and its Laplace approximation, the Gaussian at its mode with its curvature there "
          "(dashed). ";
    caption += value.standard
                   ? "On π itself the approximation has mean " + number_text(value.standard->mean, 4)
                         + " and standard deviation " + number_text(value.standard->sd, 4) + ", and puts "
                         + number_text(100 * *value.outside, 3) + " % of its probability outside [0, 1]. "
                   : std::string(
                       "On π itself there is none: with a ≤ 1 or b ≤ 1 the density has no mode inside (0, 1). ");
    caption += "On y = logit π every Beta has one: mean ln(a/b) = " + number_text(value.softmax.mean, 4)
               + ", standard deviation √(1/a + 1/b) = " + number_text(value.softmax.sd, 4)
               + ". This is the Laplace Bridge for two classes. Adapted from Hobbhahn 2020, Fig. 2.1; MacKay "
                 "1998.";
    return caption;
}

Table table_of(const BetaLaplace& value)
{
    const auto& normal = value.standard;
    const auto known   = [](const std::optional<double>& number) {
        return number ? Cell(*number) : Cell(std::string("no mode"));
    };
    const Cell mean = known(normal ? std::optional(normal->mean) : std::nullopt);
    const Cell sd   = known(normal ? std::optional(normal->sd) : std::nullopt);
    return {.columns = {{"Quantity"}, {"Standard basis"}, {"Softmax basis"}},
            .rows    = {{std::string("Mean of the approximation"), mean, value.softmax.mean},
                        {std::string("Its standard deviation"), sd, value.softmax.sd},
                        {std::string("KL(Beta‖approximation), nats"), known(value.kl_standard), value.kl_softmax},
                        {std::string("Total variation"), known(value.tv_standard), value.tv_softmax},
                        {std::string("Probability outside [0, 1]"), known(value.outside), 0.0}}};
}

}   // namespace

BetaLaplace beta_laplace(const Beta& distribution)
{
    if (!(distribution.a > 0) || !(distribution.b > 0) || !std::isfinite(distribution.a)
        || !std::isfinite(distribution.b))
        throw Error("Beta distribution: shapes " + number_text(distribution.a, 6) + " and "
                    + number_text(distribution.b, 6) + " found, expected positive numbers.");
    BetaLaplace out{
        .distribution = distribution,
        .standard     = {},
        .softmax      = {std::log(distribution.a / distribution.b), std::sqrt(1 / distribution.a + 1 / distribution.b)},
        .kl_standard  = {},
        .tv_standard  = {},
        .outside      = {}};
    const auto beta_y = [&](double y) { return std::exp(log_beta_of_logit(distribution, y)); };
    const Range span  = both(reach(distribution), reach(out.softmax));
    // −h(y) = E[a ln π + b ln(1 − π)] − ln B, with E ln π = ψ(a) − ψ(a + b)
    const double e_log         = gamma::digamma(distribution.a) - gamma::digamma(distribution.a + distribution.b),
                 e_log_rest    = gamma::digamma(distribution.b) - gamma::digamma(distribution.a + distribution.b);
    const double minus_entropy = distribution.a * e_log + distribution.b * e_log_rest
                                 - log_beta_function(distribution.a, distribution.b);
    const double mean_y = gamma::digamma(distribution.a) - gamma::digamma(distribution.b),
                 var_y  = gamma::trigamma(distribution.a) + gamma::trigamma(distribution.b);
    const double d = mean_y - out.softmax.mean, s2 = out.softmax.sd * out.softmax.sd;
    out.kl_softmax = minus_entropy + 0.5 * std::log(2 * std::numbers::pi * s2) + (var_y + d * d) / (2 * s2);
    out.tv_softmax = total_variation(
        beta_y, [&](double y) { return normal_pdf(out.softmax, y); }, span);
    if (distribution.a > 1 && distribution.b > 1) {
        const double n = distribution.a + distribution.b - 2;
        const NormalDistribution normal{(distribution.a - 1) / n,
                                        std::sqrt((distribution.a - 1) / n * ((distribution.b - 1) / n) / n)};
        const double total = distribution.a + distribution.b, mean = distribution.a / total,
                     variance = distribution.a / total * (distribution.b / total) / (total + 1),
                     shift    = mean - normal.mean;
        out.standard          = normal;
        // with respect to π the entropy has one ln π(1 − π) less
        out.kl_standard = minus_entropy - e_log - e_log_rest
                          + 0.5 * std::log(2 * std::numbers::pi * normal.sd * normal.sd)
                          + (variance + shift * shift) / (2 * normal.sd * normal.sd);
        out.outside = 0.5
                      * (std::erfc(normal.mean / (normal.sd * std::numbers::sqrt2))
                         + std::erfc((1 - normal.mean) / (normal.sd * std::numbers::sqrt2)));
        // inside, in y: dπ = π(1 − π) dy
        const auto carried = [&](double y) { return normal_pdf(normal, logistic(y)) * logistic(y) * logistic(-y); };
        out.tv_standard = std::min(1.0, total_variation(beta_y, carried, both(span, {-25, 25})) + 0.5 * *out.outside);
    }
    return out;
}

Chart to_chart(const BetaLaplace& value)
{
    const Beta& distribution = value.distribution;
    Chart chart{.id = "beta", .title = "Beta distribution and its Laplace approximations", .columns = 3};
    const Range reach_y    = both(reach(distribution), reach(value.softmax));
    const auto x           = places({reach(distribution), reach(value.softmax)});
    const Density beta_x   = [&](double at) { return std::exp(log_pdf(distribution, at)); };
    const std::string name = text_of(distribution);

    std::vector<Line> standard{curve(name, x, beta_x, exact_tone, LineStyle::solid)};
    Range around{0, 1};
    if (value.standard) {
        const NormalDistribution& normal = *value.standard;
        around = {std::min(0.0, normal.mean - 3.5 * normal.sd), std::max(1.0, normal.mean + 3.5 * normal.sd)};
        std::vector<double> wide;
        for (int i = 0; i <= 600; ++i)
            wide.push_back(normal.mean + normal.sd * 5 * (i / 300.0 - 1));
        standard.push_back(curve(
            "Laplace approximation", wide, [&](double at) { return normal_pdf(normal, at); }, approximate_tone,
            LineStyle::dashed));
    }
    chart.panels.push_back(
        panel_of(value.standard ? "Standard basis" : "Standard basis: no mode", "π", around, standard, {0.02, 0.98}));
    if (value.standard && *value.outside > 1e-4)
        for (const double edge : {0.0, 1.0})
            chart.panels.back().series.push_back(
                Rule{.direction = Rule::Direction::vertical, .at = edge, .label = edge == 0 ? "" : "end of [0, 1]"});

    const Range shown = both(
        {quantile(distribution, 1e-4).logit, upper_quantile(distribution, 1e-4).logit},
        {value.softmax.mean - 3.7 * value.softmax.sd, value.softmax.mean + 3.7 * value.softmax.sd});
    const auto y = evenly(shown);
    std::vector<Line> softmax{curve(
                                  name, y, [&](double at) { return std::exp(log_beta_of_logit(distribution, at)); },
                                  exact_tone, LineStyle::solid),
                              curve(
                                  "Laplace approximation", y, [&](double at) { return normal_pdf(value.softmax, at); },
                                  approximate_tone, LineStyle::dashed)};
    chart.panels.push_back(panel_of("Softmax basis", "logit π", shown, std::move(softmax), reach_y));

    std::vector<Line> back{
        curve(name, x, beta_x, exact_tone, LineStyle::solid),
        curve(
            "Laplace approximation", x,
            [&](double at) { return normal_pdf(value.softmax, std::log(at / (1 - at))) / (at * (1 - at)); },
            approximate_tone, LineStyle::dashed)};
    chart.panels.push_back(panel_of("Softmax basis, transformed to π", "π", {0, 1}, std::move(back), {0.02, 0.98}));

    chart.caption = caption_of(value);
    chart.table   = table_of(value);
    return chart;
}

Chart two_class_chart(const LogitGaussian& distribution, const std::vector<std::string>& names, BridgeVariant variant,
                      bool table)
{
    if (distribution.n_classes() != 2)
        throw Error("Two classes on a line: a distribution over " + std::to_string(distribution.n_classes())
                    + " classes found, expected 2.");
    const LogisticNormal exact(distribution);
    const NormalDistribution of_y{exact.alr_mean()[0], std::sqrt(exact.alr_covariance()[0])};
    Chart chart{.id = "simplex", .title = "Simplex of two classes", .columns = 1};
    const std::string first = names.empty() ? "class 0" : names.front();
    const bool by_logit     = share_inside(of_y) < 0.5;
    std::optional<Dirichlet> dirichlet;
    std::string mistake;
    try {
        dirichlet = bridge(distribution, variant).dirichlet();
    } catch (const Error& error) {
        mistake = error.what();
    }
    const std::optional<Beta> beta = dirichlet ? std::optional(dirichlet->marginal(0)) : std::nullopt;
    Range shown{of_y.mean - 3.7 * of_y.sd, of_y.mean + 3.7 * of_y.sd};
    if (beta)
        shown = both(shown, {quantile(*beta, 1e-3).logit, upper_quantile(*beta, 1e-3).logit});
    const auto x = by_logit ? evenly(shown) : beta ? places({reach(of_y), reach(*beta)}) : places({reach(of_y)});
    /// A density of the logit y, or transformed to π.
    const auto density_of = [by_logit](auto density_of_y) -> Density {
        if (by_logit)
            return density_of_y;
        return [density_of_y](double at) { return density_of_y(std::log(at / (1 - at))) / (at * (1 - at)); };
    };
    chart.caption = "Two classes: the exact density of π(" + first + ") for z ~ N(μ, Σ)";
    std::vector<Line> lines{curve("exact: softmax of the Gaussian", x,
                                  density_of([&](double y) { return normal_pdf(of_y, y); }), exact_tone,
                                  LineStyle::solid)};
    if (dirichlet) {
        lines.push_back(curve("Laplace Bridge: " + text_of(*beta), x,
                              density_of([&](double y) { return std::exp(log_beta_of_logit(*beta, y)); }),
                              approximate_tone, LineStyle::dashed));
        const auto numbers = bridge_numbers(distribution, *dirichlet);
        if (table)
            chart.table = numbers_table(*numbers, dirichlet->alpha(), names);
        chart.caption += " and the " + text_of(*beta) + " of its Laplace Bridge (" + title_of(variant)
                         + "). KL(exact‖Beta) = " + number_text(numbers->kl, 4) + " nats, total variation "
                         + number_text(numbers->total_variation.value_or(0), 3) + ".";
    } else {
        chart.caption += ". There is no Beta to show: " + mistake;
    }
    if (by_logit) {
        chart.caption +=
            " Densities are those of the logit ln(π/(1 − π)): on π itself most of the exact distribution is within "
            "0.02 of an end.";
        chart.panels.push_back(panel_of("", "logit π(" + first + ")", shown, std::move(lines), shown));
    } else {
        chart.panels.push_back(panel_of("", "π(" + first + ")", {0, 1}, std::move(lines), {0.02, 0.98}));
    }
    return chart;
}

}   // namespace credence
