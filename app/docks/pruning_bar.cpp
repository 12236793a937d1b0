// SPDX-License-Identifier: GPL-3.0-or-later
#include "docks/pruning_bar.h"

#include "session/app_context.h"
#include "work/text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

PruningBar::PruningBar(AppContext& context, QWidget* parent)
    : QFrame(parent), m_context(context), m_words(new QLabel(this))
{
    setObjectName(QStringLiteral("pruningBar"));
    setFrameStyle(QFrame::StyledPanel | QFrame::Plain);
    m_words->setObjectName(QStringLiteral("pruningWords"));
    m_words->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);   // the bar never widens the window
    m_words->setWordWrap(true);
    auto* whole = new QPushButton(tr("Undo pruning"), this);
    whole->setObjectName(QStringLiteral("takePruningBack"));
    whole->setToolTip(tr("Restore all weights"));
    connect(whole, &QPushButton::clicked, this, [this] {
        m_context.choices.setForAll(false, [](credence::ViewOptions& options) { options.prune.share = 0; });
    });
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 2, 8, 2);
    row->addWidget(m_words, 1);
    row->addWidget(whole);
    connect(&context.choices, &ViewChoices::changedForAll, this, &PruningBar::refresh);
    connect(&context.session, &Session::momentChanged, this, &PruningBar::refresh);
    refresh();
}

void PruningBar::refresh()
{
    const auto& rule = m_context.choices.options().prune;
    setVisible(rule.on() && !m_context.session.run().ofOutputs());
    m_words->setText(
        tr("Pruned: %1. All views of the posterior show the remaining weights.").arg(toQString(words_of(rule))));
    m_words->setToolTip(m_words->text());
}
