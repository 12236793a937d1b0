// SPDX-License-Identifier: GPL-3.0-or-later
#include "simplex/logit_source.h"

#include "outputs/bridge_of_file.h"
#include "parts/buttons.h"
#include "parts/help_mark.h"
#include "parts/view_binder.h"
#include "parts/view_panel.h"
#include "session/app_context.h"
#include "session/settings.h"
#include "simplex/simplex_workbench.h"
#include "views/simplex.h"
#include "work/text.h"

#include <QActionGroup>
#include <QHBoxLayout>
#include <QMenu>

using namespace credence;

namespace {

constexpr int usual = -1;   // instead of a LogitsBy

QString inWords(LogitsBy by)
{
    return by == LogitsBy::linearisation ? LogitChoice::tr("linearised") : LogitChoice::tr("samples");
}

QString logitChoiceHelp()
{
    QString html = LogitChoice::tr(
        "<b>Distribution of the class probabilities</b><p>First the Gaussian over the logits of an input, N(μ, Σ). "
        "<b>Linearised</b>: N(f(x), JΣ_θJᵀ), J = ∂f/∂θ at the mean weights: no sampling noise, first order in f. "
        "<b>Sample moments</b>: mean and covariance of the logits over weight samples: no linearisation, but sampling "
        "noise. The default is linearisation for Laplace approximations and samples otherwise.</p><p>Then its "
        "Dirichlet by the <b>Laplace Bridge</b>, α_k = (1/Σ_kk)(1 − 2/K + e^{μ_k}/K² Σ_l e^{−μ_l}), which assumes that "
        "the logits sum to 0. Variants:</p><ul>");
    for (const auto variant : bridge_variants)
        html += QStringLiteral("<li><b>%1</b>: %2</li>").arg(htmlFrom(title_of(variant)), htmlFrom(hint(variant)));
    return html
           + LogitChoice::tr(
               "</ul><p>Simplex, Marginals and List lengths share one choice; the bridge is also that of the "
               "centre. Source: Hobbhahn 2020, (2.7) and (3.4).</p>");
}

}   // namespace

LogitChoice::LogitChoice(QObject* parent)
    : QObject(parent), m_variants(new QActionGroup(this)), m_methods(new QActionGroup(this))
{
    for (const auto variant : bridge_variants) {
        auto* action = m_variants->addAction(toQString(title_of(variant)));
        action->setObjectName(QStringLiteral("lawVariant/") + toQString(name(variant)));
        action->setData(static_cast<int>(variant));
        action->setCheckable(true);
        action->setToolTip(toQString(hint(variant)));
        connect(action, &QAction::triggered, this, [this, variant] { Q_EMIT variantChosen(variant); });
    }
    for (const auto& [id, by, title] :
         {std::tuple(QStringLiteral("usual"), usual, tr("default of the family")),
          std::tuple(toQString(name(LogitsBy::linearisation)), static_cast<int>(LogitsBy::linearisation),
                     tr("linearised at the mean weights")),
          std::tuple(toQString(name(LogitsBy::samples)), static_cast<int>(LogitsBy::samples), tr("sample moments"))}) {
        auto* action = m_methods->addAction(title);
        action->setObjectName(QStringLiteral("lawLogits/") + id);
        action->setData(by);
        action->setCheckable(true);
        if (id == read(settings::logitsBy) && by != usual)
            m_request = static_cast<LogitsBy>(by);
        connect(action, &QAction::triggered, this, [this, id, by = by] {
            m_request = by == usual ? std::nullopt : std::optional(static_cast<LogitsBy>(by));
            write(settings::logitsBy, id);
            refresh();
            Q_EMIT logitsChosen();
        });
    }
}

QWidget* LogitChoice::makeControl(const QString& view, QWidget* parent)
{
    auto* all    = new QWidget(parent);
    auto* menu   = new QMenu(all);
    auto* button = new MenuButton({}, menu, all);
    button->setObjectName(QStringLiteral("lawChoice/") + view);
    button->setAutoRaise(true);
    button->setAccessibleName(tr("Laplace Bridge variant and source of the Gaussian over the logits"));
    menu->setToolTipsVisible(true);
    menu->addSection(tr("Laplace Bridge"));
    menu->addActions(m_variants->actions());
    menu->addSection(tr("Gaussian over the logits"));
    menu->addActions(m_methods->actions());
    auto* row = new QHBoxLayout(all);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(button);
    row->addWidget(new HelpMark(tr("Distribution of the class probabilities"), logitChoiceHelp, all));
    m_buttons.push_back(button);
    refresh();
    return all;
}

void LogitChoice::setVariant(BridgeVariant variant)
{
    for (auto* action : m_variants->actions())
        action->setChecked(action->data().toInt() == static_cast<int>(variant));
    refresh();
}

void LogitChoice::fit(const RunSnapshot& run)
{
    if (run.experiment->task() != Task::classification)
        return;   // has none of these views
    m_whyNotLinearised = gives_linearised_logits(run) ? QString() : toQString(why_not_linearised(run));
    m_usual            = !gives_logits(run) ? QString() : inWords(usual_logits_by(run));
    refresh();
}

std::optional<LogitsBy> LogitChoice::logitsBy() const
{
    return m_request == LogitsBy::linearisation && !m_whyNotLinearised.isEmpty() ? std::nullopt : m_request;
}

void LogitChoice::refresh()
{
    const auto shown = logitsBy();
    for (auto* action : m_methods->actions()) {
        const int by = action->data().toInt();
        action->setChecked(by == (shown ? static_cast<int>(*shown) : usual));
        if (by == usual)
            action->setText(m_usual.isEmpty() ? tr("default of the family")
                                              : tr("default of the family: %1").arg(m_usual));
        if (by == static_cast<int>(LogitsBy::linearisation)) {
            action->setEnabled(m_whyNotLinearised.isEmpty());
            action->setToolTip(m_whyNotLinearised.isEmpty()
                                   ? tr("Use N(f(x), JΣ_θJᵀ): no sampling noise, first order in the network's output")
                                   : m_whyNotLinearised);
        } else {
            action->setToolTip(by == usual ? tr("Linearise for Laplace approximations, use samples otherwise")
                                           : tr("Use mean and covariance of the logits over weight samples"));
        }
    }
    const auto* chosen    = m_variants->checkedAction();
    const QString variant = chosen ? chosen->text() : QString();
    const QString inShort = chosen ? toQString(short_title_of(static_cast<BridgeVariant>(chosen->data().toInt())))
                                   : QString();
    const QString way     = shown ? inWords(*shown) : m_usual.isEmpty() ? tr("default of the family") : m_usual;
    for (auto* button : m_buttons) {
        button->setLabel(tr("Bridge: %1").arg(inShort));
        button->setToolTip(tr("Laplace Bridge: %1. Gaussian over the logits: %2. Click to choose").arg(variant, way));
    }
}

namespace {

/// The views that share one choice of bridge and logits.
const QStringList logitViews{QStringLiteral("simplex"), QStringLiteral("beta_marginals"),
                             QStringLiteral("list_lengths")};

}   // namespace

LogitSource::LogitSource(AppContext& context, ViewBinder& binder, SimplexWorkbench* simplex)
    : QObject(simplex), m_context(context), m_binder(binder), m_simplex(*simplex), m_choice(new LogitChoice(this))
{
    auto& choices = context.choices;
    choices.alsoFrom([simplex](ViewOptions& options) {
        options.simplex                 = simplex->choice();
        options.simplex.density.variant = simplex->editor().state().variant;
    });
    m_choice->setVariant(simplex->editor().state().variant);
    connect(simplex, &SimplexWorkbench::exportRequested, &binder, &ViewBinder::exportRequested);
    connect(simplex, &SimplexWorkbench::becameVisible, this, &LogitSource::followRun);
    connect(&binder, &ViewBinder::inputAsked, this, &LogitSource::followRun);
    connect(&binder, &ViewBinder::reading, this, [this](const QString& words) {
        if (m_simplex.editor().state().source == SimplexSource::chosen_input)
            m_simplex.picture()->setChart(Chart{.id = "simplex_by_hand", .message = words.toStdString()});
    });
    connect(simplex, &SimplexWorkbench::choiceChanged, &binder,
            [&binder] { binder.request({QStringLiteral("simplex")}); });
    connect(simplex, &SimplexWorkbench::variantChanged, this, [this] {
        m_choice->setVariant(m_simplex.editor().state().variant);
        m_binder.request(logitViews);
    });
    connect(m_choice, &LogitChoice::variantChosen, &simplex->editor(), &SimplexEditor::setVariant);
    const auto setLogits = [this](const QStringList& views) {
        m_context.choices.set(views, [this](ViewOptions& options) { options.logits_by = m_choice->logitsBy(); });
    };
    connect(m_choice, &LogitChoice::logitsChosen, this, [setLogits] { setLogits(logitViews); });
    connect(&binder, &ViewBinder::snapshotArrived, this, [this, setLogits](const RunSnapshot& run) {
        m_choice->fit(run);
        setLogits({});   // all pictures are asked for next
    });
}

void LogitSource::addControls(const QStringList& views)
{
    for (const auto& view : views) {
        auto* panel = m_binder.panel(view);
        panel->addControl(m_choice->makeControl(view, panel));
    }
}

void LogitSource::followRun()
{
    const auto run = m_context.session.run().current();
    if (!run.experiment || !run.snapshot)
        return;
    m_simplex.follow(run, m_context.requests.options());
}
