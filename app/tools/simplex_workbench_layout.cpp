// SPDX-License-Identifier: GPL-3.0-or-later
// How the tab *Simplex* is laid out.
#include "tools/simplex_workbench.h"

#include "docks/view_panel.h"
#include "parts/flow_layout.h"
#include "parts/help_mark.h"
#include "parts/menu_button.h"
#include "session/settings.h"
#include "tools/beta_panel.h"
#include "tools/law_boxes.h"

#include "figures/simplex_presets.h"
#include "foundation/error.h"
#include "outputs/bridge_of_file.h"
#include "widgets/chart_view.h"
#include "widgets/table_view.h"

#include <QButtonGroup>
#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QScrollArea>
#include <QStackedWidget>
#include <QToolButton>
#include <QUndoStack>

using namespace credence;

namespace {

constexpr int sideBySideFrom = 560;   ///< width from which boxes and numbers stand side by side
constexpr int numbersAfter   = 400;   ///< milliseconds: numbers that take longer are shown as missing

const View& byHandView()
{
    static const View view = [] {
        View v;
        v.id    = "simplex_by_hand";
        v.title = "Simplex";
        v.help =
            "The law of the class probabilities π = softmax(z), z ~ N(μ, Σ): left exactly, by its density in closed form; right the Dirichlet that the Laplace Bridge gives for it. Both are "
            "densities with respect to (π_1, π_2) in the same colours, and each integrates to 1 over the triangle. Lines hold 50 % and 90 % of each law.\n"
            "Drag the diamond to move softmax(μ), the squares to stretch and turn Σ; the closed line is one standard deviation of the logits. With the picture in focus: arrows move a "
            "handle (with Shift less), Space takes the next handle, + and − widen and narrow. Wheel: closer; double click: the whole triangle. Ctrl+Z takes back.\n"
            "Sources: MacKay 1998; Hobbhahn 2020, chapter 2.";
        return v;
    }();
    return view;
}

BridgeVariant rememberedVariant()
{
    try {
        return bridge_variant_named(read(settings::bridgeVariant).toStdString());
    } catch (const Error&) {   // settings of another version
        return BridgeVariant::projected;
    }
}

QComboBox* choiceBox(const QString& name, const QString& title, const QString& tip, QWidget* parent)
{
    auto* made = new QComboBox(parent);
    made->setObjectName(name);
    made->setAccessibleName(title);
    made->setToolTip(tip);
    return made;
}

}   // namespace

SimplexWorkbench::SimplexWorkbench(QUndoStack& undo, QWidget* parent)
    : QWidget(parent), m_undo(undo), m_pages(new QStackedWidget(this)), m_beta(new BetaPanel(this)),
      m_picture(new ViewPanel(byHandView(), this))
{
    connect(&m_densityJob, &Worker::failed, this,
            [this](const QString&, const QString& sentence) { showMistake(sentence); });
    setObjectName(QStringLiteral("simplexWorkbench"));
    m_state.hand    = LogitHandles(simplex_presets().front().law);
    m_state.variant = rememberedVariant();
    m_waitForNumbers.setSingleShot(true);
    m_waitForNumbers.setInterval(numbersAfter);
    connect(&m_waitForNumbers, &QTimer::timeout, this, [this] {
        m_known.reset();
        showTable();
    });

    m_replace.setSingleShot(true);
    m_replace.setInterval(60);
    connect(&m_replace, &QTimer::timeout, this, &SimplexWorkbench::drawPicture);

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
    scroll->setMinimumHeight(112);
    column->addWidget(scroll, 1);
    m_pages->addWidget(triangle);
    m_pages->addWidget(m_beta);

    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(2, 2, 2, 0);
    all->setSpacing(1);
    all->addWidget(buildControls());
    all->addWidget(m_pages, 1);

    auto* chart = m_picture->chartView();
    chart->installEventFilter(this);
    connect(chart, &ChartView::pointPressed, this, [this](int panel, double first, double second) {
        if (panel == 0)
            press(m_picture->chartView()->positionOf(0, first, second));
    });
    connect(chart, &ChartView::pointDragged, this, [this](int panel, double first, double second) {
        if (panel == 0)
            drag(first, second);
    });
    connect(chart, &ChartView::pointReleased, this, [this] { m_grabbed.reset(); });
    connect(m_picture, &ViewPanel::exportRequested, this,
            [this] { Q_EMIT exportRequested(QStringLiteral("simplex_by_hand")); });
    connect(m_picture, &ViewPanel::becameVisible, this, [this] {
        request();
        Q_EMIT becameVisible();
    });
    connect(m_beta, &BetaPanel::exportRequested, this, &SimplexWorkbench::exportRequested);
    m_boxes->setLaw(m_state.hand->law());
    fitClasses();
}

QWidget* SimplexWorkbench::buildControls()
{
    auto* bar  = new QWidget(this);
    auto* flow = new FlowLayout(bar);
    flow->setContentsMargins(4, 2, 4, 1);
    m_controls                                = bar;
    m_pageButtons                             = new QButtonGroup(bar);
    const std::pair<QString, QString> pages[] = {
        {tr("Triangle"), tr("Three classes: the exact law beside its Laplace Bridge")},
        {tr("Beta"), tr("Two classes: a Beta distribution and its Laplace approximation in two bases")}};
    auto* switches = new QWidget(bar);
    auto* pair     = new QHBoxLayout(switches);
    pair->setContentsMargins(0, 0, 4, 0);
    pair->setSpacing(0);
    for (int i = 0; i < 2; ++i) {
        auto* button = new QToolButton(switches);
        button->setObjectName(i == 0 ? QStringLiteral("simplexTrianglePage") : QStringLiteral("simplexBetaPage"));
        button->setText(pages[i].first);
        button->setToolTip(pages[i].second);
        button->setCheckable(true);
        m_pageButtons->addButton(button, i);
        pair->addWidget(button);
    }
    m_pageButtons->button(0)->setChecked(true);
    flow->addWidget(switches);

    auto* ofTriangle = new QWidget(bar);
    auto* row        = new QHBoxLayout(ofTriangle);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(2);
    m_source = choiceBox(
        QStringLiteral("simplexSource"), tr("Where the Gaussian over the logits comes from"),
        tr("By hand: drag, type or take a preset. Chosen input: what the run on show says of it, also while training runs; dragging goes on from there by hand."),
        ofTriangle);
    m_source->addItem(tr("By hand"), static_cast<int>(Source::by_hand));
    m_source->addItem(tr("Chosen input"), static_cast<int>(Source::chosen_input));
    connect(m_source, &QComboBox::activated, this,
            [this] { setSource(static_cast<Source>(m_source->currentData().toInt())); });
    row->addWidget(m_source);
    auto* menu = new QMenu(ofTriangle);
    m_presets  = new MenuButton(tr("Preset"), menu, ofTriangle);
    m_presets->setObjectName(QStringLiteral("simplexPresets"));
    m_presets->setToolTip(tr("Gaussians worth looking at, also those of figures in the thesis"));
    menu->setToolTipsVisible(true);
    for (int i = 0; i < static_cast<int>(simplex_presets().size()); ++i) {
        const auto& preset = simplex_presets()[static_cast<std::size_t>(i)];
        auto* action = menu->addAction(QString::fromStdString(preset.title), this, [this, i] { choosePreset(i); });
        action->setObjectName(QStringLiteral("simplexPreset/") + QString::fromStdString(preset.id));
        action->setToolTip(QString::fromStdString(preset.note));
    }
    row->addWidget(m_presets);
    flow->addWidget(ofTriangle);

    auto* bridges = new QWidget(bar);
    row           = new QHBoxLayout(bridges);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(2);
    m_variant = choiceBox(
        QStringLiteral("bridgeVariant"), tr("Variant of the Laplace Bridge"),
        tr("What is done to the Gaussian before the bridge, which presumes that its logits add up to 0"), bridges);
    for (const auto variant : bridge_variants)
        m_variant->addItem(tr("Bridge: %1").arg(QString::fromStdString(title_of(variant))), static_cast<int>(variant));
    m_variant->setCurrentIndex(m_variant->findData(static_cast<int>(m_state.variant)));
    m_variant->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_variant->setMinimumContentsLength(17);
    connect(m_variant, &QComboBox::activated, this,
            [this] { setVariant(static_cast<BridgeVariant>(m_variant->currentData().toInt())); });
    row->addWidget(m_variant);
    row->addWidget(new HelpMark(
        tr("Laplace Bridge"),
        [] {
        return tr(
            "<b>Laplace Bridge</b><p>α<sub>k</sub> = (1/Σ<sub>kk</sub>)(1 − 2/K + e<sup>μ<sub>k</sub></sup>/K² · Σ<sub>l</sub> e<sup>−μ<sub>l</sub></sup>): the Dirichlet whose own Laplace "
            "approximation in the softmax basis is the Gaussian N(μ, Σ). It presumes a Gaussian in the plane Σz = 0.</p>"
            "<p><b>Plain</b>: μ and diag Σ as they are, as in the thesis. <b>Conditioned on Σz = 0</b>: as in the paper of 2022 and laplace-torch; it changes the law of softmax(z). "
            "<b>Projected</b>: the law of z − mean(z), the only one that leaves the law of softmax(z) as it is. <b>Normalised</b>: afterwards μ/√c and Σ/c with c = mean(diag Σ)/√(K/2), "
            "which tames large variances; the Dirichlet's concentration then no longer says how large they were.</p>"
            "<p>Source: MacKay 1998; Hobbhahn 2020, (2.7) with the sign of one exponent mended.</p>");
        },
        bridges));
    flow->addWidget(bridges);

    auto* drawing = new QWidget(bar);
    row           = new QHBoxLayout(drawing);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(4);
    const auto redraw = [this] {
        m_stale = true;
        request();
        Q_EMIT choiceChanged();
    };
    m_layoutChoice = choiceBox(
        QStringLiteral("simplexLayout"), tr("One triangle or two"),
        tr("Both densities side by side, or the exact one with the lines of both over it, larger"), drawing);
    m_layoutChoice->addItems({tr("Side by side"), tr("Over one another")});
    connect(m_layoutChoice, &QComboBox::activated, this, redraw);
    row->addWidget(m_layoutChoice);
    m_scaling = choiceBox(
        QStringLiteral("simplexColours"), tr("Scale of the colours"),
        tr("Logarithmic colours show the tails of a peaked density; automatic takes them where a density is far above where most of its law lives. The bar says which."),
        drawing);
    m_scaling->addItem(tr("Colours: automatic"), static_cast<int>(ColourScaling::automatic));
    m_scaling->addItem(tr("Colours: linear"), static_cast<int>(ColourScaling::linear));
    m_scaling->addItem(tr("Colours: logarithmic"), static_cast<int>(ColourScaling::logarithmic));
    connect(m_scaling, &QComboBox::activated, this, redraw);
    row->addWidget(m_scaling);
    flow->addWidget(drawing);
    auto* marks = new QWidget(bar);
    row         = new QHBoxLayout(marks);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(4);
    m_lines = new QCheckBox(tr("Lines"), marks);
    m_lines->setObjectName(QStringLiteral("simplexLines"));
    m_lines->setToolTip(tr("Lines that hold 50 % and 90 % of each law: the smallest regions with that probability"));
    m_lines->setChecked(true);
    connect(m_lines, &QCheckBox::toggled, this, redraw);
    row->addWidget(m_lines);
    m_draws = new QCheckBox(tr("Draws"), marks);
    m_draws->setObjectName(QStringLiteral("simplexDraws"));
    m_draws->setToolTip(tr("400 draws of the exact law as points over the densities"));
    connect(m_draws, &QCheckBox::toggled, this, redraw);
    row->addWidget(m_draws);
    auto* tools = m_picture->takeTools();
    row->addWidget(tools);
    flow->addWidget(marks);

    m_classRow = new QWidget(bar);
    row        = new QHBoxLayout(m_classRow);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(2);
    m_mostProbable = new QCheckBox(tr("Most probable classes"), m_classRow);
    m_mostProbable->setObjectName(QStringLiteral("simplexMostProbable"));
    m_mostProbable->setToolTip(
        tr("The corners are the classes with the largest mean logits; otherwise those that you choose"));
    m_mostProbable->setChecked(true);
    connect(m_mostProbable, &QCheckBox::toggled, this, [this, redraw] {
        fitClasses();
        redraw();
    });
    row->addWidget(m_mostProbable);
    for (int k = 0; k < 3; ++k) {
        m_corners[k] = choiceBox(QStringLiteral("simplexCorner%1").arg(k), tr("Class at corner %1").arg(k + 1),
                                 tr("Class at this corner: lower left, lower right, top"), m_classRow);
        m_corners[k]->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        m_corners[k]->setMinimumContentsLength(5);
        connect(m_corners[k], &QComboBox::activated, this, [this, k, redraw](int chosen) {
            for (int other = 0; other < 3; ++other)   // a class stands at one corner: the other gets what this one had
                if (other != k && m_corners[other]->currentIndex() == chosen) {
                    std::vector<int> taken;
                    for (const auto* corner : m_corners)
                        taken.push_back(corner->currentIndex());
                    int free = 0;
                    while (std::find(taken.begin(), taken.end(), free) != taken.end())
                        ++free;
                    m_corners[other]->setCurrentIndex(free);
                }
            redraw();
        });
        row->addWidget(m_corners[k]);
    }
    m_others = choiceBox(
        QStringLiteral("simplexOthers"), tr("What becomes of the other classes"),
        tr("Left out: the three among themselves, π/(sum of the three), exact for both laws. Merged: two classes and all others as one, exact for the Dirichlet, by moments of draws for the "
           "Gaussian."),
        m_classRow);
    m_others->addItem(tr("others left out"), static_cast<int>(OtherClasses::left_out));
    m_others->addItem(tr("others merged"), static_cast<int>(OtherClasses::merged));
    connect(m_others, &QComboBox::activated, this, [this, redraw] {
        fitClasses();
        redraw();
    });
    row->addWidget(m_others);
    flow->addWidget(m_classRow);

    connect(m_pageButtons, &QButtonGroup::idClicked, this, &SimplexWorkbench::showPage);
    for (QWidget* each : {ofTriangle, bridges, drawing, marks})
        each->setProperty("ofTriangle", true);
    return bar;
}

void SimplexWorkbench::showPage(int page)
{
    m_pageButtons->button(page)->setChecked(true);
    m_pages->setCurrentIndex(page);
    for (auto* each : findChildren<QWidget*>())
        if (each->property("ofTriangle").toBool())
            each->setVisible(page == 0);
    fitClasses();
}

QWidget* SimplexWorkbench::buildBelow()
{
    auto* below = new QWidget(this);
    auto* outer = new QVBoxLayout(below);
    outer->setContentsMargins(0, 0, 0, 2);
    outer->setSpacing(1);
    m_note = new QLabel(below);
    m_note->setObjectName(QStringLiteral("simplexNote"));
    m_note->setWordWrap(true);
    m_note->setContentsMargins(6, 0, 6, 0);
    setNote(tr("Drag the diamond or the squares on the triangle, or take a preset."));
    outer->addWidget(m_note);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(6, 0, 0, 0);
    row->setSpacing(0);
    m_summary = new QLabel(below);
    m_summary->setObjectName(QStringLiteral("simplexSummary"));
    m_summary->setWordWrap(true);
    m_summary->setTextInteractionFlags(Qt::TextSelectableByMouse);
    row->addWidget(m_summary, 1);
    row->addWidget(new HelpMark(
                       tr("Numbers of the bridge"),
                       [] {
        return tr(
            "<b>How far the Dirichlet is from the exact law</b><p><b>KL(exact‖Dirichlet)</b> = ∫ p ln(p/q), nats: 0 if they agree; by quadrature. Below it that of the best Dirichlet, the one with "
            "the same E ln π<sub>k</sub>: no Dirichlet comes closer. <b>Total variation</b> = ½ ∫|p − q| and <b>Hellinger's distance</b> = √(1 − ∫√(pq)) lie between 0 and 1.</p>"
            "<p><b>α</b>: pseudo-counts of the classes, their sum first. <b>Mean</b> and <b>variance</b> of each class probability under both laws.</p>"
            "<p><b>Proposition 1</b> of the thesis: under the bridge Var π<sub>k</sub> grows with Var z<sub>k</sub>, as it should, if and only if α<sub>k</sub> &gt; ¼(√(9R² + 10R + 1) − R − 1), "
            "R = α<sub>0</sub> − α<sub>k</sub>.</p><p>Source: Hobbhahn 2020, Proposition 1.</p>");
                       },
                       below),
                   0, Qt::AlignTop);
    outer->addLayout(row);
    m_below = new QBoxLayout(QBoxLayout::LeftToRight);
    m_below->setSpacing(4);
    outer->addLayout(m_below);
    outer->addStretch(1);
    m_boxes = new LawBoxes(below);
    connect(m_boxes, &LawBoxes::edited, this, [this](const LogitGaussian& law, const QString& what) {
        setNote({});
        edit({.source = Source::by_hand, .hand = LogitHandles(law), .variant = m_state.variant, .names = m_state.names},
             tr("Simplex: type μ or Σ"), what);
    });
    m_below->addWidget(m_boxes, 4, Qt::AlignTop);
    m_numbers = new TableView(below);
    m_numbers->setObjectName(QStringLiteral("simplexNumbers"));
    m_numbers->setAccessibleName(tr("α, means and variances of each class under both laws"));
    m_numbers->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_numbers->setMinimumHeight(7 * fontMetrics().height() + 60);
    m_below->addWidget(m_numbers, 5);
    return below;
}

/// Corners to choose where a law has more than three classes.
void SimplexWorkbench::fitClasses()
{
    const bool many = m_state.source == Source::chosen_input && m_classNames.size() > 3;
    m_classRow->setVisible(many && m_pages->currentIndex() == 0);
    arrange();
    if (!many)
        return;
    const bool merged = static_cast<OtherClasses>(m_others->currentData().toInt()) == OtherClasses::merged;
    for (int k = 0; k < 3; ++k) {
        const QSignalBlocker quiet(m_corners[k]);
        if (m_corners[k]->count() != m_classNames.size() || m_corners[k]->itemText(0) != m_classNames.front()) {
            m_corners[k]->clear();
            m_corners[k]->addItems(m_classNames);
            m_corners[k]->setCurrentIndex(k);
        }
        m_corners[k]->setEnabled(!m_mostProbable->isChecked());
        m_corners[k]->setVisible(k < 2 || !merged);
    }
}

void SimplexWorkbench::setNote(const QString& words)
{
    m_note->setText(words);
    m_note->setVisible(!words.isEmpty());
}

void SimplexWorkbench::arrange()
{
    m_below->setDirection(width() >= sideBySideFrom ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    m_controls->setFixedHeight(
        m_controls->layout()->heightForWidth(width() - 4));   // as many lines as this width needs
}

void SimplexWorkbench::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    arrange();
}

void SimplexWorkbench::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    request();
}
