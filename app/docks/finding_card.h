// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "linter/finding.h"

#include <QFrame>

class QIcon;
class QLabel;
class QPushButton;

/// The icon of a severity, distinguishable by shape alone.
QIcon iconOf(credence::Severity severity);

/// One finding of the linter: severity as word and icon, title, measured value with threshold and
/// source, reason, and one button that fixes or shows it. The card takes the keyboard focus; its
/// accessible name is its whole text.
class FindingCard : public QFrame {
    Q_OBJECT
public:
    FindingCard(const credence::Finding& finding, QWidget* parent);

    const credence::Finding& finding() const { return m_finding; }
    /// @param mended  the Study already has the settings of the remedy, so the button is disabled
    void setMended(bool mended);

signals:
    void remedyWanted(const credence::Finding& finding);

private:
    QWidget* buildSeverity();
    QWidget* buildWords();
    void paintEvent(QPaintEvent* event) override;

    const credence::Finding m_finding;
    QPushButton* m_button = nullptr;   // null: there is nothing to click
    QLabel* m_mended      = nullptr;
};
