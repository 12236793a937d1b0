// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/image_grid.h"

#include "charts/chart.h"
#include "data/dataset.h"
#include "views/scored_predictions.h"

#include <algorithm>
#include <iterator>

namespace credence {
namespace {

bool passes(ImageFilter filter, bool right, bool wrong, bool certain)
{
    switch (filter) {
    case ImageFilter::all: return true;
    case ImageFilter::wrong: return wrong;
    case ImageFilter::uncertain: return !certain;
    case ImageFilter::certain_but_wrong: return certain && wrong;
    case ImageFilter::right: return right;
    case ImageFilter::certain: return certain;
    }
    return true;
}

/// The sort key, in ascending order.
float key_of(const RowPrediction& row, ImageOrder order)
{
    switch (order) {
    case ImageOrder::data: return 0;
    case ImageOrder::entropy: return -row.entropy;
    case ImageOrder::mutual_information: return -row.mutual_information;
    case ImageOrder::confidence_falling: return -row.confidence;
    case ImageOrder::confidence_rising: return row.confidence;
    }
    return 0;
}

}   // namespace

long ImageGridRows::count(ImageFilter filter) const
{
    switch (filter) {
    case ImageFilter::all: return all;
    case ImageFilter::wrong: return wrong;
    case ImageFilter::uncertain: return uncertain;
    case ImageFilter::certain_but_wrong: return certain_but_wrong;
    case ImageFilter::right: return right;
    case ImageFilter::certain: return certain;
    }
    return all;
}

const RowPrediction* prediction_of(std::span<const RowPrediction> predictions, std::size_t row)
{
    return row < predictions.size() && predictions[row].predicted >= 0 ? &predictions[row] : nullptr;
}

bool is_certain(const RowPrediction& row, CertaintyCriterion criterion)
{
    return criterion == CertaintyCriterion::no_overlap ? row.certain_no_overlap : row.certain_by_probability;
}

ImageGridRows image_grid_rows(std::span<const RowPrediction> predictions, std::span<const int> labels,
                              const ImageGridChoice& choice)
{
    ImageGridRows out;
    out.n = static_cast<long>(labels.size());
    for (std::uint32_t i = 0; i < labels.size(); ++i) {
        if (choice.true_class && labels[i] != *choice.true_class)
            continue;
        if (!choice.listed.empty() && !std::ranges::binary_search(choice.listed, i))
            continue;
        const auto* row = prediction_of(predictions, i);
        if (!row) {
            if (choice.predicted_class)
                continue;
            ++out.all;
            if (choice.filter == ImageFilter::all)
                out.rows.push_back(i);
            continue;
        }
        if (choice.predicted_class && row->predicted != *choice.predicted_class)
            continue;
        const bool right = row->predicted == labels[i], wrong = labels[i] >= 0 && !right,
                   certain = is_certain(*row, choice.criterion);
        ++out.all;
        out.right += right;
        out.wrong += wrong;
        out.uncertain += !certain;
        out.certain += certain;
        out.certain_but_wrong += certain && wrong;
        if (passes(choice.filter, right, wrong, certain))
            out.rows.push_back(i);
    }
    if (choice.order != ImageOrder::data) {
        const auto known = std::stable_partition(out.rows.begin(), out.rows.end(), [&](std::uint32_t i) {
            return prediction_of(predictions, i) != nullptr;
        });
        std::stable_sort(out.rows.begin(), known, [&](std::uint32_t a, std::uint32_t b) {
            return key_of(predictions[a], choice.order) < key_of(predictions[b], choice.order);
        });
    }
    return out;
}

std::string empty_grid_sentence(const ImageGridChoice& choice, double level, std::span<const std::string> class_names,
                                std::span<const std::string> own_names)
{
    const auto true_names    = own_names.empty() ? class_names : own_names;
    const std::string truth  = choice.true_class ? " of class " + class_name(true_names, *choice.true_class) : "";
    const std::string answer = choice.predicted_class ? class_name(class_names, *choice.predicted_class) : "";
    const std::string end    = choice.listed.empty() ? "." : " among those of the clicked bar.";
    if (choice.filter == ImageFilter::all) {
        if (choice.predicted_class)
            return "No image" + truth + " is predicted as " + answer + end;
        return truth.empty() ? "There are no images" + end : "There is no image" + truth + end;
    }
    const std::string at = " at α = " + number_text(level, 6);
    const std::string is = choice.filter == ImageFilter::wrong       ? "wrong"
                           : choice.filter == ImageFilter::right     ? "right"
                           : choice.filter == ImageFilter::uncertain ? "uncertain" + at
                           : choice.filter == ImageFilter::certain   ? "certain" + at
                                                                     : "certain but wrong" + at;
    return "No image" + truth + (answer.empty() ? "" : " predicted as " + answer) + " is " + is + end;
}

Table image_grid_table(std::span<const std::uint32_t> rows, std::span<const RowPrediction> predictions,
                       std::span<const int> labels, std::span<const std::string> class_names,
                       std::span<const std::string> own_names)
{
    const auto true_names = own_names.empty() ? class_names : own_names;
    Table table{.columns = {{"Row"}, {own_names.empty() ? "True class" : "OOD class"}, {"Predicted class"}}};
    std::ranges::move(certainty_columns(), std::back_inserter(table.columns));
    const auto yes = [](bool value) { return std::string(value ? "yes" : "no"); };
    for (const std::uint32_t i : rows) {
        std::vector<Cell> cells{static_cast<long>(i),
                                labels[i] < 0 ? std::string() : class_name(true_names, labels[i])};
        if (const auto* row = prediction_of(predictions, i)) {
            cells.insert(cells.end(), {class_name(class_names, row->predicted), static_cast<double>(row->confidence),
                                       static_cast<double>(row->entropy), static_cast<double>(row->mutual_information),
                                       yes(row->certain_no_overlap), yes(row->certain_by_probability)});
        } else {
            cells.resize(table.columns.size(), std::string());
        }
        table.rows.push_back(std::move(cells));
    }
    return table;
}

}   // namespace credence
