// SPDX-License-Identifier: GPL-3.0-or-later
#include "linter/evidence.h"
#include "linter/rules.h"
#include "runs/changed_points.h"

#include <cmath>

namespace credence {

using namespace lint_support;

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
        .severity = Severity::wrong,
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
            "Wrong if a run continued from a trained network and its rows were split again after points were drawn, as "
            "earlier versions did: a random split moves rows from training to test. The finding reports the expected "
            "number of such rows, the number of test rows times the share of training rows. Runs whose Study lists its "
            "test rows (`data.test_points`) keep their split and pass.",
        .threshold = "any such row",
        .check     = check_test_rows_trained_on};
}

}   // namespace credence
