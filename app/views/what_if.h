// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/input_groups.h"
#include "session/selection.h"

#include <QTimer>
#include <QWidget>

#include <cstddef>
#include <limits>
#include <vector>

class InputRanking;
class NumberSlider;
class QComboBox;
class QGridLayout;
class QLabel;
class QScrollArea;
class QToolButton;
class ViewBinder;
struct AppContext;

namespace credence {
struct Chart;
struct Experiment;
}   // namespace credence

/// The prediction for the selected row of a table, and *What if*: one control per input, which start
/// from that row. Moving one selects the changed row, which all views of the selected input follow.
class WhatIf : public QWidget {
    Q_OBJECT
public:
    WhatIf(AppContext& context, ViewBinder& binder, InputRanking& ranking, QWidget* parent);

    void fit(const credence::Experiment& experiment, bool otherData);

protected:
    void showEvent(QShowEvent* event) override;

private:
    /// The control of one input: a slider for a number, a list for a category.
    struct Line {
        std::size_t input;   ///< in m_inputs
        QLabel* name;
        NumberSlider* number;   ///< null: a category
        QComboBox* category;    ///< null: a number
    };
    /// Of the training rows in one input.
    struct Range {
        double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
        bool whole = true;   ///< only whole numbers
    };
    static std::vector<Range> rangesOf(const credence::Dataset& training,
                                       const std::vector<credence::InputGroup>& inputs);
    void buildHead();
    void clearLines();
    void buildLines(const credence::Experiment& experiment);
    Line lineFor(std::size_t input, const Range& range);
    void placeLines();
    void showVerdict(const credence::Chart& chart);
    void followSelection();
    void showValues();
    void change(std::size_t input, double value);
    void choose(bool moving);
    void reset();

    AppContext& m_context;
    ViewBinder& m_binder;
    InputRanking& m_ranking;
    QLabel *m_title, *m_verdict, *m_more;
    QToolButton* m_reset;
    QScrollArea* m_scroll;
    QGridLayout* m_grid;
    std::vector<credence::InputGroup> m_inputs;
    std::vector<Line> m_lines;
    ChosenInput m_origin;           ///< the row before any change
    std::vector<double> m_values;   ///< original units [n_features]
    bool m_changed = false, m_choosing = false;
    QTimer m_rest;   ///< until the control has stopped
};
