// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/view_panel.h"

#include "parts/buttons.h"
#include "parts/form_controls.h"
#include "parts/help_mark.h"
#include "parts/icons.h"
#include "parts/quiet_parts.h"
#include "parts/remembered_sizes.h"
#include "work/text.h"

#include "views/views.h"
#include "widgets/chart_view.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QPointer>
#include <QToolButton>
#include <QVariant>

using namespace credence;

namespace {

constexpr const char* panelKey = "viewPanel";   ///< property of the controls of a panel, which may be outside of it

/// Dims the widgets below it.
class DimLayer : public QWidget {
public:
    using QWidget::QWidget;

protected:
    void paintEvent(QPaintEvent*) override
    {
        QColor ground = palette().color(QPalette::Base);
        ground.setAlphaF(0.45F);
        QPainter(this).fillRect(rect(), ground);
    }
};

}   // namespace

ViewPanel::ViewPanel(const View& view, QWidget* parent)
    : QWidget(parent), m_view(&view), m_header(new QHBoxLayout), m_controls(new QWidget(this)),
      m_tools(new QWidget(this)), m_data(new QToolButton(m_tools)), m_export(new MenuButton({}, nullptr, m_tools)),
      m_picture(new ChartView(this)), m_dim(new DimLayer(this)), m_note(new QLabel(this))
{
    const QString id = toQString(view.id);
    setObjectName("view/" + id);
    m_picture->setAccessibleName(toQString(view.title));
    nameTables();

    describeControl(m_data, "data/" + id, tr("Show data"), tr("Show data: table of the plotted values"));
    m_data->setCheckable(true);
    m_data->setAutoRaise(true);
    connect(m_data, &QToolButton::toggled, m_picture, &ChartView::showData);
    connect(m_picture, &ChartView::dataShown, m_data, &QToolButton::setChecked);
    connect(m_picture, &ChartView::dataShown, this, &ViewPanel::followBody);

    describeControl(m_export, "export/" + id, tr("Export or copy this figure"), tr("Export or copy this figure"));
    m_export->setAutoRaise(true);
    auto* menu = new QMenu(m_export);
    menu->addAction(tr("Export this figure…"), this, &ViewPanel::exportRequested);
    menu->addAction(tr("Copy this figure"), this, &ViewPanel::copy);
    m_export->setMenu(menu);
    connect(m_picture, &ChartView::exportRequested, this, &ViewPanel::exportRequested);

    fillHeader();
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addLayout(m_header);
    all->addWidget(m_picture, 1);
    m_data->setIcon(icon(QStringLiteral("table")));
    m_export->setIcon(icon(QStringLiteral("export")));
    m_note->setObjectName("computing/" + id);
    m_note->setAutoFillBackground(true);
    m_note->setBackgroundRole(QPalette::ToolTipBase);
    m_note->setForegroundRole(QPalette::ToolTipText);
    m_note->setMargin(3);
    m_note->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_note->hide();
    m_dim->setObjectName("dimmed/" + id);
    m_dim->hide();
}

void ViewPanel::fillHeader()
{
    auto* help = new HelpMark(
        toQString(m_view->title),
        [this] {
        QString html = QStringLiteral("<b>%1</b><p>%2</p>").arg(htmlFrom(m_view->title), htmlFrom(m_view->help));
        if (!m_chart->caption.empty())
            html += QStringLiteral("<p><i>%1</i></p>").arg(htmlFrom(m_chart->caption));
        return html;
        },
        {m_tools, m_controls, this}, m_tools);

    auto* tools = new QHBoxLayout(m_tools);
    tools->setContentsMargins(0, 0, 0, 0);
    tools->setSpacing(1);
    for (QWidget* each : std::initializer_list<QWidget*>{m_data, m_export, help})
        tools->addWidget(each);
    auto* controls = new QHBoxLayout(m_controls);
    controls->setContentsMargins(0, 0, 0, 0);
    controls->setSpacing(3);
    for (auto* outside : {m_controls, m_tools})
        outside->setProperty(panelKey, QVariant::fromValue(QPointer<ViewPanel>(this)));
    m_header->setContentsMargins(4, 1, 4, 0);
    m_header->setSpacing(3);
    m_header->addWidget(m_controls);
    m_header->addStretch(1);
    m_header->addWidget(m_tools);
}

const ViewPanel* ViewPanel::around(const QWidget* widget)
{
    const ViewPanel* panel = nullptr;
    for (; widget && !panel; widget = widget->parentWidget()) {
        panel = qobject_cast<const ViewPanel*>(widget);
        if (!panel)
            panel = widget->property(panelKey).value<QPointer<ViewPanel>>();
    }
    return panel;
}

/// Names the tables after the view, so that the user's column widths apply to them.
void ViewPanel::nameTables()
{
    const QString name = "view/" + toQString(m_view->id);
    rememberColumns(m_picture->tableWidths(), name);
    rememberColumns(m_picture->dataWidths(), name + "/data");
}

void ViewPanel::setView(const View& view)
{
    if (m_view == &view)
        return;
    m_view     = &view;
    m_hasChart = false;
    nameTables();
    m_note->hide();
    m_picture->setAccessibleName(toQString(view.title));
}

void ViewPanel::addControl(QWidget* control, int at)
{
    static_cast<QHBoxLayout*>(m_controls->layout())->insertWidget(at, control);
}

QWidget* ViewPanel::takeControls()
{
    m_header->removeWidget(m_controls);
    return m_controls;
}

QWidget* ViewPanel::takeTools()
{
    m_header->removeWidget(m_tools);
    m_header->setContentsMargins(0, 0, 0, 0);
    return m_tools;
}

void ViewPanel::wait(const QString& words, bool keep)
{
    const bool counts = keep && m_hasChart && !m_outdated;
    if (m_chart->message.empty() && !(m_chart->panels.empty() && !m_chart->table)) {
        m_hasChart = counts;
        m_dim->setAttribute(Qt::WA_TransparentForMouseEvents, counts);   // no input is selected in other data
        m_note->setText(words);
        placeNote();
        m_dim->show();
        m_note->show();
    } else {
        setChart(Chart{.id = m_view->id, .message = words.toStdString()});
        m_hasChart = false;
    }
    m_waits = true;
    Q_EMIT waits(words, keep);
}

/// Places the note in the lower right corner of the first axes, since the legend is below them and the summary of the
/// run at the left, and dims the whole picture. In narrow axes it is below the words at the top, clear of the summary.
void ViewPanel::placeNote()
{
    const QRect axes = m_picture->panelRect(0).translated(m_picture->mapTo(this, QPoint())) & rect();
    QRect place({}, m_note->sizeHint().boundedTo(size()));
    const bool narrow = 2 * axes.width() < 5 * place.width() && axes.height() > 8 * place.height();
    if (m_body || axes.isEmpty())
        place.moveBottomLeft(rect().bottomLeft());
    else if (narrow)
        place.moveTopRight(axes.topRight() + QPoint(0, 5 * place.height() / 2));
    else
        place.moveBottomRight(axes.bottomRight());
    place.moveLeft(std::max(place.left(), 0));
    m_note->setGeometry(place);
    m_dim->setGeometry(m_body ? m_body->geometry() : m_picture->geometry());
    m_dim->raise();
    m_note->raise();
}

void ViewPanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    placeNote();
}

void ViewPanel::setChart(std::shared_ptr<const Chart> chart)
{
    m_note->hide();
    m_dim->hide();
    m_chart    = std::move(chart);
    m_hasChart = true;
    m_outdated = false;
    m_waits    = false;
    if (!m_picture->isHidden())
        m_picture->setChart(m_chart);
    m_data->setVisible(!m_chart->panels.empty());   // a view that is a table needs no second table
    m_tools->layout()->invalidate();                // Qt skips hidden layouts
    m_tools->updateGeometry();
    Q_EMIT chartShown(*m_chart);
}

void ViewPanel::showBy(QWidget* body)
{
    if (m_body == body)
        return;
    if (m_body)
        m_body->hide();
    m_body = body;
    if (body && layout()->indexOf(body) < 0)
        static_cast<QVBoxLayout*>(layout())->addWidget(body, 1);
    followBody();
}

/// Shows the chart's data in its place, even if another widget draws the chart.
void ViewPanel::followBody()
{
    const bool picture = !m_body || m_data->isChecked();
    if (picture && m_picture->isHidden())
        m_picture->setChart(m_chart);   // this widget has missed earlier charts
    m_picture->setVisible(picture);
    if (m_body)
        m_body->setVisible(!picture);
}

void ViewPanel::copy()
{
    if (m_picture->isHidden())
        m_picture->setChart(m_chart);
    m_picture->copy();
}

void ViewPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (!m_quiet && m_tools->parentWidget() == this) {
        m_quiet = new QuietParts(this, this);
        m_quiet->add(m_tools);
    }
    Q_EMIT becameVisible();
}
