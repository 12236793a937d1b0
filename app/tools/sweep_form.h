// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sweeps/sweep.h"

#include <QWidget>

#include <optional>
#include <vector>

class MistakeLabel;
class QCheckBox;
class QLabel;
class QPushButton;
class QSpinBox;
class QToolButton;
class QVBoxLayout;
class SweepAxisRow;

/// The definition of a sweep: base, varied settings with values, seeds, and what is saved.
class SweepForm : public QWidget {
    Q_OBJECT
public:
    explicit SweepForm(QWidget* parent);

    void setSweep(const credence::Sweep& sweep);
    void setBase(const credence::Study& study);     ///< what is varied stays
    std::optional<credence::Sweep> sweep() const;   ///< as it is run; empty: there is a mistake
    QString mistake() const;                        ///< the first one; empty: none
    void setMistake(const QString& sentence);       ///< of all settings together
    void showPlan(const QString& words);            ///< how many cells, how long
    void setFolder(const QString& folder);          ///< folder of the cells

signals:
    void changed();
    void studyWanted();   ///< that of the window is to be the base
    void openRequested();
    void saveRequested();
    void replaced();   ///< by another sweep, see setSweep

private:
    void build();
    QWidget* buildBase();
    QWidget* buildSeeds();
    SweepAxisRow* addRow();
    void removeRow(SweepAxisRow* row);
    void countSeeds(int count);
    void tell();
    void showWords();
    credence::Sweep written() const;

    credence::Sweep m_sweep;        // all of it but the axes, which the rows have
    std::vector<long> m_seeds{1};   // the base's alone: no axis
    std::size_t m_seedsAt = 0;      // place of the axis of seeds among the others
    std::vector<SweepAxisRow*> m_rows;
    bool m_filling = false;
    QLabel *m_base, *m_note, *m_seedWords, *m_plan;
    QVBoxLayout* m_list;
    QSpinBox* m_count;
    QCheckBox *m_keep, *m_quick;
    QToolButton* m_folder;
    QString m_folderPath;
    MistakeLabel* m_mistake;
};
