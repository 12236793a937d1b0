// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/input_groups.h"
#include "views/slice.h"

#include <QWidget>

#include <string>
#include <vector>

class ChangedRow;
class InputRanking;
class QCheckBox;
class QComboBox;
class QLabel;
class QToolButton;
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

private:
    QComboBox* addBox(const QString& name, const QString& title, const QString& tip);
    void fillInputs();
    void proposeScale();
    credence::LogAxis axisOf(const QComboBox& box) const;
    void followChoices();
    void notify();

    AppContext& m_context;
    InputRanking& m_ranking;
    QComboBox *m_first, *m_second, *m_hold, *m_quantity, *m_class;
    QCheckBox *m_individual, *m_logarithmic;
    QToolButton* m_back;
    std::vector<credence::InputGroup> m_inputs;
    std::vector<credence::LogAxis> m_axes;   ///< [inputs]
    std::vector<std::string> m_classes;      ///< empty: a numeric target
    bool m_scaleChosen = false;              ///< for these inputs by hand; otherwise as proposed
    bool m_chosen      = false;              ///< the first input was chosen by hand; otherwise the most influential one
};
