// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/speed_control.h"

#include "session/session.h"

#include <QActionGroup>
#include <QMenu>

#include <algorithm>

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
        auto* action = menu()->addAction(speedText(speed), this, [this, speed] { set(speed); });
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
    set(stepsASecond[std::clamp<std::ptrdiff_t>(at - std::begin(stepsASecond) + by, 0, last)]);
}
