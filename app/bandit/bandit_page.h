// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bandits/bandit_courses.h"
#include "bandits/bandit_play.h"
#include "bandits/bandit_world.h"
#include "parts/setting_lines.h"
#include "parts/tool_page.h"
#include "work/worker.h"

#include <QWidget>

#include <array>
#include <functional>
#include <optional>
#include <utility>

namespace credence {
class ChartView;
}
class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QListWidget;
class QPushButton;
class QSpinBox;
class QTabWidget;
class QToolButton;

/// Four lines: the problem, the agents with ε of the user's own greedy one, the length and speed of
/// the course, and its repetitions.
class BanditSettings : public SettingLines {
    Q_OBJECT
public:
    /// @param agents  the list of agents, with ticks
    BanditSettings(QListWidget* agents, QWidget* parent);

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
    void buildProblem();
    void buildAgents();
    void buildCourse();
    void buildRepetitions();
    QPushButton* addButton(SettingCard& card, const QString& text, const QString& name, const QString& tip);
    QSpinBox* addCount(SettingCard& card, const QString& name, const QString& label, const QString& tip, int value,
                       int low, int high);
    QComboBox* addChoice(SettingCard& card, const QString& name, const QString& label, const QString& tip);
    void worldChanged();
    void describe();   ///< The sentences of the lines.

    SettingCard &m_problem, &m_agentsCard, &m_course, &m_repetitions;
    QListWidget* m_agents;
    QString m_path;   ///< empty: searched for in the data folders
    QComboBox *m_world, *m_shape, *m_speed;
    QPushButton* m_file;
    QDoubleSpinBox* m_epsilon;
    QSpinBox *m_seed, *m_seeds, *m_interactions;
};

/// What to explain about an agent.
struct BanditQuestion {
    std::shared_ptr<credence::BanditPlayer> player;
    std::optional<std::pair<double, double>> place;   ///< position in the plane; empty: the next mushroom
    credence::BeliefQuantity quantity = credence::BeliefQuantity::share_eating;
    bool live                         = false;   ///< during the course: a coarser map and fewer samples
};

struct BanditExplanation {
    std::shared_ptr<const credence::Chart> decision;   ///< box plots of both rewards
    /// a map of the plane, or the appearance of the next mushroom
    std::shared_ptr<const credence::Chart> beliefs;
    std::optional<std::pair<double, double>> place{};   ///< position in the plane to which the decision refers
};

/// Thread-safe. Empty: stopped, or the agent has not started.
std::optional<BanditExplanation> explain(const BanditQuestion& question, const std::stop_token& stop);

/// The last action of one bandit agent, its expectations of the next decision, and its beliefs in
/// the plane; a click in the map explains that point. Queries the agent on a separate thread during
/// the course.
class BanditExplainer : public QWidget {
    Q_OBJECT
public:
    /// @param live  the course is running, so charts are coarser
    BanditExplainer(std::function<bool()> live, QWidget* parent);

    void setPlayers(std::vector<std::shared_ptr<credence::BanditPlayer>> players, bool plane);
    void forgetPlace();
    /// what happened to each agent in this interaction
    void showHappened(long steps, std::vector<std::string> happened);
    void ask();   ///< Requests current charts.
    void showNothing(const QString& sentence);
    void cancel() { m_worker.cancel(); }
    bool busy() const { return m_worker.busy(); }
    std::array<credence::ChartView*, 2> charts() const { return {m_decision, m_beliefs}; }

signals:
    void failed(const QString& field, const QString& sentence);

private:
    void choosePlace(const std::optional<std::pair<double, double>>& place);
    void showWhatHappened();
    void showExplanation(const BanditExplanation& explanation);
    std::size_t chosen() const;

    const std::function<bool()> m_live;
    std::vector<std::shared_ptr<credence::BanditPlayer>> m_players;
    std::optional<std::pair<double, double>> m_place;   ///< clicked position; empty: the next mushroom
    std::vector<std::string> m_happenedTo;
    long m_steps   = 0;
    bool m_listing = false, m_plane = true;
    QComboBox *m_agent, *m_quantity;
    QToolButton* m_next;
    QLabel* m_happened;
    credence::ChartView *m_decision, *m_beliefs;
    // last: its thread ends before what it updates
    Worker m_worker{{.newer = Worker::Newer::waits_for_old, .rest = 2}};
};

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
    static Worker::Work playWork(BanditPage* page, std::shared_ptr<credence::BanditPlay> play, long goal,
                                 std::shared_ptr<std::atomic<int>> pace);
    void showMistake(const QString& field, const QString& sentence) override;
    QWidget* buildContent();
    QWidget* buildSeeds();

    void listAgents();   ///< Lists the agents of the world; ticks are kept.
    std::vector<std::pair<std::string, credence::BanditStudy>> ticked() const;
    void useTickedAgents();   ///< the ticked agents; the others keep their state
    void newPlay(const credence::BanditPlay* others);
    bool playing() const;
    void chooseFile();
    void showFrame(const credence::BanditPlay::Frame& frame);
    void showNothing(const QString& sentence);
    void showSeeds();

    QListWidget* m_agents;
    BanditSettings* m_settings;
    QTabWidget* m_tabs;
    credence::ChartView *m_regret, *m_eaten, *m_numbers, *m_seedsView;
    QCheckBox* m_relative;
    BanditExplainer* m_explainer;
    std::vector<credence::BanditAgent> m_known;     ///< rows of the list
    std::shared_ptr<credence::BanditPlay> m_play;   ///< null until first shown
    std::shared_ptr<credence::BanditSeeds> m_seeds = std::make_shared<credence::BanditSeeds>();
    std::shared_ptr<std::atomic<int>> m_pace;
    long m_steps = 0, m_slowest = 0;
    bool m_listing = false, m_cancelling = false, m_seedsAtWork = false;
};
