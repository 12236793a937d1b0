// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/views.h"

#include "foundation/error.h"
#include "foundation/find_listed.h"
#include "runs/derived_runs.h"

namespace credence {

std::vector<View> listed_views();   // made from core/views/list.cmake

namespace {

/// Why a view is not available for imported predictions.
std::optional<std::string> why_not_of_outputs(const Experiment& experiment, Asks asks)
{
    if (!experiment.outputs || asks == Asks::outputs)
        return {};
    const auto& own = experiment.outputs->own;
    if (asks == Asks::weights)
        return "This view needs the weights: " + own.name + " contains predictions only.";
    if (own.labels.empty())
        return "This view needs the true classes: " + own.name + " has no array “labels”.";
    return {};
}

/// Why a view is not available for these predictions or targets.
std::optional<std::string> why_not_at_all(const Experiment& experiment, Asks asks, ManyTargets many_targets)
{
    if (auto sentence = why_not_of_outputs(experiment, asks))
        return sentence;
    return many_targets == ManyTargets::refused ? why_not_one_target(experiment) : std::nullopt;
}

/// The run of the selected target; of the first one, if this run has fewer.
RunSnapshot at_target(const RunSnapshot& run, const ViewOptions& options, ManyTargets many_targets)
{
    if (many_targets != ManyTargets::one_at_a_time)
        return run;
    return run_of_target(run, options.target < run.experiment->data->training.n_targets() ? options.target : 0);
}

/// The same view with checks: refuses runs that do not fit before anything is computed, selects the
/// target, and removes pruned weights before the view is made.
View guarded(View view)
{
    const auto asks    = view.asks;
    const auto targets = view.many_targets;
    view.why_not       = [asks, targets, own = std::move(view.why_not)](const Experiment& experiment) {
        const auto sentence = why_not_at_all(experiment, asks, targets);
        return sentence ? sentence : own(experiment);
    };
    const bool follows = view.when_pruned == WhenPruned::follows;
    view.make          = [why_not = view.why_not, follows, targets, make = std::move(view.make)](
                    const RunSnapshot& snapshot, const ViewOptions& options, const std::stop_token& stop) {
        if (const auto sentence = why_not(*snapshot.experiment))
            throw Error(*sentence);
        const auto run = at_target(snapshot, options, targets);
        return follows ? make(pruned(run, options.prune), options, stop) : make(run, options, stop);
    };
    if (view.compare)
        view.compare = [id = view.id, title = view.title, asks, targets, follows, compare = std::move(view.compare)](
                           std::span<const RunSnapshot> all, const ViewOptions& options, const std::stop_token& stop) {
            std::vector<RunSnapshot> runs;
            for (const auto& run : all) {
                if (const auto sentence = why_not_at_all(*run.experiment, asks, targets))
                    return std::optional(Chart{.id      = id,
                                               .title   = title,
                                               .message = "Run \"" + run.experiment->study.name
                                                          + "\" cannot be compared. " + *sentence});
                runs.push_back(at_target(run, options, targets));
            }
            return follows ? compare(pruned(runs, options.prune), options, stop) : compare(runs, options, stop);
        };
    return view;
}

std::vector<View> all_guarded()
{
    std::vector<View> all;
    for (auto& view : listed_views())
        all.push_back(guarded(std::move(view)));
    return all;
}

}   // namespace

std::string title_of(ViewGroup group)
{
    switch (group) {
    case ViewGroup::predictions: return "Predictions";
    case ViewGroup::selected_input: return "Selected input";
    case ViewGroup::training: return "Training";
    case ViewGroup::scores: return "Scores";
    case ViewGroup::uncertainty: return "Uncertainty";
    case ViewGroup::attacks: return "Attacks";
    case ViewGroup::chains: return "Chains";
    case ViewGroup::weights: return "Weights";
    case ViewGroup::reference: return "Against the reference";
    }
    return {};
}

const std::vector<View>& views()
{
    static const auto all = all_guarded();
    return all;
}

const View& view(std::string_view id)
{
    if (const auto* found = find_listed(views(), id))
        return *found;
    throw Error("There is no view \"" + std::string(id) + "\", expected one of " + listed_ids(views()) + ".");
}

}   // namespace credence
