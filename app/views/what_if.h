// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <cstddef>
#include <vector>

class ChangedRow;
class InputRanking;
class NumberSlider;
class QComboBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QScrollArea;
class QToolButton;
class ViewBinder;
struct AppContext;

namespace credence {
struct Chart;
struct Experiment;
}   // namespace credence

/// The prediction for the selected row of a table, and *What if*: one control per input, which start
/// from that row, the most influential first. Moving one changes the row, see ChangedRow.
class WhatIf : public QWidget {
    Q_OBJECT
public:
    WhatIf(AppContext& context, ViewBinder& binder, InputRanking& ranking, ChangedRow& row, QWidget* parent);

    void fit(const credence::Experiment& experiment, bool otherData);
    /// With the prediction and so many controls that it is comfortable.
    int comfortableHeight() const;

signals:
    void comfortChanged();   ///< see comfortableHeight

protected:
    void showEvent(QShowEvent* event) override;

private:
    /// The control of one input: a slider for a number, a list for a category.
    struct Line {
        std::size_t input;   ///< of the row
        QLabel* name;
        NumberSlider* number;   ///< null: a category
        QComboBox* category;    ///< null: a number

        QWidget* control() const;
    };
    void buildHead();
    void clearLines();
    Line& lineFor(std::size_t input);
    Line makeLine(std::size_t input);
    void placeLines();
    void orderLines(int lines);
    void showVerdict(const credence::Chart& chart);
    void showValues();
    void showValue(const Line& line);
    void change(std::size_t input, double value);

    AppContext& m_context;
    ViewBinder& m_binder;
    InputRanking& m_ranking;
    ChangedRow& m_row;
    QLabel *m_title, *m_verdict, *m_more;
    QToolButton* m_reset;
    QLineEdit* m_search;
    QScrollArea* m_scroll;
    QGridLayout* m_grid;
    std::size_t m_answers = 0;        ///< lines of the prediction
    std::vector<Line> m_lines;        ///< in the order in which they were made
    const Line* m_moving = nullptr;   ///< whose control is being moved
};
