// SPDX-License-Identifier: GPL-3.0-or-later
#include "docks/other_study.h"

#include "session/workspace.h"
#include "work/text.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

using namespace credence;

OtherStudy::OtherStudy(Workspace& workspace, QWidget* parent)
    : QFrame(parent), m_workspace(workspace), m_text(new QLabel(this)),
      m_take(new QPushButton(tr("Take over its settin&gs"), this)),
      m_foreign(new QPushButton(tr("Open foreign data…"), this))
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
    m_take->setObjectName(QStringLiteral("takeOverStudy"));
    m_take->setToolTip(tr("These settings become those of the run on show, which stays on show. Ctrl+Z takes it back"));
    connect(m_take, &QPushButton::clicked, this, [this] {
        const Study study = m_workspace.session.run().moment().experiment->study;
        m_workspace.editor.edit(study, tr("Take over the settings of %1").arg(toQString(study.name)));
    });
    m_foreign->setObjectName(QStringLiteral("openForeign"));
    m_foreign->setToolTip(
        tr("Outputs of the same net for inputs that it has not learned: does it know that it does not know?"));
    connect(m_foreign, &QPushButton::clicked, this, &OtherStudy::foreignRequested);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 4, 8, 4);
    column->setSpacing(3);
    column->addWidget(m_text);
    column->addWidget(m_take, 0, Qt::AlignLeft);
    column->addWidget(m_foreign, 0, Qt::AlignLeft);
    for (const auto signal : {&Session::studyChanged, &Session::stateChanged, &Session::momentChanged})
        connect(&workspace.session, signal, this, &OtherStudy::refresh);
    connect(&workspace.truth, &TruthComparison::progressed, this, &OtherStudy::refresh);
}

void OtherStudy::refresh()
{
    const auto& session = m_workspace.session;
    const bool outputs  = session.run().ofOutputs();
    // Between two runs of a comparison it would come and go.
    setVisible(!m_workspace.truth.active() && (outputs || session.showsOtherStudy()));
    m_take->setVisible(!outputs);
    m_foreign->setVisible(outputs && session.run().experiment->outputs->other.n == 0);
    if (outputs)
        m_text->setText(outputsOnShow());
    else if (session.showsOtherStudy())
        m_text->setText(tr("These are not the settings of the run on show, %1.")
                            .arg(toQString(session.run().moment().experiment->study.name)));
}

QString OtherStudy::outputsOnShow() const
{
    const auto& experiment = *m_workspace.session.run().experiment;
    const auto& own        = experiment.outputs->own;
    const auto& other      = experiment.outputs->other;
    const int draws        = experiment.study.prediction.samples;
    QString words          = tr("On show are outputs from elsewhere: %1, %2 of %3 rows, %4 classes, %5.")
                        .arg(toQString(own.name), draws == 1 ? tr("1 draw") : tr("%1 draws").arg(toQString(draws)),
                             toQString(own.n), toQString(own.class_names.size()),
                             own.labels.empty() ? tr("without labels") : tr("with labels"));
    if (other.n > 0)
        words += tr(" Foreign data: %1, %2 rows.").arg(toQString(other.name), toQString(other.n));
    return words
           + tr(
               " No settings made them. Those below are of your own study: Train, or a change of what is trained, shows its net again; the level α counts for both.");
}
