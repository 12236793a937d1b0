// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/one_line.h"
#include "linter/evidence.h"
#include "linter/rules.h"

#include <algorithm>

namespace credence {

using namespace lint_support;

namespace {

constexpr std::size_t fewest_categories = 10;
constexpr double large_share            = 0.5;   // categories per training row

/// A categorical column: its one-hot inputs are adjacent and named "name=value".
struct WordColumn {
    std::string name;
    std::size_t n_categories = 0;
};
std::vector<WordColumn> word_columns(const std::vector<std::string>& inputs)
{
    std::vector<WordColumn> columns;
    for (const std::string& input : inputs) {
        const auto end = input.find('=');
        if (end == std::string::npos)
            continue;
        std::string name = input.substr(0, end);
        if (columns.empty() || columns.back().name != name)
            columns.push_back({std::move(name), 0});
        ++columns.back().n_categories;
    }
    return columns;
}

std::optional<Finding> check_rare_categories(const LintCase& lint_case, const std::stop_token&)
{
    const auto& experiment = *lint_case.run.experiment;
    if (experiment.outputs || experiment.study.data.source != DataSource::csv)
        return {};
    const auto& training    = experiment.data->training;
    const WordColumn* worst = nullptr;
    const auto columns      = word_columns(training.feature_names);
    for (const WordColumn& column : columns)
        if (!worst || column.n_categories > worst->n_categories)
            worst = &column;
    if (!worst || worst->n_categories < fewest_categories
        || static_cast<double>(worst->n_categories) <= large_share * static_cast<double>(training.n_rows))
        return {};
    return Finding{.severity = Severity::doubtful,
                   .title    = "A column has nearly as many categories as there are rows.",
                   .evidence = "Column " + one_line(worst->name, 40) + " is read as "
                               + std::to_string(worst->n_categories) + " categories, with "
                               + std::to_string(training.n_rows)
                               + " training rows; expected at most one category per two rows.",
                   .reason = "Most categories occur once, so they identify training rows, and test rows have new ones. "
                             "If the column is a quantity, write plain numbers; if it names the rows, leave it out "
                             "of the input columns (data.columns)."};
}

}   // namespace

LintRule rare_categories_rule()
{
    return {
        .id    = "rare_categories",
        .title = "Column with as many categories as rows",
        .what =
            "Tables: doubtful if a categorical column has at least 10 categories and more than one per two training "
            "rows. Typical causes are numbers with units or separators, and columns that name the rows.",
        .threshold = "chosen for Credence: 10 categories, and one per two training rows",
        .check     = check_rare_categories};
}

}   // namespace credence
