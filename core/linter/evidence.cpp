// SPDX-License-Identifier: GPL-3.0-or-later
#include "linter/evidence.h"

#include "chains/chain_diagnostics.h"
#include "foundation/error.h"
#include "foundation/number_text.h"
#include "runs/result_cache.h"
#include "views/chain_draws.h"
#include "views/view_support.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace credence::lint_support {

namespace {

constexpr long fewest_steps = 100;

/// Largest cost of predictions in multiply-adds: about two seconds on two cores.
constexpr double affordable = 4e10;
constexpr int fewer_draws   = 50;

/// Approximate multiply-adds per input: a convolution uses each weight at many positions.
double cost_of_a_row(const RunSnapshot& run)
{
    if (run.experiment->outputs)
        return 1000;   // reads an array
    const auto weights = static_cast<double>(run.snapshot->posterior->layout().size());
    return run.experiment->data->image ? 6 * weights : weights;
}

std::optional<ConvergenceSummary> summary_at_rows(const RunSnapshot& run, const view_support::ChainSnapshot& chains,
                                                  std::size_t& n_rows, const std::stop_token& stop)
{
    constexpr std::size_t most_rows = 50, most_values = 2'000'000;
    const auto& experiment = *run.experiment;
    const auto set         = view_support::scored_set(experiment);
    const std::size_t d    = experiment.data->training.n_features;
    const bool classes     = experiment.task() == Task::classification;
    const auto per_row     = classes ? experiment.data->training.n_classes() - 1 : std::size_t{1};
    const auto allowed     = std::max<std::size_t>(4, most_values / (chains.order.size() * per_row));
    n_rows                 = std::min({set.data->n_rows, most_rows, allowed});
    std::vector<float> inputs;
    for (std::size_t i = 0; i < n_rows; ++i) {
        const auto first = set.inputs.begin() + static_cast<std::ptrdiff_t>(i * set.data->n_rows / n_rows * d);
        inputs.insert(inputs.end(), first, first + static_cast<std::ptrdiff_t>(d));
    }
    const auto draws = view_support::draws_at(run, chains.predictive, inputs, per_row, chains.places, stop);
    if (!draws)
        return {};
    const auto write = [&](std::size_t q, std::span<double> out) {
        const auto of = draws->of(q);
        std::copy(of.begin(), of.end(), out.begin());
    };
    return convergence_summary({draws->n_quantities(), chains.order.n_chains(), chains.order.n_draws(), write}, {},
                               stop);
}

std::shared_ptr<const ChainEvidence> evidence_of(const RunSnapshot& run, const std::stop_token& stop)
{
    const auto chains = view_support::chain_snapshot(run);
    auto out          = std::make_shared<ChainEvidence>();
    out->n_chains     = chains.order.n_chains();
    out->n_draws      = chains.order.n_draws();
    auto summary      = summary_at_rows(run, chains, out->n_rows, stop);
    if (!summary)
        return nullptr;
    out->summary        = std::move(*summary);
    const auto energies = chains.energies();
    for (const auto& value : e_bfmi(chains.by_chain(energies)))
        if (value)
            out->e_bfmi.push_back(*value);
    for (const auto& numbers : chains.order.numbers)
        for (const auto i : numbers) {
            const auto& statistics = chains.statistics()->draws[i];
            out->divergent += statistics.divergent;
            out->at_depth_limit += statistics.at_depth_limit;
            out->acceptance += statistics.acceptance / static_cast<double>(chains.order.size());
        }
    return out;
}

}   // namespace

bool is_own_run(const LintCase& lint_case)
{
    return lint_case.run.experiment && lint_case.run.snapshot && !lint_case.run.experiment->outputs;
}

bool is_a_course(const LintCase& lint_case)
{
    return is_own_run(lint_case) && lint_case.run.snapshot->point.step >= fewest_steps;
}

std::string number(double value)
{
    const double rounded = rounded_number(value, 3), size = std::fabs(rounded);
    if (!(size >= 1e-4 && size < 1e7))   // 0, tiny or huge
        return plain_text(rounded);
    std::string text = fixed_text(rounded, std::clamp(2 - static_cast<int>(std::floor(std::log10(size))), 0, 6));
    if (text.find('.') != std::string::npos) {
        text.erase(text.find_last_not_of('0') + 1);
        if (text.back() == '.')
            text.pop_back();
    }
    return text;
}

std::string percent(double share) { return number(100 * share) + " %"; }

std::string counted(long n, const std::string& what) { return grouped_text(n) + " " + what + (n == 1 ? "" : "s"); }

std::shared_ptr<const ScoredPredictions> predictions(const LintCase& lint_case, const std::stop_token& stop)
{
    const auto& run = lint_case.run;
    if (!run.experiment || !run.snapshot || run.experiment->task() != Task::classification)
        return nullptr;
    if (auto cached = cached_scored_predictions(run, lint_case.options))
        return cached;
    ViewOptions options = lint_case.options;
    const auto n        = view_support::scored_set(*run.experiment).data->n_rows;
    const auto cost     = [&](int samples) { return cost_of_a_row(run) * samples; };
    const int samples   = view_support::predictive_of(run, options).n_samples();
    if (static_cast<double>(n) * cost(samples) > affordable) {
        if (!run.experiment->outputs)   // imported predictions are read with all their samples anyway
            options.samples = std::min(samples, fewer_draws);
        options.rows = static_cast<int>(std::clamp(affordable / cost(std::min(samples, fewer_draws)), 100.0, 1e6));
    }
    return scored_predictions(run, options, stop);
}

std::optional<ClassCounts> class_counts(const LintCase& lint_case, const std::stop_token& stop)
{
    const auto scored = predictions(lint_case, stop);
    if (!scored || scored->labels.empty())
        return {};
    const auto K = static_cast<std::size_t>(scored->set.classes.n_classes);
    ClassCounts counts{.rows = std::vector<long>(K), .right = std::vector<long>(K)};
    for (std::size_t i = 0; i < scored->labels.size(); ++i) {
        const auto k = static_cast<std::size_t>(scored->labels[i]);
        if (k >= K)
            return {};
        const bool right = scored->set.classes.predicted[i] == scored->labels[i];
        ++counts.rows[k];
        counts.right[k] += right;
        counts.all_right += right;
        ++counts.all;
    }
    counts.largest = static_cast<std::size_t>(std::ranges::max_element(counts.rows) - counts.rows.begin());
    return counts;
}

double ChainEvidence::share_above() const { return summary.share_below ? 1 - *summary.share_below : 0; }

bool ChainEvidence::disagree() const
{
    return share_above() > most_above && summary.agreement && *summary.agreement < chance_level;
}

bool ChainEvidence::too_few_samples() const { return share_above() > most_above && !summary.agreement; }

ChainEvidence::Worth ChainEvidence::worth() const
{
    Worth out{.bulk = std::numeric_limits<double>::infinity(), .tail = std::numeric_limits<double>::infinity()};
    double n = 0, fewer = 0;
    for (const auto& quantity : summary.quantities) {
        if (!quantity.bulk_ess || !quantity.tail_ess)
            continue;
        n += 1;
        fewer += std::min(*quantity.bulk_ess, *quantity.tail_ess) < enough_draws;
        out.bulk = std::min(out.bulk, *quantity.bulk_ess);
        out.tail = std::min(out.tail, *quantity.tail_ess);
    }
    out.short_share = n > 0 ? fewer / n : 0;
    return out;
}

std::string ChainEvidence::worst_r_hat() const
{
    if (!summary.worst_r_hat)
        return "not defined";
    const auto& r_hat = summary.quantities[*summary.worst_r_hat].r_hat;
    return r_hat ? number_text(*r_hat, 4) : "without bound";
}

std::shared_ptr<const ChainEvidence> hamiltonian_chains(const LintCase& lint_case, const std::stop_token& stop)
{
    if (!is_own_run(lint_case))
        return nullptr;
    const auto* set = sample_set_of(*lint_case.run.snapshot->posterior);
    if (!set || !set->origin().statistics || view_support::why_no_chains(*lint_case.run.experiment))
        return nullptr;
    static ResultCache<SnapshotKey<>, ChainEvidence> kept(4);
    return kept.find_or_make({lint_case.run}, stop, [&] { return evidence_of(lint_case.run, stop); });
}

std::string view_of_intervals(const RunSnapshot& run)
{
    return run.experiment->task() == Task::classification ? "intervals" : "scores";
}

LayerUncertainty layers_at_end(const RunSnapshot& run)
{
    return run.snapshot->point.layers.empty() ? run.snapshot->posterior->describe() : run.snapshot->point.layers;
}

std::vector<SpreadCourse> spread_courses(const LintCase& lint_case)
{
    std::vector<SpreadCourse> courses;
    if (!is_own_run(lint_case) || !lint_case.run.history || lint_case.run.history->empty())
        return courses;
    const auto& history = *lint_case.run.history;
    const auto& blocks  = history.back().layers;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
        if (blocks[b].kind != BlockKind::weights)
            continue;
        SpreadCourse course{.block = blocks[b].block, .is_tau = blocks[b].tau.has_value(), .values = {}};
        for (const auto& point : history)
            if (b < point.layers.size())
                course.values.push_back(course.is_tau ? point.layers[b].tau.value_or(0) : point.layers[b].median_sd);
        if (course.values.size() == history.size()
            && std::ranges::all_of(course.values, [](double value) { return value > 0; }))
            courses.push_back(std::move(course));
    }
    return courses;
}

}   // namespace credence::lint_support
