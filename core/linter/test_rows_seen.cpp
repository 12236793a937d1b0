// SPDX-License-Identifier: GPL-3.0-or-later
#include "linter/evidence.h"
#include "linter/rules.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <unordered_map>

namespace credence {

using namespace lint_support;

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
    std::uint64_t hash = 14695981039346656037u;   // FNV-1a, one value at a time
    for (const T value : row)
        hash = (hash ^ std::bit_cast<std::uint64_t>(static_cast<double>(value) + 0.0)) * 1099511628211u;
    return hash;
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
            .severity = Severity::doubtful,
            .title    = "The scores are computed on training rows.",
            .evidence = "There are 0 test rows and " + counted(static_cast<long>(data.training.n_rows), "training row")
                        + "; expected some rows reserved for testing.",
            .reason = "Scores on training rows measure how well the network remembers, not how well it predicts.",
            .remedy = {.label    = "Reserve a fifth of the rows for testing",
                       .settings = {{"split.test_fraction", "0.2"}}}};
    const std::span<const float> pixels = final ? data.final_test_inputs : data.test_inputs;
    const auto seen                     = data.image
                                              ? seen_in<float>({pixels, &test, d}, {data.training_inputs, &data.training, d}, stop)
                                              : seen_in<double>({test.inputs, &test, d}, {data.training.inputs, &data.training, d}, stop);
    if (!seen)
        return {};
    const double share = static_cast<double>(*seen) / static_cast<double>(test.n_rows);
    if (share <= most_seen)
        return {};
    return Finding{
        .severity = share > most_are_seen ? Severity::wrong : Severity::doubtful,
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
            "Doubtful if more than 1 % of the test rows also occur among the training rows, with identical inputs and "
            "target, or if there are no test rows at all; wrong above 50 %. A table with a few coarse columns "
            "naturally has such rows; the finding then means that the table is small.",
        .threshold = "chosen for Credence: 1 % of the test rows; 50 % counts as wrong",
        .check     = check_test_rows_seen};
}

}   // namespace credence
