// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/layers_dock.h"

#include "charts/chart.h"
#include "foundation/error.h"
#include "parts/appearance.h"
#include "parts/form_controls.h"
#include "parts/help_mark.h"
#include "parts/notifier.h"
#include "parts/number_slider.h"
#include "parts/view_area.h"
#include "parts/view_binder.h"
#include "parts/view_panel.h"
#include "runs/laplace_fit.h"
#include "session/app_context.h"
#include "session/document/study_document.h"
#include "session/session.h"
#include "study/fields.h"
#include "study/method.h"
#include "views/weights_dock.h"
#include "work/text.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

using namespace credence;

namespace {

QString shown(double number) { return toQString(number_text(number, 4)); }

/// A combo box with the choices of a setting of the Study.
QComboBox* choiceBox(const char* path, QWidget* parent)
{
    const Field& setting = field(path);
    auto* box            = new QComboBox(parent);
    describeControl(box, QStringLiteral("laplacePanel/") + toQString(setting.key()), toQString(setting.label),
                    toQString(setting.label));
    // In a narrow window, the text of this box is elided instead of that of the Study panel.
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(7);
    for (const auto& choice : setting.choices) {
        box->addItem(toQString(choice.title), toQString(choice.name));
        box->setItemData(box->count() - 1, toQString(choice.help), Qt::ToolTipRole);
    }
    return box;
}

QString helpOf(std::initializer_list<const char*> paths)
{
    QString html;
    for (const char* path : paths)
        html += QStringLiteral("<b>%1</b><p>%2</p>").arg(htmlFrom(field(path).label), htmlFrom(field(path).help));
    return html;
}

NumberSlider* precisionSlider(QWidget* parent)
{
    return new NumberSlider(
        {.name  = QStringLiteral("laplacePanel/precision"),
         .title = LaplacePanel::tr("Prior precision λ"),
         .low   = smallest_precision,
         .high  = largest_precision,
         .value = 1,
         .tip   = LaplacePanel::tr(
                      "Set the prior precision λ = 1/σ₀² on a logarithmic scale: small values give wide posteriors and "
                        "high uncertainty, large values approach the point estimate. Neither training nor curvature is "
                        "repeated. %1")
                    .arg(toQString(expectation(field("posterior.laplace_precision")))),
         .scale       = NumberSlider::Scale::logarithmic,
         .significant = 4},
        parent);
}

}   // namespace

LaplacePanel::LaplacePanel(StudyDocument& document, QWidget* parent)
    : QWidget(parent), m_document(document), m_precision(precisionSlider(this)),
      m_structure(choiceBox("posterior.laplace_structure", this)),
      m_layers(choiceBox("posterior.laplace_layers", this)), m_evidence(new QPushButton(tr("Ma&x. evidence"), this)),
      m_confidence(new QPushButton(tr("Match c&onfidence"), this)), m_target(new QLineEdit(this)),
      m_mistake(new MistakeLabel(QStringLiteral("laplacePanel/targetMistake"), this)),
      m_fit(new QPushButton(tr("Fit curvature &now"), this)), m_keep(new QPushButton(tr("&Keep"), this)),
      m_below(new QStackedWidget(this)), m_progress(new QProgressBar(this)), m_words(new QLabel(this))
{
    setObjectName(QStringLiteral("laplacePanel"));
    describeControls();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(6, 2, 6, 4);
    column->setSpacing(3);
    addSettings(column);
    addButtons(column);
    column->addWidget(m_mistake);
    connectControls();
    refresh();
}

/// Names and tooltips.
void LaplacePanel::describeControls()
{
    m_evidence->setObjectName(QStringLiteral("laplacePanel/evidence"));
    m_evidence->setToolTip(tr(
        "Set λ to the maximum of the evidence ln p(D|λ): the prior under which the training data are most probable"));
    m_confidence->setObjectName(QStringLiteral("laplacePanel/confidence"));
    m_confidence->setToolTip(tr("Set λ so that the mean of max p̄ over the training data equals the target "
                                "confidence"));
    describeControl(
        m_target, QStringLiteral("laplacePanel/target"), tr("Target confidence"),
        tr("Enter the target confidence, the mean of max p̄ over the training data: a number between 1/K and that of "
           "the point estimate, for example 0.95, or a difference below the point estimate, for example 5 %"));
    fixWithText(m_target, atUsualFont(m_target->fontMetrics().horizontalAdvance(QStringLiteral("0.9555 ")) + 8));
    m_fit->setObjectName(QStringLiteral("laplacePanel/fit"));
    m_fit->setToolTip(tr("Fit the curvature at the displayed weights; the run was stopped before its curvature was "
                         "fitted"));
    m_keep->setObjectName(QStringLiteral("laplacePanel/keep"));
    m_keep->setToolTip(tr("Save the run with the displayed precision and curvature as a new row under Runs"));
    fixWithText(m_progress, 0, 12);
    m_progress->setRange(0, 1000);
    m_progress->setTextVisible(false);
    m_progress->setAccessibleName(tr("Progress of the curvature fit"));
    m_words->setObjectName(QStringLiteral("laplacePanel/words"));
}

/// The rows of the precision and of the curvature.
void LaplacePanel::addSettings(QVBoxLayout* column)
{
    auto* label = new QLabel(tr("&λ"), this);
    label->setBuddy(m_precision);
    auto* first = new QHBoxLayout;
    first->addWidget(label);
    first->addWidget(m_precision, 1);
    first->addWidget(new HelpMark(
        tr("Prior precision"),
        [] {
        return helpOf({"posterior.laplace_precision", "posterior.laplace_precision_from"});
        },
        {m_precision, m_evidence, m_confidence, m_target}, this));
    auto* second = new QHBoxLayout;
    second->addWidget(m_structure, 5);   // "Kronecker-factored" is the longest word
    second->addWidget(m_layers, 3);
    second->addWidget(m_keep);
    second->addWidget(new HelpMark(
        tr("Curvature"),
        [] {
        return helpOf({"posterior.laplace_structure", "posterior.laplace_layers", "posterior.laplace_curvature"});
        },
        {m_structure, m_layers, m_keep, m_fit}, this));
    column->addLayout(first);
    column->addLayout(second);
}

/// The row of buttons, which a fit replaces by its progress.
void LaplacePanel::addButtons(QVBoxLayout* column)
{
    auto* buttons = new QWidget(this);
    auto* third   = new QHBoxLayout(buttons);
    third->setContentsMargins(0, 0, 0, 0);
    third->addWidget(m_evidence);
    third->addWidget(m_confidence);
    third->addWidget(m_target);
    third->addWidget(m_fit);
    third->addStretch(1);
    auto* waiting = new QWidget(this);
    auto* fourth  = new QHBoxLayout(waiting);
    fourth->setContentsMargins(0, 0, 0, 0);
    fourth->addWidget(m_words);
    fourth->addWidget(m_progress, 1);
    auto* cancel = new QPushButton(tr("Stop"), waiting);
    cancel->setObjectName(QStringLiteral("laplacePanel/stop"));
    cancel->setToolTip(tr("Stop the fit and keep the displayed result (Ctrl+.)"));
    auto& session = m_document.session();
    connect(cancel, &QPushButton::clicked, &session, [&session] { session.stop(); });
    fourth->addWidget(cancel);
    m_below->addWidget(buttons);
    m_below->addWidget(waiting);
    m_below->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    for (auto* button : {m_evidence, m_confidence, m_fit, m_keep, cancel})
        button->setSizePolicy(QSizePolicy::Minimum, QSizePolicy::Fixed);
    column->addWidget(m_below);
}

void LaplacePanel::connectControls()
{
    auto& session = m_document.session();
    connect(m_precision, &NumberSlider::valueChanged, this, [this](double precision) {
        request(
            QStringLiteral("posterior.laplace_precision/%1").arg(m_precision->move()),
            [precision](LaplaceOptions& o) {
            o.precision_from = PrecisionFrom::hand;
            o.precision      = precision;
            },
            tr("Prior precision λ: %1").arg(shown(precision)));
    });
    connect(m_precision, &NumberSlider::refused, this, [this](const QString& typed) {
        try {
            Study tried          = m_document.session().study();
            const Field& setting = field("posterior.laplace_precision");
            setting.set(tried, parse_value(setting, typed.toStdString()));
        } catch (const Error& error) {
            Q_EMIT refused(toQString(error.what()));
        }
    });
    connect(m_structure, &QComboBox::activated, this, [this](int index) {
        request(QStringLiteral("posterior.laplace_structure"),
                [index](LaplaceOptions& o) { o.curvature.structure = static_cast<CurvatureStructure>(index); });
    });
    connect(m_layers, &QComboBox::activated, this, [this](int index) {
        request(QStringLiteral("posterior.laplace_layers"),
                [index](LaplaceOptions& o) { o.curvature.layers = static_cast<CurvatureLayers>(index); });
    });
    connect(m_evidence, &QPushButton::clicked, this,
            [this] { request({}, [](LaplaceOptions& o) { o.precision_from = PrecisionFrom::evidence; }); });
    connect(m_confidence, &QPushButton::clicked, this, &LaplacePanel::matchConfidence);
    connect(m_target, &QLineEdit::returnPressed, this, &LaplacePanel::matchConfidence);
    connect(m_target, &QLineEdit::textEdited, this, [this] { markTarget({}); });
    connect(m_fit, &QPushButton::clicked, this, [this] { m_document.session().currentRun().fit(options()); });
    connect(m_keep, &QPushButton::clicked, &session.currentRun(), &CurrentRun::keepFit);
    connect(&session, &Session::snapshotChanged, this, &LaplacePanel::refresh);
    connect(&session, &Session::stateChanged, this, &LaplacePanel::refresh);
    connect(&session, &Session::studyChanged, this, &LaplacePanel::refresh);
    connect(&session.currentRun(), &CurrentRun::fittingChanged, this, &LaplacePanel::refreshProgress);
}

LaplaceOptions LaplacePanel::options() const
{
    const auto run = m_document.session().run().current();
    return run.experiment ? run.experiment->study.posterior.laplace : LaplaceOptions{};
}

void LaplacePanel::request(const QString& mergeKey, const std::function<void(LaplaceOptions&)>& change,
                           const QString& words)
{
    auto& session = m_document.session();
    auto wanted   = options();
    change(wanted);
    if (session.showsStudy()) {
        Study after             = session.study();
        after.posterior.laplace = wanted;
        const auto lines        = differences(session.study(), after);
        const auto changed      = lines.empty() ? QString() : toQString(lines.front());
        m_document.edit(after, words.isEmpty() ? changed : words, mergeKey);
    } else {
        session.currentRun().fit(wanted);
    }
}

/// Interprets the text: a plain number is the target; with a percent sign it is the difference
/// below the confidence of the point estimate.
void LaplacePanel::matchConfidence()
{
    QString typed      = m_target->text().trimmed();
    const bool percent = typed.endsWith(QLatin1Char('%'));
    if (percent)
        typed.chop(1);
    const Field& setting = field(percent ? "posterior.laplace_confidence_below" : "posterior.laplace_confidence");
    try {
        const auto target = std::get<double>(parse_value(setting, typed.trimmed().toStdString()));
        markTarget({});
        request({}, [=](LaplaceOptions& o) {
            o.precision_from = percent ? PrecisionFrom::confidence_below : PrecisionFrom::confidence;
            (percent ? o.confidence_below : o.confidence) = target;
        });
    } catch (const Error& error) {
        markTarget(toQString(with_labels(error.what())));
    }
    refresh();
}

void LaplacePanel::markTarget(const QString& sentence)
{
    m_mistake->setMistake(sentence);
    QPalette colours;
    if (!sentence.isEmpty())
        colours.setColor(QPalette::Text, MistakeLabel::red(palette()));
    m_target->setPalette(colours);
}

void LaplacePanel::refresh()
{
    const auto& session = m_document.session();
    const auto run      = session.run().current();
    if (!run.snapshot)
        return;
    const auto wanted = options();
    const auto fitted = laplace_of(*run.snapshot);
    // Set by hand: the requested value, which the chart follows; otherwise the fitted value.
    const double precision = wanted.precision_from == PrecisionFrom::hand || !fitted ? wanted.precision
                                                                                     : fitted->precision();
    if (m_precision->value() != precision)   // keeps text that is being typed
        m_precision->setValue(precision);
    m_structure->setCurrentIndex(static_cast<int>(wanted.curvature.structure));
    m_layers->setCurrentIndex(static_cast<int>(wanted.curvature.layers));
    if (!m_target->hasFocus() && m_mistake->text().isEmpty())
        m_target->setText(wanted.precision_from == PrecisionFrom::confidence_below
                              ? shown(wanted.confidence_below) + QStringLiteral(" %")
                              : shown(wanted.confidence));
    const bool canFit = session.currentRun().canFit();
    const bool there  = session.run().fitted() && canFit;
    for (QWidget* one : std::initializer_list<QWidget*>{m_evidence, m_keep})
        one->setEnabled(there);
    const bool classes = run.experiment->task() == Task::classification;
    m_confidence->setVisible(classes && (there || !canFit));
    m_target->setVisible(classes && (there || !canFit));
    if (!classes)
        markTarget({});
    m_confidence->setEnabled(there);
    m_target->setEnabled(there);
    m_evidence->setVisible(there || !canFit);
    m_fit->setVisible(canFit && !session.run().fitted());
    refreshProgress();
}

void LaplacePanel::refreshProgress()
{
    const auto& session  = m_document.session();
    const auto& progress = session.run().progress;
    const bool training  = session.active() && progress && progress->curvature;
    const auto& fitting  = session.currentRun().fitting();
    const bool waiting =
        training
        || (fitting
            && fitting->work
                   != LaplaceFitter::Work::precision);   // a change of precision is quick and shows no progress
    const bool moves = session.run().fitted() && session.currentRun().canFit()
                       && !waiting;   // otherwise each move of the slider would restart the curvature
    m_precision->setEnabled(moves);
    m_below->setCurrentIndex(waiting ? 1 : 0);
    if (!waiting)
        return;
    const double share  = fitting ? fitting->share : *progress->curvature;
    const bool matching = fitting && fitting->work == LaplaceFitter::Work::confidence;
    m_progress->setRange(0, matching ? 0 : 1000);   // the number of precisions to try is unknown
    m_progress->setValue(static_cast<int>(1000 * share));
    m_words->setText(matching ? tr("Matching …") : tr("Curvature %1 %").arg(100 * share, 0, 'f', 0));
}

namespace {

const QString laplaceView = QStringLiteral("laplace_evidence");

}   // namespace

LayersDock::LayersDock(AppContext& context, ViewBinder& binder, Notifier& notifier, QWidget* parent)
    : QWidget(parent), m_binder(binder), m_views(new ViewArea(QStringLiteral("layersTabs"), binder, this)),
      m_laplace(new LaplacePanel(context.document, this))
{
    m_views->add({{"layers", tr("Current")},
                  {"layers_over_training", tr("Over training")},
                  {"laplace_evidence", tr("Laplace")}});
    m_laplace->hide();
    const auto notify = [&notifier](const QString& sentence) { notifier.notify(sentence); };
    connect(m_laplace, &LaplacePanel::refused, this, notify);
    connect(&context.session.currentRun(), &CurrentRun::fitNoted, this, notify);
    connect(m_views, &ViewArea::currentChanged, this,
            [this](QWidget* page) { m_laplace->setVisible(page == m_binder.panel(laplaceView)); });
    connect(&binder, &ViewBinder::fitted, this, &LayersDock::fit);
    layOutWeightCharts(this, m_views, m_laplace, binder);
}

void LayersDock::fit(const std::shared_ptr<const Experiment>& experiment)
{
    const bool laplace = method_of(experiment->study).training.fits_curvature;
    if (laplace && !std::exchange(m_wasLaplace, laplace))
        m_views->show(m_binder.panel(laplaceView));   // where its precision is moved
    m_wasLaplace = laplace;
}
