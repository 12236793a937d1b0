// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/settings_table.h"

#include "charts/chart.h"
#include "study/method.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace credence {

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
                                        std::string_view("split.test_fraction"),
                                        std::string_view("network.kind"),
                                        std::string_view("network.units"),
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
