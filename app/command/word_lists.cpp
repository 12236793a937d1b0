// SPDX-License-Identifier: GPL-3.0-or-later
#include "bandits/bandit_study.h"
#include "command/command_words.h"
#include "gallery/gallery.h"
#include "runs/comparison.h"
#include "sources/catalogue.h"
#include "study/fields.h"
#include "study/presets.h"
#include "sweeps/sweep.h"
#include "views/views.h"

namespace {

template <class List, class Id>
std::vector<std::string> idsOf(const List& list, Id id)
{
    std::vector<std::string> ids;
    ids.reserve(list.size());
    for (const auto& one : list)
        ids.push_back(one.*id);
    return ids;
}

}   // namespace

WordLists wordLists()
{
    using namespace credence;
    const auto studies = idsOf(presets(), &Preset::id);
    const auto figures = idsOf(views(), &View::id);
    const auto sets    = idsOf(catalogue(), &CatalogueEntry::id);
    std::vector<std::string> settings;
    for (const auto& field : study_fields())
        settings.push_back(field.path + "=");
    return {{"run STUDY", studies},
            {"open FILE", studies},
            {"figure --view", figures},
            {"open --view", figures},
            {"run --set", settings},
            {"compare --set", settings},
            {"sweep --set", settings},
            {"compare ID", idsOf(comparisons(), &MethodComparison::id)},
            {"sweep SWEEP", idsOf(sweeps(), &Sweep::id)},
            {"bandit BANDIT", idsOf(bandit_presets(), &BanditPreset::id)},
            {"reproduce ID", idsOf(gallery().entries, &GalleryEntry::id)},
            {"data fetch NAME", sets},
            {"data import NAME", sets},
            {"completion SHELL", {"bash", "zsh", "fish"}}};
}
