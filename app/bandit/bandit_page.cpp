// SPDX-License-Identifier: GPL-3.0-or-later
#include "bandit/bandit_page.h"

#include "bandit/active_learning_page.h"
#include "parts/ask_path.h"
#include "parts/form_controls.h"
#include "parts/toasts.h"
#include "work/text.h"

#include "widgets/chart_view.h"

#include <QCheckBox>
#include <QListWidget>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QSplitter>
#include <QTabWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>
#include <tuple>
#include <utility>

using namespace credence;

namespace {

constexpr std::chrono::milliseconds banditFrameTime{50};

QString banditHelp()
{
    return BanditPage::tr(
        "<p>Mushrooms appear one at a time. The agent sees the features of a mushroom, not whether it is edible, and "
        "eats it or leaves it. An edible one gives reward 5. A poisonous one gives −35 or 5 with equal probability, "
        "−15 on average. Leaving gives 0. The agent learns only from what it eats.</p><p><b>Regret</b> is the "
        "cumulative difference between the expected reward of an oracle and the agent's reward. Where the curve is "
        "flat, the agent makes no more errors. An agent that eats each mushroom with probability ½ is the <b>uniform "
        "choice</b>: 100 %.</p><p><b>Greedy</b> agents take the best action according to one network. After bad first "
        "meals the network expects every mushroom to be bad, so the agent eats nothing and learns nothing, for a "
        "thousand mushrooms or permanently. With <b>ε</b>, a fraction of the actions is random: the agent escapes this "
        "trap, but never stops paying for exploration.</p><p><b>Thompson sampling</b> samples a network from the "
        "agent's posterior and takes the best action under that sample (here the mean of two samples). Where the agent "
        "is uncertain, the samples differ and it explores; where it is confident, they agree and it stops exploring. "
        "Any method that yields posterior samples can be used.</p><p><b>Play</b> runs to the end of the course, "
        "<b>Step</b> makes the next decision, <b>Restart</b> starts over with the same seed. Tick another agent to add "
        "it: it catches up on the same mushrooms and random numbers. <b>All seeds</b> runs each ticked agent with "
        "several seeds: lines are means, bands mean ± standard deviation (for two courses: minimum to "
        "maximum).</p><p><b>The decision.</b> Boxes show the sampled rewards that the selected agent expects from "
        "eating and from leaving the next mushroom; crosses are the samples used for the decision; open squares are "
        "the true means, which the agent does not know. For the plane, the map shows its beliefs everywhere: click a "
        "point to see its boxes.</p><p><b>Try this.</b> Pause early and click where nothing has been eaten yet: the "
        "boxes are wide. Tick greedy with ε = 0, change the seed and see in which courses the agent stops "
        "eating.</p><p>The mushrooms need agaricus-lepiota.data of the UCI Machine Learning Repository (data set "
        "Mushroom). These agents follow Blundell et al. 2015, section 5.3: 2 × 100 ReLU units, a memory of 4096 "
        "interactions, 64 minibatches of 64 after each one, values as the mean of two samples. The synthetic plane "
        "uses smaller networks and fewer minibatches.</p><p>Source: Blundell et al. 2015, sections 4.1 and 5.3, Fig. "
        "6. On the command line: credence bandit.</p>");
}

}   // namespace

BanditPage::BanditPage(QWidget* parent)
    : ToolPage({.id          = QStringLiteral("bandit"),
                .title       = tr("Bandit"),
                .help        = banditHelp,
                .run         = tr("Pl&ay"),
                .runTip      = tr("Run all agents to the end of the course"),
                .pauses      = true,
                .leastHeight = 340},
               parent),
      m_agents(new QListWidget(this)), m_settings(new BanditSettings(m_agents, this)), m_tabs(new QTabWidget(this)),
      m_regret(new ChartView(this)), m_eaten(new ChartView(this)), m_numbers(new ChartView(this)),
      m_seedsView(new ChartView(this)), m_relative(new QCheckBox(tr("&Uniform choice = 100"), this)),
      m_explainer(new BanditExplainer([this] { return playing(); }, this)),
      m_pace(std::make_shared<std::atomic<int>>(m_settings->perSecond()))
{
    for (const auto& [view, name, title] : {
             std::tuple{m_regret, "banditRegret", tr("Regret")},
             {m_seedsView, "banditSeedsView", tr("Regret over all seeds")},
             {m_eaten, "banditEaten", tr("Eaten mushrooms")},
             {m_numbers, "banditNumbers", tr("Results of the agents")},
         }) {
        view->setObjectName(QLatin1String(name));
        view->setAccessibleName(title);
        addChart(view);
    }
    for (auto* view : m_explainer->charts())
        addChart(view);
    setContent(new DecideTabs(DecideTabs::bandit, this), buildContent());
    listAgents();
    showSeeds();
    connect(m_agents, &QListWidget::itemChanged, this, &BanditPage::useTickedAgents);
    connect(m_settings, &BanditSettings::courseChanged, this, &BanditPage::restart);
    connect(m_settings, &BanditSettings::restartRequested, this, &BanditPage::restart);
    connect(m_settings, &BanditSettings::agentsChanged, this, [this] {
        listAgents();
        useTickedAgents();
    });
    connect(m_settings, &BanditSettings::allSeedsRequested, this, &BanditPage::runAllSeeds);
    connect(m_settings, &BanditSettings::speedChanged, this, [this](int perSecond) { *m_pace = perSecond; });
    connect(m_settings, &BanditSettings::fileRequested, this, &BanditPage::chooseFile);
    connect(m_explainer, &BanditExplainer::failed, this, &BanditPage::showMistake);
    connect(this, &ToolPage::busyChanged, this, [this](bool busy) {
        if (!busy)
            m_seedsAtWork = false;
        if (!busy && !m_cancelling)
            m_explainer->ask();   // finer, now that the run has stopped
    });
    if (auto* pause = findChild<QPushButton*>(QStringLiteral("toolPause")))
        connect(pause, &QPushButton::clicked, m_explainer, &BanditExplainer::ask);
}

QWidget* BanditPage::buildContent()
{
    m_tabs->setObjectName(QStringLiteral("banditTabs"));
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(m_regret, tr("Regret"));
    m_tabs->addTab(m_eaten, tr("Eaten"));
    m_tabs->addTab(m_numbers, tr("Numbers"));
    m_tabs->addTab(buildSeeds(), tr("All seeds"));
    auto* columns = new QSplitter(Qt::Horizontal, this);
    for (auto* part : std::initializer_list<QWidget*>{m_settings, m_tabs, m_explainer})
        columns->addWidget(part);
    columns->setChildrenCollapsible(false);
    columns->setStretchFactor(1, 3);
    columns->setStretchFactor(2, 2);
    columns->setSizes({264, 400, 300});
    return columns;
}

QWidget* BanditPage::buildSeeds()
{
    m_relative->setObjectName(QStringLiteral("banditRelative"));
    m_relative->setToolTip(tr("Show regret in percent of the final regret of an agent that eats with probability ½"));
    connect(m_relative, &QCheckBox::toggled, this, &BanditPage::showSeeds);
    auto* page   = new QWidget(this);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 4, 0, 0);
    column->addWidget(m_relative);
    column->addWidget(m_seedsView, 1);
    return page;
}

void BanditPage::listAgents()
{
    std::set<std::string> ids;
    for (const auto& [id, study] : ticked())
        ids.insert(id);
    const bool first = m_agents->count() == 0;
    m_known          = bandit_agents(m_settings->world().kind, m_settings->ownEpsilon());
    const QScopedValueRollback listing(m_listing, true);
    m_agents->clear();
    for (const auto& agent : m_known) {
        const QString title = toQString(agent_title(agent.study));
        auto* item          = new QListWidgetItem(title.section(tr(", Thompson sampling"), 0, 0), m_agents);
        item->setData(Qt::UserRole, toQString(agent.id));
        item->setData(Qt::AccessibleTextRole, title);
        item->setToolTip(agent.study.note.empty() ? title : title + QStringLiteral(". ") + toQString(agent.study.note));
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
        item->setCheckState((first ? agent.usual : ids.contains(agent.id)) ? Qt::Checked : Qt::Unchecked);
    }
}

std::vector<std::pair<std::string, BanditStudy>> BanditPage::ticked() const
{
    std::vector<std::pair<std::string, BanditStudy>> out;
    for (std::size_t i = 0; i < m_known.size(); ++i) {
        const auto* item = m_agents->item(static_cast<int>(i));
        if (!item || item->checkState() != Qt::Checked)
            continue;
        BanditStudy study  = m_known[i].study;
        study.world        = m_settings->world();
        study.seed         = m_settings->seed();
        study.course.steps = m_settings->interactions();
        study.course.seeds = m_settings->seeds();
        out.emplace_back(m_known[i].id, std::move(study));
    }
    return out;
}

bool BanditPage::playing() const
{
    const auto* pause = findChild<QPushButton*>(QStringLiteral("toolPause"));
    return ToolPage::busy() && !m_seedsAtWork && !(pause && pause->isChecked());
}

/// @param goal  number of interactions for all agents; slower agents always catch up
Worker::Work BanditPage::playWork(BanditPage* page, std::shared_ptr<BanditPlay> play, long goal,
                                  std::shared_ptr<std::atomic<int>> pace)
{
    return [page, play = std::move(play), goal, pace = std::move(pace)](std::stop_token stop,
                                                                        Worker::Progress& progress) -> Worker::Show {
        using Clock = std::chrono::steady_clock;
        play->begin();
        const auto frame = [&]() -> Worker::Show { return [page, f = play->frame()] { page->showFrame(f); }; };
        auto shown       = Clock::now();
        bool fresh       = false;   // has anything happened since the last frame?
        const long all   = std::max(goal, play->steps());
        while (play->can_continue() && play->slowest() < all) {
            if (fresh && progress.paused())
                progress.show(frame());   // while paused, show exactly what has happened
            if (!progress.gate())
                return {};
            const bool single = progress.paused();
            const auto began  = Clock::now();
            try {
                play->step(stop);
            } catch (const std::exception&) {
                progress.show(frame());   // the intermediate state
                throw;
            }
            if (stop.stop_requested())
                return {};
            progress.report(static_cast<double>(play->slowest()) / static_cast<double>(all));
            fresh = !single && Clock::now() - shown < banditFrameTime;
            if (!fresh) {
                progress.show(frame());
                shown = Clock::now();
            }
            const auto due = [&] {   // a changed speed applies at once
                const int perSecond = *pace;
                return perSecond <= 0 || Clock::now() - began >= std::chrono::milliseconds(1000 / perSecond);
            };
            while (!single && !due() && !stop.stop_requested() && !progress.paused())
                std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        return frame();
    };
}

/// @param others  whose agents continue; null: all start over
void BanditPage::newPlay(const BanditPlay* others)
{
    m_play        = std::make_shared<BanditPlay>(ticked(), others);
    m_slowest     = 0;   // until the next frame
    m_seedsAtWork = false;
    m_explainer->setPlayers(m_play->players(), m_settings->world().kind == WorldKind::plane);
}

Worker::Work BanditPage::work()
{
    const long goal = m_settings->interactions();
    if (!m_play || m_slowest >= goal)   // at the end: start again
        newPlay(nullptr);
    m_seedsAtWork = false;
    return playWork(this, m_play, goal, m_pace);
}

void BanditPage::restart()
{
    if (m_known.empty() || m_known.front().study.world.kind != m_settings->world().kind)
        listAgents();
    m_explainer->forgetPlace();
    newPlay(nullptr);
    m_steps = 0;
    start(playWork(this, m_play, 0, m_pace));
}

void BanditPage::useTickedAgents()
{
    if (m_listing)
        return;
    const bool wasPlaying = playing();
    newPlay(m_play.get());
    start(playWork(this, m_play, wasPlaying ? m_settings->interactions() : 0, m_pace));
}

void BanditPage::runAllSeeds()
{
    std::vector<BanditStudy> studies;
    for (auto& [id, study] : ticked())
        studies.push_back(std::move(study));
    if (studies.empty()) {
        bar()->warn(tr("No agent is ticked. Tick the agents to run."));
        return;
    }
    m_tabs->setCurrentWidget(m_seedsView->parentWidget());
    start([this, studies = std::move(studies), seeds = m_seeds](std::stop_token stop,
                                                                Worker::Progress& progress) -> Worker::Show {
        const auto show = [this] { showSeeds(); };
        seeds->run(studies, stop,
                   {.finished = [&] { progress.show(show); },
                    .progress =
                        [&](double share) {
            if (progress.gate())
                progress.report(share);
                    }});
        return show;
    });
    m_seedsAtWork = true;
}

void BanditPage::showSeeds() { m_seedsView->setChart(m_seeds->chart(m_relative->isChecked())); }

void BanditPage::showFrame(const BanditPlay::Frame& frame)
{
    m_steps   = frame.steps;
    m_slowest = frame.slowest;
    for (const auto& [view, chart] : {std::pair{m_regret, frame.regret}, {m_eaten, frame.eaten}}) {
        if (frame.steps > 0) {
            view->setChart(chart);
            continue;
        }
        Chart empty   = *chart;   // axes without a curve explain nothing
        empty.message = tr("No interactions yet. Press Play, or Step for one decision.").toStdString();
        view->setChart(empty);
    }
    m_numbers->setChart(frame.numbers);
    m_explainer->showHappened(frame.steps, frame.happened);
    m_explainer->ask();
}

void BanditPage::chooseFile()
{
    askForFile(tr("The mushrooms"), tr("UCI Mushroom (agaricus-lepiota.data);;All files (*)"), this,
               [this](const QString& file) { m_settings->setFile(file); });
}

void BanditPage::showMistake(const QString& field, const QString& sentence)
{
    if (field != QStringLiteral("world.file")) {
        bar()->warn(sentence);
        return;
    }
    showNothing(sentence);
    bar()->warn(sentence, {{tr("Choose file…"), [this] { chooseFile(); }}});
}

void BanditPage::showNothing(const QString& sentence)
{
    m_explainer->showNothing(sentence);
    for (auto* view : {m_regret, m_eaten, m_numbers})
        view->setChart({.id = view->chart().id, .title = view->chart().title, .message = sentence.toStdString()});
}

void BanditPage::cancel()
{
    const QScopedValueRollback cancelling(m_cancelling, true);
    const bool seeds = m_seedsAtWork;
    m_explainer->cancel();
    ToolPage::cancel();
    if (seeds)
        showSeeds();   // finished courses are kept
}

bool BanditPage::busy() const { return ToolPage::busy() || m_explainer->busy(); }

void BanditPage::showEvent(QShowEvent* event)
{
    ToolPage::showEvent(event);
    if (!m_play)
        restart();
}
