// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/data_rows.h"
#include "views/image_rows.h"
#include "views/views.h"

#include <QObject>

#include <memory>
#include <optional>
#include <string>
#include <vector>

/// One input: a row of the scored data, or given numbers.
struct ChosenInput {
    std::vector<double> input{};   ///< in the data's units [n_features]; empty: row `row`
    std::string name{};            ///< label for `input`; empty: its numbers
    std::optional<int> label{};    ///< the class of `input`, if known
    std::size_t row = 0;
    std::optional<int> madeOf{};             ///< `input` is this row after a perturbation
    bool drawn = false;                      ///< `input` is not an image of the data
    std::optional<credence::DataRow> of{};   ///< `input` is this row of the training or OOD data
};

/// The scored part: the test set, or the training set if there is none.
const credence::Dataset& scoredPart(const credence::Experiment& experiment);
credence::ImagePart scoredImages(const credence::Experiment& experiment);
/// The numbers of a selected input; empty: an image of the data, a row of imported predictions, or
/// none.
std::vector<double> numbersOf(const ChosenInput& chosen, const credence::Experiment& experiment);
/// Returns the selected input as a row of the data; empty: it is not a row.
std::optional<credence::DataRow> dataRowOf(const ChosenInput& chosen);
/// The first row of the scored data with exactly these numbers; empty: none, or images.
std::optional<std::size_t> rowOf(std::span<const double> input, const credence::Experiment& experiment);

/// The selected input and its origin. All views of a single input follow it.
class Selection : public QObject {
    Q_OBJECT
public:
    enum class By { data, map, box, table, grid, canvas, picture };

    using QObject::QObject;
    const ChosenInput& chosen() const { return m_chosen; }
    By by() const { return m_by; }
    /// The experiment of the last `fit`; null: none yet. While another run is being displayed, it
    /// is still the previous one.
    const std::shared_ptr<const credence::Experiment>& experiment() const { return m_experiment; }
    /// The rows of the last clicked bar, to be listed; empty: no bar of this run's charts was
    /// clicked.
    const credence::RowsOfBar& listed() const { return m_listed; }
    std::vector<double> numbers() const;
    void addTo(credence::ViewOptions& options) const;

    void choosePoint(std::vector<double> input, By by);   ///< Values that match a row select that row.
    void chooseRow(int row, By by);
    void chooseImage(credence::ImagePart part, int image, By by);
    /// Selects the row that corresponds to a clicked point of a chart. Does nothing if the data
    /// have no such row.
    void chooseDataRow(const credence::DataRow& row, By by);
    void list(credence::RowsOfBar bar);   ///< lists its rows next to the selection, which does not change
    /// Selects an input outside the data: an OOD or own image. The row number does not change.
    void chooseOutside(ChosenInput outside, By by);
    /// @param moving  still being changed, so quick charts suffice
    void chooseMade(ChosenInput made, bool moving);
    /// Keeps the selection if the new run or data allow it. Sends no signal, since the views are
    /// updated next.
    void fit(std::shared_ptr<const credence::Experiment> experiment);

signals:
    void changed(bool moving);
    void listedChanged();

private:
    void choose(ChosenInput chosen, By by, bool moving = false);

    std::shared_ptr<const credence::Experiment> m_experiment;
    ChosenInput m_chosen;
    credence::RowsOfBar m_listed;
    By m_by = By::data;
};
