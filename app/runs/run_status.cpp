// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/run_status.h"

#include "cli/progress_line.h"
#include "foundation/number_text.h"
#include "parts/appearance.h"
#include "parts/form_controls.h"
#include "parts/notifier.h"
#include "posterior/sample_set.h"
#include "session/app_context.h"
#include "session/saved_run.h"
#include "session/session.h"
#include "session/settings.h"
#include "study/fields.h"
#include "widgets/accessibility.h"
#include "work/text.h"

#include <QActionGroup>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QStatusBar>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

using namespace credence;

namespace {

constexpr int widestName = 180;   ///< maximum width of a run name in the status bar

}   // namespace

RunStatus::RunStatus(AppContext& context, Notifier& notifier, QStatusBar* line)
    : QObject(line), m_context(context), m_notifier(notifier), m_words(new QLabel(line)), m_bar(new QProgressBar(line)),
      m_training(workButton(QStringLiteral("trainingInBackground"), tr("Display the run that is in training"), line))
{
    m_training->setAccessibleName(m_training->toolTip());
    connect(m_training, &QPushButton::clicked, &context.session, &Session::showTraining);
    m_words->setObjectName(QStringLiteral("runState"));
    m_bar->setTextVisible(false);
    fixWithText(m_bar, 160, 12);
    m_bar->setAccessibleName(tr("Progress of the run"));
    line->addPermanentWidget(m_words);
    line->addPermanentWidget(m_bar);
    auto& session = context.session;
    for (const auto signal : {&Session::stateChanged, &Session::studyChanged, &Session::snapshotChanged})
        connect(&session, signal, this, &RunStatus::refresh);
    for (const auto signal : {&CurrentRun::progressed, &CurrentRun::fittingChanged})
        connect(&session.currentRun(), signal, this, &RunStatus::refresh);
    connect(&session.currentRun(), &CurrentRun::runEnded, this,
            [this](const auto&, const std::shared_ptr<SavedRun>& run) { reportEnd(run->report); });
    const auto keep = [&notifier](const QString& sentence) { notifier.keep(sentence); };
    connect(&session, &Session::trainingFailed, this, keep);
    connect(&session, &Session::trainingReported, &notifier, &Notifier::notify);
    connect(&context.runs, &SavedRuns::message, this, keep);   // the message stays until it is closed
    connect(&session, &Session::studyRefused, this, [this, &notifier](const QString&, const QString& sentence) {
        m_refusal = toQString(with_labels(sentence.toStdString()));
        notifier.notify(m_refusal);
    });
    connect(&session, &Session::studyAccepted, this, [this, &notifier] { notifier.takeBack(m_refusal); });
    const auto notify = [&notifier](const QString& sentence) { notifier.notify(sentence); };
    connect(&context.opener, &RunOpener::notified, this, notify);
    connect(&context.opener, &RunOpener::asked, this,
            [&notifier](const QString& question, const std::function<void()>& continueAnyway,
                        const std::function<void()>& startAgain) {
        notifier.ask(question,
                     {{tr("Continue anyway"), continueAnyway}, {tr("Start again"), startAgain}, {tr("Cancel"), {}}});
    });
    connect(&context.opener, &RunOpener::over, &notifier, &Notifier::takeBack);
    connect(&context.points, &DrawnPoints::notified, this, notify);
    connect(&context.opener, &RunOpener::failed, this, [&notifier](const QString& mistake) {
        notifier.clearStatus();
        notifier.keep(mistake);
    });
    refresh();
    connect(&session, &Session::stateChanged, line,
            [this, line] { announce(line, m_words->text(), Announcer::Urgency::polite); });
}

void RunStatus::refresh()
{
    const auto& session     = m_context.session;
    const auto& training    = session.currentRun().training();
    const auto& progress    = training.progress;
    const bool inBackground = session.active() && session.currentRun().trainsInBackground();
    m_training->setVisible(inBackground);
    m_words->setVisible(!inBackground);
    if (inBackground)
        m_training->setText(m_training->fontMetrics().elidedText(toQString(training.experiment->study.name),
                                                                 Qt::ElideMiddle, withFont(widestName))
                            + QStringLiteral(": ") + words(false));
    const auto& fitting = session.currentRun().fitting();
    const bool curving  = fitting && fitting->work == LaplaceFitter::Work::curvature;
    m_bar->setVisible(session.active() || curving);
    if (curving || (session.active() && progress)) {
        const double share = curving               ? fitting->share
                             : progress->curvature ? *progress->curvature
                             : progress->steps > 0
                                 ? static_cast<double>(progress->step) / static_cast<double>(progress->steps)
                                 : 0;
        m_bar->setRange(0, 1000);
        m_bar->setValue(static_cast<int>(1000 * share));
    }
    m_words->setText(words(curving));
}

QString RunStatus::words(bool curving) const
{
    const auto& session  = m_context.session;
    const auto& progress = session.currentRun().training().progress;
    QString line;
    switch (session.state()) {
    case Session::State::preparing: line = tr("Preparing data …"); break;
    case Session::State::refused: line = tr("The Study has an error"); break;
    case Session::State::ready:
        line = tr("Ready: press Train");
        if (session.ready().continuesTraining()) {
            const auto& since = session.ready().pointsSince();
            line              = tr("%1 · Train continues from this network; Restart starts from scratch")
                       .arg(DrawnPoints::pointsText(static_cast<int>(since.added.size()),
                                                    static_cast<int>(since.erased.size())));
        }
        break;
    case Session::State::running:
        line = progress && progress->curvature ? tr("Fitting the curvature") : tr("Training");
        break;
    case Session::State::paused: line = tr("Paused"); break;
    case Session::State::ended:
        line = session.run().ofOutputs() ? tr("Imported predictions: press Train to show your own Study")
               : session.stopped()       ? tr("Run stopped")
               : session.run().report && session.run().report->stop == StopReason::not_finite ? tr("Run diverged")
                                                                                              : tr("Run finished");
        break;
    }
    if (curving)
        line = tr("Fitting the curvature");
    if (session.changedSinceStart() && !session.currentRun().trainsInBackground())
        line += m_context.queue.canAdd() ? tr(" · settings changed: Queue trains with them next, Restart trains now")
                                         : tr(" · settings changed: press Restart to train with them");
    else if (session.active() && progress && progress->seconds_left)
        line += tr(" · %1 left").arg(toQString(clockText(*progress->seconds_left)));
    return line;
}

/// Returns the step sizes found by the warm-up, and the view with the full report.
QString RunStatus::warmUpWords(const ChainStatistics& statistics)
{
    QStringList sizes;
    for (const auto& chain : statistics.chains)
        sizes += toQString(number_text(chain.step_size, 2));
    return tr("Step sizes of the chains: %1. The results of the warm-up are under Chains in Training and scores.")
        .arg(sizes.join(QStringLiteral(", ")));
}

void RunStatus::reportEnd(const TrainingReport& report)
{
    QString sentence = toQString(report.message);
    const auto* set  = report.last ? sample_set_of(*report.last->posterior) : nullptr;
    bool diverged    = false;
    if (set && set->origin().statistics) {
        const auto& statistics = *set->origin().statistics;
        sentence += QLatin1Char(' ') + warmUpWords(statistics);
        diverged = std::any_of(statistics.draws.begin(), statistics.draws.end(),
                               [](const DrawStatistics& draw) { return draw.divergent; });
    }
    if (report.stop == StopReason::not_finite)
        reportNotFinite(report);
    else if (diverged)
        m_notifier.keep(sentence + QLatin1Char(' ')
                            + tr("Other regions may be missing where draws diverge: see Functions there. A higher "
                                 "target acceptance gives smaller steps."),
                        {}, Toasts::Until::next_step);
    else if (report.stop == StopReason::steps_done || report.stop == StopReason::cancelled)
        m_notifier.notify(sentence);
    else   // a run that ended early shows its reason in a persistent message
        m_notifier.keep(sentence);
}

void RunStatus::reportNotFinite(const TrainingReport& report)
{
    auto& session     = m_context.session;
    const auto goBack = [&session] {
        session.currentRun().showRecorded(std::max(0, static_cast<int>(session.run().recorded().size()) / 2));
    };
    const auto slowDown = [this] {
        Study after = m_context.session.study();
        after.training.schedule.learning_rate /= 10;
        m_context.document.editSettings(after);
    };
    const QString step = toQString(session.run().current().snapshot->point.step);
    m_notifier.keep(toQString(report.message) + QLatin1Char(' ')
                        + tr("All views show the last good step, %1.").arg(step),
                    {{tr("Go back further"), goBack}, {tr("Divide learning rate by 10"), slowDown}});
}

void showSaving(RunWriter& writer, QStatusBar* line)
{
    auto* button = workButton(QStringLiteral("savingProgress"),
                              RunStatus::tr("Cancel saving; the run stays in the list and its file does not change"),
                              line);
    QObject::connect(button, &QPushButton::clicked, &writer, &RunWriter::cancel);
    QObject::connect(&writer, &RunWriter::changed, button, [&writer, button] {
        const auto& saving = writer.saving();
        button->setVisible(saving.has_value());
        if (!saving)
            return;
        QString words = RunStatus::tr("Saving %1: %2 %").arg(saving->name).arg(std::lround(100 * saving->share));
        if (saving->secondsLeft)
            words += RunStatus::tr(" · %1 left").arg(durationText(*saving->secondsLeft));
        button->setText(words + RunStatus::tr(" · Cancel"));
    });
}

QueueStatus::QueueStatus(AppContext& context, Notifier& notifier, QStatusBar* line)
    : QObject(line), m_context(context),
      m_chip(workButton(QStringLiteral("runQueue"), tr("Show, reorder and remove the queued runs"), line))
{
    buildList(line);
    auto& queue = context.queue;
    connect(m_chip, &QPushButton::clicked, this, &QueueStatus::open);
    connect(&queue, &RunQueue::changed, this, &QueueStatus::refresh);
    connect(&queue, &RunQueue::notified, &notifier, &Notifier::notify);
    connect(&queue, &RunQueue::failed, this, [&notifier](const QString& sentence) { notifier.keep(sentence); });
    context.unfinished.add(this, {[&queue] {
                               const auto count = queue.waiting().size();
                               return count == 0   ? QString()
                                      : count == 1 ? tr("1 run is queued and will be discarded.")
                                                   : tr("%1 runs are queued and will be discarded.").arg(count);
                           }});
    refresh();
}

void QueueStatus::buildList(QStatusBar* line)
{
    m_popup = new QFrame(line, Qt::Popup);
    m_popup->setObjectName(QStringLiteral("queuePopup"));
    m_popup->setFrameShape(QFrame::StyledPanel);
    m_popup->setAccessibleName(tr("Queued runs"));
    m_list = new QListWidget(m_popup);
    m_list->setObjectName(QStringLiteral("queueList"));
    m_list->setAccessibleName(tr("Queued runs"));
    m_list->setDragDropMode(QAbstractItemView::InternalMove);
    m_list->setTextElideMode(Qt::ElideRight);
    const auto button = [this](const char* name, const QString& text, const QString& tip) {
        auto* made = new QPushButton(text, m_popup);
        made->setObjectName(QLatin1String(name));
        made->setToolTip(tip);
        return made;
    };
    m_up          = button("queueUp", tr("&Up"), tr("Train this run earlier"));
    m_down        = button("queueDown", tr("&Down"), tr("Train this run later"));
    m_remove      = button("queueRemove", tr("&Remove"), tr("Remove this run from the queue"));
    auto* buttons = new QHBoxLayout;
    for (auto* each : {m_up, m_down, m_remove})
        buttons->addWidget(each);
    auto* column = new QVBoxLayout(m_popup);
    column->setContentsMargins(8, 8, 8, 8);
    column->setSpacing(8);
    column->addWidget(new QLabel(tr("Trained one after another, from the top:"), m_popup));
    column->addWidget(m_list, 1);
    column->addLayout(buttons);
    connect(m_list, &QListWidget::currentRowChanged, this, &QueueStatus::refreshButtons);
    connect(m_list->model(), &QAbstractItemModel::rowsMoved, this,
            [this](const QModelIndex&, int from, int, const QModelIndex&, int before) {
        m_context.queue.move(from, before > from ? before - 1 : before);
    });
    connect(m_up, &QPushButton::clicked, this, [this] { moveBy(-1); });
    connect(m_down, &QPushButton::clicked, this, [this] { moveBy(1); });
    connect(m_remove, &QPushButton::clicked, this, [this] { m_context.queue.remove(m_list->currentRow()); });
}

void QueueStatus::refresh()
{
    const auto& waiting = m_context.queue.waiting();
    const auto count    = static_cast<int>(waiting.size());
    m_chip->setVisible(count > 0);
    m_chip->setText(count == 1 ? tr("Queued: 1 run") : tr("Queued: %1 runs").arg(count));
    QStringList lines;
    for (int index = 0; index < count; ++index) {
        const auto differences = m_context.queue.differences(index);
        const QString name     = toQString(waiting[static_cast<std::size_t>(index)].name);
        lines << (differences.isEmpty() ? name : tr("%1 · %2").arg(name, differences.join(QStringLiteral("; "))));
    }
    m_chip->setToolTip(tr("Show, reorder and remove the queued runs:\n%1").arg(lines.join(QLatin1Char('\n'))));
    m_chip->setAccessibleName(m_chip->text());
    QStringList shown;
    for (int row = 0; row < m_list->count(); ++row)
        shown << m_list->item(row)->text();
    if (shown != lines) {   // after a drag, the list already has this order
        const int row = m_list->currentRow();
        m_list->clear();
        m_list->addItems(lines);
        for (int each = 0; each < count; ++each)
            m_list->item(each)->setToolTip(lines.at(each));
        m_list->setCurrentRow(std::clamp(row, 0, std::max(0, count - 1)));
    }
    if (count == 0)
        m_popup->hide();
    refreshButtons();
}

void QueueStatus::refreshButtons()
{
    const int row = m_list->currentRow();
    m_up->setEnabled(row > 0);
    m_down->setEnabled(row >= 0 && row + 1 < m_list->count());
    m_remove->setEnabled(row >= 0);
}

void QueueStatus::open()
{
    refresh();   // differences are relative to the current training
    m_popup->resize(withFont(360), withFont(220));
    const QPoint corner = m_chip->mapToGlobal(QPoint(m_chip->width() - m_popup->width(), -m_popup->height()));
    m_popup->move(std::max(0, corner.x()), std::max(0, corner.y()));
    m_popup->show();
    m_list->setFocus();
}

void QueueStatus::moveBy(int rows)
{
    const int row = m_list->currentRow();
    m_context.queue.move(row, row + rows);
    m_list->setCurrentRow(row + rows);
}

namespace {

constexpr int stepsASecond[] = {0, 100, 30, 10, 3, 1};   // 0: full speed

QString speedText(int stepsPerSecond)
{
    return stepsPerSecond == 0   ? SpeedControl::tr("Full speed")
           : stepsPerSecond == 1 ? SpeedControl::tr("1 step per second")
                                 : SpeedControl::tr("%1 steps per second").arg(stepsPerSecond);
}

}   // namespace

SpeedControl::SpeedControl(Session& session, QWidget* parent)
    : MenuButton({}, new QMenu(tr("Spee&d"), parent), parent), m_session(session), m_speeds(new QActionGroup(this))
{
    setObjectName(QStringLiteral("speed"));
    setAutoRaise(true);
    setAccessibleName(tr("Training speed"));
    setToolTip(
        tr("Limit the training steps per second so that you can see each one. The results do not change (Alt+Page "
           "Down slower, Alt+Page Up faster)"));
    menu()->setObjectName(QStringLiteral("speedMenu"));
    for (const int speed : stepsASecond) {
        auto* action = menu()->addAction(speedText(speed), this, [this, speed] { choose(speed); });
        action->setObjectName(QStringLiteral("speed/%1").arg(speed));
        action->setCheckable(true);
        action->setData(speed);
        m_speeds->addAction(action);
    }
    menu()->addSeparator();
    auto* slower = menu()->addAction(tr("&Slower"), this, [this] { move(1); });
    auto* faster = menu()->addAction(tr("&Faster"), this, [this] { move(-1); });
    slower->setObjectName(QStringLiteral("slower"));
    slower->setShortcut(QKeySequence(Qt::ALT | Qt::Key_PageDown));
    faster->setObjectName(QStringLiteral("faster"));
    faster->setShortcut(QKeySequence(Qt::ALT | Qt::Key_PageUp));
    set(0);
}

void SpeedControl::restore()
{
    const int speed = read(settings::trainingSpeed);
    set(std::ranges::find(stepsASecond, speed) == std::end(stepsASecond) ? 0 : speed);
}

void SpeedControl::choose(int stepsPerSecond)
{
    set(stepsPerSecond);
    write(settings::trainingSpeed, stepsPerSecond);
}

void SpeedControl::set(int stepsPerSecond)
{
    m_session.setStepsPerSecond(stepsPerSecond);
    for (auto* action : m_speeds->actions())
        action->setChecked(action->data().toInt() == stepsPerSecond);
    setText(speedText(stepsPerSecond) + QStringLiteral(" ▾"));
}

void SpeedControl::move(int by)
{
    const auto* chosen = m_speeds->checkedAction();
    const auto* at  = std::find(std::begin(stepsASecond), std::end(stepsASecond), chosen ? chosen->data().toInt() : 0);
    const auto last = std::end(stepsASecond) - std::begin(stepsASecond) - 1;
    choose(stepsASecond[std::clamp<std::ptrdiff_t>(at - std::begin(stepsASecond) + by, 0, last)]);
}
