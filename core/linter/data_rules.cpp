// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/hashes.h"
#include "foundation/text.h"
#include "linter/evidence.h"
#include "linter/lint.h"
#include "runs/changed_points.h"
#include "runs/other_data.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <unordered_map>

namespace credence {

using namespace lint_support;

namespace {

constexpr double coarsest = 1e-3;   // largest float32 spacing, in standard deviations of the column

/// Resolution of float32 for a column that the network uses without standardisation.
struct Coarseness {
    double step = 0, sd = 0;   // spacing at the largest value, in the column's units

    bool loses_digits() const { return step > coarsest * sd; }
};

/// @param values  [n × d], of which column j is looked at
Coarseness coarseness_of(std::span<const double> values, std::size_t d, std::size_t j)
{
    double sum = 0, squares = 0, largest = 0;
    const double n = static_cast<double>(values.size() / d);
    for (std::size_t i = j; i < values.size(); i += d) {
        sum += values[i];
        largest = std::max(largest, std::fabs(values[i]));
    }
    for (std::size_t i = j; i < values.size(); i += d)
        squares += (values[i] - sum / n) * (values[i] - sum / n);
    const auto single = static_cast<float>(largest);
    return {static_cast<double>(std::nextafter(single, INFINITY) - single), std::sqrt(squares / n)};
}

std::optional<Finding> lost(const std::string& column, const Coarseness& found, const std::string& setting,
                            const std::string& label)
{
    return Finding{
        .severity = Severity::error,
        .title    = "float32 cannot resolve the values of " + column + ".",
        .evidence = "Networks compute in float32, whose spacing is " + number(found.step) + " at these values; "
                    + column + " has a standard deviation of " + number(found.sd) + ", expected a spacing below "
                    + number(coarsest) + " of it.",
        .reason =
            "Standardisation subtracts the offset in double precision, so numbers with a large offset, such as Unix "
            "times and Julian dates, keep their digits.",
        .remedy = {.label = label, .settings = {{setting, "true"}}}};
}

std::optional<Finding> check_lost_digits(const LintCase& lint_case, const std::stop_token& stop)
{
    if (!is_own_run(lint_case))
        return {};
    const auto& experiment = *lint_case.run.experiment;
    const auto& split      = experiment.study.split;
    const auto& training   = experiment.data->training;
    if (experiment.data->image)
        return {};
    for (std::size_t j = 0; !split.standardise_inputs && j < training.n_features && !stop.stop_requested(); ++j)
        if (const auto found = coarseness_of(training.inputs, training.n_features, j);
            found.loses_digits() && found.sd > 0)
            return lost(training.feature_names[j], found, "split.standardise_inputs", "Standardise the inputs");
    if (training.task == Task::regression && !split.standardise_targets)
        if (const auto found = coarseness_of(training.targets, 1, 0); found.loses_digits() && found.sd > 0)
            return lost(training.target_name, found, "split.standardise_targets", "Standardise the targets");
    return {};
}

}   // namespace

LintRule lost_digits_rule()
{
    return {
        .id    = "lost_digits",
        .title = "Numbers that float32 cannot resolve",
        .what =
            "Tables without standardisation: error if the spacing of float32 at the largest value of an input or of "
            "the target is more than 0.001 of its standard deviation. For example, today's Unix times are rounded to "
            "about two minutes.",
        .threshold = "chosen for Credence: 0.001 standard deviations",
        .check     = check_lost_digits};
}

namespace {

constexpr double most_seen = 0.01, most_are_seen = 0.5;   // shares of the test rows

/// Rows with their targets: the values of a table in double, or image pixels (the tables of images
/// are empty).
template <class T>
struct SeenRows {
    std::span<const T> inputs;   ///< [n × d]
    const Dataset* data;
    std::size_t d = 0;

    std::span<const T> row(std::size_t i) const { return inputs.subspan(i * d, d); }
    bool same(std::size_t i, const SeenRows& other, std::size_t j) const
    {
        const bool target = data->task == Task::classification ? data->labels[i] == other.data->labels[j]
                                                               : data->targets[i] == other.data->targets[j];
        return target && std::ranges::equal(row(i), other.row(j));
    }
};

/// Equal for equal rows: 0 and -0 are equal.
template <class T>
std::uint64_t hash_of_row(std::span<const T> row)
{
    Fnv1a<std::uint64_t> hash;
    for (const T value : row)
        hash.add(std::bit_cast<std::uint64_t>(static_cast<double>(value) + 0.0));
    return hash.value();
}

/// Number of rows of `test` that also occur in `training`. Empty: stopped.
template <class T>
std::optional<long> seen_in(const SeenRows<T>& test, const SeenRows<T>& training, const std::stop_token& stop)
{
    constexpr std::size_t between_looks = 1000;
    std::unordered_multimap<std::uint64_t, std::size_t> rows;
    rows.reserve(training.data->n_rows);
    for (std::size_t i = 0; i < training.data->n_rows; ++i) {
        if (i % between_looks == 0 && stop.stop_requested())
            return {};
        const auto hash         = hash_of_row(training.row(i));
        const auto [begin, end] = rows.equal_range(hash);
        if (std::none_of(begin, end, [&](const auto& other) { return training.same(i, training, other.second); }))
            rows.emplace(hash, i);
    }
    long seen = 0;
    for (std::size_t i = 0; i < test.data->n_rows; ++i) {
        if (i % between_looks == 0 && stop.stop_requested())
            return {};
        const auto [begin, end] = rows.equal_range(hash_of_row(test.row(i)));
        seen += std::any_of(begin, end, [&](const auto& other) { return test.same(i, training, other.second); });
    }
    return seen;
}

std::optional<Finding> check_test_rows_seen(const LintCase& lint_case, const std::stop_token& stop)
{
    if (!is_own_run(lint_case))
        return {};
    const auto& data    = *lint_case.run.experiment->data;
    const std::size_t d = data.training.n_features;
    const bool final    = data.final_test.n_rows > 0;
    const Dataset& test = final ? data.final_test : data.test;
    if (test.n_rows == 0)
        return Finding{
            .severity = Severity::warning,
            .title    = "The scores are computed on training rows.",
            .evidence = "There are 0 test rows and " + counted(static_cast<long>(data.training.n_rows), "training row")
                        + "; expected some rows reserved for testing.",
            .reason = "Scores on training rows measure how well the network remembers, not how well it predicts.",
            .remedy = {.label    = "Reserve a fifth of the rows for testing",
                       .settings = {{"split.test_fraction", "0.2"}}}};
    const std::span<const float> pixels = final ? data.final_test_inputs : data.test_inputs;

    const auto seen = data.image
                          ? seen_in<float>({pixels, &test, d}, {data.training_inputs, &data.training, d}, stop)
                          : seen_in<double>({test.inputs, &test, d}, {data.training.inputs, &data.training, d}, stop);
    if (!seen)
        return {};
    const double share = static_cast<double>(*seen) / static_cast<double>(test.n_rows);
    if (share <= most_seen)
        return {};
    return Finding{
        .severity = share > most_are_seen ? Severity::error : Severity::warning,
        .title    = share > most_are_seen ? "Most test rows were seen in training."
                                          : "Some test rows were seen in training.",
        .evidence = counted(*seen, "test row") + " of " + std::to_string(test.n_rows) + " (" + percent(share)
                    + ") also occur among the training rows, with the same inputs and target; expected at most "
                    + percent(most_seen) + ".",
        .reason =
            "The network has seen the answers: error, log likelihood and calibration look better than they are for new "
            "rows. Remove duplicate rows from the file.",
        .remedy = {.label = "Show the test rows", .view = "test_rows"}};
}

}   // namespace

LintRule test_rows_seen_rule()
{
    return {
        .id    = "test_rows_seen",
        .title = "Test rows seen in training",
        .what =
            "Warning if more than 1 % of the test rows also occur among the training rows, with identical inputs and "
            "target, or if there are no test rows at all; error above 50 %. A table with a few coarse columns "
            "naturally has such rows; the finding then means that the table is small.",
        .threshold = "chosen for Credence: 1 % of the test rows; 50 % counts as an error",
        .check     = check_test_rows_seen};
}

namespace {

std::optional<Finding> check_test_rows_trained_on(const LintCase& lint_case, const std::stop_token&)
{
    if (!is_own_run(lint_case) || !lint_case.report || !continued_network(*lint_case.report))
        return {};
    const auto& study = lint_case.run.experiment->study;
    const auto& parts = *lint_case.run.experiment->data;
    const auto tests  = static_cast<double>(parts.test.n_rows);
    if (study.data.test_points || tests == 0)   // drawn points with listed test rows keep the split
        return {};
    const auto rows     = static_cast<double>(parts.training.n_rows) + tests;
    const auto expected = std::lround(tests * (rows - tests) / rows);
    return Finding{
        .severity = Severity::error,
        .title    = "The network had been trained on test rows.",
        .evidence =
            "The run continued from a trained network after points were drawn, and all rows were split again: about "
            + std::to_string(expected) + " of its " + counted(static_cast<long>(parts.test.n_rows), "test row")
            + " had been training rows; expected 0.",
        .reason =
            "The network has seen these answers: error, log likelihood and calibration look better than they are for "
            "new rows. Train the Study again from the start.",
        .remedy = {.label = "Show the test rows", .view = "test_rows"}};
}

}   // namespace

LintRule test_rows_trained_on_rule()
{
    return {
        .id    = "test_rows_trained_on",
        .title = "Test rows trained on before",
        .what =
            "Error if a run continued from a trained network and its rows were split again after points were drawn, as "
            "earlier versions did: a random split moves rows from training to test. The finding reports the expected "
            "number of such rows, the number of test rows times the share of training rows. Runs whose Study lists its "
            "test rows (`data.test_points`) keep their split and pass.",
        .threshold = "any such row",
        .check     = check_test_rows_trained_on};
}

namespace {

std::optional<Finding> check_table_changed(const LintCase& lint_case, const std::stop_token&)
{
    if (!lint_case.run.experiment)
        return {};
    const auto& now = lint_case.run.experiment->table;
    if (now.empty() || lint_case.table.empty() || now == lint_case.table)
        return {};
    return Finding{
        .severity = Severity::error,
        .title    = "The table has changed since this run was trained.",
        .evidence = "The file " + lint_case.run.experiment->study.data.file + " has " + now
                    + "; when training started, it had " + lint_case.table + ".",
        .reason =
            "Scores and figures use the current rows, split and standardised again. These differ from the rows that "
            "the network was trained on, and some of those may now be test rows. Train again, or restore the old file.",
        .remedy = {}};
}

}   // namespace

LintRule table_changed_rule()
{
    return {
        .id    = "table_changed",
        .title = "Table changed since training",
        .what =
            "Saved runs on tables from files: error if the size or hash of the file differs from that at the start of "
            "training. Skipped for runs saved without a hash by older versions.",
        .threshold = "any change of the file",
        .check     = check_table_changed};
}

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
    return Finding{.severity = Severity::warning,
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
        .what = "Tables: warning if a categorical column has at least 10 categories and more than one per two training "
                "rows. Typical causes are numbers with units or separators, and columns that name the rows.",
        .threshold = "chosen for Credence: 10 categories, and one per two training rows",
        .check     = check_rare_categories};
}

namespace {

std::optional<Finding> check_ood_without_own_rows(const LintCase& lint_case, const std::stop_token&)
{
    const auto& run = lint_case.run;
    if (!is_own_run(lint_case) || run.experiment->task() != Task::classification
        || run.experiment->data->test.n_rows > 0)
        return {};
    const auto n = static_cast<long>(run.experiment->data->training.n_rows);
    return Finding{
        .severity = Severity::warning,
        .title    = "OOD data are compared with training rows.",
        .evidence = "There are 0 test rows, so OOD scores use the " + counted(n, "training row")
                    + " instead; expected in-distribution rows that the network has not "
                      "seen.",
        .reason =
            "A network is more confident on its training rows. The AUROC then measures how well training rows are "
            "separated from others, not how well OOD inputs are separated from new ones.",
        .remedy = {.label = "Reserve a fifth of the rows for testing", .settings = {{"split.test_fraction", "0.2"}}}};
}

}   // namespace

LintRule ood_without_own_rows_rule()
{
    return {
        .id    = "ood_without_own_rows",
        .title = "Out-of-distribution score without in-distribution data",
        .what  = "Classification: warning if there are no test rows, so that OOD data are compared with training rows.",
        .idea  = "Hobbhahn 2020",
        .threshold = "no test rows",
        .check     = check_ood_without_own_rows};
}

namespace {

std::optional<Finding> check_ood_resampled(const LintCase& lint_case, const std::stop_token& stop)
{
    const auto& run = lint_case.run;
    if (!is_own_run(lint_case) || !run.experiment->data->image || run.experiment->study.prediction.other_data.empty()
        || stop.stop_requested())
        return {};
    const auto other = other_data(run.experiment);
    if (!other || other->note.empty())   // same size, not resampled
        return {};
    return Finding{
        .severity = Severity::warning,
        .title    = "The OOD images are resampled but the training images are not.",
        .evidence = "The images of " + other->name + " are " + other->note + "; expected images of the size of "
                    + run.experiment->data->training.name + ".",
        .reason =
            "Resampling blurs an image or sharpens its edges. The network may recognise OOD images by that alone, and "
            "the AUROC then measures nothing about their content.",
        .remedy = {.label = "Use the default OOD images", .settings = {{"prediction.other_data", ""}}}};
}

}   // namespace

LintRule ood_resampled_rule()
{
    return {
        .id    = "foreign_resampled",
        .title = "OOD images resampled, training images not",
        .what  = "Images: warning if the OOD set of the Study has another image size, so that its images were resized. "
                 "Skipped if the Study leaves the choice to Credence.",
        .idea  = "Hobbhahn 2020",
        .threshold = "any resizing",
        .check     = check_ood_resampled};
}

}   // namespace credence
