// SPDX-License-Identifier: GPL-3.0-or-later
#include "lessons/lesson_guide.h"

#include "foundation/error.h"
#include "foundation/find_listed.h"
#include "lessons/lesson_controls.h"
#include "parts/tool_page.h"
#include "session/app_context.h"
#include "session/linting.h"
#include "study/fields.h"
#include "study/presets.h"
#include "study/study_panel.h"
#include "views/view_navigator.h"
#include "views/views.h"
#include "work/text.h"

using namespace credence;

namespace {

constexpr int lookEvery = 15;   ///< milliseconds
constexpr int idleTimes = 3;    ///< consecutive idle checks, since a click can have a delayed effect

/// Removes the final full stop.
QString asClause(QString sentence)
{
    while (sentence.endsWith(QLatin1Char('.')))
        sentence.chop(1);
    return sentence;
}

/// Returns true if the action only changes the Study and does not use results. It then need not
/// wait until the previous change has been prepared.
bool editsOnly(const LessonAction& action)
{
    return action.kind == LessonAction::Kind::preset || action.kind == LessonAction::Kind::set;
}

bool cameToItsEnd(const DisplayedRun& run)
{
    return run.report && run.report->stop != StopReason::cancelled && run.report->stop != StopReason::not_finite
           && run.report->stop != StopReason::not_started;
}

}   // namespace

LessonPlayer::LessonPlayer(LessonStage stage, QObject* parent) : QObject(parent), m_stage(std::move(stage))
{
    m_look.setInterval(lookEvery);
    connect(&m_look, &QTimer::timeout, this, &LessonPlayer::continuePlaying);
    auto& session = m_stage.context.session;
    connect(&session, &Session::studyRefused, this, [this](const QString&, const QString& sentence) {
        m_refused = toQString(with_labels(sentence.toStdString()));
    });
    connect(&session, &Session::studyAccepted, this, [this] { m_refused.clear(); });
    connect(&session, &Session::trainingFailed, this, [this](const QString& sentence) { m_failed = sentence; });
}

void LessonPlayer::play(std::vector<LessonAction> actions)
{
    m_actions = std::move(actions);
    m_next    = 0;
    m_playing = true;
    m_wait    = Wait::ready;
    m_idle    = 0;
    m_look.start(lookEvery);
}

void LessonPlayer::stop()
{
    m_look.stop();
    m_playing = false;
    m_actions.clear();
    Q_EMIT acting({});
}

void LessonPlayer::fail(const QString& sentence)
{
    const int line = m_actions[m_next].line;
    stop();
    Q_EMIT failed(line, asClause(sentence));
}

/// Checks whether the previous line has taken effect; then runs the next one.
void LessonPlayer::continuePlaying()
{
    if (!settled() || !m_playing)
        return;
    m_look.setInterval(lookEvery);
    if (m_wait != Wait::ready) {   // the current line is done; a preset may still be in preparation
        m_wait = Wait::ready;
        ++m_next;
        m_look.setInterval(m_next < m_actions.size() ? std::max(lookEvery, m_pause) : lookEvery);
        return;
    }
    if (m_next >= m_actions.size()) {
        stop();
        Q_EMIT finished();
        return;
    }
    const LessonAction action = m_actions[m_next];   // a copy, since the action can stop the playback
    begin(action);
}

void LessonPlayer::begin(const LessonAction& action)
{
    using Kind = LessonAction::Kind;
    m_failed.clear();
    const bool named = action.kind == Kind::press || action.kind == Kind::choose || action.kind == Kind::value;
    Q_EMIT acting(named                         ? toQString(action.name)
                  : action.kind == Kind::set    ? toQString(action.name)
                  : action.kind == Kind::preset ? QStringLiteral("presets")
                  : action.kind == Kind::train  ? QStringLiteral("train")
                                                : QString());
    m_wait = action.kind == Kind::train ? Wait::trained : action.kind == Kind::wait ? Wait::idle : Wait::nothing;
    m_idle = 0;
    if (const QString mistake = perform(action); !mistake.isEmpty() && m_playing)
        fail(mistake);
}

/// Returns true if nothing is in progress. Stops with a message if the expected state cannot be
/// reached.
bool LessonPlayer::settled()
{
    const auto& session = m_stage.context.session;
    const auto state    = session.state();
    switch (m_wait) {
    case Wait::nothing: return true;
    case Wait::ready:   // refusals are reported where they matter
        return state != Session::State::preparing || (m_next < m_actions.size() && editsOnly(m_actions[m_next]));
    case Wait::trained:
        if (state == Session::State::refused || !m_failed.isEmpty()) {
            fail(!m_failed.isEmpty()    ? m_failed
                 : !m_refused.isEmpty() ? m_refused
                                        : tr("the displayed Study has an error, which is marked in the Study panel"));
            return false;
        }
        if (state == Session::State::preparing || session.active() || session.currentRun().fitting())
            return false;
        if (state == Session::State::ended && !cameToItsEnd(session.run())) {
            fail(tr("the training was stopped early"));
            return false;
        }
        return state == Session::State::ended;
    case Wait::idle: break;
    }
    const bool idle = state != Session::State::preparing && !session.active() && !session.currentRun().fitting()
                      && !m_stage.context.reference.active()
                      && m_stage.context.linting.state() != Linting::State::looking && !m_stage.navigator.busy()
                      && !toolsBusy();
    m_idle = idle ? m_idle + 1 : 0;
    return m_idle >= idleTimes;
}

bool LessonPlayer::toolsBusy() const
{
    for (const auto* page : m_stage.window.findChildren<ToolPage*>())
        if (page->isVisible() && page->busy())
            return true;
    return false;
}

QString LessonPlayer::perform(const LessonAction& action)
{
    const auto& window = m_stage.window;
    const QString name = toQString(action.name), text = toQString(action.text);
    switch (action.kind) {
    case LessonAction::Kind::preset: return choosePreset(action.name);
    case LessonAction::Kind::set: return setting(action);
    case LessonAction::Kind::train: return train();
    case LessonAction::Kind::wait: return {};
    case LessonAction::Kind::view: return showView(action.name);
    case LessonAction::Kind::input:
    case LessonAction::Kind::row:
    case LessonAction::Kind::point: return input(action);
    case LessonAction::Kind::tool: return openTool(action.name);
    case LessonAction::Kind::press: return pressControl(window, name);
    case LessonAction::Kind::choose: return chooseInControl(window, name, text);
    case LessonAction::Kind::value: return setControl(window, name, text);
    }
    return {};
}

QString LessonPlayer::choosePreset(const std::string& id)
{
    if (m_stage.context.session.active() || m_stage.context.reference.active())
        return tr("a run is in progress: cancel it or wait");
    if (m_stage.context.session.study() == preset(id) && m_stage.context.document.file().isEmpty())
        return {};
    m_stage.study.choosePreset(toQString(id));
    return {};
}

/// A lesson never changes the user's file: its changes go to an untitled document.
void LessonPlayer::leaveFile()
{
    auto& document = m_stage.context.document;
    if (!document.file().isEmpty())
        document.startNew(document.session().study(), tr("Begin the lesson with %1").arg(document.name()));
}

QString LessonPlayer::setting(const LessonAction& action)
{
    leaveFile();
    if (action.name == "seed" || action.name == "note") {   // these are outside the panel
        auto& document     = m_stage.context.document;
        const Field& named = field(action.name);
        Study after        = document.session().study();
        named.set(after, parse_value(named, action.text));
        document.editSettings(after, toQString(action.name));
        return {};
    }
    m_stage.study.unfold(toQString(action.name));
    return m_stage.study.setField(toQString(action.name), toQString(action.text));
}

/// Does nothing if the Study is trained, so that Show me works after the user's own Train.
QString LessonPlayer::train()
{
    auto& session         = m_stage.context.session;
    const QString mistake = m_stage.context.document.commit();
    if (!mistake.isEmpty() && !session.active())
        return mistake;
    if (session.active() && session.changedSinceStart())
        return tr("a run with other settings is in progress: cancel it or wait");
    if (session.state() == Session::State::running)
        return {};
    if (session.state() == Session::State::ended && session.showsStudy() && cameToItsEnd(session.run()))
        return {};
    session.train();
    return {};
}

QString LessonPlayer::showView(const std::string& id)
{
    const auto& experiment = m_stage.context.session.run().experiment;
    if (!experiment)
        return tr("no run is displayed");
    if (const auto why = view(id).why_not(*experiment))
        return tr("the view “%1” cannot be shown: %2").arg(toQString(view(id).title), toQString(*why));
    m_stage.navigator.show(toQString(id));
    return {};
}

QString LessonPlayer::input(const LessonAction& action)
{
    const auto& experiment = m_stage.context.session.run().experiment;
    const auto& numbers    = action.numbers;
    if (!experiment)
        return tr("no run is displayed");
    const auto& part = scoredPart(*experiment);
    if (action.kind == LessonAction::Kind::row) {
        if (numbers[0] >= static_cast<double>(part.n_rows))
            return tr("there is no row %1, the last one is %2")
                .arg(toQString(static_cast<long>(numbers[0])), toQString(static_cast<long>(part.n_rows) - 1));
        m_stage.context.selection.chooseRow(static_cast<int>(numbers[0]), Selection::By::box);
        return {};
    }
    if (action.kind == LessonAction::Kind::input) {
        if (numbers.size() != part.n_features || experiment->outputs)
            return tr("found %1 numbers, but an input of this run has %2")
                .arg(toQString(numbers.size()), toQString(part.n_features));
        m_stage.context.selection.choosePoint(numbers, Selection::By::map);
        return {};
    }
    if (part.n_features != (numbers.size() == 3 ? 2U : 1U) || experiment->outputs)
        return tr("a point of %1 numbers cannot be drawn into the data of this run").arg(toQString(numbers.size()));
    leaveFile();
    auto& points = m_stage.context.points;
    points.draw(numbers[0], numbers[1], numbers.size() == 3 ? static_cast<int>(numbers[2]) : 0,
                1000000 + action.line);   // a separate stroke
    points.endStroke();
    return {};
}

QString LessonPlayer::openTool(const std::string& id)
{
    const auto* tool = find_listed(lesson_tools(), id);
    if (!tool->action.empty())
        return pressControl(m_stage.window, toQString(tool->action));
    m_stage.navigator.show(id == "simplex" ? ViewNavigator::simplex : toQString(id));
    return {};
}
