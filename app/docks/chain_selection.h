// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/views.h"

#include <QWidget>

class QComboBox;
class QSpinBox;

/// Selects the highlighted draws of chains: divergent draws, those of a range of steps, or none.
class ChainSelectionControl : public QWidget {
    Q_OBJECT
public:
    explicit ChainSelectionControl(QWidget* parent);

    credence::ChainSelection brush() const;
    void chooseSteps(long from, long to);               ///< as if by hand
    void fit(const credence::Experiment& experiment);   ///< a range that its chains have

signals:
    void changed();

private:
    void tell();

    QComboBox* m_which;
    QWidget* m_range;
    QSpinBox *m_from, *m_to;
};
