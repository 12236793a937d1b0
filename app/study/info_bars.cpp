// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/info_bars.h"

#include "parts/appearance.h"
#include "parts/form_controls.h"
#include "parts/toasts.h"
#include "session/app_context.h"
#include "session/reference_comparison.h"
#include "work/text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

using namespace credence;

namespace {

/// A card over the charts with text and one button, shown while a state lasts.
class StateCard : public QFrame {
public:
    StateCard(const QString& name, const QString& nameOfWords, QPushButton* button, Toasts& toasts)
        : QFrame(&toasts), row(new QHBoxLayout), m_words(new QLabel(this))
    {
        setObjectName(name);
        setBackgroundRole(QPalette::Base);
        m_words->setObjectName(nameOfWords);
        m_words->setForegroundRole(QPalette::Text);
        m_words->setWordWrap(true);
        auto* column = new QVBoxLayout(this);
        column->setContentsMargins(8, 8, 8, 8);
        column->addWidget(m_words);
        column->addLayout(row);
        row->addStretch(1);
        row->addWidget(button);
    }
    void setWords(const QString& words) { m_words->setText(words); }

    QHBoxLayout* const row;

private:
    void paintEvent(QPaintEvent*) override { paintCard(*this); }

    QLabel* m_words;
};

QPushButton* cardButton(const QString& name, const QString& text, const QString& tip)
{
    auto* button = new QPushButton(text);
    button->setObjectName(name);
    button->setToolTip(tip);
    return button;
}

}   // namespace

void addPruningToast(AppContext& context, Toasts& toasts)
{
    auto* whole = cardButton(QStringLiteral("takePruningBack"), QFrame::tr("Undo pruning"),
                             QFrame::tr("Restore all weights"));
    auto* card  = new StateCard(QStringLiteral("pruningBar"), QStringLiteral("pruningWords"), whole, toasts);
    card->setToolTip(QFrame::tr("All views of the posterior show the remaining weights"));
    QObject::connect(whole, &QPushButton::clicked, card, [&context] {
        context.choices.setForAll(false, [](ViewOptions& options) { options.prune.share = 0; });
    });
    const auto refresh = [card, &context, &toasts] {
        const auto& rule = context.choices.options().prune;
        card->setWords(QFrame::tr("Pruned: %1").arg(toQString(words_of(rule))));
        toasts.showState(card, rule.on() && !context.session.run().ofOutputs());
    };
    QObject::connect(&context.choices, &ViewChoices::changedForAll, card, refresh);
    QObject::connect(&context.session, &Session::snapshotChanged, card, refresh);
    refresh();
}

void addReferenceToast(ReferenceComparison& comparison, Toasts& toasts)
{
    auto* cancel = cardButton(QStringLiteral("cancelComparison"), QFrame::tr("Cancel comparison"),
                              QFrame::tr("Stop running methods. Finished runs are kept and compared"));
    auto* card   = new StateCard(QStringLiteral("truthBar"), QStringLiteral("truthProgress"), cancel, toasts);
    auto* done   = new QProgressBar(card);
    done->setTextVisible(false);
    fixWithText(done, 0, 12);
    done->setAccessibleName(QFrame::tr("Finished runs of the comparison"));
    card->row->insertWidget(0, done, 4);
    QObject::connect(cancel, &QPushButton::clicked, &comparison, &ReferenceComparison::cancel);
    const auto refresh = [card, done, &comparison, &toasts] {
        const auto& progress = comparison.progress();
        done->setRange(0, std::max(1, progress.count));
        done->setValue(std::max(0, progress.number - 1));
        card->setWords(
            progress.number == 0
                ? QFrame::tr("Compare with reference, %1: finding methods that can run …").arg(progress.title)
                : QFrame::tr("Compare with reference, %1. %2 of %3: %4")
                      .arg(progress.title)
                      .arg(progress.number)
                      .arg(progress.count)
                      .arg(progress.now));
        toasts.showState(card, comparison.active());
    };
    QObject::connect(&comparison, &ReferenceComparison::progressed, card, refresh);
    refresh();
}

OtherStudy::OtherStudy(AppContext& context, QWidget* parent)
    : QFrame(parent), m_context(context), m_text(new QLabel(this)), m_copy(new QPushButton(tr("Edit a cop&y"), this)),
      m_back(new QPushButton(this)), m_ood(new QPushButton(tr("Open OOD predictions…"), this))
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
    m_copy->setToolTip(tr("Start a new Study with these settings. The run stays displayed. Ctrl+Z undoes it"));
    connect(m_copy, &QPushButton::clicked, this, [this] {
        const Study study = m_context.session.run().experiment->study;
        m_context.document.startNew(study, tr("Edit a copy of %1").arg(toQString(study.name)));
    });
    m_back->setObjectName(QStringLiteral("backToStudy"));
    connect(m_back, &QPushButton::clicked, this, [this] { m_context.session.showOwnStudy(); });
    m_ood->setObjectName(QStringLiteral("openForeign"));
    m_ood->setToolTip(
        tr("Open predictions of the same network for out-of-distribution inputs: is it uncertain about them?"));
    connect(m_ood, &QPushButton::clicked, this, &OtherStudy::oodRequested);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 4, 8, 4);
    column->setSpacing(3);
    column->addWidget(m_text);
    auto* buttons = new FlowLayout;
    column->addLayout(buttons);
    for (auto* button : {m_copy, m_back})
        buttons->addWidget(button);
    column->addWidget(m_ood, 0, Qt::AlignLeft);
    for (const auto signal : {&Session::studyChanged, &Session::stateChanged, &Session::snapshotChanged})
        connect(&context.session, signal, this, &OtherStudy::refresh);
    connect(&context.reference, &ReferenceComparison::progressed, this, &OtherStudy::refresh);
}

void OtherStudy::refresh()
{
    const auto& session = m_context.session;
    const bool outputs  = session.run().ofOutputs();
    const auto& shown   = session.run().experiment;
    const bool refused  = session.state() == Session::State::refused && shown && !outputs && !session.showsOtherStudy()
                         && !sameTraining(session.study(), shown->study);
    // Not shown during a comparison, since it would flicker between two runs.
    setVisible(!m_context.reference.active() && (outputs || refused || session.showsOtherStudy()));
    m_copy->setVisible(!outputs && !refused);
    m_back->setVisible(outputs || session.displaysSaved());
    m_back->setText(session.active() ? tr("&Back to the training") : tr("&Back to my Study"));
    m_back->setToolTip(tr("Display the Study that you are editing"));
    m_ood->setVisible(outputs && session.run().experiment->outputs->other.n == 0);
    if (outputs)
        m_text->setText(importedPredictionsText());
    else if (refused)
        m_text->setText(
            tr("The settings below have an error, so the charts still show %1.").arg(toQString(shown->study.name)));
    else if (session.showsOtherStudy())
        m_text->setText((session.displaysSaved() ? tr("Saved run: %1. Its settings cannot be changed.")
                                                 : tr("The settings below differ from those of the displayed run, %1."))
                            .arg(toQString(session.run().experiment->study.name)));
}

QString OtherStudy::importedPredictionsText() const
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
           + tr(" The settings below belong to your own Study. Press Train or change a training setting to display "
                "its network again. The level α applies to both.");
}
