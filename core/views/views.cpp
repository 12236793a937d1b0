// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/views.h"

#include "foundation/error.h"
#include "foundation/find_listed.h"
#include "runs/pruned_moment.h"

namespace credence {

std::vector<View> listed_views();   // made from core/views/list.cmake

namespace {

/// The same view; what cannot be made of a run is refused before anything is computed, and weights that the options prune are gone before it is made.
View guarded(View view)
{
    view.make = [why_not = view.why_not, follows = view.when_pruned == WhenPruned::follows,
                 make = std::move(view.make)](const RunMoment& moment, const ViewOptions& options,
                                              const std::stop_token& stop) {
        if (const auto sentence = why_not(*moment.experiment))
            throw Error(*sentence);
        return follows ? make(pruned(moment, options.prune), options, stop) : make(moment, options, stop);
    };
    if (view.compare && view.when_pruned == WhenPruned::follows)
        view.compare = [compare = std::move(view.compare)](std::span<const RunMoment> runs, const ViewOptions& options,
                                                           const std::stop_token& stop) {
            return compare(pruned(runs, options.prune), options, stop);
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

const std::vector<View>& views()
{
    static const auto all = all_guarded();
    return all;
}

const View& view(const std::string& id)
{
    if (const auto* found = find_listed(views(), id))
        return *found;
    throw Error("There is no view \"" + id + "\", expected one of " + listed_ids(views()) + ".");
}

}   // namespace credence
