// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "views/scored_predictions.h"

#include <algorithm>
#include <optional>

namespace credence {

/// One image on a page, with the network's prediction.
struct PageImage {
    Picture picture{};
    long row = 0;                 ///< of its set
    std::optional<int> truth{};   ///< empty if it belongs to none of the network's classes
    int predicted     = 0;
    double confidence = 0;                        ///< max p̄
    double entropy = 0, mutual_information = 0;   ///< nats
    bool by_overlap     = false;                  ///< certain by (i)
    bool by_probability = false;                  ///< certain by (ii)
};

/// "4 → 9", or in two lines if the names are long; without a class "→ 9".
std::string true_and_predicted(const PageImage& image, const std::vector<std::string>& class_names);

/// Images that are wrong with certainty (Steinbrener et al. 2020, Fig. 11): no threshold on
/// certainty detects them.
struct CertainButWrong {
    static constexpr std::size_t most_shown = 24;
    long n = 0, wrong = 0;
    long by_overlap = 0, by_probability = 0, by_either = 0;   ///< wrong and certain
    double level = 0.95;
    std::vector<PageImage> shown;   ///< the most confident ones, in descending order; at most
                                    ///< `most_shown`
    std::vector<std::string> class_names;
};
Chart to_chart(const CertainButWrong& page);

/// Rows of images, each chosen by one measure.
struct ImagePage {
    static constexpr std::size_t shown_per_row = 8;
    struct Row {
        std::string title;
        std::string measure;             ///< shown below each image: "H"
        double PageImage::*value;        ///< that number
        std::vector<PageImage> images;   ///< at most `shown_per_row`
    };
    std::vector<Row> rows;
    std::vector<std::string> class_names;
    long n = 0;
};
Chart to_chart(const ImagePage& list);
/// Draws one row as a panel; the frame of an image shows whether it is right or wrong.
Panel image_row_panel(const ImagePage::Row& row, const std::vector<std::string>& class_names, int per_row);

}   // namespace credence

/// Pages of images: the prediction of each, and their order.
namespace credence::view_support {

PageImage page_image(const ScoredPredictions& predictions, std::size_t i, Picture picture);

/// Converts row `row` of the network's inputs back to bytes.
Picture picture_at(const Experiment& experiment, std::span<const float> inputs, std::size_t row);

/// The first `most` of 0..n−1 that satisfy `wanted`, by decreasing score; equal scores stay in
/// order.
template <class Wanted, class Score>
std::vector<std::size_t> highest(std::size_t n, std::size_t most, Wanted wanted, Score score)
{
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < n; ++i)
        if (wanted(i))
            order.push_back(i);
    const auto middle = order.begin() + static_cast<std::ptrdiff_t>(std::min(most, order.size()));
    std::partial_sort(order.begin(), middle, order.end(),
                      [&](std::size_t a, std::size_t b) { return score(a) != score(b) ? score(a) > score(b) : a < b; });
    order.erase(middle, order.end());
    return order;
}
inline bool any_row(std::size_t) { return true; }

/// Adds the name of the set and the setting to the caption.
Chart on_images(Chart chart, const RunSnapshot& run, const ScoredPredictions& scored);

}   // namespace credence::view_support
