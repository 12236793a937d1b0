// SPDX-License-Identifier: GPL-3.0-or-later
// Layout of the page *Image*.
#include "images/image_workbench.h"

#include "images/edit_panels.h"
#include "images/image_canvas.h"
#include "images/image_verdict.h"
#include "images/thumbnail_strip.h"
#include "parts/buttons.h"
#include "parts/help_mark.h"
#include "parts/icons.h"
#include "work/text.h"

#include "views/image_rows.h"
#include "widgets/chart_hand.h"
#include "widgets/chart_view.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QLabel>
#include <QResizeEvent>
#include <QScrollArea>
#include <QStackedWidget>
#include <QToolButton>

#include <array>
#include <tuple>

using namespace credence;

namespace {

constexpr int restAfter      = 180;   ///< milliseconds without a change after which editing counts as paused
constexpr int sideBySideFrom = 360;   ///< minimum width for image and boxplots side by side

/// A page has its own height, not that of the highest page.
class Pages : public QStackedWidget {
public:
    using QStackedWidget::QStackedWidget;
    QSize sizeHint() const override { return currentWidget() ? currentWidget()->sizeHint() : QSize(); }
    QSize minimumSizeHint() const override { return currentWidget() ? currentWidget()->minimumSizeHint() : QSize(); }
};

/// Asks for the height of its contents, up to a share of the page's; then it scrolls.
class BelowScroll : public QScrollArea {
public:
    using QScrollArea::QScrollArea;
    QSize sizeHint() const override
    {
        if (!widget())
            return QScrollArea::sizeHint();
        const int wide = std::max(viewport()->width(), widget()->minimumSizeHint().width());
        const int tall = widget()->hasHeightForWidth() ? widget()->heightForWidth(wide) : widget()->sizeHint().height();
        return {QScrollArea::sizeHint().width(), std::min(tall, parentWidget()->height() * 4 / 7)};
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (watched == widget() && event->type() == QEvent::LayoutRequest)
            updateGeometry();
        return QScrollArea::eventFilter(watched, event);
    }
    void resizeEvent(QResizeEvent* event) override
    {
        QScrollArea::resizeEvent(event);
        if (event->size().width() != event->oldSize().width())
            updateGeometry();
    }
};

/// Id, title and tooltip of each.
std::array<std::tuple<const char*, QString, QString>, 3> modes()
{
    return {{
        {"imageLook", ImageWorkbench::tr("Look"), ImageWorkbench::tr("View the selected image")},
        {"imageDraw", ImageWorkbench::tr("Draw"),
         ImageWorkbench::tr("Draw an image with mouse, pen or keys: arrows move the pen, Space lowers or lifts it")},
        {"imageDisturb", ImageWorkbench::tr("Perturb"),
         ImageWorkbench::tr("Rotate, shift or blur the image, add noise, or morph it into another one")},
    }};
}

}   // namespace

ImageWorkbench::ImageWorkbench(QWidget* parent)
    : QWidget(parent), m_canvas(new ImageCanvas(this)), m_chart(new ChartView(this))
{
    setObjectName(QStringLiteral("imageWorkbench"));
    m_rest.setSingleShot(true);
    m_rest.setInterval(restAfter);
    connect(&m_rest, &QTimer::timeout, this, [this] { m_canvas->strokeGoesOn() ? m_rest.start() : announce(false); });

    m_chart->setObjectName(QStringLiteral("imageChart"));
    m_chart->setAccessibleName(tr("Boxplots of the selected image"));
    m_chart->hand().setZoomEnabled(false);
    connect(m_chart, &ChartView::exportRequested, this, [this] {
        Q_EMIT exportRequested(m_chartKind->isChecked() ? QStringLiteral("intervals") : QStringLiteral("boxplots"));
    });

    buildTools();
    m_top = new QBoxLayout(QBoxLayout::LeftToRight);
    m_top->setSpacing(2);
    m_top->addWidget(m_canvas, 4);
    m_top->addWidget(m_chart, 5);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(4, 2, 8, 0);
    all->setSpacing(2);
    all->addWidget(buildModes());
    all->addLayout(m_top, 1);
    auto* below = buildBelow();
    all->addWidget(m_verdict->headline());
    all->addWidget(below);
    m_back->setIcon(icon(QStringLiteral("restart")));
}

/// The panels for drawing and perturbing.
void ImageWorkbench::buildTools()
{
    m_tools = new Pages(this);
    m_draw  = new DrawPanel(*m_canvas, this);
    m_tools->addWidget(m_draw);
    m_disturb = new DisturbPanel(this);
    m_tools->addWidget(m_disturb);
    m_tools->hide();
    connect(m_disturb, &DisturbPanel::changed, this, &ImageWorkbench::disturbedBy);
    connect(m_disturb, &DisturbPanel::targetWanted, this, &ImageWorkbench::wantTarget);
    connect(m_disturb, &DisturbPanel::resetRequested, this, [this] {
        setBase(m_image.base);
        announce(false);
    });
    const auto redraw = [this] {
        if (m_mode == Mode::draw)
            drawn();
    };
    connect(m_canvas, &ImageCanvas::strokesChanged, this, redraw);
    connect(m_draw, &DrawPanel::centringChanged, this, redraw);
}

/// Tools, verdict and nearest images, which scroll.
QWidget* ImageWorkbench::buildBelow()
{
    auto* below  = new QWidget(this);
    auto* column = new QVBoxLayout(below);
    column->setContentsMargins(0, 0, 0, 2);
    column->setSpacing(2);
    column->addWidget(m_tools);
    m_verdict = new ImageVerdict(this);
    m_nearest = new NearestImages(this);
    column->addWidget(m_verdict);
    column->addWidget(m_nearest);
    column->addStretch(1);
    connect(m_nearest, &NearestImages::chosen, this, [this](int row) {
        const auto bytes = image_bytes(*m_experiment, ImagePart::training, static_cast<std::size_t>(row));
        setMode(Mode::disturb);
        morphInto({{bytes.begin(), bytes.end()},
                   tr("training image %1").arg(row).toStdString(),
                   m_experiment->data->training.labels[static_cast<std::size_t>(row)],
                   {}});
    });
    auto* scroll = new BelowScroll(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);   // nothing is cut off in a narrow inspector
    scroll->setWidget(below);
    scroll->setMinimumHeight(70);
    scroll->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    return scroll;
}

ThumbnailStrip* ImageWorkbench::nearest() const { return m_nearest->strip(); }

void ImageWorkbench::fitModes()
{
    const auto& outputs = m_experiment->outputs;
    for (int i = 0; i < 3; ++i) {
        const bool asksTheNet = outputs && i > 0;
        m_modes[i]->setEnabled(!asksTheNet);
        m_modes[i]->setToolTip(asksTheNet
                                   ? tr("%1 contains predictions only, so its network cannot predict other images")
                                         .arg(toQString(outputs->own.name))
                                   : std::get<2>(modes()[i]));
    }
    m_nearest->setVisible(!outputs);   // a file of predictions does not contain the training images
}

QWidget* ImageWorkbench::buildModes()
{
    auto* bar = new QWidget(this);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(1);
    auto* group      = new QButtonGroup(bar);
    const auto modes = ::modes();
    for (int i = 0; i < 3; ++i) {
        m_modes[i] = toolButton(QLatin1String(std::get<0>(modes[i])), std::get<2>(modes[i]), bar);
        m_modes[i]->setText(std::get<1>(modes[i]));
        m_modes[i]->setAccessibleName(std::get<1>(modes[i]));
        m_modes[i]->setCheckable(true);
        group->addButton(m_modes[i], i);
        row->addWidget(m_modes[i]);
    }
    m_modes[0]->setChecked(true);
    connect(group, &QButtonGroup::idClicked, this, [this](int id) { setMode(static_cast<Mode>(id)); });
    m_back = toolButton(QStringLiteral("imageBack"), tr("Return to the original image"), bar);
    connect(m_back, &QToolButton::clicked, this, &ImageWorkbench::takeBack);
    row->addWidget(m_back);
    m_pixel = new QLabel(bar);
    m_pixel->setObjectName(QStringLiteral("imagePixel"));
    m_pixel->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_pixel->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    connect(m_canvas, &ImageCanvas::pixelPointedAt, m_pixel, &QLabel::setText);
    row->addWidget(m_pixel, 1);
    m_chartKind = toolButton(QStringLiteral("imageIntervals"), tr("Show credible intervals instead of boxplots"), bar);
    m_chartKind->setText(tr("Intervals"));
    m_chartKind->setCheckable(true);
    connect(m_chartKind, &QToolButton::toggled, this, [this](bool intervals) {
        m_chart->setAccessibleName(intervals ? tr("Intervals of the selected image")
                                             : tr("Boxplots of the selected image"));
        Q_EMIT viewsChanged();
    });
    row->addWidget(m_chartKind);
    row->addWidget(new HelpMark(
        tr("Image"),
        [] {
        return tr(
            "<b>Selected image</b><p>Enlarged, with the value of the pixel under the pointer (0 to 255), next to "
            "the sampled outputs. If the image is preprocessed (grey, local normalisation), the view "
            "<i>Prepared</i> shows it after each step.</p><p><b>Draw</b> creates your own image with mouse, pen or "
            "keys. <b>Perturb</b> changes the selected image. Boxplots, intervals and verdict update while you "
            "work, with few samples at first and all samples afterwards.</p><p>The arrow returns to the original "
            "image.</p>");
        },
        {bar, this}, bar));
    return bar;
}

void ImageWorkbench::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    m_top->setDirection(width() >= sideBySideFrom || height() < 420 ? QBoxLayout::LeftToRight
                                                                    : QBoxLayout::TopToBottom);
}

void ImageWorkbench::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    Q_EMIT becameVisible();
}
