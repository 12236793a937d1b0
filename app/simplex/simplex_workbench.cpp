// SPDX-License-Identifier: GPL-3.0-or-later
#include "simplex/simplex_workbench.h"

#include "parts/appearance.h"
#include "parts/buttons.h"
#include "parts/help_mark.h"
#include "parts/number_slider.h"
#include "parts/view_panel.h"
#include "simplex/simplex_controls.h"
#include "simplex/simplex_picture.h"
#include "simplex/simplex_presets.h"
#include "views/beta_laplace.h"
#include "views/views.h"
#include "widgets/chart_hand.h"
#include "widgets/chart_view.h"
#include "widgets/table_view.h"
#include "work/text.h"

#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QLabel>
#include <QMenu>
#include <QScrollArea>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

using namespace credence;

namespace {

constexpr double smallestShape = 0.05, largestShape = 200;

const View& betaView()
{
    static const View view{
        .id    = "beta",
        .title = "Beta distribution",
        .help  = "Why the bridge uses the softmax basis. A Laplace approximation is the Gaussian at the mode of a "
                 "density, with the curvature of its logarithm there. On π itself (left) a Beta(a, b) has a mode only "
                 "for a, b > 1, at (a − 1)/(a + b − 2) with variance (a − 1)(b − 1)/(a + b − 2)³, and the Gaussian "
                 "extends beyond 0 and 1. As a density of y = logit π (middle) it is π^a (1 − π)^b/B(a, b), which has "
                 "a mode for every a, b > 0: ln(a/b), with variance 1/a + 1/b. Transformed back to π (right), that "
                 "Gaussian stays within [0, 1]. Source: Hobbhahn 2020, Fig. 2.1; MacKay 1998."};
    return view;
}

}   // namespace

BetaPanel::BetaPanel(QWidget* parent) : QWidget(parent), m_picture(new ViewPanel(betaView(), this))
{
    setObjectName(QStringLiteral("betaPanel"));
    m_picture->chartView()->hand().setZoomEnabled(false);
    connect(&m_job, &Worker::failed, this, [this](const QString&, const QString& sentence) {
        m_picture->setChart({.id = "beta", .message = sentence.toStdString()});
    });
    connect(m_picture, &ViewPanel::exportRequested, this, [this] { Q_EMIT exportRequested(QStringLiteral("beta")); });
    auto* menu    = new QMenu(this);
    auto* presets = new MenuButton(tr("Preset"), menu, this);
    presets->setObjectName(QStringLiteral("betaPresets"));
    presets->setToolTip(tr("Load an instructive shape, including those of the figure in the thesis"));
    for (const auto& preset : beta_presets())
        menu->addAction(toQString(preset.title), this, [this, beta = preset.distribution] { setDistribution(beta); });
    m_picture->addControl(presets);

    auto* grid = new QGridLayout;
    grid->setContentsMargins(8, 0, 4, 4);
    grid->setColumnStretch(1, 1);
    m_a = addRow(
        grid, QStringLiteral("a"),
        tr("<b>a</b><p>The first shape parameter of Beta(a, b), density π^{a−1}(1 − π)^{b−1}/B(a, b): pseudo-counts of "
           "the class. Mean a/(a + b). At 1 or below the density has no mode inside (0, 1).</p>"));
    m_b       = addRow(grid, QStringLiteral("b"),
                       tr("<b>b</b><p>The second shape parameter: pseudo-counts of the other "
                                "class.</p>"));
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(2);
    all->addWidget(m_picture, 1);
    all->addLayout(grid);
    setDistribution(m_distribution);
}

NumberSlider* BetaPanel::addRow(QGridLayout* grid, const QString& name, const QString& help)
{
    auto* made  = new NumberSlider({.name     = QStringLiteral("beta_%1").arg(name),
                                    .title    = tr("Shape %1").arg(name),
                                    .low      = smallestShape,
                                    .high     = largestShape,
                                    .step     = 0.1,
                                    .value    = 1,
                                    .decimals = 2,
                                    .tip      = tr("Set shape parameter %1 of the Beta distribution, %2 to %3")
                                               .arg(name)
                                               .arg(smallestShape)
                                               .arg(largestShape),
                                    .scale = NumberSlider::Scale::logarithmic},
                                   this);
    auto* label = new QLabel(name, this);
    label->setBuddy(made->box());
    const int line = grid->rowCount();
    grid->addWidget(label, line, 0);
    grid->addWidget(made, line, 1);
    grid->addWidget(new HelpMark(
                        tr("Shape %1").arg(name), [help] { return help; }, {made}, this),
                    line, 2);
    connect(made, &NumberSlider::valueChanged, this, [this] { use({m_a->value(), m_b->value()}); });
    return made;
}

void BetaPanel::setDistribution(const Beta& beta)
{
    use({std::clamp(beta.a, smallestShape, largestShape), std::clamp(beta.b, smallestShape, largestShape)});
    m_a->setValue(m_distribution.a);
    m_b->setValue(m_distribution.b);
}

void BetaPanel::use(const Beta& beta)
{
    m_distribution = beta;
    m_stale        = true;
    request();
}

const Chart& BetaPanel::chart() const { return m_picture->chart(); }

void BetaPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    request();
}

void BetaPanel::request()
{
    if (!m_stale || !isVisible())
        return;
    m_stale = false;
    m_job.submit([this, beta = m_distribution](std::stop_token, Worker::Progress&) -> Worker::Show {
        const Chart chart = to_chart(beta_laplace(beta));
        return [this, chart] { m_picture->setChart(chart); };
    });
}

namespace {

constexpr int numbersSideBySideFrom = 680;   ///< minimum width for boxes and numbers side by side

const View& byHandView()
{
    static const View view{
        .id    = "simplex_by_hand",
        .title = "Simplex",
        .help = "The distribution of the class probabilities π = softmax(z), z ~ N(μ, Σ): left the exact closed-form "
                "density, right the Dirichlet of the Laplace Bridge. Both are densities with respect to (π_1, π_2) in "
                "the same colours, and each integrates to 1 over the triangle. Contours contain 50 % and 90 % of each "
                "distribution.\nDrag the diamond to move softmax(μ), the squares to stretch and rotate Σ; the closed "
                "line is one standard deviation of the logits. With the figure in focus: arrows move a handle (with "
                "Shift in smaller steps), Space selects the next handle, + and − widen and narrow. Wheel: zoom; double "
                "click: the whole triangle. Ctrl+Z: undo.\nSources: MacKay 1998; Hobbhahn 2020, chapter 2."};
    return view;
}

}   // namespace

SimplexWorkbench::SimplexWorkbench(QUndoStack& undo, QWidget* parent)
    : QWidget(parent), m_editor(new SimplexEditor(undo, this)), m_pages(new QStackedWidget(this)),
      m_beta(new BetaPanel(this)), m_picture(new ViewPanel(byHandView(), this)),
      m_controls(new SimplexControls(m_picture->takeTools(), this)),
      m_handles(new SimplexHandles(*m_picture->chartView(), this))
{
    setObjectName(QStringLiteral("simplexWorkbench"));
    auto* triangle = new QWidget(this);
    auto* column   = new QVBoxLayout(triangle);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(1);
    column->addWidget(m_picture, 2);
    auto* scroll = new QScrollArea(triangle);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(buildBelow());
    scroll->setMinimumHeight(48);   // two lines; a low window shows the triangles
    column->addWidget(scroll, 1);
    // The picture gets two thirds of the height, also in low windows.
    for (auto* part : std::initializer_list<QWidget*>{m_picture, scroll})
        part->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored);
    m_pages->addWidget(triangle);
    m_pages->addWidget(m_beta);

    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(2, 2, 2, 0);
    all->setSpacing(1);
    all->addWidget(m_controls);
    all->addWidget(m_pages, 1);

    m_boxes->setLogits(m_editor->hand().distribution());
    m_handles->setLogits(m_editor->state().hand);
    m_controls->setVariant(m_editor->state().variant);
    m_controls->setSource(m_editor->state().source);
    connectParts();
}

QWidget* SimplexWorkbench::buildBelow()
{
    auto* below = new QWidget(this);
    m_numbers   = new SimplexNumbers(below);
    auto* outer = new QVBoxLayout(below);
    outer->setContentsMargins(0, 0, 0, 2);
    outer->setSpacing(1);
    m_note = new QLabel(below);
    m_note->setObjectName(QStringLiteral("simplexNote"));
    m_note->setWordWrap(true);
    m_note->setContentsMargins(6, 0, 6, 0);
    setNote(tr("Drag the diamond or the squares on the triangle, or load a preset."));
    outer->addWidget(m_note);
    outer->addLayout(m_numbers->buildSummary());
    m_below = new QBoxLayout(QBoxLayout::LeftToRight);
    m_below->setSpacing(4);
    outer->addLayout(m_below);
    outer->addStretch(1);
    m_boxes = new LogitBoxes(below);
    m_below->addWidget(m_boxes, 4, Qt::AlignTop);
    m_below->addWidget(m_numbers->table(), 5);
    return below;
}

void SimplexWorkbench::connectParts()
{
    connect(m_editor, &SimplexEditor::changed, this, &SimplexWorkbench::showState);
    connect(m_editor, &SimplexEditor::noted, this, &SimplexWorkbench::setNote);
    connect(m_controls, &SimplexControls::pageChosen, this, &SimplexWorkbench::showPage);
    connect(m_controls, &SimplexControls::sourceChosen, m_editor, &SimplexEditor::setSource);
    connect(m_controls, &SimplexControls::presetChosen, m_editor, &SimplexEditor::choosePreset);
    connect(m_controls, &SimplexControls::variantChosen, m_editor, &SimplexEditor::setVariant);
    connect(m_controls, &SimplexControls::choiceChanged, this, [this] {
        redraw();
        Q_EMIT choiceChanged();
    });
    connect(m_handles, &SimplexHandles::moved, m_editor, &SimplexEditor::moveByHand);
    connect(m_handles, &SimplexHandles::redrawWanted, this, &SimplexWorkbench::drawPicture);
    connect(m_boxes, &LogitBoxes::edited, this, [this](const LogitGaussian& logits, const QString& what) {
        m_editor->moveByHand(LogitHandles(logits), tr("Simplex: type μ or Σ"), what);
    });
    connect(m_numbers, &SimplexNumbers::chartMade, this,
            [this](const std::shared_ptr<const SimplexPicture>& of, const Chart& full) {
        if (of == m_made)
            m_full = full;
    });
    connect(m_picture, &ViewPanel::exportRequested, this,
            [this] { Q_EMIT exportRequested(QStringLiteral("simplex_by_hand")); });
    connect(m_picture, &ViewPanel::becameVisible, this, [this] {
        request();
        Q_EMIT becameVisible();
    });
    connect(m_beta, &BetaPanel::exportRequested, this, &SimplexWorkbench::exportRequested);
    connect(&m_job, &Worker::failed, this, [this](const QString&, const QString& sentence) { showMistake(sentence); });
}

void SimplexWorkbench::showState(const SimplexEditor::State& before)
{
    const auto& now = m_editor->state();
    m_controls->setVariant(now.variant);
    m_handles->setLogits(now.hand);
    if (now.hand)
        m_boxes->setLogits(now.hand->distribution());
    if (now.source != before.source && now.source == SimplexSource::chosen_input) {
        m_job.cancel();
        m_numbers->cancel();
        setNote({});
    }
    m_controls->setSource(now.source);
    redraw();
    if (now.variant != before.variant)
        Q_EMIT variantChanged();
}

void SimplexWorkbench::follow(const RunSnapshot& run, const ViewOptions& options)
{
    m_snapshot = run;
    m_options  = options;
    if (m_editor->state().source == SimplexSource::chosen_input)
        redraw();
}

void SimplexWorkbench::redraw()
{
    m_stale = true;
    request();
}

void SimplexWorkbench::request()
{
    if (!m_stale || !m_picture->isVisible())
        return;
    m_stale = false;
    if (m_editor->state().source == SimplexSource::by_hand) {
        const auto& state = m_editor->state();
        if (!state.hand)
            return;
        std::vector<std::string> names;
        names.reserve(3);
        for (int k = 0; k < 3; ++k)
            names.push_back((k < state.names.size() ? state.names[k] : tr("class %1").arg(k)).toStdString());
        m_job.submit([this, logits = state.hand->distribution(), names,
                      choice = choice()](std::stop_token, Worker::Progress&) -> Worker::Show {
            return [this, made = pictureByHand(logits, names, choice)] { show(made); };
        });
    } else if (m_snapshot && m_snapshot->experiment) {
        m_job.submit([this, run = *m_snapshot, options = m_options,
                      choice = choice()](std::stop_token stop, Worker::Progress&) -> Worker::Show {
            auto made = pictureOfInput(run, options, choice, std::move(stop));
            if (!made)
                return {};
            return [this, made] { show(made); };
        });
    }
}

void SimplexWorkbench::show(const std::shared_ptr<const SimplexPicture>& made)
{
    m_made = made;
    if (m_editor->state().source == SimplexSource::chosen_input)
        followInput(*made);
    if (made->value) {
        QStringList names;
        for (const auto& name : made->value->names)
            names += toQString(name);
        m_boxes->setNames(names);
    }
    m_boxes->setMistake({});
    m_boxes->setEnabled(made->value != nullptr);
    m_handles->setAvailable(made->value != nullptr);
    m_full = made->chart;
    drawPicture();
    m_numbers->follow(made, choice().look);
}

void SimplexWorkbench::followInput(const SimplexPicture& made)
{
    if (made.classNames != m_classNames || !made.value) {
        m_classNames = made.classNames;
        m_controls->setClasses(m_classNames);
    }
    std::optional<LogitHandles> hand;
    QStringList names;
    if (made.value) {
        for (const auto& name : made.value->names)
            names += toQString(name);
        hand = LogitHandles(made.value->logits);
        m_boxes->setLogits(hand->distribution());
        auto corners = made.value->classes;
        if (made.value->others == OtherClasses::merged)
            corners.resize(2);   // all others are at the third
        m_controls->showCorners(corners);
    }
    m_editor->follow(hand, names);
    m_handles->setLogits(hand);
}

void SimplexWorkbench::showMistake(const QString& sentence)
{
    m_made.reset();
    m_handles->setAvailable(false);
    m_full = {.id = "simplex_by_hand", .title = "Simplex", .message = sentence.toStdString()};
    if (m_editor->state().source == SimplexSource::by_hand)
        m_boxes->setMistake(sentence);
    m_picture->setChart(m_full);
    m_numbers->clear();
}

/// The chart with the handles over its first panel.
void SimplexWorkbench::drawPicture()
{
    if (!m_made)
        return;
    Chart chart = m_made->chart;
    chart.id    = "simplex_by_hand";
    m_handles->addTo(chart);
    m_picture->setChart(chart);
    m_handles->pictureDrawn();
}

void SimplexWorkbench::setNote(const QString& words)
{
    m_note->setText(words);
    m_note->setVisible(!words.isEmpty());
}

void SimplexWorkbench::showPage(int page)
{
    m_pages->setCurrentIndex(page);
    m_controls->setPage(page);
}

QString SimplexWorkbench::figureInFront() const
{
    return m_pages->currentIndex() == 0 ? QStringLiteral("simplex_by_hand") : QStringLiteral("beta");
}

void SimplexWorkbench::copyFigure()
{
    (m_pages->currentIndex() == 0 ? m_picture : m_beta->picture())->chartView()->copy();
}

bool SimplexWorkbench::busy() const { return m_job.busy() || m_numbers->busy() || m_beta->busy(); }

void SimplexWorkbench::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    arrange();
}

void SimplexWorkbench::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        arrange();
}

void SimplexWorkbench::arrange()
{
    const bool wide = width() >= withFont(numbersSideBySideFrom);
    m_below->setDirection(wide ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    m_controls->fitTo(width() - 4);
}

void SimplexWorkbench::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    request();
}
