// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/beta_marginals.h"

#include "charts/chart.h"
#include "foundation/error.h"
#include "outputs/bridge_of_file.h"
#include "views/chosen_logits.h"
#include "views/view_support.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace credence {

using namespace view_support;

namespace {

constexpr int over_range = 200, over_peak = 200;   // points of a curve, over the picture and over its own bulk
constexpr double outside = 5e-3, bulk = 1e-4;      // tail probabilities outside the picture and outside the finer
                                                   // points
constexpr std::size_t most_names = 12;
constexpr double tallest         = 6;   // times the peak of the most probable class; higher values
                                        // are cut off

double density(const Beta& distribution, double x) { return std::exp(log_pdf(distribution, x)); }

/// The part of [0, 1] that contains the drawn densities, including an end if it is near.
Range place_of(const std::vector<BetaMarginals::Class>& classes)
{
    double low = 1, high = 0;
    for (const auto& one : classes) {
        low  = std::min(low, quantile(one.distribution, outside).value);
        high = std::max(high, upper_quantile(one.distribution, outside).value);
    }
    const double pad = 0.05 * (high - low), near = 0.15 * (high - low);
    low  = low - pad < near ? 0 : low - pad;
    high = 1 - high - pad < near ? 1 : high + pad;
    return low < high ? Range{low, high} : Range{0, 1};
}

void add_curve(BetaMarginals::Class& one, const Range& place)
{
    const double from = std::max(place.first, quantile(one.distribution, bulk).value),
                 to   = std::min(place.second, upper_quantile(one.distribution, bulk).value);
    for (int i = 0; i <= over_range; ++i)
        one.x.push_back(std::lerp(place.first, place.second, static_cast<double>(i) / over_range));
    for (int i = 0; i <= over_peak && from < to; ++i)
        one.x.push_back(std::lerp(from, to, static_cast<double>(i) / over_peak));
    for (const double end : {one.lower, one.upper})
        one.x.push_back(std::clamp(end, place.first, place.second));
    std::sort(one.x.begin(), one.x.end());
    one.x.erase(std::unique(one.x.begin(), one.x.end()), one.x.end());
    std::erase_if(one.x, [&](double x) {
        return (x == 0 && one.distribution.a < 1) || (x == 1 && one.distribution.b < 1);
    });   // infinite there
    for (const double x : one.x)
        one.density.push_back(density(one.distribution, x));
}

/// The density at the mode. Without a mode, the density at the quartile
/// beyond, but not closer to an end than is visible.
double peak_of(const Beta& distribution)
{
    if (distribution.a > 1 && distribution.b > 1)
        return density(distribution, (distribution.a - 1) / (distribution.a + distribution.b - 2));
    constexpr double seen = 0.005;
    return density(distribution, std::clamp(distribution.a <= distribution.b ? quantile(distribution, 0.25).value
                                                                             : upper_quantile(distribution, 0.25).value,
                                            seen, 1 - seen));
}

std::optional<Chart> make_beta_marginals(const RunSnapshot& run, const ViewOptions& options,
                                         const std::stop_token& stop)
{
    if (!gives_logits(run))
        throw Error(why_no_logits(run));
    const auto input  = chosen_input(run, options.input);
    const auto logits = chosen_logits(run, options, logits_by(run, options), stop);
    if (!logits)
        return {};
    Chart chart = to_chart(beta_marginals(bridged(*logits, options.simplex.density.variant),
                                          run.experiment->data->training.class_names, options.top_k.threshold, 6,
                                          input.label, options.top_k.longest));
    chart.caption += " Input: " + input.name + "." + bridge_text(run, options);
    return with_setting(std::move(chart), run, predictive_of(run, options).n_samples());
}

}   // namespace

BetaMarginals beta_marginals(const Dirichlet& distribution, const std::vector<std::string>& names, double threshold,
                             int most, std::optional<int> true_class, int longest)
{
    const auto K = static_cast<std::size_t>(distribution.n_classes());
    if (names.size() != K)
        throw Error("Beta marginals: " + std::to_string(names.size()) + " names found, expected one for each of "
                    + std::to_string(K) + " classes.");
    BetaMarginals out{.classes    = {},
                      .list       = uncertain_top_k_list(distribution, threshold, longest),
                      .list_names = {},
                      .threshold  = threshold,
                      .n_classes  = distribution.n_classes(),
                      .total      = distribution.total(),
                      .true_class = true_class,
                      .true_name  = {},
                      .longest    = longest};
    for (const int k : out.list)
        out.list_names.push_back(names[static_cast<std::size_t>(k)]);
    if (true_class)
        out.true_name = names.at(static_cast<std::size_t>(*true_class));
    std::vector<int> order(K);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
        return distribution.alpha()[static_cast<std::size_t>(a)] > distribution.alpha()[static_cast<std::size_t>(b)];
    });
    order.resize(std::min(K, static_cast<std::size_t>(std::max(1, most))));
    for (std::size_t i = 0; i < order.size(); ++i) {
        const int k = order[i];
        BetaMarginals::Class one{.index        = k,
                                 .name         = names[static_cast<std::size_t>(k)],
                                 .alpha        = distribution.alpha()[static_cast<std::size_t>(k)],
                                 .mean         = 0,
                                 .distribution = distribution.marginal(k),
                                 .lower        = 0,
                                 .upper        = 0,
                                 .overlap      = {},
                                 .listed       = i < out.list.size(),
                                 .x            = {},
                                 .density      = {}};
        one.mean  = one.alpha / distribution.total();
        one.lower = quantile(one.distribution, threshold / 2).value;
        one.upper = upper_quantile(one.distribution, threshold / 2).value;
        if (i > 0)
            one.overlap = overlap(out.classes.back().distribution, one.distribution);
        out.classes.push_back(std::move(one));
    }
    const Range place = place_of(out.classes);
    for (auto& one : out.classes)
        add_curve(one, place);
    return out;
}

std::string remaining_classes(const BetaMarginals& figure)
{
    std::string text;
    for (std::size_t i = 0; i < figure.list_names.size() && i < most_names; ++i)
        text += (i ? ", " : "") + figure.list_names[i];
    if (figure.list_names.size() > most_names)
        text += ", …";
    return text + " (" + std::to_string(figure.list.size()) + " of " + std::to_string(figure.n_classes) + " classes)";
}

static constexpr int own_colours = 8;   ///< of the palette: this many classes keep theirs

/// The area under a density between its two quantiles, cut off at `top`.
static Band filled_part(const BetaMarginals::Class& one, Tone tone, double top)
{
    Band band{.name = "", .x = {}, .lower = {}, .upper = {}, .tone = tone, .opacity = one.listed ? 0.3 : 0.12};
    for (std::size_t j = 0; j < one.x.size(); ++j)
        if (one.x[j] >= one.lower && one.x[j] <= one.upper) {
            band.x.push_back(one.x[j]);
            band.lower.push_back(0);
            band.upper.push_back(std::min(one.density[j], top));
        }
    return band;
}

static std::string caption_of(const BetaMarginals& value)
{
    std::string caption =
        "Distribution of each class probability under the Dirichlet of the Laplace Bridge, Beta(α_k, α_0 − α_k), α_0 = "
        + number_text(value.total, 4) + ": the " + std::to_string(value.classes.size()) + " most probable of "
        + std::to_string(value.n_classes)
        + " classes; filled between the T/2 and 1 − T/2 quantiles, T = " + number_text(value.threshold, 4)
        + ". A class remains while its filled part overlaps that of the class before it (Hobbhahn 2020, Algorithm 1)"
        + (value.longest > 0 ? ", at most " + std::to_string(value.longest) : "")
        + ". Remain: " + remaining_classes(value) + ".";
    if (value.true_class)
        caption += " True class: " + value.true_name
                   + (std::find(value.list.begin(), value.list.end(), *value.true_class) != value.list.end()
                          ? ", which remains."
                          : ", which is excluded.");
    return caption;
}

Chart to_chart(const BetaMarginals& value)
{
    Chart chart{.id = "beta_marginals", .title = "Beta marginals"};
    Panel panel{
        .title = "Remain: " + remaining_classes(value), .x = {.label = "Class probability"}, .y = {.label = "Density"}};
    Table table{.columns = {{"Class"},
                            {"α"},
                            {"Mean", "", 4},
                            {"T/2 quantile", "", 4},
                            {"1 − T/2 quantile", "", 4},
                            {"Overlap", "", 3},
                            {"Remains"}},
                .rows    = {}};
    double top              = 0;
    bool cut                = false;
    const double first_peak = peak_of(value.classes.front().distribution);
    for (const auto& one : value.classes)
        if (one.listed)
            top = std::max(top, 1.12 * std::min(peak_of(one.distribution), tallest * first_peak));
    for (std::size_t i = 0; i < value.classes.size(); ++i) {
        const auto& one    = value.classes[i];
        const bool is_true = value.true_class && *value.true_class == one.index;
        // Of many classes, some share a colour: then those in the picture differ.
        const Tone tone = category(value.n_classes <= own_colours ? one.index : static_cast<int>(i));
        Band band       = filled_part(one, tone, top);
        if (band.x.size() > 1)
            panel.series.push_back(std::move(band));
        panel.series.push_back(Line{.name  = one.name + (is_true ? " (true)" : "") + (one.listed ? "" : " – out"),
                                    .x     = one.x,
                                    .y     = one.density,
                                    .tone  = tone,
                                    .style = one.listed ? LineStyle::solid : LineStyle::dashed,
                                    .width = one.listed ? 2.0 : 1.2});
        cut = cut || std::any_of(one.density.begin(), one.density.end(), [&](double d) { return d > top; });
        table.rows.push_back({one.name + (is_true ? " (true)" : ""), one.alpha, one.mean, one.lower, one.upper,
                              one.overlap ? Cell(*one.overlap) : Cell(std::string()),
                              std::string(one.listed ? "yes" : "no")});
    }
    panel.y.range = Range{0, top > 0 ? top : 1};
    if (!value.classes.front().x.empty())
        panel.x.range = Range{value.classes.front().x.front() < 0.01 ? 0 : value.classes.front().x.front(),
                              value.classes.front().x.back() > 0.99 ? 1 : value.classes.front().x.back()};
    chart.panels.push_back(std::move(panel));
    chart.table   = std::move(table);
    chart.caption = caption_of(value);
    if (cut)
        chart.caption += " Curves that reach the top are cut off.";
    return chart;
}

View beta_marginals_view()
{
    return {
        .id    = "beta_marginals",
        .title = "Beta marginals",
        .group = ViewGroup::selected_input,
        .help =
            "The marginal distribution of each class probability under the Dirichlet that the Laplace Bridge derives "
            "from the Gaussian over the logits at the selected input: Beta(α_k, α_0 − α_k) for the most probable "
            "classes. Which classes can be distinguished? Uncertainty-aware top-k keeps the most probable class, then "
            "adds each next class whose 1 − T/2 quantile exceeds the T/2 quantile of the class before it. It stops "
            "at the first class that fails, or at the maximum length if you set one. A smaller threshold T gives a "
            "longer list. A list with one class means the network is confident; a long list means it is not. Source: "
            "Hobbhahn 2020, Algorithm 1 and Fig. 5.5.",
        .needs_input = true,
        .asks        = Asks::outputs,
        .why_not     = why_no_varying_classes,
        .make        = make_beta_marginals};
}

}   // namespace credence
