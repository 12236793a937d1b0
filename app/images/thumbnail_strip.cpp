// SPDX-License-Identifier: GPL-3.0-or-later
#include "images/thumbnail_strip.h"

#include "images/image_canvas.h"
#include "parts/buttons.h"
#include "parts/help_mark.h"
#include "parts/icons.h"
#include "views/image_rows.h"
#include "views/views.h"
#include "widgets/accessibility.h"
#include "widgets/chart_palette.h"
#include "work/text.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollArea>
#include <QScrollBar>
#include <QToolButton>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>

using namespace credence;

namespace {
constexpr int side = 42;   // of a thumbnail, logical pixels
}

ThumbnailStrip::ThumbnailStrip(QWidget* parent) : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ThumbnailStrip::setThumbnails(std::vector<Thumbnail> thumbnails)
{
    m_thumbnails = std::move(thumbnails);
    m_current    = std::clamp(m_current, 0, std::max(0, count() - 1));
    QStringList words;
    for (const auto& each : m_thumbnails)
        words += each.tip;
    setAccessibleDescription(words.join(QStringLiteral("; ")));
    update();
}

QSize ThumbnailStrip::sizeHint() const { return {6 * columnWidth(), side + 2 * fontMetrics().height() + 6}; }

QSize ThumbnailStrip::minimumSizeHint() const { return {3 * columnWidth(), sizeHint().height()}; }

int ThumbnailStrip::columnWidth() const { return side + 10; }

int ThumbnailStrip::shown() const { return std::min(count(), std::max(1, width() / columnWidth())); }

QRect ThumbnailStrip::place(int index) const { return {index * columnWidth() + 3, 2, side, side}; }

int ThumbnailStrip::indexAt(QPoint position) const
{
    const int index = position.x() / columnWidth();
    return position.x() >= 0 && index < shown() ? index : -1;
}

void ThumbnailStrip::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const auto colours = ChartPalette::forScreen(palette());
    const int line     = fontMetrics().height();
    for (int i = 0; i < shown(); ++i) {
        const auto& each = at(i);
        const QRect box  = place(i);
        if (!each.picture.isNull()) {
            const QSize size = each.picture.size().scaled(box.size(), Qt::KeepAspectRatio);
            QRect inside(QPoint(), size);
            inside.moveCenter(box.center());
            painter.drawImage(inside, each.picture);
        }
        painter.setPen(QPen(each.stands_out ? colours.wrong : colours.frame, each.stands_out ? 2 : 1,
                            each.stands_out ? Qt::DashLine : Qt::SolidLine));   // not distinguished by colour alone
        painter.drawRect(box.adjusted(-1, -1, 0, 0));
        if (each.chosen || (hasFocus() && i == m_current)) {
            painter.setPen(QPen(palette().color(QPalette::Highlight), 2));
            painter.drawRect(box.adjusted(-2, -2, 1, 1));
        }
        painter.setPen(palette().color(QPalette::WindowText));
        const QRect words(box.left() - 5, box.bottom() + 3, side + 10, line);
        painter.drawText(words, Qt::AlignCenter, fontMetrics().elidedText(each.first, Qt::ElideRight, words.width()));
        painter.setPen(legible(colours.muted, palette().color(QPalette::Window)));
        painter.drawText(words.translated(0, line), Qt::AlignCenter, each.second);
    }
}

std::vector<SpokenItem> ThumbnailStrip::spokenItems() const
{
    std::vector<SpokenItem> items;
    for (int i = 0; i < count(); ++i) {
        const auto& each = at(i);
        QStringList words{each.first, each.second, each.tip};
        words.removeAll(QString());
        words.removeDuplicates();
        if (each.stands_out)
            words += tr("different class than expected");
        items.push_back({.name        = words.join(QStringLiteral(", ")),
                         .description = tr("Press Enter to select it"),
                         .place       = place(i),
                         .chosen      = each.chosen,
                         .current     = i == m_current});
    }
    return items;
}

void ThumbnailStrip::pressItem(int index)
{
    if (index < 0 || index >= count())
        return;
    m_current = index;
    update();
    Q_EMIT activated(index);
}

void ThumbnailStrip::mouseReleaseEvent(QMouseEvent* event)
{
    const int index = indexAt(event->position().toPoint());
    if (event->button() == Qt::LeftButton)
        pressItem(index);
}

void ThumbnailStrip::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Left || event->key() == Qt::Key_Right) {
        m_current = std::clamp(m_current + (event->key() == Qt::Key_Left ? -1 : 1), 0, std::max(0, shown() - 1));
        update();
        if (m_current < count())
            announce(this, spokenItems()[static_cast<std::size_t>(m_current)].name, Announcer::Urgency::settled);
    } else if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && m_current < count()) {
        Q_EMIT activated(m_current);
    } else {
        QWidget::keyPressEvent(event);
    }
}

bool ThumbnailStrip::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        if (const int index = indexAt(help->pos()); index >= 0)
            QToolTip::showText(help->globalPos(), at(index).tip, this);
        else
            QToolTip::hideText();
        return true;
    }
    return QWidget::event(event);
}

NearestImages::NearestImages(QWidget* parent) : QWidget(parent), m_strip(new ThumbnailStrip(this))
{
    m_strip->setObjectName(QStringLiteral("imageNearest"));
    m_strip->setAccessibleName(tr("Nearest training images"));
    auto* row = new QHBoxLayout;
    row->addWidget(new QLabel(tr("Nearest training images: class, distance"), this), 1);
    row->addWidget(new HelpMark(
        tr("Nearest training images"),
        [] {
        return QStringLiteral("<p>%1</p><p>%2</p>")
            .arg(htmlFrom(credence::view("nearest_images").help),
                 tr("Images of another class have a frame. Click one to morph the selected image into it."));
        },
        this));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 2, 0, 0);
    column->setSpacing(0);
    column->addLayout(row);
    column->addWidget(m_strip);
    connect(m_strip, &ThumbnailStrip::activated, this,
            [this](int index) { Q_EMIT chosen(m_rows[static_cast<std::size_t>(index)]); });
}

bool NearestImages::setNearest(const Chart& found, const Experiment& experiment, std::optional<int> label)
{
    if (!found.table)
        return false;
    std::vector<ThumbnailStrip::Thumbnail> thumbnails;
    std::vector<int> rows;
    for (const auto& row : found.table->rows) {
        const int index        = static_cast<int>(std::get<long>(row[0]));
        const QString name     = toQString(std::get<std::string>(row[1]));
        const QString distance = QString::number(std::get<double>(row[2]), 'f', 2);
        if (static_cast<std::size_t>(index) >= experiment.data->training.n_rows)
            return false;
        const auto bytes = image_bytes(experiment, ImagePart::training, static_cast<std::size_t>(index));
        const std::vector<float> pixels(bytes.begin(), bytes.end());
        thumbnails.push_back({pictureOf(pixels, *experiment.data->image), name, distance,
                              tr("Training image %1, class %2, distance %3").arg(index).arg(name, distance),
                              label && *label != experiment.data->training.labels[static_cast<std::size_t>(index)]});
        rows.push_back(index);
    }
    m_strip->setThumbnails(std::move(thumbnails));
    m_rows = std::move(rows);
    return true;
}

void NearestImages::clear()
{
    m_strip->setThumbnails({});
    m_rows.clear();
}

namespace {

QString pictureHelp()
{
    return PictureStrip::tr(
        "<b>Your images</b><p>Any image can be the selected input: boxplots, verdict, simplex, attack and nearest "
        "images then show the network's prediction for it. Choose a file or folder with the button above the "
        "images, drop them onto the images, or paste an image (Ctrl+V).</p><p>Each image is resized to the size of "
        "the training images, with the same filter as the training and OOD images, and converted to grey if they "
        "are grey. If the training images have a uniform background, as digits on black do, the image keeps its "
        "proportions, and it is inverted if its border is light and theirs is dark, or vice versa; <i>Inverted</i> "
        "shows this and lets you change it. The true class of the image is unknown.</p>");
}

}   // namespace

PictureStrip::PictureStrip(QWidget* parent)
    : QWidget(parent), m_strip(new ThumbnailStrip(this)), m_scroll(new QScrollArea(this)), m_words(new QLabel(this)),
      m_invert(new QCheckBox(tr("Inverted"), this))
{
    setObjectName(QStringLiteral("pictureStrip"));
    m_strip->setObjectName(QStringLiteral("ownPictures"));
    m_strip->setAccessibleName(tr("Your images"));
    connect(m_strip, &ThumbnailStrip::activated, this, &PictureStrip::activated);
    m_words->setObjectName(QStringLiteral("pictureWords"));
    m_words->setTextFormat(Qt::PlainText);
    m_words->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_invert->setObjectName(QStringLiteral("pictureInverted"));
    m_invert->setToolTip(
        tr("Exchange light and dark. The initial setting makes the border light or dark like that of the training "
           "images"));
    connect(m_invert, &QCheckBox::toggled, this, &PictureStrip::inversionChanged);
    auto* close = toolButton(QStringLiteral("pictureClose"), tr("Close these images"), this);
    close->setIcon(icon(QStringLiteral("cancel")));
    connect(close, &QToolButton::clicked, this, &PictureStrip::closed);

    auto* line = new QHBoxLayout;
    line->setSpacing(2);
    line->addWidget(m_words, 1);
    line->addWidget(m_invert);
    line->addWidget(new HelpMark(
        tr("Your images"), [] { return pictureHelp(); }, this));
    line->addWidget(close);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setWidgetResizable(false);
    m_scroll->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setFocusPolicy(Qt::NoFocus);   // the focus belongs to the images in it
    m_scroll->setWidget(m_strip);
    m_scroll->setFixedHeight(m_strip->sizeHint().height() + m_scroll->horizontalScrollBar()->sizeHint().height());
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(6, 2, 4, 0);
    all->setSpacing(0);
    all->addLayout(line);
    all->addWidget(m_scroll);
    hide();
}

void PictureStrip::setEntries(std::vector<Entry> entries)
{
    m_entries = std::move(entries);
    m_current = std::clamp(m_current, 0, std::max(0, count() - 1));
    showEntries();
    setVisible(!m_entries.empty());
}

void PictureStrip::setCurrent(int index)
{
    m_current = index;
    showEntries();
    const int column = m_strip->wholeWidth() / std::max(1, count());
    m_scroll->ensureVisible(index * column + column / 2, 0, column, 0);
}

void PictureStrip::setChosen(bool chosen)
{
    if (std::exchange(m_chosen, chosen) != chosen)
        showEntries();
}

void PictureStrip::showEntries()
{
    std::vector<ThumbnailStrip::Thumbnail> thumbnails;
    for (int i = 0; i < count(); ++i) {
        const auto& each = m_entries[static_cast<std::size_t>(i)];
        thumbnails.push_back({.picture = each.prepared,
                              .first   = each.name,
                              .second  = each.inverted ? tr("inverted") : QString(),
                              .tip     = tr("%1: %2").arg(each.name, each.note),
                              .chosen  = m_chosen && i == m_current});
    }
    m_strip->setThumbnails(std::move(thumbnails));
    m_strip->resize(std::max(1, m_strip->wholeWidth()), m_strip->sizeHint().height());
    if (m_entries.empty())
        return;
    const auto& now = m_entries[static_cast<std::size_t>(m_current)];
    m_words->setText(tr("%1: %2").arg(now.name, now.note));
    m_words->setToolTip(m_words->text());
    const QSignalBlocker quiet(m_invert);
    m_invert->setChecked(now.inverted);
}
