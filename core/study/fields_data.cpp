// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/field_makers.h"
#include "study/names.h"
#include "study/source.h"

#include <algorithm>

// Settings of the groups data and split. Settings of a single source are in its file in
// study/sources.
namespace credence::field_makers {
namespace {

bool not_images(const Study& s) { return !is_images(s.data.source); }
/// True also for a table that has not been read yet.
bool regression_data(const Study& s) { return stated_task(s.data) != Task::classification; }

/// Makes a setting of the split: if the test rows are listed, changing it splits all points again.
Field splits_points(Field field)
{
    field.set = [set = std::move(field.set)](Study& study, const FieldValue& value) {
        set(study, value);
        auto& data = study.data;
        if (const auto tests = data.test_points)
            data.points.insert(data.points.end(), tests->begin(), tests->end());
        data.test_points = {};
    };
    return field;
}

bool splits_by_share(SplitKind kind)
{
    return kind == SplitKind::random || kind == SplitKind::groups || kind == SplitKind::time;
}
bool splits_in_folds(const Study& s) { return not_images(s) && s.split.kind == SplitKind::folds; }
bool has_table(const Study& s) { return s.data.source == DataSource::csv; }

std::vector<Option<SplitKind>> split_kinds()
{
    return {
        {SplitKind::random, {"random", "At random", "The usual choice for independent rows."}},
        {SplitKind::column,
         {"column", "By a column",
          "A column of the table marks each row as train, test or validation. "
          "Rows marked validation are set aside for calibration."}},
        {SplitKind::groups,
         {"groups", "Groups stay together",
          "Rows with the same value of a column, such as a patient, are never "
          "divided between training and test set."}},
        {SplitKind::time, {"time", "In time order", "The last rows are the test set: the past predicts the future."}},
        {SplitKind::folds,
         {"folds", "Cross-validation fold",
          "One of several parts of equal size; a sweep over the folds tests on "
          "each row once. With a split column, groups stay together."}},
        {SplitKind::file,
         {"file", "Test rows from a file",
          "A file lists the row numbers, as the published splits of "
          "benchmark tables do."}},
    };
}

/// The sources as choices of one field.
std::vector<Option<std::string>> choices_of_sources()
{
    std::vector<Option<std::string>> choices;
    for (const Source& s : sources())
        choices.push_back({s.id, {s.id, s.title, s.hint}});
    return choices;
}

bool has_field(const Source& source, const std::string& path)
{
    return std::any_of(source.fields.begin(), source.fields.end(), [&](const Field& f) { return f.path == path; });
}

/// The settings of all sources, without duplicates, in the order of each source. A setting applies
/// if the Study's source has it.
std::vector<Field> fields_of_sources()
{
    std::vector<Field> all;
    const auto place_of = [&](const Field& wanted) {
        const auto found = std::find_if(all.begin(), all.end(), [&](const Field& f) { return f.path == wanted.path; });
        return static_cast<std::size_t>(found - all.begin());
    };
    for (const Source& source : sources()) {
        std::size_t at = all.size();   // before the first setting shared with another source
        for (const Field& own : source.fields)
            if (const std::size_t place = place_of(own); place < all.size()) {
                at = place;
                break;
            }
        for (const Field& own : source.fields) {
            if (const std::size_t place = place_of(own); place < all.size()) {
                at = place + 1;
                continue;
            }
            const auto added = all.insert(all.begin() + static_cast<std::ptrdiff_t>(at++), own);
            added->applies   = [path = own.path, applies = own.applies](const Study& s) {
                return has_field(source_of(s.data), path) && applies(s);
            };
        }
    }
    return all;
}

/// Adds the settings for choosing the test rows.
void add_split_kinds(std::vector<Field>& fields)
{
    const auto add = [&](Field field) { fields.push_back(std::move(field)); };
    add(splits_points(choice(
        {.path               = "split.kind",
         .label              = "Split",
         .help               = "How the test rows are chosen: at random, by a column of the table, or by a file.",
         .advanced           = true,
         .written_if_changed = true,
         .applies            = not_images},
        [](auto& s) -> auto& { return s.split.kind; }, split_kinds())));
    add(plain(
        {.path  = "split.column",
         .label = "Split column",
         .help =
             "Name of the column that marks the test rows, identifies the groups, or contains the time. You can also "
             "give its number, counted from 1. It is an input only if you list it in the input columns. For a split in "
             "time order, leave it empty if the rows are already in order. For folds, leave it empty if the rows are "
             "independent; otherwise rows with the same value stay in one fold.",
         .advanced           = true,
         .written_if_changed = true,
         .applies            = [](const Study& s) { return can_use_column(s.split.kind) && has_table(s); }},
        [](auto& s) -> auto& { return s.split.column; }));
    add(splits_points(plain(
        {.path               = "split.folds",
         .label              = "Folds",
         .help               = "Number of parts of equal size for cross-validation. Five or ten are usual.",
         .min                = 2,
         .max                = 1000000,
         .advanced           = true,
         .written_if_changed = true,
         .applies            = splits_in_folds},
        [](auto& s) -> auto& { return s.split.folds; })));
    add(splits_points(plain(
        {.path     = "split.fold",
         .label    = "Test fold",
         .help     = "The fold that is the test set, counted from 1. Run a sweep over all folds to use each row once "
                     "for testing.",
         .min      = 1,
         .max      = 1000000,
         .advanced = true,
         .written_if_changed = true,
         .applies            = splits_in_folds},
        [](auto& s) -> auto& { return s.split.fold; })));
    add(plain(
        {.path  = "split.test_rows",
         .label = "File of test rows",
         .help =
             "A text file with the numbers of the test rows, one per line, counted from 0 for the first row below the "
             "header. A relative path starts from the folder of the Study's file.",
         .advanced           = true,
         .written_if_changed = true,
         .applies            = [](const Study& s) { return not_images(s) && s.split.kind == SplitKind::file; }},
        [](auto& s) -> auto& { return s.split.test_rows; }));
}

/// Sizes of the parts, and the seed of their choice.
void add_split_shares(std::vector<Field>& fields)
{
    const auto add = [&](Field field) { fields.push_back(std::move(field)); };
    add(splits_points(plain(
        {.path  = "split.test_fraction",
         .label = "Test share",
         .help =
             "Share of the points reserved for testing; they are not used for training. A fifth is usual. With 0, all "
             "points are used for training and the scores describe the training set. Points that you draw are added to "
             "the training rows and do not change the test rows. Changing the share splits all points again.",
         .min      = 0,
         .max      = 1,
         .max_open = true,
         .applies  = [](const Study& s) { return not_images(s) && splits_by_share(s.split.kind); }},
        [](auto& s) -> auto& { return s.split.test_fraction; })));
    add(plain(
        {.path  = "split.calibration_fraction",
         .label = "Calibration share",
         .help =
             "Share of the training rows that is set aside for calibration. Recalibration and conformal prediction use "
             "these rows; training and scores do not. The test rows stay the same. 0.2 is usual; 0 sets no rows aside.",
         .min                = 0,
         .max                = 1,
         .max_open           = true,
         .advanced           = true,
         .written_if_changed = true,
         .applies            = not_images},
        [](auto& s) -> auto& { return s.split.calibration_fraction; }));
    add(splits_points(plain(
        {.path     = "split.seed",
         .label    = "Split seed",
         .help     = "Seed for the random choice of the test points. Change it to see how much a score depends on this "
                     "choice. Points that you drew are split again with all others.",
         .min      = 0,
         .max      = 9007199254740991.0,
         .advanced = true,
         .applies  = [](const Study& s) { return not_images(s) || s.data.images.validation_images > 0; }},
        [](auto& s) -> auto& { return s.split.seed; })));
}

}   // namespace

void add_data_fields(std::vector<Field>& fields)
{
    const auto add = [&](Field field) { fields.push_back(std::move(field)); };

    add(choice(
        {.path  = "data.source",
         .label = "Data from",
         .help  = "Source of the examples: a generator, your own drawing, a table in a file, or images."},
        [](auto& s) -> auto& { return s.data.source; }, choices_of_sources()));
    for (Field& field : fields_of_sources())
        add(std::move(field));

    add_split_kinds(fields);
    add_split_shares(fields);
    add(plain(
        {.path  = "split.standardise_inputs",
         .label = "Standardise inputs",
         .help = "The network sees z = (x − mean)/sd of each input, computed on the training part. Networks and priors "
                 "expect values of order 1; switch it off only to see the effect.",
         .advanced = true,
         .applies  = not_images},
        [](auto& s) -> auto& { return s.split.standardise_inputs; }));
    add(plain(
        {.path  = "split.standardise_targets",
         .label = "Standardise targets",
         .help =
             "Regression: the network learns (y − mean) / sd of the training targets; predictions and the noise level "
             "keep the units of y. Useful if y is far from order 1.",
         .advanced = true,
         .applies  = regression_data},
        [](auto& s) -> auto& { return s.split.standardise_targets; }));
}

}   // namespace credence::field_makers
