// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "linter/finding.h"

#include <QFrame>

class QIcon;
class QLabel;
class QPushButton;

/// The icon of a severity; its shape alone tells it.
QIcon iconOf(credence::Severity severity);

/// One finding of the linter: how bad it is in a word and by an icon, what it is, the number with its threshold and where that comes from, why it matters, and one button
/// that mends or shows it. The card takes the focus of the keys and has all its words as its accessible name.
class FindingCard : public QFrame {
    Q_OBJECT
public:
    FindingCard(const credence::Finding& finding, QWidget* parent);

    const credence::Finding& finding() const { return m_finding; }
    /// @param mended  the Study has the settings of the remedy by now: there is nothing more to click
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
