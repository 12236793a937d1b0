// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/study_sentence.h"

#include "foundation/number_text.h"
#include "prediction/recalibration.h"
#include "study/method.h"
#include "study/names.h"
#include "study/settings_table.h"
#include "study/source.h"

#include <algorithm>
#include <filesystem>
#include <vector>

namespace credence {
namespace {

constexpr std::size_t longest_sentence = 60, longest_part = 40;   ///< characters

bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u; }

std::size_t characters(const std::string& text)
{
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), starts_character));
}

std::string cut_to(const std::string& text, std::size_t most)
{
    if (characters(text) <= most)
        return text;
    std::size_t end = 0;
    for (std::size_t seen = 0; end < text.size(); ++end)
        if (starts_character(text[end]) && ++seen == most)
            break;
    return text.substr(0, end) + "…";
}

/// Joins the parts in their order; a part for which there is no space is left out.
std::string joined_parts(const std::vector<std::string>& parts)
{
    std::string sentence;
    for (const auto& part : parts) {
        constexpr std::size_t between = 3;   // " · "
        if (part.empty())
            continue;
        if (sentence.empty())
            sentence = cut_to(part, longest_part);
        else if (characters(sentence) + between + characters(part) <= longest_sentence)
            sentence.append(" · ").append(part);
    }
    return sentence;
}

bool applies(const char* path, const Study& study) { return field(path).applies(study); }

std::string value_of(const char* path, const Study& study) { return shown_value(field(path), study); }

std::string counted(long n, const char* unit) { return grouped_text(n) + ' ' + unit; }

std::string listed(const std::vector<int>& numbers, const char* between)
{
    std::string text;
    for (const int number : numbers)
        text += (text.empty() ? "" : between) + std::to_string(number);
    return text;
}

std::string short_path(const std::string& path) { return std::filesystem::path(path).filename().string(); }

std::string data_sentence(const Study& study)
{
    const DataSpec& data    = study.data;
    const ImageSpec& images = data.images;
    std::vector<std::string> parts{source_of(data).name(data)};
    if (data.source == DataSource::csv) {
        if (!data.file.empty())
            parts.front() = short_path(data.file);
        parts.push_back(data.csv.target.empty() ? "target in the last column" : "target " + data.csv.target);
    }
    if (data.source == DataSource::drawn) {
        parts.push_back(
            counted(static_cast<long>(data.points.size()), data.test_points ? "training points" : "points"));
        if (const auto& tests = data.test_points)
            parts.push_back(counted(static_cast<long>(tests->size()), "test points"));
    }
    if (applies("data.classes", study))
        parts.push_back(std::to_string(data.toy.classes) + " classes");
    if (applies("data.n", study))
        parts.push_back(counted(data.toy.n, "points"));
    if (applies("data.noise", study))
        parts.push_back("noise " + number_text(data.toy.noise, 4));
    if (applies("data.training_images", study))
        parts.push_back(grouped_text(images.training_images) + " training, "
                        + counted(images.test_images, "test images"));
    if (applies("data.only_classes", study) && !images.only_classes.empty())
        parts.push_back("classes " + listed(images.only_classes, ", "));
    if (applies("data.per_class", study) && images.per_class > 0)
        parts.push_back(counted(images.per_class, "images per class"));
    if (applies("data.first_images", study) && images.first_images > 0)
        parts.push_back("first " + counted(images.first_images, "images"));
    if (applies("data.exchanged", study) && images.exchanged)
        parts.push_back("training and test swapped");
    if (parts.size() == 1 && is_images(data.source))
        parts.push_back("all images");
    return joined_parts(parts);
}

std::string network_sentence(const Study& study, std::size_t weights)
{
    const NetworkSpec& network = study.network;
    std::vector<std::string> parts{value_of("network.kind", study)};
    if (network.kind == NetworkKind::mlp) {
        const std::string units = listed(network.hidden, "–");
        if (network.hidden.empty())
            parts.front() = "Linear, no hidden layers";
        else if (characters(units) < 28)
            parts.front() = units + " units";
        else
            parts.front() = counted(static_cast<long>(network.hidden.size()), "hidden layers");
        if (!network.hidden.empty())
            parts.push_back(value_of("network.activation", study));
    }
    if (applies("network.units", study))
        parts.push_back(counted(network.units, "hidden units"));
    if (weights > 0)
        parts.push_back(counted(static_cast<long>(weights), "weights"));
    if (applies("network.layers", study))
        parts.push_back(cut_to(network.layers, longest_part));
    if (applies("network.dropout", study) && network.dropout > 0)
        parts.push_back("dropout " + number_text(network.dropout, 4));
    if (stated_task(study.data) == Task::regression)
        parts.push_back(applies("network.noise_sd", study) ? "noise sd " + value_of("network.noise_sd", study)
                                                           : "noise: " + value_of("network.noise", study));
    return joined_parts(parts);
}

std::string posterior_sentence(const Study& study)
{
    const PriorSpec& prior = study.prior;
    std::string under;
    if (method_of(study).under_prior() && prior.kind == PriorKind::scale_mixture)
        under = "scale mixture prior";
    else if (method_of(study).under_prior() && !prior.weight_sd.empty())
        under = "prior N(" + number_text(prior.weight_mean.empty() ? 0 : prior.weight_mean.front(), 4) + ", "
                + number_text(prior.weight_sd.front(), 4) + "²)";
    else if (applies("training.l2", study) && study.training.l2 > 0)
        under = "weight decay " + number_text(study.training.l2, 4);
    if (!under.empty() && learns_prior(study))
        under += ", learned";
    const std::string whole = joined_parts({method_of(study).title, under});
    return whole.ends_with(under) ? whole : joined_parts({family_title(study.posterior.family), under});
}

std::string training_sentence(const Study& study)
{
    const TrainerOptions& training = study.training;
    if (method_of(study).training.sees_all_rows) {
        std::vector<std::string> parts;
        for (const auto& [path, unit] : {std::pair{"posterior.chains", "chains"},
                                         {"posterior.draws", "draws each"},
                                         {"posterior.warmup", "warm-up"}})
            if (applies(path, study))
                parts.push_back(counted(std::get<long>(field(path).get(study)), unit));
        return joined_parts(parts);
    }
    std::string steps = applies("training.optimizer", study) ? value_of("training.optimizer", study) + ' ' : "rate ";
    if (applies("training.momentum", study))
        steps = "momentum, rate ";   // the number alone would be read as β
    steps += number_text(training.schedule.learning_rate, 4);
    std::string schedule = value_of("training.schedule", study);
    schedule[0]          = static_cast<char>(schedule[0] - 'A' + 'a');
    return joined_parts(
        {counted(training.steps, "steps"), "batch " + grouped_text(training.batch_size), steps,
         applies("training.schedule", study) && training.schedule.kind != ScheduleKind::constant ? schedule : ""});
}

std::string prediction_sentence(const Study& study)
{
    const auto& posterior    = method_of(study).posterior;
    const bool one_set       = posterior.noise == NoiseIn::nothing && !posterior.is_sample_set;
    const std::string levels = percent_text(study.prediction.level) + " intervals";
    std::vector<std::string> parts{
        one_set ? "One set of weights"
                : counted(study.prediction.samples, study.prediction.samples == 1 ? "sample" : "samples")};
    parts.push_back(levels);
    if (study.prediction.recalibration != RecalibrationKind::none)
        parts.push_back("recalibrated");
    if (applies("prediction.other_data", study) && !study.prediction.other_data.empty())
        parts.push_back("OOD " + short_path(study.prediction.other_data));
    return joined_parts(parts);
}

}   // namespace

std::string study_sentence(const Study& study, std::string_view group, std::size_t weights)
{
    return group == "data"         ? data_sentence(study)
           : group == "network"    ? network_sentence(study, weights)
           : group == "posterior"  ? posterior_sentence(study)
           : group == "training"   ? training_sentence(study)
           : group == "prediction" ? prediction_sentence(study)
                                   : std::string();
}

}   // namespace credence
