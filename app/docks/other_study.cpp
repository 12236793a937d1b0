// SPDX-License-Identifier: GPL-3.0-or-later
#include "docks/other_study.h"

#include "parts/flow_layout.h"
#include "session/app_context.h"
#include "work/text.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

using namespace credence;

OtherStudy::OtherStudy(AppContext& context, QWidget* parent)
    : QFrame(parent), m_context(context), m_text(new QLabel(this)), m_copy(new QPushButton(tr("Edit a cop&y"), this)),
      m_back(new QPushButton(this)), m_foreign(new QPushButton(tr("Open OOD predictions…"), this))
{
    setObjectName(QStringLiteral("otherStudy"));
    setFrameStyle(QFrame::StyledPanel | QFrame::Plain);
    setBackgroundRole(QPalette::ToolTipBase);
    setAutoFillBackground(true);
    hide();
    m_text->setObjectName(QStringLiteral("otherStudyWords"));
    m_text->setForegroundRole(QPalette::ToolTipText);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setWordWrap(true);
    m_copy->setObjectName(QStringLiteral("editCopy"));
    m_copy->setToolTip(tr("Start a new study with these settings. The run stays displayed. Ctrl+Z undoes it"));
    connect(m_copy, &QPushButton::clicked, this, [this] {
        const Study study = m_context.session.run().experiment->study;
        m_context.document.startNew(study, tr("Edit a copy of %1").arg(toQString(study.name)));
    });
    m_back->setObjectName(QStringLiteral("backToStudy"));
    connect(m_back, &QPushButton::clicked, this, [this] { m_context.session.showOwnStudy(); });
    m_foreign->setObjectName(QStringLiteral("openForeign"));
    m_foreign->setToolTip(
        tr("Open predictions of the same network for out-of-distribution inputs: is it uncertain about them?"));
    connect(m_foreign, &QPushButton::clicked, this, &OtherStudy::foreignRequested);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 4, 8, 4);
    column->setSpacing(3);
    column->addWidget(m_text);
    auto* buttons = new FlowLayout;
    column->addLayout(buttons);
    for (auto* button : {m_copy, m_back})
        buttons->addWidget(button);
    column->addWidget(m_foreign, 0, Qt::AlignLeft);
    for (const auto signal : {&Session::studyChanged, &Session::stateChanged, &Session::momentChanged})
        connect(&context.session, signal, this, &OtherStudy::refresh);
    connect(&context.truth, &TruthComparison::progressed, this, &OtherStudy::refresh);
}

void OtherStudy::refresh()
{
    const auto& session = m_context.session;
    const bool outputs  = session.run().ofOutputs();
    // Between two runs of a comparison it would flicker.
    setVisible(!m_context.truth.active() && (outputs || session.showsOtherStudy()));
    m_copy->setVisible(!outputs);
    m_back->setVisible(outputs || session.displaysSaved());
    m_back->setText(session.active() ? tr("&Back to the training") : tr("&Back to my study"));
    m_back->setToolTip(tr("Display the study that you are editing"));
    m_foreign->setVisible(outputs && session.run().experiment->outputs->other.n == 0);
    if (outputs)
        m_text->setText(outputsOnShow());
    else if (session.showsOtherStudy())
        m_text->setText((session.displaysSaved() ? tr("Saved run: %1. Its settings cannot be changed.")
                                                 : tr("The settings below differ from those of the displayed run, %1."))
                            .arg(toQString(session.run().experiment->study.name)));
}

QString OtherStudy::outputsOnShow() const
{
    const auto& experiment = *m_context.session.run().experiment;
    const auto& own        = experiment.outputs->own;
    const auto& other      = experiment.outputs->other;
    const int draws        = experiment.study.prediction.samples;
    QString words          = tr("Imported predictions: %1, %2 of %3 rows, %4 classes, %5.")
                        .arg(toQString(own.name), draws == 1 ? tr("1 sample") : tr("%1 samples").arg(toQString(draws)),
                             toQString(own.n), toQString(own.class_names.size()),
                             own.labels.empty() ? tr("without labels") : tr("with labels"));
    if (other.n > 0)
        words += tr(" OOD data: %1, %2 rows.").arg(toQString(other.name), toQString(other.n));
    return words
           + tr(" The settings below belong to your own study. Press Train or change a training setting to display "
                "its network again. The level α applies to both.");
}
