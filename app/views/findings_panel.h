// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "linter/lint.h"

#include <QFrame>
#include <QObject>
#include <QWidget>

#include <string>
#include <vector>

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
    /// @param fixed  the Study already has the settings of the remedy, so the button is disabled
    void setFixed(bool fixed);

signals:
    void remedyWanted(const credence::Finding& finding);

private:
    QWidget* buildSeverity();
    QWidget* buildWords();
    void paintEvent(QPaintEvent* event) override;

    const credence::Finding m_finding;
    QPushButton* m_button = nullptr;   // null: there is nothing to click
    QLabel* m_fixed       = nullptr;
};

class Linting;
class QScrollArea;
class QVBoxLayout;
class StudyDocument;

/// The linter's findings for the displayed run: a summary sentence, then one card per finding, most
/// severe first. A card's button changes the Study in one undo step, or requests the relevant view.
class FindingsPanel : public QWidget {
    Q_OBJECT
public:
    FindingsPanel(Linting& linting, StudyDocument& document, QWidget* parent);

    QString summary() const;   ///< the sentence on top
    /// Focuses the card of this rule; without a rule, the first card; without cards, the list.
    void takeFocus(const std::string& rule = {});

signals:
    void viewWanted(const QString& view);
    void notified(const QString& sentence);   ///< describes the change that was made
    void refused(const QString& sentence);    ///< the reason why nothing was changed

private:
    void refresh();
    void rebuild();
    QString words() const;
    void remedy(const credence::Finding& finding);
    void applyRemedy(const credence::Remedy& remedy);
    static QString help();

    Linting& m_linting;
    StudyDocument& m_document;
    QLabel* m_summary;
    QScrollArea* m_scroll;
    QVBoxLayout* m_column;
    std::vector<FindingCard*> m_cards;
};

class QStatusBar;

/// Shows the linter's result in the status bar as icon and text.
class FindingsStatus : public QObject {
    Q_OBJECT
public:
    FindingsStatus(const Linting& linting, QStatusBar* line);

signals:
    void clicked();   ///< the findings are requested

private:
    void refresh();

    const Linting& m_linting;
    QPushButton* m_button;
};
