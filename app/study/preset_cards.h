// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "study/study.h"
#include "work/worker.h"

#include <QImage>
#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QListView;
class QStandardItem;
class QStandardItemModel;
class SavedRuns;

namespace credence {
struct ChartPalette;
}

/// A small square preview of a Study's data: points by class, points of a curve, or nine images.
/// Sets read from files show only their name, so that nothing is read. Thread-safe; takes some
/// milliseconds.
/// @param side  in logical pixels
QImage presetPicture(const credence::DataSpec& data, const credence::ChartPalette& palette, int side,
                     double devicePixelRatio);

/// All presets and comparisons as cards, in groups: the trained picture or a preview of the data, name, method
/// and time. A search in names, groups, methods and notes, and filters by data, method, time and paper. Pictures
/// are made in the background when the cards are first shown.
class PresetCards : public QWidget {
    Q_OBJECT
public:
    PresetCards(const SavedRuns& runs, QWidget* parent);

    /// Shows all cards with this preset selected, and puts the focus in the search. @param id  empty: the first one
    void present(const QString& id);
    /// Shows only the cards with a trained picture, without search, filters and notes.
    void presentPictures();

signals:
    void chosen(const QString& id);   ///< of a preset; of a comparison with the reference "compare/ID"

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void addFilters();
    void start(bool picturesOnly);
    void fill();
    void addHeading(const QString& title, const QString& hint);
    QStandardItem* addCard(const QString& id, const QString& title, const QString& about);
    void showTimes();
    void filter();
    bool fits(const QStandardItem& card) const;
    void select(int row);
    void move(int step);
    void showNote(int row);
    void choose(int row);
    void draw();

    const SavedRuns& m_runs;
    QStandardItemModel* m_cards;
    QWidget* m_filters;
    QLineEdit* m_words;
    QComboBox *m_data, *m_method, *m_time, *m_paper;
    QListView* m_list;
    QLabel *m_note, *m_found;
    bool m_drawn = false, m_picturesOnly = false;
    Worker m_painter{{.niceness = viewNiceness}};   // last: its thread ends first
};
