// SPDX-License-Identifier: GPL-3.0-or-later
#include "lessons/lesson_guide.h"

#include "lessons/lesson_controls.h"
#include "lessons/lesson_panel.h"
#include "parts/ask_path.h"
#include "parts/window_part.h"
#include "study/study_panel.h"
#include "views/view_navigator.h"
#include "work/text.h"

#include "foundation/error.h"
#include "foundation/files.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <tuple>

using namespace credence;

namespace {

const QString shippedLessons = QStringLiteral(":/lessons");

std::string textOfLesson(const QString& file)
{
    if (!file.startsWith(QLatin1Char(':')))
        return read_file(file.toStdString(), "a lesson in Markdown", std::uint64_t{1} << 20);
    QFile shipped(file);
    if (!shipped.open(QIODevice::ReadOnly))
        throw Error(file.toStdString() + ": there is no such lesson.");
    return shipped.readAll().toStdString();
}

Lesson lessonIn(const QString& file)
{
    return read_lesson(textOfLesson(file), QFileInfo(file).fileName().toStdString());
}

/// Invalid ones are skipped; a test reads them all.
std::vector<LessonLineInList> readShipped()
{
    std::vector<std::tuple<int, QString, LessonLineInList>> found;
    for (const auto& name : QDir(shippedLessons).entryList({QStringLiteral("*.md")}, QDir::Files, QDir::Name))
        try {
            const Lesson lesson = lessonIn(shippedLessons + QLatin1Char('/') + name);
            const auto title    = toQString(lesson.title);
            found.emplace_back(lesson.order, title,
                               LessonLineInList{.id      = QFileInfo(name).completeBaseName(),
                                                .title   = title,
                                                .about   = toQString(lesson.about),
                                                .minutes = lesson.minutes});
        } catch (const Error&) {}
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
        return std::tie(std::get<0>(a), std::get<1>(a)) < std::tie(std::get<0>(b), std::get<1>(b));
    });
    std::vector<LessonLineInList> lines;
    lines.reserve(found.size());
    for (auto& one : found)
        lines.push_back(std::move(std::get<2>(one)));
    return lines;
}

}   // namespace

LessonGuide::LessonGuide(const LessonStage& stage, QObject* parent)
    : QObject(parent), m_stage(stage), m_state(stage.context, stage.window),
      m_panel(new LessonPanel(m_state, &stage.window)), m_frames(stage.window, this), m_player(stage, this)
{
    connect(m_panel, &LessonPanel::openRequested, this, &LessonGuide::open);
    connect(m_panel, &LessonPanel::fileRequested, this, &LessonGuide::ask);
    connect(m_panel, &LessonPanel::listRequested, this, &LessonGuide::showList);
    connect(m_panel, &LessonPanel::showRequested, this, &LessonGuide::showMe);
    connect(m_panel, &LessonPanel::nextRequested, this, &LessonGuide::next);
    connect(m_panel, &LessonPanel::backRequested, this, &LessonGuide::back);
    connect(&m_player, &LessonPlayer::acting, this, [this](const QString& control) {
        if (!control.isEmpty())
            m_frames.show({control});
    });
    connect(&m_player, &LessonPlayer::finished, this, [this] {
        m_shown = true;
        m_panel->setPlaying(false);
        outlineStep();
    });
    connect(&m_player, &LessonPlayer::failed, this, [this](int line, const QString& sentence) {
        m_panel->setPlaying(false);
        outlineStep();
        m_panel->notify(named(line, sentence));
    });
}

void LessonGuide::setPart(WindowPart& part)
{
    m_part = &part;
    connect(&part, &WindowPart::openChanged, this, [this](bool open) {
        if (!open)
            rest();
        else if (m_lesson)
            outlineStep();
        else
            fillList();
    });
}

void LessonGuide::rest()
{
    m_player.stop();
    m_frames.clear();
    m_panel->setPlaying(false);
}

void LessonGuide::openPart()
{
    if (m_part)
        m_part->setOpen(true);
}

const std::vector<LessonLineInList>& LessonGuide::shipped()
{
    static const auto lessons = readShipped();
    return lessons;
}

void LessonGuide::fillList()
{
    m_panel->setList(shipped());
    m_panel->showList();
}

void LessonGuide::showList()
{
    rest();
    m_panel->question().ask(nullptr);   // the panel must not refer to the old lesson
    m_lesson.reset();
    fillList();
    openPart();
    m_panel->takeFocus();
}

void LessonGuide::ask()
{
    askForFile(tr("Open lesson"), tr("Lessons (*.md);;All files (*)"), &m_stage.window,
               [this](const QString& file) { open(file); });
}

bool LessonGuide::open(const QString& idOrFile)
{
    const QString shipped = shippedLessons + QLatin1Char('/') + idOrFile + QStringLiteral(".md");
    const QString file    = QFile::exists(shipped) ? shipped : idOrFile;
    std::optional<Lesson> read;
    try {
        read = lessonIn(file);
    } catch (const Error& error) {
        if (!m_lesson)
            showList();
        openPart();
        m_panel->notify(toQString(error.what()));
        return false;
    }
    rest();
    m_panel->question().ask(nullptr);
    m_lesson = std::move(read);
    m_file   = file;
    m_step   = 0;
    openPart();
    showStep(0);
    m_panel->takeFocus();
    return true;
}

void LessonGuide::showStep(std::size_t step)
{
    m_player.stop();
    m_step  = step;
    m_shown = m_lesson->steps[step].actions.empty();
    m_panel->showStep(*m_lesson, step, QFileInfo(m_file).path());
    outlineStep();
}

/// Outlines the controls of the step and brings them into view, the first one last, so that it is
/// visible if two share a place.
void LessonGuide::outlineStep()
{
    if (!m_lesson)
        return;
    const auto& highlights = m_lesson->steps[m_step].highlights;
    std::vector<QString> names;
    for (auto one = highlights.rbegin(); one != highlights.rend(); ++one) {
        const QString name = toQString(one->name);
        m_stage.study.unfold(name);
        const auto place = lessonPlace(m_stage.window, name);
        if (!place) {
            m_panel->notify(named(one->line, tr("there is no control named “%1”").arg(name)));
            continue;
        }
        m_stage.navigator.reveal(*place->widget);
        names.insert(names.begin(), name);
    }
    m_frames.show(names);
}

void LessonGuide::showMe()
{
    if (!m_lesson)
        return;
    if (m_player.playing()) {
        rest();
        return outlineStep();
    }
    m_panel->notify({});
    m_panel->setPlaying(true);
    m_player.play(m_lesson->steps[m_step].actions);
}

void LessonGuide::next()
{
    if (!m_lesson)
        return showList();
    if (m_step + 1 < m_lesson->steps.size())
        showStep(m_step + 1);
    else
        showList();
}

void LessonGuide::back()
{
    if (m_lesson && m_step > 0)
        showStep(m_step - 1);
}

void LessonGuide::showNextStep()
{
    if (m_player.playing())
        return;
    if (!m_lesson)
        return showList();
    openPart();
    m_shown ? next() : showMe();
}

QString LessonGuide::named(int line, const QString& sentence) const
{
    return tr("%1, line %2: %3.").arg(QFileInfo(m_file).fileName()).arg(line).arg(sentence);
}
