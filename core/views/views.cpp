// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/views.h"

#include "foundation/error.h"
#include "foundation/find_listed.h"
#include "runs/pruned_snapshot.h"

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

/// The same view with checks: refuses runs that do not fit before anything is computed, and removes
/// pruned weights before the view is made.
View guarded(View view)
{
    view.why_not = [asks = view.asks, own = std::move(view.why_not)](const Experiment& experiment) {
        const auto sentence = why_not_of_outputs(experiment, asks);
        return sentence ? sentence : own(experiment);
    };
    const bool follows = view.when_pruned == WhenPruned::follows;
    view.make          = [why_not = view.why_not, follows, make = std::move(view.make)](
                    const RunSnapshot& snapshot, const ViewOptions& options, const std::stop_token& stop) {
        if (const auto sentence = why_not(*snapshot.experiment))
            throw Error(*sentence);
        return follows ? make(pruned(snapshot, options.prune), options, stop) : make(snapshot, options, stop);
    };
    if (view.compare)
        view.compare = [id = view.id, title = view.title, asks = view.asks, follows, compare = std::move(view.compare)](
                           std::span<const RunSnapshot> runs, const ViewOptions& options, const std::stop_token& stop) {
            for (const auto& run : runs)
                if (const auto sentence = why_not_of_outputs(*run.experiment, asks))
                    return std::optional(
                        Chart{.id      = id,
                              .title   = title,
                              .message = "Run \"" + run.experiment->study.name + "\" does not fit. " + *sentence});
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
