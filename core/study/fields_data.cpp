// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/field_makers.h"
#include "study/names.h"
#include "study/source.h"
#include "study/test_points.h"

#include <algorithm>

// Settings of the groups data and split. Those of one source stand in its file in study/sources.
namespace credence::field_makers {
namespace {

bool not_images(const Study& s) { return !is_images(s.data.source); }
/// Also a table that has not been read yet.
bool regression_data(const Study& s) { return stated_task(s.data) != Task::classification; }

/// A setting of how points are split: where the test rows are listed, all points are split anew once it is set.
Field splits_points(Field field)
{
    field.set = [set = std::move(field.set)](Study& study, const FieldValue& value) {
        set(study, value);
        auto& data = study.data;
        if (const auto tests = test_points(data))
            data.points.insert(data.points.end(), tests->begin(), tests->end());
        set_test_points(data, {});
    };
    return field;
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

/// The settings of all sources, each once and those of each source in its order; one applies where the Study's source has it.
std::vector<Field> fields_of_sources()
{
    std::vector<Field> all;
    const auto place_of = [&](const Field& wanted) {
        const auto found = std::find_if(all.begin(), all.end(), [&](const Field& f) { return f.path == wanted.path; });
        return static_cast<std::size_t>(found - all.begin());
    };
    for (const Source& source : sources()) {
        std::size_t at = all.size();   // before the first setting that another source has, too
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

}   // namespace

void add_data_fields(std::vector<Field>& fields)
{
    const auto add = [&](Field field) { fields.push_back(std::move(field)); };

    add(choice(
        {.path  = "data.source",
         .label = "Data from",
         .help  = "Where the examples come from: a generator, your own hand, a table in a file, or images."},
        [](auto& s) -> auto& { return s.data.source; }, choices_of_sources()));
    for (Field& field : fields_of_sources())
        add(std::move(field));

    add(splits_points(plain(
        {.path  = "split.test_fraction",
         .label = "Test share",
         .help =
             "Which part of the points is kept away from training and used for the scores only. A fifth is usual; 0 trains on everything, and the scores "
             "then describe the training set. Points that you draw join the training rows and leave the test rows as they are; when you change the share, "
             "all points are split anew.",
         .min      = 0,
         .max      = 1,
         .max_open = true,
         .applies  = not_images},
        [](auto& s) -> auto& { return s.split.test_fraction; })));
    add(splits_points(plain(
        {.path  = "split.seed",
         .label = "Split seed",
         .help =
             "Names the random choice of the test points. Change it to see how much a score depends on which points were kept back. Points that you drew are "
             "split anew with all others.",
         .min      = 0,
         .max      = 9007199254740991.0,
         .advanced = true,
         .applies  = [](const Study& s) { return not_images(s) || s.data.images.validation_images > 0; }},
        [](auto& s) -> auto& { return s.split.seed; })));
    add(plain(
        {.path  = "split.standardise_inputs",
         .label = "Standardise inputs",
         .help =
             "The net sees z = (x − mean) / sd of each input, both taken from the training part. Nets and priors expect numbers of size 1; switch it off only "
             "to see what happens then.",
         .advanced = true,
         .applies  = not_images},
        [](auto& s) -> auto& { return s.split.standardise_inputs; }));
    add(plain(
        {.path  = "split.standardise_targets",
         .label = "Standardise targets",
         .help =
             "Regression: the net learns (y − mean) / sd of the training targets; predictions and the noise level stay in the units of y. Useful when y is "
             "far from size 1.",
         .advanced = true,
         .applies  = regression_data},
        [](auto& s) -> auto& { return s.split.standardise_targets; }));
}

}   // namespace credence::field_makers
