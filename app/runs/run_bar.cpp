// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/run_bar.h"

#include "parts/appearance.h"
#include "parts/buttons.h"
#include "parts/form_controls.h"
#include "parts/icons.h"
#include "parts/quiet_parts.h"
#include "session/document/study_document.h"
#include "session/run_queue.h"
#include "session/saved_run.h"
#include "session/saved_runs.h"
#include "session/session.h"
#include "work/text.h"

#include "study/method.h"
#include "widgets/accessibility.h"

#include <QAction>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QRandomGenerator>
#include <QToolButton>
#include <QWidgetAction>

#include <algorithm>
#include <cmath>
#include <optional>

using namespace credence;

namespace {

constexpr int iconSide = 18;
constexpr int wholeBar = 780, quickButton = 140;   ///< pixels at 100 % text that the names of all buttons need
// 2^53 - 1: the largest integer that JSON readers represent exactly
constexpr double largestSeed = 9007199254740991.0;

/// The primary button of the window, with the expected time after its text.
class TrainButton : public QToolButton {
public:
    explicit TrainButton(QWidget* parent) : QToolButton(parent) { setFocusPolicy(Qt::TabFocus); }

    void setLook(const PrimaryLook& look)
    {
        m_look = look;
        updateGeometry();
        update();
    }
    QSize sizeHint() const override { return PrimaryLook::sizeOf(*this, m_look.time); }
    QSize minimumSizeHint() const override { return sizeHint(); }

private:
    void paintEvent(QPaintEvent*) override { m_look.paint(*this); }

    PrimaryLook m_look;
};

}   // namespace

/// Train, Pause, Resume or Continue: an entry in menus, the primary button in the toolbar.
class TrainAction : public QWidgetAction {
public:
    using QWidgetAction::QWidgetAction;

    void setTime(const QString& time)
    {
        m_look.time = time;
        showLook();
    }
    void setIconName(const QString& name)
    {
        m_look.icon = name;
        setIcon(::icon(name));
        showLook();
    }
    const QString& iconName() const { return m_look.icon; }

protected:
    QWidget* createWidget(QWidget* parent) override
    {
        auto* bar = qobject_cast<QToolBar*>(parent);
        if (!bar)
            return nullptr;   // an ordinary entry
        auto* button = new TrainButton(bar);
        button->setLook(m_look);
        button->setDefaultAction(this);
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        button->setIconSize(bar->iconSize());
        connect(bar, &QToolBar::iconSizeChanged, button, &QToolButton::setIconSize);
        return button;
    }

private:
    void showLook()
    {
        for (auto* made : createdWidgets())
            static_cast<TrainButton*>(made)->setLook(m_look);   // makes no others
    }

    PrimaryLook m_look{.icon = {}};
};

RunBar::RunBar(StudyDocument& document, const SavedRuns& runs, RunQueue& queue, QWidget* parent)
    : QToolBar(tr("Run"), parent), m_document(document), m_runs(runs), m_queue(queue), m_train(new TrainAction(this)),
      m_step(new QAction(tr("&Step"), this)), m_restart(new QAction(tr("&Restart"), this)),
      m_newSeed(new QAction(tr("&New seed"), this)), m_stop(new QAction(tr("St&op"), this)),
      m_quick(new QAction(tr("Quick comparison…"), this)), m_seed(new QDoubleSpinBox(this)),
      m_progress(new ElidedLabel(this)), m_secondary(new QuietParts(nullptr, this))
{
    setObjectName(QStringLiteral("runBar"));
    setMovable(false);
    setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    setIconSize({withFont(iconSide), withFont(iconSide)});
    setContextMenuPolicy(Qt::PreventContextMenu);

    buildActions();
    m_seed->setDecimals(0);
    m_seed->setRange(0, largestSeed);
    m_seed->setGroupSeparatorShown(false);
    fixWithText(m_seed, 84);
    describeBox(m_seed, QStringLiteral("seed"), tr("Seed"),
                tr("Set the seed of starting weights, minibatches, weight noise and predictions. Same Study, same "
                   "seed: same numbers."));
    m_progress->setObjectName(QStringLiteral("progressText"));
    m_progress->setAccessibleName(tr("Progress"));
    m_progress->setContentsMargins(8, 0, 8, 0);
    m_progress->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);

    auto* seed = labelled(tr("Seed"), m_seed, this);   // one widget: a narrow window hides both or none
    seed->layout()->setContentsMargins(8, 0, 0, 0);
    seed->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
    addWidget(seed);
    addSeparator();
    addWidget(m_progress);
    connectAll();
    refresh();
}

void RunBar::buildActions()
{
    const auto set = [this](QAction* action, const QString& name, const QKeySequence& key, const QString& tip) {
        action->setObjectName(name);
        action->setShortcut(key);
        action->setToolTip(tip);
    };
    set(m_train, QStringLiteral("train"), Qt::Key_F5, {});
    set(m_stop, QStringLiteral("stop"), Qt::CTRL | Qt::Key_Period,
        tr("Stop this run and save it. You can continue it later (Ctrl+.)"));
    set(m_step, QStringLiteral("step"), Qt::Key_F10, tr("Train one step, then pause (F10)"));
    set(m_restart, QStringLiteral("restart"), Qt::CTRL | Qt::Key_R,
        tr("Train again from the start with the same seed, which gives the same numbers, bit for bit (Ctrl+R)"));
    set(m_newSeed, QStringLiteral("newSeed"), Qt::CTRL | Qt::SHIFT | Qt::Key_R,
        tr("Choose a new seed and train from the start with new starting weights and minibatches (Ctrl+Shift+R)"));
    addAction(m_train);
    buttonOf(m_train)->setFocusPolicy(Qt::TabFocus);   // otherwise Tab would skip it
    set(m_quick, QStringLiteral("quickComparison"), {},
        tr("Train several methods on these data with this network, and compare them"));
    m_quick->setIcon(icon(QStringLiteral("workspace-compare")));
    auto* quick = new QToolButton(this);
    quick->setDefaultAction(m_quick);
    quick->setToolButtonStyle(toolButtonStyle());
    quick->setIconSize(iconSize());
    quick->setFocusPolicy(Qt::TabFocus);
    connect(this, &QToolBar::iconSizeChanged, quick, &QToolButton::setIconSize);
    m_quickPlace = addWidget(quick);
    m_named.push_back(quick);
    m_step->setIcon(icon(QStringLiteral("step")));
    m_restart->setIcon(icon(QStringLiteral("restart")));
    m_newSeed->setIcon(icon(QStringLiteral("new-seed")));
    m_stop->setIcon(icon(QStringLiteral("stop")));
    for (auto* action : {m_stop, m_step, m_restart, m_newSeed}) {
        auto* button = new QToolButton(this);
        button->setDefaultAction(action);
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::TabFocus);
        addSecondary(button);
        m_named.push_back(button);
    }
}

/// The button can be hidden; its action stays in the menu with its key.
void RunBar::addSecondary(QToolButton* button)
{
    button->setToolButtonStyle(toolButtonStyle());
    button->setIconSize(iconSize());
    connect(this, &QToolBar::iconSizeChanged, button, &QToolButton::setIconSize);
    m_secondary->add(button, [button, place = addWidget(button)](bool shown) {
        place->setVisible(shown);   // the button is enabled and visible together with its place
        if (const auto* action = button->defaultAction())
            button->setEnabled(action->isEnabled());
    });
}

QToolButton* RunBar::buttonOf(const QAction* action) const
{
    for (auto* button : findChildren<QToolButton*>())
        if (button->defaultAction() == action)
            return button;
    return nullptr;
}

void RunBar::connectAll()
{
    auto& session    = m_document.session();
    const auto begin = [this, &session](RunOpener::Pace pace) {
        if (session.finished())
            Q_EMIT finishedAlready();
        else if (session.canContinue())
            Q_EMIT continueWanted(pace);
        else if (pace == RunOpener::Pace::one_step)
            session.stepOnce();
        else
            session.train();
    };
    afterCommit(m_train, [begin] { begin(RunOpener::Pace::running); });
    afterCommit(m_step, [begin] { begin(RunOpener::Pace::one_step); });
    afterCommit(m_restart, [&session] { session.restart(); });
    afterCommit(m_newSeed, [this] { newSeed(); });
    connect(m_stop, &QAction::triggered, &session, [&session] { session.stop(); });
    connect(m_seed, &QDoubleSpinBox::valueChanged, this, [this](double seed) {
        Study after = m_document.session().study();
        after.seed  = static_cast<std::uint64_t>(seed);
        m_document.editSettings(after, QStringLiteral("seed"));
    });
    m_document.addFields([this] {   // typed text that is not yet part of the Study
        if (m_seed->isEnabled())
            m_seed->interpretText();
        return QString();
    });
    connect(&session, &Session::stateChanged, this, &RunBar::refresh);
    connect(&session, &Session::snapshotChanged, this, [this, &session] {
        if (std::exchange(m_displayed, session.currentRun().number()) != session.currentRun().number())
            refresh();
    });
    connect(&session, &Session::studyChanged, this, &RunBar::refresh);
    connect(&session.ready(), &PreparedStudy::made, this, &RunBar::refreshQuick);
    connect(&m_queue, &RunQueue::changed, this, &RunBar::refresh);
    connect(&m_runs, &SavedRuns::loaded, this, &RunBar::refreshTime);
    connect(&session.currentRun(), &CurrentRun::progressed, this, &RunBar::refreshProgress);
    connect(&session, &Session::recordedChanged, this, &RunBar::refreshProgress);
    connect(&session.currentRun(), &CurrentRun::fittingChanged, this, [this] {
        refreshStop();
        refreshProgress();
    });
}

/// Commits typed values first; with an invalid field nothing starts. During training, Train queues
/// the Study if it is another one, and pauses otherwise.
void RunBar::afterCommit(const QAction* action, std::function<void()> then)
{
    connect(action, &QAction::triggered, this, [this, action, then = std::move(then)] {
        const QString mistake = m_document.commit();
        auto& session         = m_document.session();
        if (action == m_train && session.state() == Session::State::running)
            mistake.isEmpty() && m_queue.canAdd() ? m_queue.add() : session.pause();
        else if (mistake.isEmpty() || (session.active() && (action == m_train || action == m_step)))
            then();
        else
            Q_EMIT refused(mistake);
    });
}

void RunBar::changeEvent(QEvent* event)
{
    QToolBar::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        setIconSize({withFont(iconSide), withFont(iconSide)});
}

void RunBar::resizeEvent(QResizeEvent* event)
{
    QToolBar::resizeEvent(event);
    fitButtons();
}

/// Shows icons without text only if progress and Export would otherwise move into the overflow menu
/// at the end.
void RunBar::fitButtons()
{
    const int needed = m_quickPlace->isVisible() ? wholeBar + quickButton : wholeBar;
    const auto style = width() < withFont(needed) ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextBesideIcon;
    for (auto* button : m_named)
        button->setToolButtonStyle(style);
}

void RunBar::addExport(QMenu* menu)
{
    auto* button = new MenuButton(tr("Export"), menu, this);   // its mnemonic is that of the Edit menu
    button->setObjectName(QStringLiteral("exportMenu"));
    button->setIcon(icon(QStringLiteral("export")));
    button->setToolTip(tr("Export figures, tables and reports"));
    addSecondary(button);
}

void RunBar::refresh()
{
    const auto& session  = m_document.session();
    const bool running   = session.state() == Session::State::running;
    const bool paused    = session.state() == Session::State::paused;
    const bool continues = session.canContinue();
    const bool queues    = m_queue.canAdd();
    m_train->setText(queues      ? tr("&Queue")
                     : running   ? tr("&Pause")
                     : paused    ? tr("Resu&me")
                     : continues ? tr("&Continue")
                                 : tr("&Train"));
    m_train->setToolTip(
        queues    ? tr("Train with the settings of the Study panel when the current run has ended (F5)")
        : running ? tr("Pause training (F5)")
        : paused  ? tr("Resume training (F5)")
        : continues
            ? tr("Continue this run from the step at which it was stopped, with the same numbers as if it had not "
                 "been stopped (F5)")
            : tr("Train with the settings of the Study panel (F5)"));
    const QString wanted = running && !queues ? QStringLiteral("pause") : QStringLiteral("train");
    if (wanted != m_train->iconName())
        m_train->setIconName(wanted);
    const bool other = session.displaysSaved();   // none of the displayed run is the Study's own training
    m_train->setEnabled(!other || running || paused || session.canContinue());
    if (!m_train->isEnabled())
        m_train->setToolTip(tr("A saved run is displayed. To train, choose “Edit a copy” or “Back to my Study” in the "
                               "Study panel"));
    for (auto* action : {m_step, m_restart, m_newSeed})
        action->setEnabled(!other);
    m_seed->setEnabled(!other);
    if (session.active() || other || session.run().ofOutputs() || session.run().recorded().size() > 1) {
        m_secondary->setNeeded(true);   // visible from now on, so that the toolbar does not change with each study
        Q_EMIT used();
    }
    refreshTime();
    refreshStop();
    refreshQuick();
    if (const auto seed = static_cast<double>(session.panelStudy().seed); seed != m_seed->value()) {
        const QSignalBlocker quiet(m_seed);   // setting the same value would discard text being typed
        m_seed->setValue(seed);
    }
    refreshProgress();
}

/// Shows the expected time only for runs from the start: the remaining time of a continued run is
/// not known in advance.
void RunBar::refreshTime()
{
    const auto& session  = m_document.session();
    const bool fromStart = session.state() == Session::State::ready && !session.ready().continuesTraining();
    const auto seconds   = fromStart ? expectedTime(session.study(), m_runs) : std::nullopt;
    const QString time   = seconds ? expectedTimeText(*seconds) : QString();
    m_train->setTime(time);
    if (fromStart)
        m_train->setToolTip(time.isEmpty() ? tr("Train with the settings of the Study panel (F5)")
                                           : tr("Train with the settings of the Study panel (F5). Expected time, from "
                                                "saved runs with the same network and method: %1")
                                                 .arg(time));
}

QAction* RunBar::trainAction() const { return m_train; }

QString RunBar::progressText(const Session& session)
{
    const auto run = session.run().current();
    if (!run.snapshot)
        return tr("Reading data …");
    if (session.run().ofOutputs())
        return tr("imported predictions");
    const auto& point = run.snapshot->point;
    if (session.state() == Session::State::ready)
        return session.ready().continuesTraining() ? tr("continues from the trained network") : tr("not trained yet");
    const RunPlan plan = plan_of(run.experiment->study);
    QStringList parts;
    if (plan.kept.empty())
        parts << tr("step %1").arg(toQString(point.step))
              << tr("epoch %1").arg(toQString(static_cast<long>(point.epoch)));
    else   // chains have draws instead of epochs
        parts << toQString(progress_words(plan, point.step));
    const auto& progress = session.run().progress;
    const auto state     = session.currentRun().trainsInBackground() ? Session::State::ended : session.state();
    const auto& fitting  = session.currentRun().fitting();
    const auto curvature = [&parts](double share, std::optional<double> left) {
        parts += tr("curvature %1 %").arg(100 * share, 0, 'f', 0);
        if (left)
            parts += tr("%1 left").arg(durationText(*left));
    };
    if (state == Session::State::running && progress && progress->curvature) {
        curvature(*progress->curvature, progress->seconds_left);
    } else if (fitting && fitting->work == LaplaceFitter::Work::curvature) {
        curvature(fitting->share, fitting->secondsLeft);
    } else if (state == Session::State::running && progress) {
        parts += session.currentRun().inSlowMotion() && !plan.kept.empty()
                     ? tr("slow motion")   // chains exclude the delays from their estimate
                     : tr("%1 %2s/s").arg(toQString(std::lround(progress->steps_per_second)), toQString(plan.one_step));
        if (progress->seconds_left)
            parts += tr("%1 left").arg(durationText(*progress->seconds_left));
    } else if (state == Session::State::paused) {
        parts += tr("paused");
    } else if (session.run().report && session.run().report->seconds > 0) {   // unknown for a run from a file
        parts += wallTimeText(session.run().report->seconds);
    }
    if (session.stopped())
        parts += tr("stopped");
    if (session.run().at >= 0)
        parts += tr("recorded");
    return parts.join(QStringLiteral(" · "));
}

void RunBar::refreshStop()
{
    const auto& session = m_document.session();
    m_stop->setEnabled(session.active() || session.currentRun().fitting());
}

void RunBar::refreshQuick()
{
    const auto& session = m_document.session();
    m_quickPlace->setVisible(session.study().data.source == DataSource::csv && !session.displaysSaved());
    fitButtons();
    m_quick->setEnabled(!is_images(session.study().data.source) && session.ready().experiment()
                        && session.study().data.changes.empty());
}

void RunBar::refreshProgress()
{
    m_progress->setText(progressText(m_document.session()));
    const bool running = m_document.session().state() == Session::State::running;
    if (running && m_reported.isValid() && m_reported.elapsed() < Announcer::every)
        return;   // otherwise screen readers would announce each step and nothing else
    m_reported.restart();
    m_progress->setAccessibleDescription(m_progress->text());
}

void RunBar::newSeed()
{
    Study after    = m_document.session().study();
    const auto old = after.seed;
    while (after.seed == old)
        after.seed = QRandomGenerator::global()->bounded(1U, 1000000U);
    m_document.editSettings(after);
    m_document.session().restart();
}
