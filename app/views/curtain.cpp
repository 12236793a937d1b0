// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/form_controls.h"
#include "views/prediction_area.h"

#include "widgets/chart_hand.h"
#include "widgets/chart_view.h"
#include "work/text.h"

#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QSlider>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

using namespace credence;

namespace {

constexpr int curtainSteps = 1000, handleWidth = 24, nameGap = 8;

/// A line across the maps with a knob in its middle.
class CurtainHandle : public QSlider {
public:
    explicit CurtainHandle(QWidget* parent) : QSlider(Qt::Horizontal, parent)
    {
        setRange(0, curtainSteps);
        setSingleStep(curtainSteps / 50);
        setPageStep(curtainSteps / 10);
        setValue(curtainSteps / 2);
        setCursor(Qt::SplitHCursor);
        setFocusPolicy(Qt::StrongFocus);
    }

    void setTrack(QRect axes)
    {
        m_track     = axes;
        const int x = axes.left() + value() * std::max(0, axes.width() - 1) / curtainSteps;
        setGeometry(x - handleWidth / 2, axes.top(), handleWidth, axes.height());
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        constexpr double radius = 9, tip = 5;
        const QColor ground = palette().color(QPalette::Base);
        const QColor ink    = palette().color(hasFocus() ? QPalette::Highlight : QPalette::Text);
        const QPointF middle(width() / 2.0, height() / 2.0);
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        for (const auto& [colour, thickness] : {std::pair{ground, 4}, {ink, 2}}) {
            painter.setPen(QPen(colour, thickness, Qt::SolidLine, Qt::FlatCap));
            painter.drawLine(QPointF(middle.x(), 0), QPointF(middle.x(), height()));
        }
        painter.setPen(QPen(ink, hasFocus() ? 2 : 1));
        painter.setBrush(ground);
        painter.drawEllipse(middle, radius, radius);
        QPainterPath arrows;
        for (const int side : {-1, 1}) {
            arrows.moveTo(middle + QPointF(side * (tip - 3), -3));
            arrows.lineTo(middle + QPointF(side * tip, 0));
            arrows.lineTo(middle + QPointF(side * (tip - 3), 3));
        }
        painter.setBrush(Qt::NoBrush);
        painter.drawPath(arrows);
    }
    void mousePressEvent(QMouseEvent* event) override
    {
        event->setAccepted(event->button() == Qt::LeftButton);
        setSliderDown(event->isAccepted());
    }
    void mouseMoveEvent(QMouseEvent* event) override
    {
        if (isSliderDown() && m_track.width() > 1) {
            const double along = mapToParent(event->position()).x() - m_track.left();
            setValue(static_cast<int>(std::lround(curtainSteps * along / (m_track.width() - 1))));
        }
    }
    void mouseReleaseEvent(QMouseEvent*) override { setSliderDown(false); }
    void mouseDoubleClickEvent(QMouseEvent*) override { setValue(curtainSteps / 2); }
    void wheelEvent(QWheelEvent* event) override { event->ignore(); }

private:
    QRect m_track;   ///< the inside of the axes, in the parent
};

bool hasMap(const Panel& panel)
{
    return std::any_of(panel.series.begin(), panel.series.end(),
                       [](const Series& series) { return std::holds_alternative<HeatMap>(series); });
}

/// Returns true if both panels have the same legend. Charts with different legends would have axes
/// of different sizes.
bool namesSamePoints(const Panel& a, const Panel& b)
{
    const auto names = [](const Panel& panel) {
        std::vector<std::string> found;
        for (const Series& series : panel.series)
            if (const auto* points = std::get_if<Points>(&series))
                found.push_back(points->name);
        return found;
    };
    return names(a) == names(b);
}

}   // namespace

Curtain::Curtain(QWidget* parent) : QWidget(parent), m_handle(new CurtainHandle(this))
{
    setObjectName(QStringLiteral("curtainArea"));
    for (std::size_t side = 0; side < 2; ++side) {
        auto* map = m_maps[side] = new ChartView(this);
        map->setObjectName(side == 0 ? QStringLiteral("curtainLeft") : QStringLiteral("curtainRight"));
        map->setAccessibleName(side == 0 ? tr("Map of the first run") : tr("Map of the second run"));
        map->setContextMenuPolicy(Qt::NoContextMenu);   // the enclosing panel exports both maps
        map->hand().setZoomEnabled(false);              // the axes stay the same
        connect(&map->hand(), &ChartHand::pointClicked, this,
                [this](int, double x, double y) { Q_EMIT pointClicked(x, y); });
    }
    for (std::size_t side = 0; side < 2; ++side) {
        auto* label = m_labels[side] = new QLabel(this);
        label->setObjectName(side == 0 ? QStringLiteral("curtainLeftName") : QStringLiteral("curtainRightName"));
        label->setAutoFillBackground(true);
        label->setBackgroundRole(QPalette::ToolTipBase);
        label->setForegroundRole(QPalette::ToolTipText);
        label->setMargin(4);
        label->setAttribute(Qt::WA_TransparentForMouseEvents);
    }
    describeControl(m_handle, QStringLiteral("curtainHandle"), tr("Curtain between the two maps"),
                    tr("Drag to uncover one map or the other, or use the arrow keys. Double-click to centre"));
    m_handle->raise();
    setFocusProxy(m_handle);
    connect(m_handle, &QSlider::valueChanged, this, &Curtain::place);
    m_placing.setSingleShot(true);
    m_placing.setInterval(30);
    connect(&m_placing, &QTimer::timeout, this, &Curtain::place);
}

QString Curtain::whyNot(const Chart& chart)
{
    if (chart.panels.empty() || !chart.message.empty())
        return tr("A curtain needs two runs with maps. Tick two and compare them.");
    if (!std::all_of(chart.panels.begin(), chart.panels.end(), hasMap))
        return tr("A curtain needs maps, which these runs do not have.");
    if (chart.panels.size() != 2)
        return tr("A curtain shows exactly two maps. Tick two runs instead of %1.").arg(chart.panels.size());
    return {};
}

void Curtain::setChart(const Chart& chart)
{
    const bool legend = namesSamePoints(chart.panels[0], chart.panels[1]);
    for (std::size_t side = 0; side < 2; ++side) {
        m_names[side] = toQString(chart.panels[side].title);
        Chart own{.id = chart.id, .title = chart.panels[side].title, .caption = chart.caption};
        own.panels   = {chart.panels[side]};
        auto& panel  = own.panels.front();
        panel.title  = {};
        panel.legend = panel.legend && legend;
        panel.x      = chart.panels[0].x;
        panel.y      = chart.panels[0].y;
        m_maps[side]->setChart(own);
    }
    m_placing.start();
}

double Curtain::share() const { return static_cast<double>(m_handle->value()) / curtainSteps; }

void Curtain::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    for (auto* map : m_maps)
        map->setGeometry(rect());
    m_placing.start();
}

/// Cuts off the second map at the handle.
void Curtain::place()
{
    const QRect axes = m_maps[0]->panelRect(0);
    if (axes.isEmpty())
        return;
    static_cast<CurtainHandle*>(m_handle)->setTrack(axes);
    const int x = m_handle->geometry().left() + handleWidth / 2;
    m_maps[1]->setMask(QRegion(x, 0, std::max(1, width() - x), std::max(1, height())));
    for (std::size_t side = 0; side < 2; ++side) {
        auto* label    = m_labels[side];
        const int room = std::max(0, axes.width() / 2 - 2 * nameGap - 2 * label->margin());
        label->setText(label->fontMetrics().elidedText(m_names[side], Qt::ElideRight, room));
        label->adjustSize();
        // A small map contains the name of its y axis and its colour key at the top.
        const bool key = width() - axes.right() < 2 * label->height();
        label->move(side == 0 ? axes.left() + nameGap : axes.right() - nameGap - label->width(),
                    axes.top() + nameGap + (key ? label->height() : 0));
    }
    m_handle->setAccessibleDescription(tr("%1 % of the width shows %2, the rest %3")
                                           .arg(QString::number(std::lround(100 * share())), m_names[0], m_names[1]));
}
