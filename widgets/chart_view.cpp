// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/chart_view.h"

#include "widgets/chart_access.h"
#include "widgets/chart_hand.h"
#include "widgets/chart_overlays.h"
#include "widgets/chart_painter.h"
#include "widgets/export_figure.h"
#include "widgets/spoken_items.h"
#include "widgets/table_view.h"

#include <QAction>
#include <QClipboard>
#include <QFontInfo>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMimeData>
#include <QScrollArea>
#include <QScrollBar>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <qcustomplot.h>

#include <algorithm>
#include <utility>

namespace credence {

ChartView::ChartView(QWidget* parent)
    : QWidget(parent), m_speech(std::make_unique<ChartSpeech>()), m_pages(new QStackedWidget(this)),
      m_scroll(new QScrollArea), m_plot(new QCustomPlot), m_table(new TableView), m_data(new TableView),
      m_painter(std::make_unique<ChartPainter>(m_plot)), m_offers{new QAction(tr("&Copy figure"), this),
                                                                  new QAction(tr("&Export figure…"), this),
                                                                  new QAction(tr("Show &data"), this),
                                                                  new QAction(tr("&Whole range"), this)},
      m_marks(new MarkLayer(*m_painter, m_plot)), m_hand(new ChartHand(*this, *m_painter, m_plot, m_scroll))
{
    installChartAccess();
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_pages);
    auto* const picture       = new QWidget;
    auto* const pictureLayout = new QVBoxLayout(picture);
    pictureLayout->setContentsMargins(0, 0, 0, 0);
    pictureLayout->setSpacing(0);
    m_plot->setMinimumWidth(
        1);   // its own hint changes with each width, so layout of a narrow view would not terminate
    pictureLayout->addWidget(m_plot, 1);
    pictureLayout->addWidget(m_table, 0);
    m_table->hide();
    m_scroll->setWidget(picture);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_pages->addWidget(m_scroll);
    m_pages->addWidget(m_data);

    setFocusPolicy(Qt::StrongFocus);
    m_plot->setFocusPolicy(Qt::NoFocus);
    m_plot->setContextMenuPolicy(Qt::NoContextMenu);
    m_plot->setObjectName(QStringLiteral("plot"));
    connect(m_plot, &QCustomPlot::beforeReplot, this, [this] { m_painter->arrange(); });
    connect(m_plot, &QCustomPlot::afterReplot, this, [this] {   // the layout of the chart may have changed
        m_marks->resize(m_plot->size());
        m_marks->update();
    });

    connect(m_hand, &ChartHand::released, this, [this] {
        if (m_afterPress)
            setChart(std::exchange(m_afterPress, nullptr));
    });

    m_offers.copy->setShortcut(QKeySequence::Copy);
    m_offers.copy->setShortcutContext(Qt::WidgetShortcut);
    m_offers.showData->setCheckable(true);
    connect(m_offers.copy, &QAction::triggered, this, &ChartView::copy);
    connect(m_offers.exportFigure, &QAction::triggered, this, &ChartView::exportRequested);
    connect(m_offers.showData, &QAction::toggled, this, &ChartView::showData);
    connect(m_offers.resetZoom, &QAction::triggered, this, &ChartView::resetZoom);
    addActions({m_offers.copy, m_offers.exportFigure, m_offers.showData, m_offers.resetZoom});
    setContextMenuPolicy(Qt::ActionsContextMenu);
    new FocusBorder(this);
    refresh();
}

ChartView::~ChartView() = default;

void ChartView::setChart(std::shared_ptr<const Chart> given)
{
    if (!m_hand->mayHave(*given)) {   // a drag in progress keeps the axes that the user sees
        m_afterPress = std::move(given);
        return;
    }
    m_afterPress.reset();
    m_shown = std::move(given);
    // Spoken by a screen reader in addition to the summary of chart_access.h.
    if (!chart().title.empty())   // otherwise the given name stays
        setAccessibleName(QString::fromStdString(chart().title));
    QStringList about{QString::fromStdString(chart().caption), QString::fromStdString(chart().message)};
    about.removeAll(QString());
    setAccessibleDescription(about.join(QLatin1Char(' ')));
    m_data->setAccessibleName(tr("Data of %1").arg(accessibleName()));
    m_table->setAccessibleName(accessibleName());
    if (m_offers.showData->isChecked())
        m_data->setTable(data_table(chart()));
    refresh();
    Q_EMIT chartChanged();
}

void ChartView::setMark(const std::optional<Mark>& mark)
{
    m_marks->mark = mark;
    m_marks->resize(m_plot->size());
    m_marks->setVisible(mark.has_value());
    m_marks->update();
}

std::optional<ChartView::Mark> ChartView::mark() const { return m_marks->mark; }

/// Applies colours and sizes for the current palette, font and space.
void ChartView::refresh()
{
    const bool onlyTable = chart().panels.empty() && chart().table && chart().message.empty();
    m_plot->setVisible(!onlyTable);
    const int tableHeight = showTable();
    const QSize room      = m_scroll->viewport()->size();
    m_shownColumns        = columnsFor(chart(), room.width());
    // A table never shrinks its chart: if both do not fit, the view scrolls.
    const int picture = tableHeight > 0 ? std::min(room.height(), 240) : 0;
    const int least   = onlyTable ? 0 : std::max(leastHeight(chart(), m_shownColumns), picture);
    const QSize size(room.width(), std::max(room.height() - tableHeight, least));
    const ChartPalette palette = ChartPalette::forScreen(this->palette());
    DrawScale scale            = drawScale(chart(), font(), QFontInfo(font()).pixelSize(), size);
    scale.pixelsPerPoint *= screenLines() * logicalDpiX() / 96.0;
    m_painter->show(chart(), palette, scale, m_shownColumns);
    // Set once for this size, since the plot's own request changes with its size.
    m_plot->setMinimumHeight(
        onlyTable ? 0 : std::max({1, least, static_cast<QWidget*>(m_plot)->minimumSizeHint().height()}));
    QPalette ground = m_scroll->palette();
    ground.setColor(QPalette::Window, palette.background);
    m_scroll->viewport()->setPalette(ground);
    m_offers.resetZoom->setEnabled(m_painter->zoomed());
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

/// @return the height of the table below the panels; 0: no table, or no panels
int ChartView::showTable()
{
    const bool shown = chart().table && !chart().table->columns.empty() && chart().message.empty();
    m_table->setVisible(shown);
    if (!shown)
        return 0;
    m_table->setTable(*chart().table);
    if (chart().panels.empty()) {
        m_table->setMinimumHeight(0);
        m_table->setMaximumHeight(QWIDGETSIZE_MAX);
        return 0;
    }
    const bool wide  = m_table->horizontalHeader()->length() > m_scroll->viewport()->width();
    const int height = m_table->sizeHint().height() + (wide ? m_table->horizontalScrollBar()->sizeHint().height() : 0);
    m_table->setFixedHeight(height);
    return height;
}

QPointF ChartView::positionOf(int panel, double x, double y) const
{
    return panel >= 0 && panel < m_painter->panelCount() ? m_plot->mapTo(this, m_painter->position(panel, {x, y}))
                                                         : QPointF();
}

std::optional<std::pair<Range, Range>> ChartView::shownRange(int panel) const
{
    if (panel < 0 || panel >= m_painter->panelCount())
        return std::nullopt;
    return m_painter->shownRange(panel);
}

QRect ChartView::panelRect(int panel) const
{
    if (panel < 0 || panel >= m_painter->panelCount())
        return {};
    const QRect rect = m_painter->panelRect(panel);
    return {m_plot->mapTo(this, rect.topLeft()), rect.size()};
}

int ChartView::rebuilds() const { return m_painter->rebuilds(); }

void ChartView::copy()
{
    QGuiApplication::clipboard()->setMimeData(chartMimeData(chart(), slideOptions(), m_studyJson));
}

void ChartView::showData(bool shown)
{
    if (m_offers.showData->isChecked() != shown) {
        m_offers.showData->setChecked(shown);   // triggers this slot again
        return;
    }
    if (shown)
        m_data->setTable(data_table(chart()));
    m_pages->setCurrentIndex(shown ? 1 : 0);
    setFocusProxy(shown ? m_data : nullptr);
    Q_EMIT dataShown(shown);
}

void ChartView::resetZoom()
{
    m_painter->resetZoom();
    m_offers.resetZoom->setEnabled(false);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void ChartView::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange
        || event->type() == QEvent::StyleChange)
        refresh();
}

void ChartView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    layout()->activate();
    refresh();
}

void ChartView::keyPressEvent(QKeyEvent* event)
{
    if (!m_hand->keyPressed(event))
        QWidget::keyPressEvent(event);
}

}   // namespace credence
