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
    if (!other || other->note.empty())   // same size, not resampled
        return {};
    return Finding{
        .severity = Severity::doubtful,
        .title    = "The OOD images are resampled but the training images are not.",
        .evidence = "The images of " + other->name + " are " + other->note + "; expected images of the size of "
                    + run.experiment->data->training.name + ".",
        .reason =
            "Resampling blurs an image or sharpens its edges. The network may recognise OOD images by that alone, and "
            "the AUROC then measures nothing about their content.",
        .remedy = {.label = "Use the default OOD images", .settings = {{"prediction.other_data", ""}}}};
}

}   // namespace

LintRule foreign_resampled_rule()
{
    return {
        .id    = "foreign_resampled",
        .title = "OOD images resampled, training images not",
        .what = "Images: doubtful if the OOD set of the Study has another image size, so that its images were resized. "
                "Skipped if the Study leaves the choice to Credence.",
        .idea = "Hobbhahn 2020",
        .threshold = "any resizing",
        .check     = check_foreign_resampled};
}

}   // namespace credence
