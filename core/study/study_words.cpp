// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/study_words.h"

#include "charts/chart.h"
#include "foundation/number_text.h"
#include "prediction/recalibration.h"
#include "study/method.h"
#include "study/names.h"
#include "study/source.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
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
    if (applies("network.blocks", study))
        parts.push_back(counted(network.blocks, network.blocks == 1 ? "block per width" : "blocks per width"));
    if (weights > 0)
        parts.push_back(counted(static_cast<long>(weights), "weights"));
    if (applies("network.layers", study))
        parts.push_back(cut_to(network.layers, longest_part));
    if (applies("network.dropout", study) && network.dropout > 0)
        parts.push_back("dropout " + number_text(network.dropout, 4));
    if (stated_task(study.data) == Task::regression) {
        const auto levels = value_text(field("network.noise_sd_list").get(study));   // of several targets
        const bool given  = applies("network.noise_sd", study);
        parts.push_back(given && !levels.empty() ? "noise sd " + levels
                        : given                  ? "noise sd " + value_of("network.noise_sd", study)
                                                 : "noise: " + value_of("network.noise", study));
    }
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

namespace {

/// Settings that captions state separately, or that do not change the numbers of a figure.
constexpr std::array shown_elsewhere = {std::string_view("data.source"),
                                        std::string_view("data.kind"),
                                        std::string_view("data.set"),
                                        std::string_view("data.alphabet"),
                                        std::string_view("data.n"),
                                        std::string_view("data.training_images"),
                                        std::string_view("data.test_images"),
                                        std::string_view("data.validation_images"),
                                        std::string_view("data.drawn_task"),
                                        std::string_view("data.file"),
                                        std::string_view("data.target"),
                                        std::string_view("data.task"),
                                        std::string_view("data.header"),
                                        std::string_view("data.separator"),
                                        std::string_view("data.decimal_comma"),
                                        std::string_view("data.decimal_point"),
                                        std::string_view("split.test_fraction"),
                                        std::string_view("network.kind"),
                                        std::string_view("network.units"),
                                        std::string_view("network.blocks"),
                                        std::string_view("network.layers"),
                                        std::string_view("network.hidden"),
                                        std::string_view("network.activation"),
                                        std::string_view("posterior.family"),
                                        std::string_view("prior.kind"),
                                        std::string_view("prior.weight_sd"),
                                        std::string_view("prior.learned"),
                                        std::string_view("training.optimizer"),
                                        std::string_view("training.learning_rate"),
                                        std::string_view("training.steps"),
                                        std::string_view("training.max_seconds"),
                                        std::string_view("training.patience"),
                                        std::string_view("prediction.samples"),
                                        std::string_view("prediction.other_data"),
                                        std::string_view("seed"),
                                        std::string_view("name"),
                                        std::string_view("note")};

std::string shortened(const std::string& text)
{
    constexpr std::size_t longest = 60;   // bytes; never cuts inside a character
    if (text.size() <= longest)
        return text;
    std::size_t end = longest;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0u) == 0x80u)
        --end;
    return text.substr(0, end) + "…";
}

/// True if the method's own caption states this setting.
bool shown_by_method(const Field& field, const Method& method)
{
    return method.caption && std::any_of(method.fields.begin(), method.fields.end(), [&](const Field& own) {
               return own.path == field.path;
           });
}

}   // namespace

std::string shown_value(const Field& field, const Study& study)
{
    const FieldValue value = field.get(study);
    if (const auto* flag = std::get_if<bool>(&value))
        return *flag ? "yes" : "no";
    if (const auto* name = std::get_if<std::string>(&value))
        for (const auto& choice : field.choices)
            if (choice.name == *name)
                return choice.title;
    return value_text(value);
}

Table settings_table(const Study& study)
{
    Table table{{{"Setting"}, {"Value"}, {"Unit"}}, {}};
    for (const Field& field : study_fields())
        if (field.path != "name" && field.path != "note" && field.applies(study))
            table.rows.push_back({field.label, shortened(shown_value(field, study)), field.unit});
    return table;
}

Table differing_settings(std::span<const Study* const> studies, std::span<const std::string> names)
{
    Table table{{{"Setting"}}, {}};
    for (const auto& name : names)
        table.columns.push_back({name});
    for (const Field& field : study_fields()) {
        if (field.path == "name" || field.path == "note")
            continue;
        std::vector<Cell> row{label_with_unit(field.label, field.unit)};
        for (const Study* study : studies)
            row.emplace_back(field.applies(*study) ? shortened(shown_value(field, *study)) : std::string());
        if (std::any_of(row.begin() + 1, row.end(), [&](const Cell& cell) { return cell != row[1]; }))
            table.rows.push_back(std::move(row));
    }
    return table;
}

std::string prior_words(const Study& study)
{
    const auto& prior         = study.prior;
    const std::string learned = learns_prior(study) ? " at first, then learned" : "";
    if (prior.kind != PriorKind::gaussian || prior.weight_sd.empty())
        return ", prior " + shown_value(field("prior.kind"), study) + learned;
    return ", prior N(" + number_text(prior.weight_mean.empty() ? 0 : prior.weight_mean.front(), 4) + ", "
           + number_text(prior.weight_sd.front(), 4) + "²)" + learned;
}

std::string unusual_settings(const Study& study)
{
    static const Study usual;
    const Method& method = method_of(study);
    std::string text;
    for (const Field& field : study_fields()) {
        const bool words = std::find(shown_elsewhere.begin(), shown_elsewhere.end(), field.path)
                               != shown_elsewhere.end()
                           || shown_by_method(field, method);
        if (words || !field.applies(study) || field.get(study) == field.get(usual))
            continue;
        text.append(text.empty() ? "" : ", ")
            .append(field.label)
            .append(" ")
            .append(shortened(shown_value(field, study)));
    }
    return text;
}

}   // namespace credence
