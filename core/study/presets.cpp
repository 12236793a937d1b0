// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/presets.h"

#include "foundation/error.h"
#include "study/fields.h"
#include "study/method.h"
#include "study/names.h"

#include <algorithm>
#include <utility>

namespace credence {

std::vector<std::pair<std::string, std::string>> preset_texts();   // compiled in by cmake/EmbedTexts.cmake

const std::vector<Preset>& presets()
{
    static const std::vector<Preset> list = [] {
        std::vector<Preset> made;
        for (const auto& [id, text] : preset_texts())
            made.push_back({id, study_from_text(text, id + ".json")});
        return made;
    }();
    return list;
}

const Study& preset(std::string_view id)
{
    std::vector<std::string> ids;
    for (const auto& p : presets()) {
        if (p.id == id || p.study.name == id)
            return p.study;
        ids.push_back(p.id);
    }
    std::string sentence = "There is no preset \"" + std::string(id) + "\"";
    if (const auto near = near_matches(std::string(id), ids); !near.empty())
        sentence += "; did you mean " + near.front();
    sentence += "; there are";
    for (std::size_t i = 0; i < ids.size(); ++i)
        sentence += (i == 0 ? " " : ", ") + ids[i];
    throw Error(sentence + ".");
}

PresetGroup group_of(const Study& preset)
{
    if (preset.name.starts_with("Deliberately bad"))
        return PresetGroup::bad;
    const bool regression = stated_task(preset.data) == Task::regression;
    if (method_of(preset).posterior.is_sample_set)
        return is_images(preset.data.source) ? PresetGroup::draws_of_images
               : regression                  ? PresetGroup::draws_of_curves
                                             : PresetGroup::draws;
    if (preset.data.source == DataSource::images)
        return preset.network.kind == NetworkKind::mlp       ? PresetGroup::files_dense
               : preset.data.images.set.starts_with("cifar") ? PresetGroup::files_colour
                                                             : PresetGroup::files;
    if (method_of(preset).training.fits_curvature)
        return PresetGroup::laplace;
    if (is_images(preset.data.source))
        return PresetGroup::signs;
    return regression ? PresetGroup::regression : PresetGroup::plane;
}

const char* title_of(PresetGroup group)
{
    switch (group) {
    case PresetGroup::plane: return "Classes in the plane";
    case PresetGroup::regression: return "Regression";
    case PresetGroup::laplace: return "Laplace approximation";
    case PresetGroup::draws: return "Chains and ensembles";
    case PresetGroup::draws_of_curves: return "Chains and ensembles of a curve";
    case PresetGroup::draws_of_images: return "Chains and ensembles of images";
    case PresetGroup::signs: return "Drawn signs";
    case PresetGroup::files: return "MNIST";
    case PresetGroup::files_dense: return "MNIST with dense layers";
    case PresetGroup::files_colour: return "CIFAR-10";
    case PresetGroup::bad: return "Deliberately bad, to be fixed";
    }
    return "";
}

const char* hint_of(PresetGroup group)
{
    switch (group) {
    case PresetGroup::plane: return "Maps of where a network is confident and where it is uncertain, within seconds.";
    case PresetGroup::regression: return "How the band around a curve widens where there are no data.";
    case PresetGroup::laplace: return "A Gaussian around a trained network, fitted without further training.";
    case PresetGroup::draws:
        return "Many networks instead of one distribution: draws from the exact posterior, and "
               "ensembles.";
    case PresetGroup::draws_of_curves: return "The same for a curve with a gap, to compare with every other posterior.";
    case PresetGroup::draws_of_images: return "The same for images, with methods for large networks.";
    case PresetGroup::signs: return "Images that Credence draws itself: no download.";
    case PresetGroup::files: return "The digits of the papers; downloaded once, see Data sets.";
    case PresetGroup::files_dense: return "The networks of Bayes by Backprop on the same digits, with their baselines.";
    case PresetGroup::files_colour: return "Small colour photographs, ten classes; downloaded once.";
    case PresetGroup::bad: return "Runs with one mistake each: train, read the findings, fix it.";
    }
    return "";
}

const Preset* preset_with(const Study& settings)
{
    const auto found = std::find_if(presets().begin(), presets().end(), [&](const Preset& preset) {
        Study same = preset.study;
        same.name  = settings.name;
        same.note  = settings.note;
        same.seed  = settings.seed;
        return same == settings;
    });
    return found == presets().end() ? nullptr : &*found;
}

bool is_named_as_preset(const Study& study)
{
    return std::any_of(presets().begin(), presets().end(),
                       [&](const Preset& preset) { return preset.study.name == study.name; });
}

bool is_noted_as_preset(const Study& study)
{
    return std::any_of(presets().begin(), presets().end(),
                       [&](const Preset& preset) { return preset.study.note == study.note; });
}

const Study& default_study() { return presets().front().study; }

}   // namespace credence
