// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/export_dialog.h"

#include "widgets/film.h"
#include "work/text.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

using namespace credence;

namespace {

constexpr int previewGap      = 8;    ///< pixels around the page
constexpr int previewPatience = 60;   ///< milliseconds, so that a number that is being typed draws one page

int linesBelow(const QWidget& widget) { return 3 * widget.fontMetrics().lineSpacing(); }

}   // namespace

ExportPreview::ExportPreview(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("exportPreview"));
    setAccessibleName(tr("Preview of the figure"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    m_soon.setSingleShot(true);
    m_soon.setInterval(previewPatience);
    connect(&m_soon, &QTimer::timeout, this, &ExportPreview::drawPage);
    connect(&m_worker, &Worker::failed, this, [this](const QString&, const QString& sentence) {
        m_onScreen.reset();
        notify(sentence);
    });
}

void ExportPreview::showFigure(const QString& id, const Maker& make, std::shared_ptr<const Chart> onScreen)
{
    if (id == m_id)
        return;
    m_id       = id;
    m_onScreen = std::move(onScreen);
    if (m_made.contains(id)) {
        m_worker.cancel();
        m_soon.start();
        return;
    }
    if (!make)
        return notify(tr("Tick a figure to preview it here."));
    notify(tr("Drawing the figure …"));
    m_soon.start();   // for the chart on screen
    m_worker.submit([this, id, make](std::stop_token stop, Worker::Progress&) -> Worker::Show {
        auto chart = make(stop);
        if (!chart || stop.stop_requested())
            return {};
        return [this, id, made = std::make_shared<const Chart>(std::move(*chart))] {
            m_made[id] = made;
            drawPage();
        };
    });
}

void ExportPreview::setOptions(const ExportOptions& options)
{
    if (options == m_options)
        return;
    m_options = options;
    m_soon.start();
}

void ExportPreview::notify(const QString& words)
{
    m_page  = {};
    m_words = words;
    setAccessibleDescription(words);
    update();
}

void ExportPreview::setFilm(const FilmStyle& style, const FilmFrame& frame)
{
    m_film = {style, frame};
    m_soon.start();
}

void ExportPreview::drawPage()
{
    const auto found = m_made.find(m_id);
    const bool made  = found != m_made.end();
    if (!made && !m_onScreen)
        return;
    const Chart& chart = made ? *found->second : *m_onScreen;
    if (!chart.message.empty() || (chart.panels.empty() && !chart.table))
        return notify(chart.message.empty() ? tr("There is nothing to show.") : toQString(chart.message));
    const QSizeF room(std::max(40, width() - 2 * previewGap),
                      std::max(40, height() - 2 * previewGap - linesBelow(*this)));
    const double ratio = devicePixelRatioF();
    if (m_film)
        return drawFrame(chart, room * ratio);
    const QSizeF page = exportedPage(chart, m_options);   // millimetres
    // Screen pixels per millimetre of paper; a small figure is enlarged at most 1.5 times.
    const double real   = logicalDpiX() / 25.4;
    const double fitted = std::min(room.width() / page.width(), room.height() / page.height());
    const double shown  = std::min(fitted, 1.5 * real);
    m_page = exportedImage(chart, m_options, std::max(1, static_cast<int>(std::lround(shown * ratio * 25.4))));
    m_page.setDevicePixelRatio(ratio);
    m_words = tr("%1 × %2 mm, font size %3 pt, shown at %4 %")
                  .arg(std::lround(page.width()))
                  .arg(std::lround(page.height()))
                  .arg(m_options.fontPt)
                  .arg(std::lround(100 * shown / real));
    if (!made)
        m_words += tr("; computing the figure …");
    setAccessibleDescription(toQString(chart.title) + QStringLiteral(": ") + m_words);
    update();
}

/// @param room  pixels of the screen
void ExportPreview::drawFrame(const Chart& chart, QSizeF room)
{
    FilmStyle style  = m_film->first;
    const QSize size = QSizeF(style.width, style.height).scaled(room, Qt::KeepAspectRatio).toSize();
    m_words          = tr("Last frame, %1 × %2 pixels").arg(style.width).arg(style.height);
    style.width      = size.width();
    style.height     = size.height();
    m_page           = filmFrame(chart, m_film->second, style);
    m_page.setDevicePixelRatio(devicePixelRatioF());
    setAccessibleDescription(toQString(m_film->second.caption) + QStringLiteral(": ") + m_words);
    update();
}

void ExportPreview::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const QRect above = rect().adjusted(previewGap, previewGap, -previewGap, -previewGap - linesBelow(*this));
    const QRect below(previewGap, height() - linesBelow(*this), width() - 2 * previewGap, linesBelow(*this));
    painter.setPen(palette().color(QPalette::WindowText));
    if (m_page.isNull()) {
        painter.drawText(rect().adjusted(previewGap, previewGap, -previewGap, -previewGap),
                         Qt::AlignCenter | Qt::TextWordWrap, m_words);
        return;
    }
    QRect place(QPoint(), (QSizeF(m_page.size()) / m_page.devicePixelRatio()).toSize());
    place.moveCenter(above.center());
    painter.drawImage(place, m_page);
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawRect(place.adjusted(-1, -1, 0, 0));
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(below, Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap, m_words);
}

void ExportPreview::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    m_soon.start();
}
