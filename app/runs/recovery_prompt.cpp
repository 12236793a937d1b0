// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/recovery_prompt.h"

#include "parts/notifier.h"
#include "session/app_context.h"
#include "work/text.h"

#include "study/presets.h"

#include <QLocale>

using namespace credence;

namespace {

/// Number of points drawn by the user.
int drawnPoints(const DataSpec& data)
{
    std::size_t n = data.source == DataSource::drawn ? data.points.size() : 0;
    for (const auto& change : data.changes)
        n += change.added.size();
    return static_cast<int>(n);
}

}   // namespace

RecoveryPrompt::RecoveryPrompt(AppContext& context, Notifier& notifier, QObject* parent)
    : QObject(parent), m_context(context), m_notifier(notifier)
{
    connect(&context.interrupted, &InterruptedRuns::changed, this, &RecoveryPrompt::ask);
    context.interrupted.look();
}

void RecoveryPrompt::askAboutRestored(const WindowState& left)
{
    m_left = left;
    ask();
}

void RecoveryPrompt::ask()
{
    m_notifier.takeBack(m_asked);
    m_asked = question();
    if (!m_asked.isEmpty())
        m_notifier.ask(m_asked, offers());
}

QString RecoveryPrompt::question() const
{
    QStringList sentences;
    if (m_left) {
        const auto& study = m_context.session.study();
        const int points  = drawnPoints(study.data);
        sentences += tr("Credence ended unexpectedly. The state at %1 has been restored: %2%3.")
                         .arg(QLocale().toString(m_left->when.time(), QLocale::ShortFormat), m_context.document.name(),
                              points == 0   ? QString()
                              : points == 1 ? tr(", with one drawn point")
                                            : tr(", with %1 drawn points").arg(points));
    }
    if (m_context.interrupted.any())
        sentences += tr("A run was interrupted. %1.").arg(m_context.interrupted.words());
    return sentences.join(QLatin1Char(' '));
}

std::vector<Toasts::Offer> RecoveryPrompt::offers()
{
    auto& interrupted = m_context.interrupted;
    std::vector<Toasts::Offer> offers;
    const bool other = interrupted.byOtherBuild();
    if (interrupted.any())
        offers.push_back({other ? tr("Continue anyway") : tr("Continue"), [this, &interrupted] {
                              m_left.reset();
                              interrupted.continueNewest();
                          }});
    if (other)
        offers.push_back({tr("Start again"), [this, &interrupted] {
                              m_left.reset();
                              interrupted.startAgain();
                          }});
    if (m_left || other)
        offers.push_back({!interrupted.any() ? tr("Keep")
                          : m_left           ? tr("Keep Study only")
                                             : tr("Cancel"),
                          [this, &interrupted] {
            m_left.reset();
            if (interrupted.any())
                m_notifier.notify(tr("To continue the run later, choose Run › Continue interrupted run."));
                          }});
    offers.push_back({tr("Discard"), [this, &interrupted] {
                          if (m_left)
                              m_context.document.startNew(default_study(), tr("Discard restored Study"));
                          m_left.reset();
                          interrupted.discard();
                      }});
    return offers;
}
