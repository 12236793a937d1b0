// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tools/bandit_play.h"
#include "work/worker.h"

#include <QWidget>

#include <array>
#include <functional>
#include <optional>
#include <utility>

/// What to explain about an agent.
struct BanditQuestion {
    std::shared_ptr<BanditPlayer> player;
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

namespace credence {
class ChartView;
}
class QComboBox;
class QLabel;
class QToolButton;

/// The last action of one bandit agent, its expectations of the next decision, and its beliefs in
/// the plane; a click in the map explains that point. Queries the agent on a separate thread during
/// the course.
class BanditExplainer : public QWidget {
    Q_OBJECT
public:
    /// @param live  the course is running, so charts are coarser
    BanditExplainer(std::function<bool()> live, QWidget* parent);

    void setPlayers(std::vector<std::shared_ptr<BanditPlayer>> players, bool plane);
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
    std::vector<std::shared_ptr<BanditPlayer>> m_players;
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
