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
    void setBase(const credence::Study& study);     ///< the varied settings stay
    std::optional<credence::Sweep> sweep() const;   ///< the sweep to run; empty: there is an error
    QString mistake() const;                        ///< the first error; empty: none
    void setMistake(const QString& sentence);       ///< an error of all settings together
    void showPlan(const QString& words);            ///< number of cells and duration
    void setFolder(const QString& folder);          ///< folder of the cells

signals:
    void changed();
    void studyWanted();   ///< the Study of the window is requested as base
    void openRequested();
    void saveRequested();
    void replaced();   ///< replaced by another sweep, see setSweep

private:
    void build();
    QWidget* buildBase();
    QWidget* buildSeeds();
    SweepAxisRow* addRow();
    void removeRow(SweepAxisRow* row);
    void countSeeds(int count);
    void notify();
    void showWords();
    credence::Sweep written() const;

    credence::Sweep m_sweep;        // everything except the axes, which are in the rows
    std::vector<long> m_seeds{1};   // used only if there is no axis of seeds
    std::size_t m_seedsAt = 0;      // position of the axis of seeds among the others
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
