// SPDX-License-Identifier: GPL-3.0-or-later
#include "images/image_list.h"

#include "data/dataset.h"
#include "widgets/chart_palette.h"
#include "work/text.h"

#include <QPainter>
#include <QPainterPath>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

using namespace credence;

void ImageListModel::setImages(std::shared_ptr<const Experiment> experiment, ImagePart part,
                               std::shared_ptr<const OodImages> ood)
{
    beginResetModel();
    m_experiment = std::move(experiment);
    m_part       = part;
    m_ood        = std::move(ood);
    m_predicted.reset();
    m_rows           = {};
    const auto& data = *images().data;
    m_unknown.assign(data.labels.empty() ? data.n_rows : 0, -1);
    endResetModel();
}

std::span<const int> ImageListModel::labels() const
{
    return m_unknown.empty() ? std::span<const int>(images().data->labels) : m_unknown;
}

std::span<const RowPrediction> ImageListModel::predictions() const
{
    return m_predicted ? std::span<const RowPrediction>(m_predicted->rows) : std::span<const RowPrediction>();
}

bool ImageListModel::refresh(const ImageGridChoice& choice)
{
    m_choice = choice;
    if (!m_experiment)
        return false;
    auto rows = image_grid_rows(predictions(), labels(), choice);
    if (rows.rows == m_rows.rows) {
        m_rows = std::move(rows);   // only the counts changed
        return false;
    }
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
    return true;
}

QString ImageListModel::className(int k) const
{
    return k < 0 ? tr("unknown") : toQString(class_name(classNames(), k));
}

std::span<const std::string> ImageListModel::ownClassNames() const
{
    return hasTruth() ? std::span<const std::string>() : std::span<const std::string>(m_ood->own.class_names);
}

bool ImageListModel::wrong(std::uint32_t image) const
{
    const auto* row = predictionOf(image);
    return row && hasTruth() && labelOf(image) >= 0 && row->predicted != labelOf(image);
}

QString ImageListModel::trueClassName(std::uint32_t image) const
{
    const int label = labelOf(image);
    return label < 0 ? tr("unknown") : toQString(class_name(hasTruth() ? classNames() : ownClassNames(), label));
}

int ImageListModel::placeOf(std::uint32_t image) const
{
    const auto at = std::find(m_rows.rows.begin(), m_rows.rows.end(), image);
    return at == m_rows.rows.end() ? -1 : static_cast<int>(at - m_rows.rows.begin());
}

const RowPrediction* ImageListModel::predictionOf(std::uint32_t image) const
{
    return prediction_of(predictions(), image);
}

QImage ImageListModel::picture(std::uint32_t image) const
{
    return pictureOf(image_bytes(*m_experiment, m_part, image, m_ood.get()), *m_experiment->data->image);
}

QString ImageListModel::nameOf(std::uint32_t image) const
{
    return (m_part == ImagePart::ood               ? tr("OOD image %1")
            : m_experiment->outputs                ? tr("image %1")
            : m_part == ImagePart::training        ? tr("training image %1")
            : has_validation_images(*m_experiment) ? tr("validation image %1")
                                                   : tr("test image %1"))
        .arg(image);
}

QString ImageListModel::sentenceOf(std::uint32_t image) const
{
    QString words = (hasTruth() ? tr("%1, true class %2") : tr("%1, of the OOD class %2"))
                        .arg(nameOf(image), trueClassName(image));
    if (const auto* row = predictionOf(image)) {
        words += tr(", predicted %1, %2%3, confidence %4 percent, entropy %5 nats")
                     .arg(className(row->predicted),
                          !hasTruth()          ? QString()
                          : labelOf(image) < 0 ? tr("correctness unknown, ")
                          : wrong(image)       ? tr("wrong, ")
                                               : tr("right, "),
                          certain(*row) ? tr("certain") : tr("uncertain"))
                     .arg(100 * static_cast<double>(row->confidence), 0, 'f', 1)
                     .arg(static_cast<double>(row->entropy), 0, 'f', 2);
    }
    return words;
}

QString ImageListModel::tipOf(std::uint32_t image) const
{
    QString html    = QStringLiteral("<p style='white-space:pre'><b>%1</b></p><table>").arg(nameOf(image));
    const auto line = [&html](const QString& name, const QString& value) {
        html += QStringLiteral("<tr><td>%1&nbsp;&nbsp;</td><td>%2</td></tr>").arg(name, value.toHtmlEscaped());
    };
    line(hasTruth() ? tr("True class") : tr("OOD class"), trueClassName(image));
    const auto* row = predictionOf(image);
    if (!row)
        return html + QStringLiteral("</table>");
    const double h = static_cast<double>(row->entropy), epistemic = static_cast<double>(row->mutual_information);
    const auto nats = [](double value) { return tr("%1 nats").arg(value, 0, 'f', 3); };
    line(tr("Predicted class"),
         wrong(image) ? tr("%1 (wrong)").arg(className(row->predicted)) : className(row->predicted));
    line(tr("Confidence max p̄"), tr("%1 %").arg(100 * static_cast<double>(row->confidence), 0, 'f', 2));
    line(tr("Predictive entropy"), tr("%1 of at most ln %2 = %3")
                                       .arg(nats(h))
                                       .arg(classNames().size())
                                       .arg(std::log(static_cast<double>(classNames().size())), 0, 'f', 3));
    line(tr("Aleatoric part"), nats(std::max(0.0, h - epistemic)));
    line(tr("Epistemic part"), nats(epistemic));
    const double level = m_predicted->run.experiment->study.prediction.level;
    line(tr("(i) intervals at α = %1").arg(level),
         row->certain_no_overlap ? tr("no overlap: certain") : tr("overlap: uncertain"));
    line(tr("(ii) max p̄ ≥ %1").arg(level), row->certain_by_probability ? tr("yes: certain") : tr("no: uncertain"));
    line(m_experiment->outputs ? tr("Samples") : tr("Weight samples"), QString::number(m_predicted->draws_of[image]));
    return html + QStringLiteral("</table>");
}

QVariant ImageListModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const auto image = imageAt(index.row());
    switch (role) {
    case Qt::DisplayRole: {   // so that typing a class jumps to its next image
        const auto* row = predictionOf(image);
        return row ? tr("%1 → %2").arg(trueClassName(image), className(row->predicted)) : trueClassName(image);
    }
    case Qt::ToolTipRole: return tipOf(image);
    case Qt::AccessibleTextRole: return sentenceOf(image);
    default: return {};
    }
}

QImage pictureOf(std::span<const std::uint8_t> bytes, ImageShape shape)
{
    const auto area = static_cast<std::size_t>(shape.height) * static_cast<std::size_t>(shape.width);
    QImage image(shape.width, shape.height, shape.channels == 3 ? QImage::Format_RGB32 : QImage::Format_Grayscale8);
    for (int y = 0; y < shape.height; ++y) {
        const auto row = bytes.subspan(static_cast<std::size_t>(y) * static_cast<std::size_t>(shape.width));
        if (shape.channels != 3) {
            std::copy_n(row.begin(), shape.width, image.scanLine(y));
            continue;
        }
        auto* pixels = reinterpret_cast<QRgb*>(image.scanLine(y));
        for (std::size_t x = 0; x < static_cast<std::size_t>(shape.width); ++x)
            pixels[x] = qRgb(row[x], row[area + x], row[2 * area + x]);
    }
    return image;
}

QImage pictureOf(const ImageSet& set, std::size_t image)
{
    const auto whole = [](std::size_t n) { return static_cast<int>(n); };
    return pictureOf(set.image(image), {whole(set.channels), whole(set.height), whole(set.width)});
}

namespace {

constexpr int margin          = 5;   ///< around the contents of a cell
constexpr int frame           = 3;   ///< space for the frame around the image
constexpr int barTall         = 5;
constexpr float chosenOpacity = 0.22F;   ///< of the background of the selected image

void drawCross(QPainter& painter, const QRectF& box, const QColor& colour)
{
    painter.setPen(QPen(colour, 2, Qt::SolidLine, Qt::RoundCap));
    const QRectF in = box.adjusted(1.5, 1.5, -1.5, -1.5);
    painter.drawLine(in.topLeft(), in.bottomRight());
    painter.drawLine(in.topRight(), in.bottomLeft());
}

}   // namespace

void drawCrisp(QPainter& painter, const QImage& image, const QRectF& room, QRectF* drawn)
{
    const double ratio  = painter.device()->devicePixelRatioF();
    const double most   = std::min(room.width() * ratio / image.width(), room.height() * ratio / image.height());
    const double factor = most >= 1 ? std::floor(most + 1e-6) : most;
    const QSizeF size(image.width() * factor / ratio, image.height() * factor / ratio);
    const auto whole = [ratio](double value) { return std::round(value * ratio) / ratio; };
    const QRectF to({whole(room.center().x() - size.width() / 2), whole(room.center().y() - size.height() / 2)}, size);
    painter.setRenderHint(QPainter::SmoothPixmapTransform, factor < 1);
    painter.drawImage(to, image);
    if (drawn)
        *drawn = to;
}

bool ImageDelegate::small() const { return m_side < 48; }

QSize ImageDelegate::cellSize(const QFont& font) const
{
    const QFontMetrics metrics(font);
    const int lines = small() ? 1 : 2;
    const int words = metrics.horizontalAdvance(QStringLiteral("0 → 0"))
                      + metrics.height();   // the cross is as wide as a letter is tall
    return {std::max(m_side + 2 * frame, words) + 2 * margin,
            m_side + 2 * frame + lines * metrics.height() + barTall + 3 + 2 * margin};
}

const ChartPalette& ImageDelegate::colours(const QPalette& palette) const
{
    if (m_paletteKey != palette.cacheKey()) {
        m_paletteKey      = palette.cacheKey();
        m_colours         = ChartPalette::forScreen(palette);
        const QColor base = palette.color(QPalette::Base);
        m_wrong           = legible(m_colours.wrong, base);
        m_wrongOnChosen   = legible(
              m_colours.wrong, laidOver(palette.color(QPalette::Highlight), base, static_cast<double>(chosenOpacity)));
    }
    return m_colours;
}

/// What one cell shows, and where.
struct ImageDelegate::Cell {
    QPainter& painter;
    const QStyleOptionViewItem& option;
    const ChartPalette& colours;
    std::uint32_t image;
    const RowPrediction* row;   ///< null: not predicted yet
    bool wrong, certain, chosen;
    QColor alarming;   ///< for text
    QRectF picture{};
    QRectF words{};   ///< of the next line of text
};

void ImageDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const auto image   = m_model.imageAt(index.row());
    const auto* row    = m_model.predictionOf(image);
    const auto& c      = colours(option.palette);
    const bool chosen  = option.state.testFlag(QStyle::State_Selected);
    const QRectF outer = QRectF(option.rect).adjusted(1, 1, -1, -1);
    Cell cell{*painter,
              option,
              c,
              image,
              row,
              m_model.wrong(image),
              row && m_model.certain(*row),
              chosen,
              chosen ? m_wrongOnChosen : m_wrong};

    painter->save();
    if (chosen) {
        QColor ground = option.palette.color(QPalette::Highlight);
        painter->setPen(QPen(ground, 2));
        ground.setAlphaF(chosenOpacity);
        painter->setBrush(ground);
        painter->setRenderHint(QPainter::Antialiasing);
        painter->drawRoundedRect(outer.adjusted(1, 1, -1, -1), 4, 4);
        painter->setRenderHint(QPainter::Antialiasing, false);
    }
    const QRectF inside = outer.adjusted(margin - 1, margin - 1, -margin + 1, -margin + 1);
    const QRectF room(inside.center().x() - m_side / 2.0, inside.top() + frame, m_side, m_side);
    drawCrisp(*painter, m_model.picture(image), room, &cell.picture);
    if (row)
        paintFrame(cell);
    const int tall = QFontMetrics(option.font).height();
    cell.words     = {inside.left(), room.bottom() + frame, inside.width(), static_cast<qreal>(tall)};
    painter->setRenderHint(QPainter::Antialiasing);
    paintClasses(cell);
    cell.words.translate(0, tall);
    if (row && !small()) {
        paintConfidence(cell);
        cell.words.translate(0, tall);
    }
    if (row)
        paintEntropy(cell);
    if (chosen && option.state.testFlag(QStyle::State_HasFocus)) {
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(QPen(option.palette.color(QPalette::Text), 1, Qt::DotLine));
        painter->setBrush(Qt::NoBrush);
        painter->drawRoundedRect(outer.adjusted(2.5, 2.5, -2.5, -2.5), 3, 3);
    }
    painter->restore();
}

void ImageDelegate::paintFrame(const Cell& cell)
{
    QPen pen(cell.wrong ? cell.colours.wrong : cell.colours.muted, cell.wrong ? 2 : 1);
    pen.setJoinStyle(Qt::MiterJoin);
    pen.setCapStyle(Qt::FlatCap);
    if (!cell.certain)
        pen.setDashPattern({cell.wrong ? 2.0 : 4.0, cell.wrong ? 1.5 : 3.0});
    const double out = cell.wrong ? 2 : 1.5;   // a dark gap, then the frame
    cell.painter.setPen(pen);
    cell.painter.setBrush(Qt::NoBrush);
    cell.painter.drawRect(cell.picture.adjusted(-out, -out, out, out));
}

/// True and predicted class, after a cross if they differ.
void ImageDelegate::paintClasses(const Cell& cell) const
{
    const QFontMetrics metrics(cell.option.font);
    const int tall = metrics.height();
    QString text   = m_model.labelOf(cell.image) < 0 ? QString() : m_model.trueClassName(cell.image);
    if (cell.row)
        text += QStringLiteral(" → ") + m_model.className(cell.row->predicted);
    const double sign = cell.wrong ? tall * 0.7 + 3 : 0;   // the cross and its margin
    text              = metrics.elidedText(text, Qt::ElideMiddle, static_cast<int>(cell.words.width() - sign));
    const double left = cell.words.center().x() - (metrics.horizontalAdvance(text) + sign) / 2;
    if (cell.wrong)
        drawCross(cell.painter, {left, cell.words.center().y() - tall * 0.3, tall * 0.6, tall * 0.6},
                  cell.colours.wrong);
    cell.painter.setPen(cell.wrong ? cell.alarming : cell.option.palette.color(QPalette::Text));
    cell.painter.drawText(QRectF(left + sign, cell.words.top(), cell.words.right() - left - sign, tall),
                          Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, text);
}

void ImageDelegate::paintConfidence(const Cell& cell) const
{
    const QFontMetrics metrics(cell.option.font);
    const double percent = 100 * static_cast<double>(cell.row->confidence);
    cell.painter.setPen(cell.option.palette.color(QPalette::Text));
    QString numbers = percent > 99.5 && percent < 100 ? QStringLiteral(">99 %")
                                                      : QStringLiteral("%1 %").arg(std::round(percent));
    // certain of a prediction that cannot be right
    const bool alarm   = cell.certain && (cell.wrong || !m_model.hasTruth());
    const QString mark = alarm ? QStringLiteral(" !") : cell.certain ? QString() : QStringLiteral(" ?");
    if (m_side >= 100)
        numbers += QStringLiteral(" · %1 nats").arg(static_cast<double>(cell.row->entropy), 0, 'f', 2);
    QFont bold = cell.option.font;
    bold.setBold(true);
    const double start = cell.words.center().x()
                         - (metrics.horizontalAdvance(numbers) + QFontMetrics(bold).horizontalAdvance(mark)) / 2.0;
    const double base = cell.words.top() + metrics.ascent();
    cell.painter.drawText(QPointF(start, base), numbers);
    cell.painter.setFont(bold);
    cell.painter.setPen(alarm ? cell.alarming : cell.option.palette.color(QPalette::Text));
    cell.painter.drawText(QPointF(start + metrics.horizontalAdvance(numbers), base), mark);
}

/// A bar of the predictive entropy relative to its maximum; the dark part is epistemic.
void ImageDelegate::paintEntropy(const Cell& cell) const
{
    cell.painter.setRenderHint(QPainter::Antialiasing, false);
    const double most = std::log(static_cast<double>(std::max<std::size_t>(2, m_model.classNames().size())));
    const QRectF bar(cell.picture.left(), cell.words.top() + 2, cell.picture.width(), barTall - 1);
    const auto part = [&](double nats) {
        return QRectF(bar.left(), bar.top(), std::clamp(nats / most, 0.0, 1.0) * bar.width(), bar.height());
    };
    cell.painter.fillRect(bar, cell.colours.grid);
    cell.painter.fillRect(part(static_cast<double>(cell.row->entropy)), cell.colours.muted);
    cell.painter.fillRect(part(static_cast<double>(cell.row->mutual_information)), cell.colours.accent);
}

ImageList::ImageList(ImageListModel& model, QWidget* parent)
    : QListView(parent), m_delegate(new ImageDelegate(model, this))
{
    setModel(&model);
    setItemDelegate(m_delegate);
    setFlow(QListView::LeftToRight);
    setWrapping(true);
    setUniformItemSizes(true);
    setResizeMode(QListView::Adjust);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    // a scroll bar that appears and disappears would change the number of columns
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFrameShape(QFrame::NoFrame);
}

std::vector<int> ImageList::sidesFor(ImageShape shape)
{
    const int own = std::max(shape.height, shape.width);
    if (own > 72)
        return {32, 48, 64, 96, 128, 192, 256};
    std::vector<int> sides;
    for (int side = own; side <= 256; side += own)
        if (side >= 24)
            sides.push_back(side);
    return sides;
}

int ImageList::side() const { return m_delegate->side(); }

void ImageList::setFirstSide(int side)
{
    m_delegate->setSide(side);
    fit();
}

void ImageList::setSide(int side)
{
    const QModelIndex now = currentIndex();
    const QModelIndex top = now.isValid() && visualRect(now).intersects(viewport()->rect()) ? now : indexAt({12, 12});
    setFirstSide(side);
    doItemsLayout();
    if (top.isValid())
        scrollTo(top, top == now ? QAbstractItemView::EnsureVisible : QAbstractItemView::PositionAtTop);
}

std::pair<int, int> ImageList::inSight() const
{
    const QSize cell = gridSize();
    const int rows   = model()->rowCount();
    if (!cell.isValid() || rows == 0)
        return {0, 0};
    const int across = std::max(1, viewport()->width() / cell.width());
    const int top    = verticalScrollBar()->value() / cell.height();
    const int bottom = (verticalScrollBar()->value() + viewport()->height()) / cell.height();
    return {std::min(top * across, rows), std::min((bottom + 1) * across, rows)};
}

void ImageList::fit()
{
    const QSize least = m_delegate->cellSize(font());
    const int room    = viewport()->width() - 1;
    const int across  = std::max(1, room / least.width());
    setGridSize({std::max(least.width(), room / across), least.height()});
}

void ImageList::focusInEvent(QFocusEvent* event)
{
    if (currentIndex().isValid())
        return QListView::focusInEvent(event);
    QAbstractScrollArea::focusInEvent(event);   // QListView's own handler would select the first image
    viewport()->update();
}

void ImageList::resizeEvent(QResizeEvent* event)
{
    QListView::resizeEvent(event);
    fit();
}
