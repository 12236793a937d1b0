// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/image_rows.h"
#include "views/views.h"

#include <QObject>

#include <memory>
#include <optional>
#include <string>
#include <vector>

/// One input: a row of the data that are scored, or numbers of one's own.
struct ChosenInput {
    std::vector<double> input{};   ///< the data's units [n_features]; empty: row `row`
    std::string name{};            ///< what to call `input`; empty: its numbers
    std::optional<int> label{};    ///< the class of `input` where it is known
    std::size_t row = 0;
    std::optional<int> madeOf{};   ///< `input` is this row, disturbed
    bool drawn = false;            ///< `input` is no image of the data
};

/// What is scored: the test set; without one the training set.
const credence::Dataset& scoredPart(const credence::Experiment& experiment);
credence::ImagePart scoredImages(const credence::Experiment& experiment);
/// The numbers of a chosen input; empty: an image of the data or a row of outputs from elsewhere, or there is none.
std::vector<double> numbersOf(const ChosenInput& chosen, const credence::Experiment& experiment);
/// The first row of what is scored that has exactly these numbers; empty: none, or images.
std::optional<std::size_t> rowOf(std::span<const double> input, const credence::Experiment& experiment);

/// The one chosen input, and who chose it. All views that look at one input follow it.
class Selection : public QObject {
    Q_OBJECT
public:
    enum class By { data, map, box, table, grid, canvas, picture };

    using QObject::QObject;
    const ChosenInput& chosen() const { return m_chosen; }
    By by() const { return m_by; }
    /// What the chosen input was fitted to last; null: nothing yet. While another run comes on show it is still the one before.
    const std::shared_ptr<const credence::Experiment>& experiment() const { return m_experiment; }
    std::vector<double> numbers() const;
    void addTo(credence::ViewOptions& options) const;

    void choosePoint(std::vector<double> input, By by);   ///< numbers of a row choose that row
    void chooseRow(int row, By by);
    void chooseImage(credence::ImagePart part, int image, By by);
    /// An input from outside of the data: of the foreign images, or a picture. The number of the row stays as it was.
    void chooseOutside(ChosenInput outside, By by);
    /// @param moving  it is still under the hand: quick pictures will do
    void chooseMade(ChosenInput made, bool moving);
    /// Keeps what another run, or other data, can have chosen. Tells nobody: those who show it are fitted next.
    void fit(std::shared_ptr<const credence::Experiment> experiment);

signals:
    void changed(bool moving);

private:
    void choose(ChosenInput chosen, By by, bool moving = false);

    std::shared_ptr<const credence::Experiment> m_experiment;
    ChosenInput m_chosen;
    By m_by = By::data;
};
