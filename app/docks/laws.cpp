// SPDX-License-Identifier: GPL-3.0-or-later
#include "docks/laws.h"

#include "parts/view_binder.h"
#include "parts/view_panel.h"
#include "session/app_context.h"
#include "tools/law_choice.h"
#include "tools/simplex_workbench.h"

using namespace credence;

namespace {

/// The views that share one choice of bridge and logits.
const QStringList lawViews{QStringLiteral("simplex"), QStringLiteral("beta_marginals"), QStringLiteral("list_lengths")};

}   // namespace

Laws::Laws(AppContext& context, ViewBinder& binder, SimplexWorkbench* simplex)
    : QObject(simplex), m_context(context), m_binder(binder), m_simplex(*simplex), m_choice(new LawChoice(this))
{
    auto& choices = context.choices;
    choices.alsoFrom([simplex](ViewOptions& options) {
        options.simplex        = simplex->choice();
        options.bridge_variant = simplex->law().state().variant;
    });
    m_choice->setVariant(simplex->law().state().variant);
    connect(simplex, &SimplexWorkbench::exportRequested, &binder, &ViewBinder::exportRequested);
    connect(simplex, &SimplexWorkbench::becameVisible, this, &Laws::followRun);
    connect(&binder, &ViewBinder::inputAsked, this, &Laws::followRun);
    connect(&binder, &ViewBinder::reading, this, [this](const QString& words) {
        if (m_simplex.law().state().source == LawSource::chosen_input)
            m_simplex.picture()->setChart(Chart{.id = "simplex_by_hand", .message = words.toStdString()});
    });
    connect(simplex, &SimplexWorkbench::choiceChanged, &binder,
            [&binder] { binder.request({QStringLiteral("simplex")}); });
    connect(simplex, &SimplexWorkbench::variantChanged, this, [this] {
        m_choice->setVariant(m_simplex.law().state().variant);
        m_binder.request(lawViews);
    });
    connect(m_choice, &LawChoice::variantChosen, &simplex->law(), &LawEditor::setVariant);
    const auto setLogits = [this](const QStringList& views) {
        m_context.choices.set(views, [this](ViewOptions& options) { options.logits_by = m_choice->logitsBy(); });
    };
    connect(m_choice, &LawChoice::logitsChosen, this, [setLogits] { setLogits(lawViews); });
    connect(&binder, &ViewBinder::momentComes, this, [this, setLogits](const RunSnapshot& moment) {
        m_choice->fit(moment);
        setLogits({});   // all pictures are asked for next
    });
}

void Laws::addControls(const QStringList& views)
{
    for (const auto& view : views) {
        auto* panel = m_binder.panel(view);
        panel->addControl(m_choice->makeControl(view, panel));
    }
}

void Laws::followRun()
{
    const auto moment = m_context.session.run().moment();
    if (!moment.experiment || !moment.snapshot)
        return;
    m_simplex.follow(moment, m_context.requests.options());
}
