// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/prediction_area.h"

#include "images/image_area.h"
#include "images/image_grid.h"
#include "parts/appearance.h"
#include "parts/form_controls.h"
#include "parts/icons.h"
#include "parts/quiet_parts.h"
#include "parts/remembered_sizes.h"
#include "parts/row_table.h"
#include "parts/view_panel.h"
#include "session/settings.h"
#include "work/text.h"

#include "views/image_rows.h"
#include "widgets/chart_hand.h"
#include "widgets/chart_palette.h"
#include "widgets/chart_view.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSpinBox>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <cmath>

using namespace credence;

namespace {

const View& comparisonView()
{
    static const View view{
        .id    = "compare_decision_maps",
        .title = "Runs compared",
        .help =
            "The quantity of the decision map for each ticked run, drawn on the same region with one colour scale: "
            "equal colours mean equal numbers. Curtain overlays two maps: the first run is visible to the left of a "
            "handle, the second to its right. Drag the handle, or use the arrow keys. For runs without a map, "
            "such as runs on images, test-set scores are shown side by side."};
    return view;
}

/// The icon of a pen for this marker, since colour alone is not accessible.
QString penOf(Marker marker)
{
    switch (marker) {
    case Marker::by_category:
    case Marker::circle: break;
    case Marker::square: return QStringLiteral("draw-square");
    case Marker::triangle: return QStringLiteral("draw-triangle");
    case Marker::diamond: return QStringLiteral("draw-diamond");
    case Marker::cross: return QStringLiteral("draw-cross");
    case Marker::plus: return QStringLiteral("draw-plus");
    }
    return QStringLiteral("draw");
}

constexpr int linesOfPicture    = 17;     ///< of text: in a lower area there are rows below the picture only on request
constexpr int linesOfBoth       = 12;     ///< in a lower area there are none
constexpr double shareOfPicture = 0.58;   ///< of a low area with rows
constexpr int toolsInSight      = 1;      ///< the others appear under the pointer
constexpr int cardsInArea       = 6;      ///< heights of the summary: in a lower area the picture has its room
constexpr double strokeSpacing  = 0.03;   ///< between points of one stroke, as a share of the axes
constexpr double eraserRadius   = 0.025;

}   // namespace

PredictionArea::PredictionArea(QWidget* parent)
    : QWidget(parent), m_quantity(new QComboBox(this)), m_classLabel(new QLabel(tr("of class"), this)),
      m_class(new QSpinBox(this)), m_quantities(new QWidget(this)),
      m_picture(new ViewPanel(credence::view("decision_map"), this)),
      m_comparison(new ViewPanel(comparisonView(), this)), m_curtain(new Curtain(m_comparison)),
      m_curtainButton(new QToolButton(this)), m_rankButton(new QToolButton(this)), m_images(new ImageArea(this)),
      m_rows(new RowsPanel(this)), m_front(new QSplitter(Qt::Vertical, this)), m_stack(new QStackedWidget(this)),
      m_headControls(new QWidget(this)), m_headTools(new QWidget(this)), m_tools(new QWidget(this)),
      m_toolRow(new QHBoxLayout(m_tools)), m_quiet(new QuietParts(nullptr, this))
{
    buildQuantities();
    m_toolRow->setContentsMargins(0, 0, 0, 0);
    m_toolRow->setSpacing(0);
    m_picture->addControl(m_tools);
    m_picture->chartView()->setMapFills(true);

    buildComparison();
    buildHead();

    m_front->addWidget(m_picture);
    m_front->addWidget(m_rows);
    m_front->setChildrenCollapsible(false);
    m_front->setSizes({200, 300});
    rememberSplitter(*m_front, "predictions/scores");
    m_rows->hide();
    m_stack->addWidget(m_front);
    m_stack->addWidget(m_comparison);
    m_stack->addWidget(m_images);
    followPage();
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->addWidget(m_stack, 1);

    m_placing.setSingleShot(true);
    m_placing.setInterval(30);
    connect(&m_placing, &QTimer::timeout, this, &PredictionArea::placeCard);
    connect(m_stack, &QStackedWidget::currentChanged, &m_placing, qOverload<>(&QTimer::start));
    connect(m_stack, &QStackedWidget::currentChanged, this, &PredictionArea::followPage);
    connect(m_picture, &ViewPanel::chartShown, this, [this] {
        holdAxes(m_tool != Tool::choose);   // the pen may have been taken while there was no picture yet
        m_placing.start();
    });
    connectHand();
}

void PredictionArea::buildComparison()
{
    auto* back = new QToolButton(this);
    back->setObjectName(QStringLiteral("endComparison"));
    back->setText(tr("Back to the displayed run"));
    connect(back, &QToolButton::clicked, this, &PredictionArea::comparisonClosed);
    const auto choose = [this](double x, double y) {
        if (m_plane && !m_regression)
            Q_EMIT inputChosen({x, y});
    };
    connect(&m_comparison->chartView()->hand(), &ChartHand::pointClicked, this,
            [choose](int, double x, double y) { choose(x, y); });
    connect(m_curtain, &Curtain::pointClicked, this, choose);
    m_curtain->hide();
    m_curtainButton->setObjectName(QStringLiteral("curtain"));
    m_curtainButton->setText(tr("Curtain"));
    m_curtainButton->setAccessibleName(tr("Curtain between two maps"));
    m_curtainButton->setCheckable(true);
    connect(m_curtainButton, &QToolButton::toggled, this, [this] {
        showCurtain();
        m_curtain->setFocus();   // its handle; if it is shown
    });
    connect(m_comparison, &ViewPanel::chartShown, this, &PredictionArea::showCurtain);
    connect(m_comparison, &ViewPanel::waits, this, &PredictionArea::showCurtain);
    m_rankButton->setObjectName(QStringLiteral("rankRuns"));
    m_rankButton->setText(tr("Rank"));
    m_rankButton->setAccessibleName(tr("Rank the runs by their distance from the reference"));
    connect(m_rankButton, &QToolButton::clicked, this, &PredictionArea::rankingRequested);
    m_comparison->addControl(m_curtainButton);
    m_comparison->addControl(m_rankButton);
    m_comparison->addControl(back);
    showCurtain();
}

void PredictionArea::setWhyNotRanked(const QString& why)
{
    m_rankButton->setEnabled(why.isEmpty());
    m_rankButton->setToolTip(
        why.isEmpty() ? tr("Rank the ticked runs by their distance from the displayed reference chains") : why);
}

/// By the curtain, if it is wanted and there are two maps.
void PredictionArea::showCurtain()
{
    const Chart& chart = m_comparison->chart();
    QString why        = Curtain::whyNot(chart);
    if (!why.isEmpty() && m_comparison->isWaiting())   // it is the reason of the last chart
        why = tr("The maps are being computed.");
    m_curtainButton->setEnabled(why.isEmpty());
    m_curtainButton->setToolTip(why.isEmpty() ? tr("Overlay both maps, with a handle between them that you can drag")
                                              : why);
    const bool on = why.isEmpty() && m_curtainButton->isChecked();
    if (on)
        m_curtain->setChart(chart);
    m_comparison->showBy(on ? m_curtain : nullptr);
}

void PredictionArea::buildHead()
{
    for (auto* head : {m_headControls, m_headTools}) {
        auto* row = new QHBoxLayout(head);
        row->setContentsMargins(0, 0, 0, 0);
        row->setSpacing(0);
    }
    const auto add = [this](QWidget* head, QWidget* page, QWidget* part) {
        head->layout()->addWidget(part);
        m_headParts.emplace_back(page, part);
    };
    add(m_headControls, m_front, m_picture->takeControls());
    add(m_headTools, m_front, m_picture->takeTools());
    add(m_headControls, m_comparison, m_comparison->takeControls());
    add(m_headTools, m_comparison, m_comparison->takeTools());
    add(m_headTools, m_images, m_images->grid()->tools());
}

void PredictionArea::followPage()
{
    for (const auto& [page, part] : m_headParts)
        part->setVisible(page == m_stack->currentWidget());
}

void PredictionArea::buildQuantities()
{
    const std::pair<MapQuantity, QString> quantities[] = {
        {MapQuantity::predictive_entropy, tr("Predictive entropy")},
        {MapQuantity::class_probability, tr("Class probability")},
        {MapQuantity::aleatoric, tr("Aleatoric part")},
        {MapQuantity::epistemic, tr("Epistemic part")},
        {MapQuantity::certainty, tr("Certain regions")},
    };
    for (const auto& [quantity, title] : quantities)
        m_quantity->addItem(title, static_cast<int>(quantity));
    describeControl(
        m_quantity, QStringLiteral("mapQuantity"), tr("Quantity of the map"),
        tr("Select the quantity of the map. Predictive entropy is the sum of the aleatoric part (noise in the "
           "data) and the epistemic part (which more data would reduce)."));
    m_class->setObjectName(QStringLiteral("mapClass"));
    m_class->setAccessibleName(tr("Class of the map"));
    connect(m_quantity, &QComboBox::currentIndexChanged, this, [this] {
        const bool one = quantity() == MapQuantity::class_probability;
        m_class->setVisible(one);
        m_classLabel->setVisible(one);
        Q_EMIT optionsChanged();
    });
    connect(m_quantity, &QComboBox::activated, this,
            [this] { write(settings::mapQuantity, toQString(name_of(quantity()))); });
    connect(m_class, &QSpinBox::valueChanged, this, &PredictionArea::optionsChanged);
    m_class->hide();
    m_classLabel->hide();
    auto* row = new QHBoxLayout(m_quantities);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(3);
    for (QWidget* each : std::initializer_list<QWidget*>{m_quantity, m_classLabel, m_class})
        row->addWidget(each);
    m_picture->addControl(m_quantities);
}

void PredictionArea::connectHand()
{
    const auto* hand = &m_picture->chartView()->hand();
    connect(hand, &ChartHand::pointPressed, this, [this](int, double x, double y) {
        m_pressed = true;
        if (m_tool != Tool::choose)
            press(x, y);
    });
    connect(hand, &ChartHand::pointDragged, this, [this](int, double x, double y) { drag(x, y); });
    connect(hand, &ChartHand::pointReleased, this, [this] {
        QMetaObject::invokeMethod(
            this, [this] { m_pressed = false; }, Qt::QueuedConnection);   // after the click, if it was one
        m_carries = false;
        if (m_tool != Tool::choose)
            Q_EMIT strokeEnded();
    });
    connect(hand, &ChartHand::pointClicked, this, [this](int, double x, double y) {
        const bool byMouse = std::exchange(m_pressed, false);
        if (m_tool == Tool::choose
            || !byMouse) {   // a click of the mouse in draw mode was dealt with when it was pressed
            press(x, y);
            if (m_tool != Tool::choose)
                Q_EMIT strokeEnded();
        }
    });
}

bool PredictionArea::showsRows() const { return m_hasRows && !m_ofImages; }

bool PredictionArea::revealRows()
{
    m_rowsRequested = height() >= linesOfBoth * fontMetrics().lineSpacing();
    shareRoom();
    return m_rowsRequested;
}

/// In low windows or with large text the picture comes first, until the rows are requested. It keeps at least half of
/// the height.
void PredictionArea::shareRoom()
{
    const auto isLow = [this](int lines) { return height() < lines * fontMetrics().lineSpacing(); };
    m_rowsRequested  = m_rowsRequested && m_hasRows;
    const bool rows  = m_hasRows && !isLow(m_rowsRequested ? linesOfBoth : linesOfPicture);
    m_rows->setVisible(rows);
    const auto high = static_cast<int>(shareOfPicture * height());
    if (rows && isLow(linesOfPicture) && m_front->sizes().value(0) < high)
        m_front->setSizes({high, height() - high});
}

bool PredictionArea::comparing() const { return m_stack->currentWidget() == m_comparison; }

void PredictionArea::setComparing(bool on)
{
    const bool changes = on != comparing();
    if (changes)
        (on ? m_comparison : m_picture)->addControl(m_quantities, 0);   // one chooser for one map and for several
    m_stack->setCurrentWidget(on           ? static_cast<QWidget*>(m_comparison)
                              : m_ofImages ? static_cast<QWidget*>(m_images)
                                           : m_front);
    if (changes)
        Q_EMIT comparingChanged();
    if (changes && on)
        Q_EMIT comparisonBegan();
}

MapQuantity PredictionArea::quantity() const { return static_cast<MapQuantity>(m_quantity->currentData().toInt()); }

int PredictionArea::mapClass() const { return m_class->value(); }

void PredictionArea::restoreQuantity()
{
    m_restores               = true;
    const QString remembered = read(settings::mapQuantity);
    for (int at = 0; at < m_quantity->count(); ++at)
        if (toQString(name_of(static_cast<MapQuantity>(m_quantity->itemData(at).toInt()))) == remembered)
            m_quantity->setCurrentIndex(at);
}

void PredictionArea::setQuantity(MapQuantity quantity, int mapClass)
{
    m_restores = false;
    m_quantity->setCurrentIndex(m_quantity->findData(static_cast<int>(quantity)));
    if (quantity == MapQuantity::class_probability)
        m_class->setValue(mapClass);
}

/// The map offers the size of conformal sets if the Study has a conformal score.
void PredictionArea::offerSetSize(bool offered)
{
    const int at = m_quantity->findData(static_cast<int>(MapQuantity::set_size));
    if (offered && at < 0) {
        m_quantity->addItem(tr("Conformal set size"), static_cast<int>(MapQuantity::set_size));
        if (m_restores)
            restoreQuantity();
    } else if (!offered && at >= 0) {
        m_quantity->removeItem(at);
    }
}

void PredictionArea::setExperiment(const Experiment& experiment)
{
    const bool map  = credence::view("decision_map").applies(experiment);
    const bool band = credence::view("regression_band").applies(experiment);
    m_ofImages      = has_images(experiment);
    setComparing(comparing());   // the underlying page may have changed
    const bool slice = !map && !band && credence::view("slice").applies(experiment);
    m_picture->setView(credence::view(map ? "decision_map" : band ? "regression_band" : slice ? "slice" : "scores"));
    if (std::exchange(m_slice, slice) != slice
        && !rememberSplitter(*m_front,
                             slice ? QStringLiteral("predictions/slice") : QStringLiteral("predictions/scores")))
        m_front->setSizes(slice ? QList<int>{340, 260} : QList<int>{200, 300});   // the scores are short
    m_hasRows = !map && !band && !m_ofImages;
    shareRoom();
    offerSetSize(experiment.study.prediction.conformal.score != ConformalScore::none);
    m_quantity->setVisible(map);
    for (QWidget* each : std::initializer_list<QWidget*>{m_class, m_classLabel})
        each->setVisible(map && quantity() == MapQuantity::class_probability);
    const int classes = static_cast<int>(experiment.data->training.n_classes());
    const QSignalBlocker quiet(m_class);
    m_class->setRange(0, std::max(0, classes - 1));
    if (m_classes < 0)
        m_class->setValue(std::min(1, classes - 1));

    const auto span = [&](auto value) {
        double low = INFINITY, high = -INFINITY;
        for (const Dataset* part : {&experiment.data->training, &experiment.data->test})
            for (std::size_t i = 0; i < part->n_rows; ++i) {
                low  = std::min(low, static_cast<double>(value(*part, i)));
                high = std::max(high, static_cast<double>(value(*part, i)));
            }
        return high > low ? 1.8 * (high - low) : 1.0;   // the axes are 40 % wider than the data on each side
    };
    if (map || band) {
        m_data.changes = experiment.study.data.changes;   // those are the pen's
        if (m_region && experiment.study.data.source != DataSource::drawn && !(experiment.study.data == m_data))
            releasePen();   // other data, of which the pen has seen nothing
        m_data = experiment.study.data;
    }
    if ((map || band) && !m_region) {
        m_spanX = span([](const Dataset& d, std::size_t i) { return d.row(i)[0]; });
        m_spanY = map ? span([](const Dataset& d, std::size_t i) { return d.row(i)[1]; })
                      : span([](const Dataset& d, std::size_t i) { return d.targets[i * d.n_targets()]; });
    }
    rebuildTools(classes, band, map || band);
}

void PredictionArea::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::ParentChange)
        m_quiet->setArea(parentWidget() ? parentWidget()->parentWidget() : nullptr);   // whose header has the tools
    if (event->type() == QEvent::FontChange)
        shareRoom();
    if (event->type() == QEvent::PaletteChange)   // the colours of the classes are those of the screen's palette
        rebuildTools(std::exchange(m_classes, -2), m_regression, m_plane);
}

void PredictionArea::addCard(QWidget* card)
{
    m_card = card;
    card->installEventFilter(this);
    m_picture->chartView()->installEventFilter(this);
    layout()->addWidget(card);
    m_placing.start();
}

void PredictionArea::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    shareRoom();
    m_placing.start();
}

bool PredictionArea::eventFilter(QObject* object, QEvent* event)
{
    if (object == m_card && (event->type() == QEvent::Show || event->type() == QEvent::LayoutRequest))
        placeCard();
    else if (object != m_card && event->type() == QEvent::Resize)
        m_placing.start();
    return QWidget::eventFilter(object, event);
}

/// The lower left corner of the map, clear of the numbers at its axes. Empty: there is no map, or it is too
/// small to be covered in part.
QRect PredictionArea::cornerForCard() const
{
    const auto& picture = *m_picture->chartView();
    if (m_stack->currentWidget() != m_front || m_regression || !m_plane || picture.chart().panels.size() != 1)
        return {};
    const int clear    = withFont(8);
    const QRect inside = picture.panelRect(0);
    QSize size         = m_card->sizeHint().boundedTo({inside.width() - 2 * clear, QWIDGETSIZE_MAX});
    size.setHeight(std::max(size.height(), m_card->heightForWidth(size.width())));
    if (size.width() < m_card->minimumSizeHint().width() || 4 * size.height() > inside.height())
        return {};
    const QPoint corner = picture.mapTo(this, inside.bottomLeft() + QPoint(clear, -clear));
    return {corner - QPoint(0, size.height()), size};
}

void PredictionArea::placeCard()
{
    if (!m_card)
        return;
    const QRect corner = cornerForCard();
    const bool below   = layout()->indexOf(m_card) >= 0;
    const bool low     = corner.isNull()
                     && height() < cardsInArea * m_card->heightForWidth(width());   // a picture needs the height
    m_card->setMaximumHeight(low ? 0 : QWIDGETSIZE_MAX);
    m_card->setEnabled(!low);   // Tab skips what cannot be seen
    if (corner.isNull()) {
        if (!below)
            layout()->addWidget(m_card);
        return;
    }
    if (below)
        layout()->removeWidget(m_card);
    m_card->setGeometry(corner);
    m_card->raise();
}

void PredictionArea::rebuildTools(int classes, bool regression, bool plane)
{
    if (classes == m_classes && regression == m_regression && plane == m_plane)
        return;
    m_classes    = classes;
    m_regression = regression;
    m_plane      = plane;
    qDeleteAll(m_tools->findChildren<QToolButton*>(Qt::FindDirectChildrenOnly));
    m_tools->setVisible(plane);
    if (!plane) {
        setTool(Tool::choose);
        return;
    }
    const auto button = [this](const QString& name, const QIcon& picture, const QString& tip) {
        auto* made = new QToolButton(m_tools);
        describeControl(made, name, tip, tip);
        made->setIcon(picture);
        made->setAutoRaise(true);
        m_toolRow->addWidget(made);
        if (m_toolRow->count() > toolsInSight)
            m_quiet->add(made);
        return made;
    };
    const auto tool = [&](const QString& name, const QIcon& picture, const QString& tip, Tool which, int drawClass) {
        auto* made = button(name, picture, tip);
        made->setCheckable(true);
        made->setAutoExclusive(true);
        made->setChecked(m_tool == which && (which != Tool::draw || m_drawClass == drawClass));
        connect(made, &QToolButton::toggled, this, [this, which, drawClass](bool on) {
            if (on)
                setTool(which, drawClass);
        });
        return made;
    };
    tool(QStringLiteral("toolChoose"), icon(QStringLiteral("choose")), tr("Select an input: click in the figure"),
         Tool::choose, 0);
    const auto colours = ChartPalette::forScreen(palette());
    if (regression) {
        tool(QStringLiteral("toolDraw0"), icon(QStringLiteral("draw"), colours.data),
             tr("Draw points: click or drag in the figure"), Tool::draw, 0);
    } else {
        for (int k = 0; k < std::min(classes + 1, 8);
             ++k)   // one more than there are, so that a new class can be drawn
            tool(QStringLiteral("toolDraw%1").arg(k),
                 icon(k < classes ? penOf(categoryMarker(k)) : QStringLiteral("draw-new"), colours.category(k)),
                 k < classes ? tr("Draw points of class %1: click or drag in the map").arg(k)
                             : tr("Draw points of a new class %1").arg(k),
                 Tool::draw, k);
    }
    tool(QStringLiteral("toolMove"), icon(QStringLiteral("move")),
         tr("Move a point: drag it. With the keyboard, Enter picks up the nearest point and Enter drops it"),
         Tool::move, 0);
    tool(QStringLiteral("toolErase"), icon(QStringLiteral("erase")), tr("Erase points: click or drag over them"),
         Tool::erase, 0);
    auto* clear = button(QStringLiteral("toolClear"), icon(QStringLiteral("clear")),
                         tr("Clear: keep only a few points (Undo restores all)"));
    connect(clear, &QToolButton::clicked, this, &PredictionArea::clearRequested);
    if (!m_tools->findChild<QToolButton*>(QStringLiteral("toolDraw%1").arg(m_drawClass)))
        setTool(Tool::choose);
}

void PredictionArea::setTool(Tool tool, int drawClass)
{
    m_tool      = tool;
    m_carries   = false;
    m_drawClass = drawClass;
    m_picture->chartView()->hand().setDrawing(tool != Tool::choose);
    holdAxes(tool != Tool::choose);
}

void PredictionArea::releasePen()
{
    if (auto* choose = m_tools->findChild<QToolButton*>(QStringLiteral("toolChoose")))
        choose->setChecked(true);
    setTool(Tool::choose);
}

/// Fixes the axes while drawing; otherwise points beyond the others would move the map under the
/// pen.
void PredictionArea::holdAxes(bool hold)
{
    if (hold == m_region.has_value())
        return;
    const auto shown = m_picture->hasChart() ? m_picture->chartView()->shownRange(0) : std::nullopt;
    if (hold && !shown)
        return;   // as soon as there is a picture
    m_region = hold ? shown : std::nullopt;
    if (m_region) {
        m_spanX = m_region->first.second - m_region->first.first;
        m_spanY = m_region->second.second - m_region->second.first;
    }
    Q_EMIT optionsChanged();
}

void PredictionArea::press(double x, double y)
{
    ++m_stroke;
    m_lastX = x;
    m_lastY = y;
    switch (m_tool) {
    case Tool::choose:
        if (m_plane)
            Q_EMIT inputChosen(m_regression ? std::vector<double>{x} : std::vector<double>{x, y});
        break;
    case Tool::draw: Q_EMIT pointDrawn(x, y, m_drawClass, m_stroke); break;
    case Tool::move:
        if (std::exchange(m_carries, !m_carries))   // the second press of the keyboard
            Q_EMIT pointMoved(x, y, m_stroke);
        else
            Q_EMIT pointGrabbed(x, y, 2 * eraserRadius * m_spanX, 2 * eraserRadius * m_spanY);
        break;
    case Tool::erase: Q_EMIT pointsErased(x, y, eraserRadius * m_spanX, eraserRadius * m_spanY, m_stroke); break;
    }
}

void PredictionArea::drag(double x, double y)
{
    if (m_tool == Tool::move) {
        Q_EMIT pointMoved(x, y, m_stroke);
    } else if (m_tool == Tool::erase) {
        Q_EMIT pointsErased(x, y, eraserRadius * m_spanX, eraserRadius * m_spanY, m_stroke);
    } else if (m_tool == Tool::draw && std::hypot((x - m_lastX) / m_spanX, (y - m_lastY) / m_spanY) >= strokeSpacing) {
        m_lastX = x;
        m_lastY = y;
        Q_EMIT pointDrawn(x, y, m_drawClass, m_stroke);
    }
}
