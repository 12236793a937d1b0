// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace credence {
struct Study;
}
class QComboBox;

/// The box of presets in the Study panel.
class PresetRow : public QWidget {
    Q_OBJECT
public:
    explicit PresetRow(QWidget* parent = nullptr);

    void showStudy(const credence::Study& study);   ///< its line; of none that is a preset, its name in place of one

signals:
    void presetChosen(const QString& id);
    void comparisonChosen(const QString& id);

private:
    void fill();
    void choose(const QString& id);

    QComboBox* m_box;
};
