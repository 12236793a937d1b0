// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/table_view.h"

#include "foundation/number_text.h"
#include "widgets/column_widths.h"

#include <QAbstractProxyModel>
#include <QClipboard>
#include <QFontMetricsF>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QStyle>

#include <algorithm>
#include <cmath>

namespace credence {

namespace {

constexpr std::size_t longestWord = 32;   // letters
constexpr int widest              = 80;   // letters of a column
constexpr int leastLetters        = 16;   // of a column of sentences that can be read

bool hasSentences(const Table& table, std::size_t column)
{
    return std::any_of(table.rows.begin(), table.rows.end(), [column](const auto& row) {
        const auto* text = column < row.size() ? std::get_if<std::string>(&row[column]) : nullptr;
        return text && text->size() > longestWord;
    });
}

}   // namespace

void TableModel::setTable(Table table)
{
    const bool sameShape = table.rows.size() == m_table.rows.size() && table.columns.size() == m_table.columns.size();
    if (!sameShape)
        beginResetModel();
    m_table = std::move(table);
    m_right.clear();
    for (std::size_t c = 0; c < m_table.columns.size(); ++c)
        m_right.push_back(isNumeric(m_table, c) && !hasSentences(m_table, c));
    if (sameShape) {   // selection and scroll position are kept during training
        if (rowCount() > 0 && columnCount() > 0)
            Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
        if (columnCount() > 0)
            Q_EMIT headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
    } else {
        endResetModel();
    }
}

int TableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_table.rows.size());
}

int TableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_table.columns.size());
}

QVariant TableModel::data(const QModelIndex& index, int role) const
{
    const auto row = static_cast<std::size_t>(index.row()), column = static_cast<std::size_t>(index.column());
    if (!index.isValid() || row >= m_table.rows.size() || column >= m_table.rows[row].size()
        || column >= m_table.columns.size())
        return {};
    const Cell& cell = m_table.rows[row][column];
    switch (role) {
    case Qt::DisplayRole: {
        constexpr qsizetype longest = 240;   // pixel lists are long; copying includes all of them
        const QString text          = cellText(cell, m_table.columns[column]);
        return text.size() > longest ? text.left(longest - 1) + QChar(0x2026) : text;
    }
    case Qt::TextAlignmentRole:
        return static_cast<int>(Qt::AlignVCenter | (m_right[column] ? Qt::AlignRight : Qt::AlignLeft));
    case Qt::UserRole:
        if (const auto* number = std::get_if<double>(&cell))
            return *number;
        if (const auto* whole = std::get_if<long>(&cell))
            return static_cast<qlonglong>(*whole);
        return QString::fromStdString(std::get<std::string>(cell));
    default: return {};
    }
}

QVariant TableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role == Qt::DisplayRole && orientation == Qt::Vertical)
        return section + 1;
    if (role == Qt::DisplayRole && static_cast<std::size_t>(section) < m_table.columns.size())
        return headText(m_table, static_cast<std::size_t>(section)).join(QLatin1Char('\n'));
    if (role == Qt::AccessibleTextRole && orientation == Qt::Horizontal
        && static_cast<std::size_t>(section) < m_table.columns.size())
        return columnTitle(m_table.columns[static_cast<std::size_t>(section)]);   // in one line
    if (role == Qt::TextAlignmentRole && orientation == Qt::Horizontal
        && static_cast<std::size_t>(section) < m_right.size())
        return static_cast<int>(Qt::AlignVCenter
                                | (m_right[static_cast<std::size_t>(section)] ? Qt::AlignRight : Qt::AlignLeft));
    return {};
}

TableView::TableView(QWidget* parent)
    : QTableView(parent), m_model(new TableModel(this)), m_widths(new ColumnWidths(horizontalHeader()))
{
    setModel(m_model);
    setAlternatingRowColors(true);
    setShowGrid(false);
    setWordWrap(false);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setTabKeyNavigation(false);   // Tab leaves the table, arrows move within it
    setFrameShape(QFrame::NoFrame);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setSectionResizeMode(QHeaderView::Interactive);
    setAccessibleName(tr("Data"));
    connect(m_widths, &ColumnWidths::changed, this, [this] {
        for (int c = 0; c < m_model->columnCount(); ++c)
            if (const int width = wantedWidth(c); width > 0)
                setColumnWidth(c, width);
        fitLastColumn();
    });
}

void TableView::setTable(Table table)
{
    const bool newColumns = !std::ranges::equal(table.columns, m_model->table().columns, {}, &Column::name,
                                                &Column::name)
                            || m_model->rowCount() == 0;
    m_model->setTable(std::move(table));
    horizontalHeader()->setResizeContentsPrecision(100);
    if (newColumns)
        m_needed.assign(m_model->table().columns.size(), 0);
    fitColumns();
}

/// Columns grow with their content and never shrink, so that changing numbers do not move them.
void TableView::fitColumns()
{
    for (int c = 0; c < m_model->columnCount(); ++c) {
        auto& needed    = m_needed[static_cast<std::size_t>(c)];
        const int width = std::min(std::max(sizeHintForColumn(c), horizontalHeader()->sectionSizeHint(c)),
                                   widest * fontMetrics().averageCharWidth())
                          + fontMetrics().height();   // padding between numbers and text
        const bool grown = width > needed;
        needed           = std::max(needed, width);
        if (grown || m_widths->of(c) > 0)
            setColumnWidth(c, wantedWidth(c));
    }
    fitLastColumn();
}

/// As the user made it, else for its whole contents. 0: not yet known
int TableView::wantedWidth(int column) const
{
    const auto at   = static_cast<std::size_t>(column);
    const int users = m_widths->of(column);
    return users > 0 ? users : at < m_needed.size() ? m_needed[at] : 0;
}

int TableView::neededWidth() const
{
    int width = 0;
    for (int c = 0; c < m_model->columnCount(); ++c)
        width += wantedWidth(c);
    return width;
}

/// In a narrow table, the widest column of sentences gives the last one some of its width and wraps.
/// @param wanted  pixels for the last column
void TableView::makeRoomForLast(int wanted)
{
    const int last = m_model->columnCount() - 1;
    if (m_narrowed >= 0 && m_narrowed < last)
        setColumnWidth(m_narrowed, wantedWidth(m_narrowed));
    m_narrowed        = -1;
    const int missing = wanted - (viewport()->width() - horizontalHeader()->length() + columnWidth(last));
    if (m_model->isRight(last) || missing <= 0)
        return;
    int widest = -1;
    for (int c = 0; c < last; ++c)
        if (!m_model->isRight(c) && m_widths->of(c) == 0 && hasSentences(m_model->table(), static_cast<std::size_t>(c))
            && (widest < 0 || columnWidth(c) > columnWidth(widest)))
            widest = c;
    const int least = leastLetters * fontMetrics().averageCharWidth() + fontMetrics().height();
    if (widest < 0 || columnWidth(widest) <= least)
        return;
    setColumnWidth(widest, std::max(least, columnWidth(widest) - missing));
    m_narrowed = widest;
}

/// Sentences in the last column have the width that is left: all of a wide table, and in a narrow one as much as can be
/// seen, unless that is too little to read.
void TableView::fitLastColumn()
{
    constexpr int easyLetters = 24;
    const int last            = m_model->columnCount() - 1;
    if (last < 0 || static_cast<std::size_t>(last) >= m_needed.size())
        return;
    const int letter = fontMetrics().averageCharWidth();
    makeRoomForLast(std::min(m_needed.back(), easyLetters * letter));
    const int room  = viewport()->width() - horizontalHeader()->length() + columnWidth(last);
    const int least = std::min(m_needed.back(), leastLetters * letter);
    const bool fits = !m_model->isRight(last) && room >= least;
    if (fits)
        setColumnWidth(last, room);   // Qt's own stretching does not make a column narrower again
    else if (m_fitted)
        setColumnWidth(last, wantedWidth(last));
    m_fitted = fits;
    m_widths->setStretched(fits ? last : -1);
    fitRows();
}

/// Sentences that are longer than their column wrap.
void TableView::fitRows()
{
    constexpr int mostRows = 100;   // others are lists of short cells
    if (model() != m_model || m_model->rowCount() > mostRows)
        return;
    const QFontMetrics metrics = fontMetrics();
    const int usual            = std::max(verticalHeader()->defaultSectionSize(), metrics.height() + 2);
    const int margins          = 2 * (style()->pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr, this) + 1);
    bool wraps                 = false;
    for (int r = 0; r < m_model->rowCount(); ++r) {
        int height = usual;
        for (int c = 0; c < m_model->columnCount(); ++c) {
            const QString text = m_model->isRight(c) ? QString() : m_model->index(r, c).data().toString();
            const int room     = columnWidth(c) - margins;
            if (room <= 0 || metrics.horizontalAdvance(text) <= room)
                continue;
            const QRect lines = metrics.boundingRect(QRect(0, 0, room, QWIDGETSIZE_MAX), Qt::TextWordWrap, text);
            height            = std::max(height, lines.height() + usual - metrics.height());
        }
        wraps = wraps || height > usual;
        if (rowHeight(r) != height)
            setRowHeight(r, height);
    }
    if (wordWrap() != wraps)
        setWordWrap(wraps);
}

void TableView::resizeEvent(QResizeEvent* event)
{
    QTableView::resizeEvent(event);
    fitLastColumn();
}

void TableView::changeEvent(QEvent* event)
{
    QTableView::changeEvent(event);
    if (event->type() != QEvent::FontChange)
        return;
    m_needed.assign(m_model->table().columns.size(), 0);
    fitColumns();
}

void TableView::showThrough(QAbstractProxyModel& proxy)
{
    proxy.setSourceModel(m_model);
    setModel(&proxy);
}

void TableView::copy() const
{
    const bool all = !selectionModel()->hasSelection();
    QString text;
    const auto line = [&text](const QStringList& fields) {
        text += fields.join(QLatin1Char('\t')) + QLatin1Char('\n');
    };
    std::vector<int> columns;   // in visual order
    QStringList head;
    for (int at = 0; at < m_model->columnCount(); ++at)
        if (const int c = horizontalHeader()->logicalIndex(at);
            all || selectionModel()->columnIntersectsSelection(c, {})) {
            columns.push_back(c);
            head << columnTitle(m_model->table().columns[static_cast<std::size_t>(c)]);
        }
    line(head);
    for (int r = 0; r < model()->rowCount(); ++r) {
        if (!all && !selectionModel()->rowIntersectsSelection(r, {}))
            continue;
        QStringList fields;
        for (const int c : columns)
            if (all || selectionModel()->isSelected(model()->index(r, c))) {
                const QVariant value = model()->index(r, c).data(Qt::UserRole);
                fields << (value.typeId() == QMetaType::Double ? QString::number(value.toDouble(), 'g', 17)
                                                               : value.toString());
            }
        if (!fields.isEmpty())
            line(fields);
    }
    QGuiApplication::clipboard()->setText(text);
}

QSize TableView::sizeHint() const
{
    const int rows = std::min(m_model->rowCount(), 12);
    return {300, horizontalHeader()->sizeHint().height() + rows * verticalHeader()->defaultSectionSize() + 4};
}

void TableView::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::Copy)) {
        copy();
        event->accept();
        return;
    }
    QTableView::keyPressEvent(event);
}

namespace {

constexpr double columnGap = 14;
constexpr double rowGap    = 4;

bool isNumber(const Cell& cell) { return !std::holds_alternative<std::string>(cell); }

QFont headFont(QFont font)
{
    font.setBold(true);
    return font;
}

int headLines(const Table& table)
{
    qsizetype lines = 1;
    for (std::size_t c = 0; c < table.columns.size(); ++c)
        lines = std::max(lines, headText(table, c).size());
    return static_cast<int>(lines);
}

std::vector<double> columnWidths(const Table& table, const QFont& font)
{
    const QFontMetricsF metrics(font), head(headFont(font));
    std::vector<double> widths;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        double width = 0;
        for (const QString& line : headText(table, c))
            width = std::max(width, head.horizontalAdvance(line));
        for (const auto& row : table.rows)
            if (c < row.size())
                width = std::max(width, metrics.horizontalAdvance(cellText(row[c], table.columns[c])));
        widths.push_back(std::ceil(width) + 1);
    }
    return widths;
}

double total(const std::vector<double>& widths)
{
    double sum = 0;
    for (const double width : widths)
        sum += width + columnGap;
    return sum;
}

}   // namespace

QString cellText(const Cell& cell, const Column& column)
{
    if (const auto* text = std::get_if<std::string>(&cell))
        return QString::fromStdString(*text);
    if (const auto* whole = std::get_if<long>(&cell))
        return QString::number(*whole);
    const double value = std::get<double>(cell);
    if (std::isnan(value))
        return QStringLiteral("–");
    if (std::isinf(value))
        return value > 0 ? QStringLiteral("∞") : QStringLiteral("−∞");
    QString text = column.decimals >= 0 ? QString::number(value, 'f', column.decimals)
                                        : QString::fromStdString(display_text(value, 4));
    return text.replace(QLatin1Char('-'), QChar(0x2212));
}

bool isNumeric(const Table& table, std::size_t column)
{
    return std::any_of(table.rows.begin(), table.rows.end(),
                       [column](const auto& row) { return column < row.size() && isNumber(row[column]); });
}

QString columnTitle(const Column& column)
{
    const QString name = QString::fromStdString(column.name);
    return column.unit.empty() ? name : QStringLiteral("%1 / %2").arg(name, QString::fromStdString(column.unit));
}

QStringList headText(const Table& table, std::size_t column)
{
    const QString title = columnTitle(table.columns[column]);
    qsizetype longest   = 12;   // characters; shorter titles stay in one line
    for (const auto& row : table.rows)
        if (column < row.size())
            longest = std::max(longest, cellText(row[column], table.columns[column]).size());
    if (title.size() <= longest + 2)
        return {title};
    qsizetype cut = -1;   // the blank nearest to the middle, but not between a sign and its unit
    for (qsizetype k = 0; k < title.size(); ++k)
        if (title[k] == QLatin1Char(' ') && !title.left(k).endsWith(QLatin1Char('/'))
            && (cut < 0 || std::abs(2 * k - title.size()) < std::abs(2 * cut - title.size())))
            cut = k;
    return cut < 0 ? QStringList{title} : QStringList{title.left(cut), title.mid(cut + 1)};
}

QSizeF tableSize(const Table& table, const QFont& font)
{
    const double line = QFontMetricsF(font).height();
    const double head = line * headLines(table) + rowGap;
    return {total(columnWidths(table, font)),
            head + (line + rowGap) * static_cast<double>(table.rows.size()) + 2 * rowGap};
}

std::size_t paintTable(QPainter& painter, const QRectF& place, const Table& table, const QFont& font,
                       const ChartPalette& palette, std::size_t firstRow)
{
    const auto widths      = columnWidths(table, font);
    const double natural   = total(widths);
    const double shrink    = std::min(1.0, place.width() / natural);
    const double rowHeight = QFontMetricsF(font).height() + rowGap;
    const int lines        = headLines(table);
    const QFontMetricsF metrics(font), head(headFont(font));

    painter.save();
    painter.translate(place.left() + std::max(0.0, (place.width() - natural * shrink) / 2), place.top());
    painter.scale(shrink, shrink);
    double y        = 0;
    const auto rule = [&](double width) {
        painter.setPen(QPen(palette.text, width));
        painter.drawLine(QLineF(0, y, natural, y));
    };
    const auto write = [&](std::size_t column, double x, const QString& text, const QFontMetricsF& m) {
        const bool right = isNumeric(table, column);
        painter.drawText(QRectF(x, y, widths[column], rowHeight),
                         static_cast<int>(Qt::AlignVCenter | (right ? Qt::AlignRight : Qt::AlignLeft)),
                         m.elidedText(text, Qt::ElideRight, widths[column] + 1));
    };
    rule(1.2);
    painter.setFont(headFont(font));
    double x = columnGap / 2;
    for (std::size_t c = 0; c < table.columns.size(); ++c, x += widths[c - 1] + columnGap) {
        const QStringList text = headText(table, c);   // aligned with the rule below
        for (qsizetype k = 0; k < text.size(); ++k) {
            y = metrics.height() * static_cast<double>(lines - text.size() + k);
            write(c, x, text[k], head);
        }
    }
    y = metrics.height() * lines + rowGap;
    rule(0.7);
    painter.setFont(font);
    std::size_t row = firstRow;
    for (; row < table.rows.size() && (y + rowHeight) * shrink <= place.height() + 0.5; ++row) {
        painter.setPen(palette.text);
        x = columnGap / 2;
        for (std::size_t c = 0; c < table.columns.size(); ++c, x += widths[c - 1] + columnGap)
            if (c < table.rows[row].size())
                write(c, x, cellText(table.rows[row][c], table.columns[c]), metrics);
        y += rowHeight;
    }
    rule(1.2);
    painter.restore();
    return row;
}

}   // namespace credence
