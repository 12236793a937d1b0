// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "study/study.h"
#include "work/worker.h"

#include <QDialog>
#include <QImage>
#include <QWidget>

#include <vector>

class QLabel;
class QLineEdit;
class QPushButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace credence {
struct ChartPalette;
}

/// A small square preview of a Study's data: points by class, points of a curve, or nine images.
/// Sets read from files show only their name, so that nothing is read. Thread-safe; takes some
/// milliseconds.
/// @param side  in logical pixels
QImage presetPicture(const credence::DataSpec& data, const credence::ChartPalette& palette, int side,
                     double devicePixelRatio);

/// All presets in groups, with a preview of their data and a search in names, groups, methods and
/// notes. Previews are drawn in the background when the dialog first opens, one per kind of data.
class PresetChooser : public QDialog {
    Q_OBJECT
public:
    explicit PresetChooser(QWidget* parent);

    /// Shows it with this preset selected. @param id  empty: the first one
    void showWith(const QString& id);

signals:
    void chosen(const QString& id);   ///< of a preset; of a comparison with the reference "compare/ID"

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void fill();
    void addLine(QTreeWidgetItem* group, const QString& id, const QString& title, const QString& about,
                 const QString& words);
    void filter();
    void showNote();
    void choose();
    void draw();

    QLineEdit* m_words;
    QTreeWidget* m_tree;
    QLabel *m_note, *m_found;
    QPushButton* m_use;
    bool m_drawn = false;
    Worker m_painter{{.niceness = viewNiceness}};   // last: its thread ends first
};

namespace credence {
struct Study;
}
class QComboBox;

/// The preset box; `browse` opens presets with previews and search.
class PresetRow : public QWidget {
    Q_OBJECT
public:
    explicit PresetRow(QWidget* parent = nullptr);

    void showStudy(const credence::Study& study);   ///< its line; of none that is a preset, its name in place of one
    void browse();                                  ///< in groups, with pictures and a search

signals:
    void presetChosen(const QString& id);
    void comparisonChosen(const QString& id);

private:
    void fill();
    void choose(const QString& id);

    QComboBox* m_box;
};
