// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/page_images.h"

#include "charts/chart.h"
#include "charts/pictures.h"
#include "data/dataset.h"
#include "views/view_support.h"

#include <algorithm>

namespace credence {

namespace {

int lines_of(const std::string& caption)
{
    return 1 + static_cast<int>(std::count(caption.begin(), caption.end(), '\n'));
}

}   // namespace

std::string true_and_predicted(const PageImage& image, const std::vector<std::string>& class_names)
{
    const std::string text = "→ " + class_name(class_names, image.predicted);
    if (!image.truth)
        return text;
    const std::string truth        = class_name(class_names, *image.truth);
    constexpr std::size_t one_line = 12;
    return truth + (truth.size() + text.size() > one_line ? "\n" : " ") + text;
}

Chart to_chart(const CertainButWrong& value)
{
    Chart chart{.id = "certain_but_wrong", .title = "Certain but wrong"};
    if (value.n == 0) {
        chart.message = "There are no labelled images. Choose data with test images.";
        return chart;
    }
    const std::string level = percent_text(value.level), n = std::to_string(value.n),
                      wrong = std::to_string(value.wrong);
    if (value.by_either == 0) {
        chart.message = "None of the " + n + " images is wrong with certainty at α = " + level + ": of the " + wrong
                        + " wrong ones each is uncertain by both criteria.";
        return chart;
    }
    std::vector<Picture> pictures;
    int lines = 1;
    for (const auto& image : value.shown) {
        Picture picture = image.picture;
        picture.caption = true_and_predicted(image, value.class_names) + "\n" + fixed_text(image.confidence, 4) + "\n"
                          + (image.by_overlap ? "(i)" : "") + (image.by_overlap && image.by_probability ? " " : "")
                          + (image.by_probability ? "(ii)" : "") + "\nno. " + std::to_string(image.row);
        lines = std::max(lines, lines_of(picture.caption));
        pictures.push_back(std::move(picture));
    }
    const int per_row = std::clamp(static_cast<int>(pictures.size()), 4, 7);
    Panel panel       = picture_panel(std::to_string(value.by_either) + " of " + n + " certain but wrong",
                                      std::move(pictures), per_row, lines);
    chart.panels.push_back(std::move(panel));
    chart.caption = "Images that are wrong with certainty at α = " + level
                    + " by criterion (i), no overlap of credible intervals, or (ii), mean probability at least α: "
                    + std::to_string(value.by_either) + " among " + wrong + " wrong ones of " + n + ", "
                    + std::to_string(value.by_overlap) + " by (i) and " + std::to_string(value.by_probability)
                    + " by (ii). The text below each image gives true class → predicted class, its mean "
                      "probability, the criteria that "
                      "call it certain, and its number.";
    if (value.by_either > static_cast<long>(value.shown.size()))
        chart.caption += " The " + std::to_string(value.shown.size()) + " most confident ones are shown.";
    return chart;
}

Panel image_row_panel(const ImagePage::Row& row, const std::vector<std::string>& class_names, int per_row)
{
    std::vector<Picture> pictures;
    int lines = 1;
    for (const auto& image : row.images) {
        Picture picture = image.picture;
        picture.caption = true_and_predicted(image, class_names) + "\n" + row.measure + " "
                          + fixed_text(image.*row.value, 3);
        if (image.truth && *image.truth != image.predicted)
            picture.frame = Tone{Tone::Kind::wrong};
        lines = std::max(lines, lines_of(picture.caption));
        pictures.push_back(std::move(picture));
    }
    return picture_panel(row.title, std::move(pictures), per_row, lines);
}

Chart to_chart(const ImagePage& value)
{
    Chart chart{.id = "image_list", .title = "Images by uncertainty"};
    if (value.n == 0) {
        chart.message = "There are no images. Choose data with test images.";
        return chart;
    }
    for (const auto& row : value.rows)
        if (!row.images.empty())
            chart.panels.push_back(image_row_panel(row, value.class_names, ImagePage::shown_per_row));
    chart.columns = 1;
    chart.caption =
        "Images at the extremes of each measure, from " + std::to_string(value.n)
        + ": H predictive entropy, MI mutual information (epistemic part), both in nats; p̄ mean probability of the "
          "predicted class. The text below each image gives true class → "
          "predicted class; wrong predictions are framed.";
    return chart;
}

}   // namespace credence

namespace credence::view_support {

PageImage page_image(const ScoredPredictions& predictions, std::size_t i, Picture picture)
{
    const auto& c = predictions.set.classes;
    return {.picture    = std::move(picture),
            .row        = static_cast<long>(predictions.rows[i]),
            .truth      = predictions.labels.empty() ? std::optional<int>() : std::optional(predictions.labels[i]),
            .predicted  = c.predicted[i],
            .confidence = c.confidence[i],
            .entropy    = c.entropy[i],
            .mutual_information = c.mutual_information[i],
            .by_overlap         = predictions.at_level().disjoint[i] != 0,
            .by_probability     = predictions.at_level().probable[i] != 0};
}

Picture picture_at(const Experiment& experiment, std::span<const float> inputs, std::size_t row)
{
    const auto d      = experiment.data->training.n_features;
    const auto values = picture_values(experiment, inputs.subspan(row * d, d));
    return picture_of(std::span<const float>(values), *experiment.data->image);
}

Chart on_images(Chart chart, const RunSnapshot& run, const ScoredPredictions& scored)
{
    chart.caption += " Images: the " + scored.name + ".";
    return with_setting(std::move(chart), run, scored.set.n_samples);
}

}   // namespace credence::view_support
