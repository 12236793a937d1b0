// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace credence {
struct Study;
}
class QComboBox;

/// The preset box, and the button that opens presets with previews and search.
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
