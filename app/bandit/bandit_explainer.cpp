// SPDX-License-Identifier: GPL-3.0-or-later
#include "bandit/bandit_page.h"

#include "bandits/agent_beliefs.h"
#include "bandits/bandit_world.h"
#include "foundation/number_text.h"
#include "parts/form_controls.h"
#include "widgets/chart_hand.h"
#include "widgets/chart_view.h"
#include "work/text.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QScopedValueRollback>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <utility>

using namespace credence;

namespace {

constexpr int drawsOfDecision = 200;

BanditDecision decisionOf(const BanditQuestion& question, const BanditRun& run)
{
    const auto& agent = run.study().agent;
    BanditDecision out{.agent = agent_title(run.study())};
    if (agent.kind == AgentKind::thompson)
        out.deciding = agent.action_samples;
    if (agent.kind == AgentKind::greedy)
        out.by_chance = agent.epsilon;
    RewardDraws draws;
    if (question.place) {
        const auto& [x, y] = *question.place;
        const std::array<float, 2> at{static_cast<float>(x), static_cast<float>(y)};
        draws    = run.values(at, drawsOfDecision);
        out.what = "At x1 = " + number_text(x, 3) + ", x2 = " + number_text(y, 3);
    } else {
        const auto next = run.next_context();
        draws           = run.next_decision(drawsOfDecision);
        out.what        = next.edible ? "Next: edible" : "Next: poisonous";
        out.truth       = mushroom_bandit::expected_reward(next.edible, true);
    }
    out.eat   = std::move(draws.eat);
    out.leave = std::move(draws.leave);
    return out;
}

/// The agent's beliefs in the plane. Empty: stopped.
std::optional<Chart> mapOf(const BanditQuestion& question, const BanditRun& run, const BanditPlayer::Memory& memory,
                           const std::stop_token& stop)
{
    const auto extent = run.world().extent();
    BeliefMap map{
        .agent        = agent_title(run.study()),
        .interactions = run.steps_done(),
        .grid = MapGrid::over({extent.x1_from, extent.x1_to}, {extent.x2_from, extent.x2_to}, question.live ? 30 : 50),
        .met  = {memory.met.begin(), memory.met.end()},
        .left_out = memory.left_out};
    if (run.study().has_net()) {
        const auto inputs = map.grid.inputs();
        const std::vector<float> contexts(inputs.begin(), inputs.end());
        auto values = run.value_map(contexts, question.live ? 30 : 50, static_cast<std::size_t>(map.grid.nx), stop);
        if (stop.stop_requested() || values.share_eaten.empty())
            return {};
        map.share_eating = std::move(values.share_eaten);
        map.mean_eat     = std::move(values.mean_eat);
        map.mean_leave   = std::move(values.mean_leave);
        map.sd_eat       = std::move(values.sd_eat);
    }
    return to_chart(map, question.quantity);
}

Chart attributesOf(const BanditRun& run)
{
    const auto next = run.next_context();
    Chart chart{.id = "bandit_mushroom", .title = "The next mushroom"};
    Table table{.columns = {{"Attribute"}, {"Value"}}, .rows = {}};
    for (const auto& [attribute, value] : run.world().description(next))
        table.rows.push_back({attribute, value});
    chart.table   = std::move(table);
    chart.caption = "Next mushroom after interaction " + grouped_text(run.steps_done()) + ": row "
                    + grouped_text(static_cast<long>(next.row) + 1) + " of the table, "
                    + (next.edible ? "edible" : "poisonous") + ", which is hidden from the agent.";
    return chart;
}

}   // namespace

std::optional<BanditExplanation> explain(const BanditQuestion& question, const std::stop_token& stop)
{
    std::optional<BanditExplanation> out;
    question.player->ask([&](const BanditRun& run, const BanditPlayer::Memory& memory) {
        if (stop.stop_requested())
            return;
        auto beliefs = run.world().is_plane() ? mapOf(question, run, memory, stop) : std::optional(attributesOf(run));
        if (!beliefs)
            return;
        Chart decision          = to_chart(decisionOf(question, run));
        const std::string about = " " + world_words(run.study().world) + ", seed " + std::to_string(run.seed())
                                  + ", after " + grouped_text(run.steps_done()) + " interactions.";
        decision.caption += about;
        beliefs->caption += about;
        out = BanditExplanation{std::make_shared<const Chart>(std::move(decision)),
                                std::make_shared<const Chart>(std::move(*beliefs)), question.place};
        if (run.world().is_plane() && !question.place) {
            const auto next = run.next_context();
            out->place      = {next.inputs.at(0), next.inputs.at(1)};
        }
    });
    return out;
}

BanditExplainer::BanditExplainer(std::function<bool()> live, QWidget* parent)
    : QWidget(parent), m_live(std::move(live)), m_agent(new QComboBox(this)), m_quantity(new QComboBox(this)),
      m_next(new QToolButton(this)), m_happened(new QLabel(this)), m_decision(new ChartView(this)),
      m_beliefs(new ChartView(this))
{
    m_decision->setObjectName(QStringLiteral("banditDecision"));
    m_beliefs->setObjectName(QStringLiteral("banditBeliefs"));
    m_decision->setAccessibleName(tr("Next decision"));
    m_beliefs->setAccessibleName(tr("Beliefs of the agent"));
    describeControl(m_agent, QStringLiteral("banditExplained"), tr("Agent to explain"),
                    tr("Select the agent whose next decision and beliefs are shown"));
    m_agent->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_agent->setMinimumContentsLength(10);
    describeControl(m_next, QStringLiteral("banditNext"), tr("Explain the next decision"),
                    tr("Show the next decision again instead of the clicked point"));
    m_next->setText(tr("&Next"));
    m_next->setEnabled(false);
    describeControl(m_quantity, QStringLiteral("banditQuantity"), tr("Quantity of the map"),
                    tr("Select the quantity: fraction of samples that favour eating, expected reward, or spread"));
    m_quantity->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_quantity->setMinimumContentsLength(10);
    for (const auto quantity : {BeliefQuantity::share_eating, BeliefQuantity::advantage, BeliefQuantity::uncertainty})
        m_quantity->addItem(toQString(title_of(quantity)), static_cast<int>(quantity));
    m_happened->setObjectName(QStringLiteral("banditHappened"));
    m_happened->setWordWrap(true);
    m_happened->setTextInteractionFlags(Qt::TextSelectableByMouse);

    auto* head = new QHBoxLayout;
    head->addWidget(m_agent, 1);
    head->addWidget(m_next);
    auto* pictures  = new QSplitter(Qt::Vertical, this);
    auto* map       = new QWidget(pictures);
    auto* mapColumn = new QVBoxLayout(map);
    mapColumn->setContentsMargins(0, 0, 0, 0);
    mapColumn->addWidget(m_quantity);
    mapColumn->addWidget(m_beliefs, 1);
    pictures->addWidget(m_decision);
    pictures->addWidget(map);
    pictures->setChildrenCollapsible(false);
    pictures->setSizes({220, 260});
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(6, 0, 0, 0);   // apart from the handle at the left
    column->addLayout(head);
    column->addWidget(m_happened);
    column->addWidget(pictures, 1);

    connect(m_agent, &QComboBox::currentIndexChanged, this, [this] {
        if (m_listing)
            return;
        showWhatHappened();
        ask();
    });
    connect(m_quantity, &QComboBox::currentIndexChanged, this, &BanditExplainer::ask);
    connect(m_next, &QToolButton::clicked, this, [this] { choosePlace({}); });
    connect(&m_beliefs->hand(), &ChartHand::pointClicked, this, [this](int, double x, double y) {
        if (m_plane)
            choosePlace(std::pair{x, y});
    });
    connect(&m_worker, &Worker::failed, this, &BanditExplainer::failed);
}

std::size_t BanditExplainer::chosen() const { return static_cast<std::size_t>(std::max(0, m_agent->currentIndex())); }

void BanditExplainer::setPlayers(std::vector<std::shared_ptr<BanditPlayer>> players, bool plane)
{
    m_worker.cancel();
    m_players = std::move(players);
    m_plane   = plane;
    m_quantity->setVisible(plane);
    const QScopedValueRollback listing(m_listing, true);
    const QString before = m_agent->currentData().toString();
    m_agent->clear();
    for (const auto& player : m_players)
        m_agent->addItem(toQString(agent_title(player->study())), toQString(player->id()));
    m_agent->setCurrentIndex(m_players.empty() ? -1 : std::max(0, m_agent->findData(before)));
    if (m_players.empty())
        showNothing(tr("No agent is ticked. Tick one in the line Agents on the left."));
}

void BanditExplainer::forgetPlace()
{
    m_place.reset();
    m_next->setEnabled(false);
}

void BanditExplainer::choosePlace(const std::optional<std::pair<double, double>>& place)
{
    m_place = place;
    m_next->setEnabled(place.has_value());
    ask();
}

void BanditExplainer::showHappened(long steps, std::vector<std::string> happened)
{
    m_steps      = steps;
    m_happenedTo = std::move(happened);
    showWhatHappened();
}

void BanditExplainer::showWhatHappened()
{
    const auto i = chosen();
    m_happened->setText(m_steps == 0 || i >= m_happenedTo.size() || m_happenedTo[i].empty()
                            ? tr("No interactions yet. Press Play, or Step for one decision.")
                            : tr("Interaction %1: %2.").arg(toQString(m_steps), toQString(m_happenedTo[i])));
}

void BanditExplainer::ask()
{
    const auto i = chosen();
    if (i >= m_players.size())
        return;
    BanditQuestion question{.player   = m_players[i],
                            .place    = m_place,
                            .quantity = static_cast<BeliefQuantity>(m_quantity->currentData().toInt()),
                            .live     = m_live()};
    const auto pace = question.live ? Worker::Pace::rested : Worker::Pace::at_once;
    m_worker.submit(
        [this, question = std::move(question)](std::stop_token stop, Worker::Progress&) -> Worker::Show {
            auto explanation = explain(question, stop);
            if (!explanation)
                return {};
            return [this, shown = std::move(*explanation)] { showExplanation(shown); };
        },
        Worker::Newer::waits_for_old, pace);
}

void BanditExplainer::showExplanation(const BanditExplanation& explanation)
{
    m_decision->setChart(explanation.decision);
    m_beliefs->setChart(explanation.beliefs);
    m_beliefs->setMark(explanation.place && !explanation.beliefs->panels.empty()
                           ? std::optional(ChartView::Mark{explanation.place->first, explanation.place->second})
                           : std::nullopt);
}

void BanditExplainer::showNothing(const QString& sentence)
{
    m_happened->clear();
    m_beliefs->setMark({});
    for (auto* view : charts())
        view->setChart({.id = view->chart().id, .title = view->chart().title, .message = sentence.toStdString()});
}
