// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bandits/bandit_world.h"

#include <QWidget>

class QComboBox;
class QDoubleSpinBox;
class QPushButton;
class QSpinBox;

/// World, seeds, length and speed of the courses, and ε of the user's own greedy agent.
class BanditSettings : public QWidget {
    Q_OBJECT
public:
    explicit BanditSettings(QWidget* parent = nullptr);

    credence::WorldOptions world() const;
    void setFile(const QString& file);   ///< file of the mushroom data
    std::uint64_t seed() const;
    int seeds() const;
    long interactions() const;
    double ownEpsilon() const;
    int perSecond() const;   ///< interactions per second while playing; 0: as many as possible

signals:
    void courseChanged();   ///< another world, seed or length: everything starts afresh
    void agentsChanged();   ///< another ε
    void seedsChanged();    ///< another number of seeds
    void speedChanged(int perSecond);
    void restartRequested();
    void allSeedsRequested();
    void fileRequested();

private:
    QPushButton* addButton(const QString& text, const QString& name, const QString& tip);
    QSpinBox* addCount(const QString& name, const QString& label, const QString& tip, int value, int low, int high);
    QComboBox* addChoice(const QString& name, const QString& label, const QString& tip);
    void add(const QString& label, QWidget* control);
    void worldChanged();

    QString m_path;   ///< empty: searched for in the data folders
    QComboBox *m_world, *m_shape, *m_speed;
    QPushButton* m_file;
    QDoubleSpinBox* m_epsilon;
    QSpinBox *m_seed, *m_seeds, *m_interactions;
};
