// SPDX-License-Identifier: GPL-3.0-or-later
// How the tab *Image* is laid out.
#include "images/image_workbench.h"

#include "images/disturb_panel.h"
#include "images/image_canvas.h"
#include "images/thumbnail_strip.h"
#include "parts/help_mark.h"
#include "parts/icons.h"

#include "views/image_rows.h"
#include "views/views.h"
#include "widgets/chart_view.h"

#include <QButtonGroup>
#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QStackedWidget>
#include <QToolButton>

using namespace credence;

namespace {

constexpr int restAfter      = 180;   ///< milliseconds without a movement: the hand rests
constexpr int sideBySideFrom = 360;   ///< width from which picture and boxplots stand side by side

QToolButton* toolButton(const QString& name, const QString& tip, QWidget* parent)
{
    auto* made = new QToolButton(parent);
    made->setObjectName(name);
    made->setToolTip(tip);
    made->setAccessibleName(tip);
    made->setAutoRaise(true);
    return made;
}

/// A page is as high as itself, not as the highest of all.
class Pages : public QStackedWidget {
public:
    using QStackedWidget::QStackedWidget;
    QSize sizeHint() const override { return currentWidget() ? currentWidget()->sizeHint() : QSize(); }
    QSize minimumSizeHint() const override { return currentWidget() ? currentWidget()->minimumSizeHint() : QSize(); }
};

}   // namespace

ImageWorkbench::ImageWorkbench(QWidget* parent)
    : QWidget(parent), m_canvas(new ImageCanvas(this)), m_chart(new ChartView(this))
{
    setObjectName(QStringLiteral("imageWorkbench"));
    m_rest.setSingleShot(true);
    m_rest.setInterval(restAfter);
    connect(&m_rest, &QTimer::timeout, this, [this] { m_canvas->strokeGoesOn() ? m_rest.start() : announce(false); });

    m_chart->setObjectName(QStringLiteral("imageChart"));
    m_chart->setAccessibleName(tr("Boxplots of the chosen image"));
    m_chart->setZoomEnabled(false);
    connect(m_chart, &ChartView::exportRequested, this, [this] {
        Q_EMIT exportRequested(m_chartKind->isChecked() ? QStringLiteral("intervals") : QStringLiteral("boxplots"));
    });

    m_tools = new Pages(this);
    m_tools->addWidget(buildDrawPanel());
    m_disturb = new DisturbPanel(this);
    m_tools->addWidget(m_disturb);
    m_tools->hide();
    connect(m_disturb, &DisturbPanel::changed, this, &ImageWorkbench::disturbedBy);
    connect(m_disturb, &DisturbPanel::targetWanted, this, &ImageWorkbench::wantTarget);
    connect(m_disturb, &DisturbPanel::resetRequested, this, [this] {
        setBase(m_image.base);
        announce(false);
    });
    connect(m_canvas, &ImageCanvas::strokesChanged, this, [this] {
        if (m_mode == Mode::draw)
            drawn();
    });

    m_top = new QBoxLayout(QBoxLayout::LeftToRight);
    m_top->setSpacing(2);
    m_top->addWidget(m_canvas, 4);
    m_top->addWidget(m_chart, 5);
    auto* below  = new QWidget(this);
    auto* column = new QVBoxLayout(below);
    column->setContentsMargins(0, 0, 0, 2);
    column->setSpacing(2);
    column->addWidget(m_tools);
    column->addWidget(buildVerdict());
    column->addWidget(buildNearest());
    column->addStretch(1);
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(below);
    scroll->setMinimumHeight(70);

    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(4, 2, 2, 0);
    all->setSpacing(2);
    all->addWidget(buildModes());
    all->addLayout(m_top, 5);
    m_headline = new QLabel(this);
    m_headline->setObjectName(QStringLiteral("imageHeadline"));
    m_headline->setWordWrap(true);
    m_headline->setTextInteractionFlags(Qt::TextSelectableByMouse);
    QFont bold = m_headline->font();
    bold.setBold(true);
    m_headline->setFont(bold);
    all->addWidget(m_headline);
    all->addWidget(scroll, 4);
    m_pen->setIcon(icon(QStringLiteral("pen")));
    m_eraser->setIcon(icon(QStringLiteral("erase")));
    m_undoStroke->setIcon(icon(QStringLiteral("undo")));
    m_clear->setIcon(icon(QStringLiteral("clear")));
    m_back->setIcon(icon(QStringLiteral("restart")));
}

QWidget* ImageWorkbench::buildModes()
{
    auto* bar = new QWidget(this);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(1);
    auto* group                                             = new QButtonGroup(bar);
    const std::tuple<const char*, QString, QString> modes[] = {
        {"imageLook", tr("Look"), tr("Look at the chosen image")},
        {"imageDraw", tr("Draw"),
         tr("Draw an image with mouse, pen or keys: arrows move, Space sets the pen down and lifts it")},
        {"imageDisturb", tr("Disturb"), tr("Rotate, shift, blur the image, add noise, or morph it into another one")},
    };
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
    m_back = toolButton(QStringLiteral("imageBack"), tr("Back to the image in the data"), bar);
    connect(m_back, &QToolButton::clicked, this, &ImageWorkbench::takeBack);
    row->addWidget(m_back);
    m_pixel = new QLabel(bar);
    m_pixel->setObjectName(QStringLiteral("imagePixel"));
    m_pixel->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_pixel->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    connect(m_canvas, &ImageCanvas::pixelPointedAt, m_pixel, &QLabel::setText);
    row->addWidget(m_pixel, 1);
    m_chartKind = toolButton(QStringLiteral("imageIntervals"), tr("Credible intervals in place of boxplots"), bar);
    m_chartKind->setText(tr("Intervals"));
    m_chartKind->setCheckable(true);
    connect(m_chartKind, &QToolButton::toggled, this, [this](bool intervals) {
        m_chart->setAccessibleName(intervals ? tr("Intervals of the chosen image")
                                             : tr("Boxplots of the chosen image"));
        Q_EMIT viewsChanged();
    });
    row->addWidget(m_chartKind);
    row->addWidget(new HelpMark(
        tr("Image"),
        [] {
        return tr(
            "<b>The chosen image</b><p>Large, as the network sees it, with the number of the pixel under the pointer (0 to 255), beside the sampled outputs for it.</p>"
            "<p><b>Draw</b> makes an image of your own: mouse, pen or keys. <b>Disturb</b> changes the chosen one. Boxplots, intervals and verdict move along: with few "
            "draws while your hand moves, with all when it rests.</p><p>The arrow leads back to the image as it stands in the data.</p>");
        },
        bar));
    return bar;
}

QWidget* ImageWorkbench::buildDrawPanel()
{
    auto* panel = new QWidget(this);
    auto* row   = new QHBoxLayout(panel);
    row->setContentsMargins(2, 0, 0, 0);
    row->setSpacing(2);
    m_pen    = toolButton(QStringLiteral("imagePen"), tr("Pen"), panel);
    m_eraser = toolButton(QStringLiteral("imageEraser"), tr("Eraser"), panel);
    for (auto* tool : {m_pen, m_eraser}) {
        tool->setCheckable(true);
        tool->setAutoExclusive(true);
        row->addWidget(tool);
    }
    m_pen->setChecked(true);
    m_penWidth = new QDoubleSpinBox(panel);
    m_penWidth->setObjectName(QStringLiteral("imagePenWidth"));
    m_penWidth->setRange(0.5, 12);
    m_penWidth->setDecimals(1);
    m_penWidth->setSingleStep(0.5);
    m_penWidth->setValue(2.5);
    m_penWidth->setSuffix(tr(" px"));
    m_penWidth->setAccessibleName(tr("Width of the pen, pixels of the image"));
    m_penWidth->setToolTip(tr("Width of the pen, in pixels of the image"));
    const auto setPen = [this] {
        m_canvas->setPen(m_penWidth->value() * (m_eraser->isChecked() ? 2 : 1), m_eraser->isChecked());
    };
    connect(m_penWidth, &QDoubleSpinBox::valueChanged, this, setPen);
    connect(m_eraser, &QToolButton::toggled, this, setPen);
    setPen();
    row->addWidget(m_penWidth);
    m_undoStroke = toolButton(QStringLiteral("imageUndoStroke"), tr("Undo the last stroke (Ctrl+Z on the picture)"),
                              panel);
    connect(m_undoStroke, &QToolButton::clicked, m_canvas, &ImageCanvas::undoStroke);
    row->addWidget(m_undoStroke);
    m_clear = toolButton(QStringLiteral("imageClear"), tr("Clear the drawing"), panel);
    connect(m_clear, &QToolButton::clicked, m_canvas, &ImageCanvas::clearStrokes);
    row->addWidget(m_clear);
    m_centre = new QCheckBox(tr("centre as MNIST does"), panel);
    m_centre->setObjectName(QStringLiteral("imageCentre"));
    m_centre->setChecked(true);
    connect(m_centre, &QCheckBox::toggled, this, [this] {
        if (m_mode == Mode::draw)
            drawn();
    });
    row->addWidget(m_centre, 1);
    row->addWidget(new HelpMark(
        tr("Drawing"),
        [] {
        return tr(
            "<b>Draw</b><p>White on black. The pen's width is in pixels of the image; the eraser is twice as wide.</p><p><b>Centre as MNIST does</b>: the drawing is scaled so "
            "that its box just fits 20 of 28 pixels, and shifted so that its centre of mass lies in the middle. The small picture is what the network then sees. Without it, the "
            "network sees the drawing where you put it. Source: LeCun et al. 1998.</p><p>Keys, with the picture in focus: arrows move the pen, Space sets it down or lifts "
            "it, Ctrl+Z takes back a stroke.</p>");
        },
        panel));
    return panel;
}

QWidget* ImageWorkbench::buildVerdict()
{
    auto* box  = new QWidget(this);
    auto* grid = new QGridLayout(box);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setVerticalSpacing(0);
    grid->setColumnStretch(0, 1);
    const QString names[] = {tr("Criterion (i): no overlap"), tr("Criterion (ii): posterior probability")};
    const QString helps[] = {
        tr("<b>Criterion (i): no overlap</b><p>Certain if the credible interval of the predicted class, from the quantile (1 − α)/2 to (1 + α)/2 of the sampled probabilities, meets no "
           "other class's interval. Source: Posch and Pilz 2021, section IV-A.</p>"),
        tr("<b>Criterion (ii): posterior probability</b><p>Certain if the mean p̄ of the predicted class's sampled probabilities is at least α. Source: Posch and Pilz 2021, section IV-A.</p>"),
    };
    for (int i = 0; i < 2; ++i) {
        m_criteria[i] = new QLabel(box);
        m_criteria[i]->setObjectName(i == 0 ? QStringLiteral("imageOverlap") : QStringLiteral("imageProbability"));
        m_criteria[i]->setWordWrap(true);
        m_criteria[i]->setTextFormat(Qt::RichText);
        m_criteria[i]->setTextInteractionFlags(Qt::TextSelectableByMouse);
        m_criteria[i]->setMinimumWidth(80);
        grid->addWidget(m_criteria[i], i, 0);
        grid->addWidget(new HelpMark(
                            names[i],
                            [this, i, help = helps[i]] {
            return help + QStringLiteral("<p><i>%1</i></p>").arg(m_helpOfCriteria[i].toHtmlEscaped());
                            },
                            box),
                        i, 1, Qt::AlignTop);
    }
    return box;
}

QWidget* ImageWorkbench::buildNearest()
{
    m_nearestBox = new QWidget(this);
    auto* column = new QVBoxLayout(m_nearestBox);
    column->setContentsMargins(0, 2, 0, 0);
    column->setSpacing(0);
    auto* title = new QLabel(tr("Nearest training images: class, distance"), m_nearestBox);
    auto* row   = new QHBoxLayout;
    row->addWidget(title, 1);
    row->addWidget(new HelpMark(
        tr("Nearest training images"),
        [] {
        return QStringLiteral("<p>%1</p><p>%2</p>")
            .arg(QString::fromStdString(credence::view("nearest_images").help).toHtmlEscaped(),
                 tr("A frame marks those of another class. A click morphs the chosen image into one of them."));
        },
        m_nearestBox));
    column->addLayout(row);
    m_nearest = new ThumbnailStrip(m_nearestBox);
    m_nearest->setObjectName(QStringLiteral("imageNearest"));
    m_nearest->setAccessibleName(tr("Nearest training images"));
    connect(m_nearest, &ThumbnailStrip::activated, this, [this](int index) {
        const int row    = m_nearestRows[static_cast<std::size_t>(index)];
        const auto bytes = image_bytes(*m_experiment, ImagePart::training, static_cast<std::size_t>(row));
        setMode(Mode::disturb);
        morphInto({{bytes.begin(), bytes.end()},
                   tr("training image %1").arg(row).toStdString(),
                   m_experiment->data->training.labels[static_cast<std::size_t>(row)],
                   {}});
    });
    column->addWidget(m_nearest);
    return m_nearestBox;
}

void ImageWorkbench::arrange()
{
    m_top->setDirection(width() >= sideBySideFrom || height() < 420 ? QBoxLayout::LeftToRight
                                                                    : QBoxLayout::TopToBottom);
}

void ImageWorkbench::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    arrange();
}

void ImageWorkbench::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    Q_EMIT becameVisible();
}

void ImageWorkbench::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_verdict.table)
        setPicture("verdict", Chart(m_verdict));   // its marks are coloured
}
