// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/field_makers.h"
#include "study/source.h"

// Settings of conformal sets and intervals, in the group prediction.
namespace credence::field_makers {
namespace {

const std::vector<Option<ConformalScore>> conformal_scores = {
    {ConformalScore::none, {"none", "None", "Credible intervals only."}},
    {ConformalScore::thr,
     {"thr", "THR: classes by probability",
      "Classes: the smallest sets on average (Sadinle, Lei and Wasserman 2019)."}},
    {ConformalScore::aps,
     {"aps", "APS: classes by summed probability",
      "Classes: larger sets for uncertain rows (Romano, Sesia and Candès 2020)."}},
    {ConformalScore::raps,
     {"raps", "RAPS: APS with a penalty",
      "Many classes: as APS, without long tails of improbable classes (Angelopoulos et al. 2021)."}},
    {ConformalScore::absolute,
     {"absolute", "Absolute residual", "Numeric target: intervals of one width around the predicted mean."}},
    {ConformalScore::normalised,
     {"normalised", "Normalised residual", "Numeric target: widths follow the predictive standard deviation."}},
    {ConformalScore::cqr,
     {"cqr", "CQR: corrected quantiles",
      "Numeric target: moves both ends of the predictive interval by one number (Romano, Patterson and Candès 2019)."}},
};

const std::vector<Option<ConformalBy>> conformal_groups = {
    {ConformalBy::all, {"all", "All rows", "One threshold: coverage on average over all rows."}},
    {ConformalBy::class_, {"class", "Each class", "Classes: one threshold per class, for rare classes."}},
    {ConformalBy::column, {"column", "Each group", "One threshold for each value of a column of the table."}},
};

bool conformal(const Study& s) { return s.prediction.conformal.score != ConformalScore::none; }
bool conformal_classes(const Study& s) { return is_of_classes(s.prediction.conformal.score); }
bool conformal_raps(const Study& s) { return s.prediction.conformal.score == ConformalScore::raps; }

}   // namespace

void add_conformal_fields(std::vector<Field>& fields)
{
    fields.push_back(choice(
        {.path  = "prediction.conformal",
         .label = "Conformal score",
         .help  = "Adds sets of classes or intervals that contain the true value of new rows with probability α, on "
                  "average over rows exchangeable with the calibration rows. Needs rows set aside for calibration "
                  "(split.calibration_fraction, for images data.validation_images).",
         .written_if_changed = true},
        [](auto& s) -> auto& { return s.prediction.conformal.score; }, conformal_scores));
    fields.push_back(choice(
        {.path  = "prediction.conformal_by",
         .label = "Coverage within",
         .help = "Rows that share a threshold. Smaller groups need more calibration rows: at least α/(1 − α) in each, "
                 "otherwise its sets contain every value.",
         .advanced           = true,
         .written_if_changed = true,
         .applies            = conformal},
        [](auto& s) -> auto& { return s.prediction.conformal_by; }, conformal_groups));
    fields.push_back(plain(
        {.path               = "prediction.conformal_column",
         .label              = "Column of the groups",
         .help               = "Name of an input column with few different values.",
         .advanced           = true,
         .written_if_changed = true,
         .applies = [](const Study& s) { return conformal(s) && s.prediction.conformal_by == ConformalBy::column; }},
        [](auto& s) -> auto& { return s.prediction.conformal_column; }));
    fields.push_back(plain(
        {.path     = "prediction.conformal_randomised",
         .label    = "Randomised sets",
         .help     = "APS and RAPS: count a random share of the class's own probability. Coverage is then exactly the "
                     "level, but sets can be empty. Off, sets contain at least the most probable class and cover slightly "
                     "more.",
         .advanced = true,
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

}   // namespace credence::field_makers
