// SPDX-License-Identifier: GPL-3.0-or-later
#include "linter/evidence.h"
#include "linter/rules.h"
#include "runs/other_data.h"

namespace credence {

using namespace lint_support;

namespace {

std::optional<Finding> check_foreign_resampled(const LintCase& lint_case, const std::stop_token& stop)
{
    const auto& run = lint_case.run;
    if (!is_own_run(lint_case) || !run.experiment->data->image || run.experiment->study.prediction.other_data.empty()
        || stop.stop_requested())
        return {};
    const auto other = other_data(run.experiment);
    if (!other || other->note.empty())   // the same size: not resampled
        return {};
    return Finding{
        .severity = Severity::doubtful,
        .title    = "The foreign images are resampled, those of the training are not.",
        .evidence = "The images of " + other->name + " are " + other->note + "; expected images of the size of "
                    + run.experiment->data->training.name + ".",
        .reason =
            "Resampling blurs an image or makes its edges hard. The net may tell foreign images by that alone, and the "
            "AUROC then says nothing about what they show.",
        .remedy = {.label = "Take the usual foreign images", .settings = {{"prediction.other_data", ""}}}};
}

}   // namespace

LintRule foreign_resampled_rule()
{
    return {
        .id    = "foreign_resampled",
        .title = "Foreign images resampled otherwise than training ones",
        .what =
            "Of images: doubtful where the foreign set that the Study names has another size, so that its images were resized. Silent "
            "where the Study leaves the choice to the program.",
        .idea      = "Hobbhahn 2020",
        .threshold = "any resizing",
        .check     = check_foreign_resampled};
}

}   // namespace credence
