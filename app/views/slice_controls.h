// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "data/input_groups.h"
#include "views/slice.h"

#include <QPointF>
#include <QWidget>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

class ChangedRow;
class InputRanking;
class QCheckBox;
class QComboBox;
class QLabel;
class QToolButton;
class ViewPanel;
struct AppContext;

namespace credence {
struct Experiment;
}

/// What the slice in the centre shows: its inputs, where the others are held, the quantity and the class.
class SliceControls : public QWidget {
    Q_OBJECT
public:
    SliceControls(AppContext& context, InputRanking& ranking, ChangedRow& row, QWidget* parent);

    /// Offers the inputs and classes of these data; keeps the choices that they still have.
    void fit(const credence::Experiment& experiment);
    void release();   ///< the data have no slice: their figures in files do not use these choices

protected:
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    QComboBox* addBox(const QString& name, const QString& title, const QString& tip);
    void fillInputs();
    void proposeScale();
    credence::LogAxis axisOf(const QComboBox& box) const;
    bool folds() const;
    void followChoices();
    void notify();

    AppContext& m_context;
    InputRanking& m_ranking;
    QWidget* m_area;   ///< whose height they share with the picture
    QComboBox *m_first, *m_second, *m_hold, *m_quantity, *m_class;
    QCheckBox *m_individual, *m_logarithmic;
    QToolButton *m_more, *m_back;
    std::vector<credence::InputGroup> m_inputs;
    std::vector<credence::LogAxis> m_axes;   ///< [inputs]
    std::vector<std::string> m_classes;      ///< empty: a numeric target
    bool m_scaleChosen = false;              ///< for these inputs by hand; otherwise as proposed
    bool m_chosen      = false;              ///< the first input was chosen by hand; otherwise the most influential one
};

/// The handle of a slice: a line at the value of the selected row, or a cross if the slice is over two inputs.
/// Dragging it, or its arrow keys, change the row, which everything else follows. A double click returns to the
/// unchanged row.
class SliceHandle : public QWidget {
    Q_OBJECT
public:
    SliceHandle(AppContext& context, ChangedRow& row, ViewPanel* panel);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void place();
    bool findInputs();
    void moveTo(QPointF onChart);
    void step(std::size_t input, const credence::Axis& axis, double share);
    void describe();
    QString inWords(std::size_t input) const;

    AppContext& m_context;
    ChangedRow& m_row;
    ViewPanel* m_panel;
    std::optional<std::size_t> m_x, m_y;   ///< inputs of the row; m_y: of a slice over two
    std::optional<QPointF> m_grip;         ///< from the point that it holds to the pointer; empty: it is not dragged
};
