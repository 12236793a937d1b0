// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tools/bandit_play.h"
#include "tools/bandit_seeds.h"
#include "tools/tool_page.h"

class BanditExplainer;
class BanditSettings;
class QCheckBox;
class QListWidget;
class QTabWidget;

/// Agents of the mushroom bandit side by side (Blundell et al. 2015, section 5.3): what they eat,
/// their regret, one agent's expectations of the next decision, and its beliefs in the plane; one
/// course step by step, or all seeds with bands.
class BanditPage : public ToolPage {
    Q_OBJECT
public:
    explicit BanditPage(QWidget* parent = nullptr);

    void restart() override;   ///< Returns to the starting point of the current settings and waits.
    void runAllSeeds();
    void cancel() override;
    bool busy() const override;
    long steps() const { return m_steps; }                         ///< of the displayed course
    long finishedCourses() const { return m_seeds->finished(); }   ///< of All seeds

protected:
    void showEvent(QShowEvent* event) override;

private:
    Worker::Work work() override;
    static Worker::Work playWork(BanditPage* page, std::shared_ptr<BanditPlay> play, long goal,
                                 std::shared_ptr<std::atomic<int>> pace);
    void showMistake(const QString& field, const QString& sentence) override;
    QWidget* buildContent();
    QWidget* buildSeeds();

    void listAgents();   ///< Lists the agents of the world; ticks are kept.
    std::vector<std::pair<std::string, credence::BanditStudy>> ticked() const;
    void takeAgents();   ///< the ticked agents; the others keep their state
    void newPlay(const BanditPlay* others);
    bool playing() const;
    void chooseFile();
    void showFrame(const BanditPlay::Frame& frame);
    void showNothing(const QString& sentence);
    void showSeeds();

    BanditSettings* m_settings;
    QListWidget* m_agents;
    QTabWidget* m_tabs;
    credence::ChartView *m_regret, *m_eaten, *m_numbers, *m_seedsView;
    QCheckBox* m_relative;
    BanditExplainer* m_explainer;
    std::vector<BanditAgent> m_known;     ///< rows of the list
    std::shared_ptr<BanditPlay> m_play;   ///< null until first shown
    std::shared_ptr<BanditSeeds> m_seeds = std::make_shared<BanditSeeds>();
    std::shared_ptr<std::atomic<int>> m_pace;
    long m_steps = 0, m_slowest = 0;
    bool m_listing = false, m_cancelling = false, m_seedsAtWork = false;
};
