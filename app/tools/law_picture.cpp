// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/law_picture.h"

#include "work/text.h"

#include "figures/beta_figure.h"
#include "foundation/error.h"
#include "runs/pruned_moment.h"
#include "views/chosen_logits.h"

#include <algorithm>
#include <utility>

using namespace credence;

namespace {

constexpr int cellsOfTab = 200;   ///< per side

void fitToTab(SimplexChoice& choice)
{
    choice.density.cells = cellsOfTab;
    choice.look.table    = false;   // shown separately below
}

}   // namespace

std::shared_ptr<const LawPicture> pictureByHand(const LogitGaussian& law, const std::vector<std::string>& names,
                                                SimplexChoice choice)
{
    fitToTab(choice);
    choice.density.classes.clear();   // of another distribution
    auto made   = std::make_shared<LawPicture>();
    made->value = std::make_shared<SimplexDensity>(simplex_density(law, names, choice.density));
    made->chart = to_chart(*made->value, choice.look);
    return made;
}

std::shared_ptr<const LawPicture> pictureOfInput(const RunSnapshot& whole, ViewOptions options, SimplexChoice choice,
                                                 std::stop_token stop)
{
    fitToTab(choice);
    const auto moment      = pruned(whole, options.prune);
    auto made              = std::make_shared<LawPicture>();
    options.simplex        = choice;
    options.bridge_variant = choice.density.variant;
    const bool classes     = moment.experiment->task() == Task::classification && gives_logits(moment);
    const auto law         = classes ? chosen_logits(moment, options, logits_by(moment, options), stop) : std::nullopt;
    if (stop.stop_requested())
        return {};
    if (!law) {
        try {
            made->chart = credence::view("simplex").make(moment, options, stop).value_or(Chart{});
        } catch (const Error& error) {
            made->chart.message = error.what();   // which explains why
        }
        return made;
    }
    const auto& names = moment.experiment->data->training.class_names;
    for (const auto& name : names)
        made->classNames += toQString(name);
    if (law->n_classes() == 2) {
        made->chart = two_class_chart(*law, names, choice.density.variant);
        made->table = std::exchange(made->chart.table, std::nullopt);
        return made;
    }
    auto how     = choice.density;
    how.seed     = moment.experiment->study.seed;
    const auto k = law->n_classes();
    if (how.classes.size() == 3
        && std::any_of(how.classes.begin(), how.classes.end(), [k](int c) { return c < 0 || c >= k; }))
        how.classes.clear();
    made->value = std::make_shared<SimplexDensity>(simplex_density(*law, names, how));
    made->chart = to_chart(*made->value, choice.look);
    return made;
}
