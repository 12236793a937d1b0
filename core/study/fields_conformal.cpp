// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/field_makers.h"
#include "study/source.h"

// Settings of conformal sets and intervals, in the group prediction.
namespace credence::field_makers {
namespace {

const std::vector<Option<ConformalScore>> conformal_scores = {
    {ConformalScore::none, {"none", "None", "No conformal sets or intervals."}},
    {ConformalScore::thr,
     {"thr", "THR: classes by probability", "Classes: the smallest sets on average (Sadinle, Lei and Wasserman 2019).",
      Task::classification}},
    {ConformalScore::aps,
     {"aps", "APS: classes by summed probability",
      "Classes: larger sets where the network is uncertain (Romano, Sesia and Candès 2020).", Task::classification}},
    {ConformalScore::raps,
     {"raps", "RAPS: APS with a penalty",
      "Many classes: as APS, without long tails of improbable classes (Angelopoulos et al. 2021).",
      Task::classification}},
    {ConformalScore::absolute,
     {"absolute", "Absolute residual", "Numeric target: intervals of constant width around the predicted mean.",
      Task::regression}},
    {ConformalScore::normalised,
     {"normalised", "Normalised residual", "Numeric target: widths follow the predictive standard deviation.",
      Task::regression}},
    {ConformalScore::cqr,
     {"cqr", "CQR: conformalised quantiles",
      "Numeric target: widens or narrows the predictive interval equally at both ends (Romano, Patterson and Candès "
      "2019).",
      Task::regression}},
};

const std::vector<Option<ConformalBy>> conformal_groups = {
    {ConformalBy::all, {"all", "All rows", "One threshold for all rows: coverage holds on average."}},
    {ConformalBy::class_,
     {"class", "Each class", "Classes: one threshold per class, so that rare classes are covered too.",
      Task::classification}},
    {ConformalBy::column, {"column", "Each group", "One threshold for each value of a column of the table."}},
};

bool conformal(const Study& s) { return s.prediction.conformal.score != ConformalScore::none; }
bool conformal_classes(const Study& s) { return is_of_classes(s.prediction.conformal.score); }
bool conformal_raps(const Study& s) { return s.prediction.conformal.score == ConformalScore::raps; }

/// The score, and the groups of rows that share a threshold.
void add_score_and_groups(std::vector<Field>& fields)
{
    fields.push_back(choice(
        {.path  = "prediction.conformal",
         .label = "Conformal score",
         .help =
             "Score of split conformal prediction, which adds sets of classes or intervals to the predictions. They "
             "contain the true value of a new row with probability α, on average over rows exchangeable with the "
             "calibration rows (split.calibration_fraction; for images data.validation_images).",
         .written_if_changed = true},
        [](auto& s) -> auto& { return s.prediction.conformal.score; }, conformal_scores));
    fields.push_back(choice(
        {.path  = "prediction.conformal_by",
         .label = "Coverage within",
         .help =
             "Which rows share a threshold. Each group needs at least α/(1 − α) calibration rows; with fewer, its sets "
             "contain every value.",
         .advanced           = true,
         .written_if_changed = true,
         .applies            = conformal},
        [](auto& s) -> auto& { return s.prediction.conformal_by; }, conformal_groups));
    fields.push_back(plain(
        {.path               = "prediction.conformal_column",
         .label              = "Group column",
         .help               = "Name of an input column with few distinct values.",
         .advanced           = true,
         .written_if_changed = true,
         .applies = [](const Study& s) { return conformal(s) && s.prediction.conformal_by == ConformalBy::column; }},
        [](auto& s) -> auto& { return s.prediction.conformal_column; }));
}

/// Settings of the scores of classes.
void add_score_settings(std::vector<Field>& fields)
{
    fields.push_back(plain(
        {.path  = "prediction.conformal_randomised",
         .label = "Randomised sets",
         .help =
             "APS and RAPS: the score includes only a random fraction of the class's own probability. Coverage then "
             "equals the level, but sets can be empty. If this is off, each set contains at least the most probable "
             "class, and coverage is slightly higher.",
         .advanced           = true,
         .written_if_changed = true,
         .applies =
             [](const Study& s) {
        return conformal_classes(s) && s.prediction.conformal.score != ConformalScore::thr;
         }},
        [](auto& s) -> auto& { return s.prediction.conformal.randomised; }));
    fields.push_back(plain(
        {.path               = "prediction.raps_penalty",
         .label              = "RAPS penalty λ",
         .help               = "Added to the score for each class after the first k. Larger values give shorter sets.",
         .min                = 0,
         .max                = 1000,
         .advanced           = true,
         .written_if_changed = true,
         .applies            = conformal_raps},
        [](auto& s) -> auto& { return s.prediction.conformal.penalty; }));
    fields.push_back(plain(
        {.path               = "prediction.raps_free",
         .label              = "RAPS classes without penalty k",
         .help               = "Number of classes that have no penalty. Typical: 1 for few classes, 5 for a thousand.",
         .min                = 0,
         .max                = 1e6,
         .advanced           = true,
         .written_if_changed = true,
         .applies            = conformal_raps},
        [](auto& s) -> auto& { return s.prediction.conformal.free_classes; }));
}

}   // namespace

void add_conformal_fields(std::vector<Field>& fields)
{
    add_score_and_groups(fields);
    add_score_settings(fields);
}

}   // namespace credence::field_makers
