// SPDX-License-Identifier: GPL-3.0-or-later
#include "docks/saving_status.h"

#include "session/run_writer.h"
#include "work/text.h"

#include <QPushButton>
#include <QStatusBar>

#include <cmath>

SavingStatus::SavingStatus(RunWriter& writer, QStatusBar* line)
    : QObject(line), m_writer(writer), m_button(new QPushButton(line))
{
    m_button->setObjectName(QStringLiteral("savingProgress"));
    m_button->setFlat(true);
    m_button->setToolTip(tr("Cancel saving; the run stays in the list and its file does not change"));
    m_button->setText(m_button->toolTip());   // until there is something to count
    m_button->hide();
    line->addPermanentWidget(m_button);
    connect(m_button, &QPushButton::clicked, &writer, &RunWriter::cancel);
    connect(&writer, &RunWriter::changed, this, &SavingStatus::refresh);
}

void SavingStatus::refresh()
{
    const auto& saving = m_writer.saving();
    m_button->setVisible(saving.has_value());
    if (!saving)
        return;
    QString words = tr("Saving %1: %2 %").arg(saving->name).arg(std::lround(100 * saving->share));
    if (saving->secondsLeft)
        words += tr(" · %1 left").arg(durationText(*saving->secondsLeft));
    m_button->setText(words + tr(" · Cancel"));
}
