// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/time_machine.h"

#include "parts/quiet_parts.h"
#include "session/session.h"
#include "work/text.h"

#include "runs/laplace_fit.h"
#include "study/method.h"
#include "widgets/announcer.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QSlider>
#include <QToolButton>

using namespace credence;

TimeMachine::TimeMachine(Session& session, QWidget* parent)
    : QWidget(parent), m_session(session), m_slider(new QSlider(Qt::Horizontal, this)), m_step(new QLabel(this)),
      m_newest(new QToolButton(this)), m_quiet(new QuietParts(nullptr, this))
{
    auto* inside = new QWidget(this);
    m_slider->setObjectName(QStringLiteral("timeMachine"));
    m_slider->setAccessibleName(tr("Time machine: recorded step shown in all views"));
    m_slider->setToolTip(tr("Show any recorded step in all views (Alt+Left, Alt+Right)"));
    m_slider->setPageStep(10);
    m_step->setObjectName(QStringLiteral("shownStep"));
    m_step->setMinimumWidth(m_step->fontMetrics().horizontalAdvance(QStringLiteral("Step 1,000,000 of 1,000,000 ")));
    m_newest->setObjectName(QStringLiteral("newest"));
    m_newest->setText(tr("Newest"));
    m_newest->setToolTip(tr("Follow the newest step in all views"));
    auto* row = new QHBoxLayout(inside);
    row->setContentsMargins(8, 2, 8, 2);
    row->addWidget(m_step);
    row->addWidget(m_slider, 1);
    row->addWidget(m_newest);
    auto* all = new QHBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->addWidget(inside);
    m_quiet->add(inside);

    connect(m_slider, &QSlider::valueChanged, &session.currentRun(), &CurrentRun::showRecorded);
    connect(m_newest, &QToolButton::clicked, &session, [&session] { session.currentRun().showRecorded(-1); });
    connect(&session, &Session::recordedChanged, this, &TimeMachine::refresh);
    connect(&session, &Session::snapshotChanged, this, &TimeMachine::refresh);
    connect(&session, &Session::stateChanged, this, &TimeMachine::refresh);
    refresh();
}

void TimeMachine::move(int by)
{
    const int last = static_cast<int>(m_session.run().recorded().size()) - 1;
    if (last < 1)
        return;
    const int from = m_session.run().at < 0 ? last : m_session.run().at;
    m_session.currentRun().showRecorded(from + by > last ? -1 : std::max(0, from + by));
}

void TimeMachine::refresh()
{
    setVisible(!m_session.run().ofOutputs());   // they have no steps
    const int count = static_cast<int>(m_session.run().recorded().size());
    const QSignalBlocker quiet(m_slider);
    m_quiet->setNeeded(count > 1);
    m_slider->setEnabled(count > 1);
    m_slider->setRange(0, std::max(0, count - 1));
    m_slider->setValue(m_session.run().at < 0 ? count - 1 : m_session.run().at);
    m_newest->setEnabled(m_session.run().at >= 0);
    const auto run = m_session.run().current();
    if (!run.snapshot) {
        m_step->clear();
        return;
    }
    QString words = tr("Step %1 of %2")
                        .arg(toQString(run.snapshot->point.step), toQString(steps_of(run.experiment->study)));
    if (method_of(run.experiment->study).training.fits_curvature)   // two snapshots of the last step
        words += laplace_of(*run.snapshot) ? tr(" · curvature") : tr(" · point estimate");
    m_step->setText(words);
    if (m_slider->hasFocus()) {
        m_slider->setAccessibleDescription(words);
        announce(m_slider, words, Announcer::Urgency::settled);
    }
}
