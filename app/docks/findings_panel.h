// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "linter/finding.h"

#include <QWidget>

#include <vector>

class FindingCard;
class Linting;
class QLabel;
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
    void takeFocus();          ///< of the keys: the first card, or where there is none the list

signals:
    void viewWanted(const QString& view);
    void said(const QString& sentence);      ///< what was changed
    void refused(const QString& sentence);   ///< why it was not

private:
    void refresh();
    void rebuild();
    QString words() const;
    void remedy(const credence::Finding& finding);
    void mend(const credence::Remedy& remedy);
    static QString help();

    Linting& m_linting;
    StudyDocument& m_document;
    QLabel* m_summary;
    QScrollArea* m_scroll;
    QVBoxLayout* m_column;
    std::vector<FindingCard*> m_cards;
};
