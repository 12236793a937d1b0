// SPDX-License-Identifier: GPL-3.0-or-later

#include "charts/shared_captions.h"
#include "foundation/error.h"
#include "widgets/export_figure.h"
#include "widgets/render_chart.h"
#include "widgets/table_view.h"

#include <QApplication>
#include <QBuffer>
#include <QFileInfo>
#include <QFontInfo>
#include <QPageSize>
#include <QPdfWriter>
#include <qcustomplot.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace credence {
namespace {

/// The scores for the first page; null: none.
const Chart* scoresOf(const Report& report)
{
    for (const Chart& chart : report.charts)
        if (chart.id == "scores" && chart.panels.empty() && chart.table && chart.message.empty())
            return &chart;
    return nullptr;
}

/// The common part of all captions, and the rest of each.
struct ReportCaptions {
    QString shared;
    QStringList own;
};

ReportCaptions captionsOf(const Report& report)
{
    std::vector<std::string> captions;
    for (const Chart& chart : report.charts)
        captions.push_back(chart.caption);
    const auto parted = shared_captions(captions, report.setting.toStdString());
    ReportCaptions out;
    if (!report.setting.isEmpty())
        out.shared = report.setting + QLatin1Char('.');
    if (!parted.shared.empty())
        out.shared += (out.shared.isEmpty() ? "" : " ") + QStringLiteral("Unless a caption states otherwise: ")
                      + QString::fromStdString(parted.shared) + QLatin1Char('.');
    for (const auto& own : parted.own)
        out.own += QString::fromStdString(own);
    return out;
}

/// The heading above chart `i`; empty: the same as for the previous chart.
QString headingAt(const Report& report, std::size_t i, QString& last)
{
    const QString chapter = report.chapters.value(static_cast<qsizetype>(i));
    if (chapter == last)
        return {};
    last = chapter;
    return chapter;
}

QStringList linesOf(const ReportText& text)
{
    return text.lines.isEmpty() ? QStringList{QStringLiteral("Nothing found.")} : text.lines;
}

/// Splits a long table into two halves side by side, so that it fits its page.
Table inTwoHalves(const Table& table)
{
    constexpr std::size_t shortTable = 12;   // rows
    if (table.rows.size() <= shortTable)
        return table;
    Table halves{table.columns, {}};
    halves.columns.insert(halves.columns.end(), table.columns.begin(), table.columns.end());
    const std::size_t half = (table.rows.size() + 1) / 2;
    for (std::size_t r = 0; r < half; ++r) {
        auto row = table.rows[r];
        if (half + r < table.rows.size())
            row.insert(row.end(), table.rows[half + r].begin(), table.rows[half + r].end());
        else
            row.resize(halves.columns.size(), std::string());
        halves.rows.push_back(std::move(row));
    }
    return halves;
}

/// fraction of a figure's height; if less space is left, the figure moves to the next page
constexpr double leastShare = 0.75;
constexpr QSizeF figureSize(150, 94);   ///< millimetres: two with their captions on a page

/// Millimetres for a chart: the height of the rows for tables, more for panels in several rows.
QSizeF sizeOf(const Chart& chart, const QFont& font)
{
    if (chart.panels.empty() && chart.table) {
        const double height = (tableSize(*chart.table, font).height() + 12) * 25.4 / 96;
        return {figureSize.width(), std::clamp(height, 12.0, 220.0)};
    }
    if (!chart.message.empty())
        return {figureSize.width(), 25};
    const int rows = chart.columns > 0 ? (static_cast<int>(chart.panels.size()) + chart.columns - 1) / chart.columns
                                       : 1;
    return {figureSize.width(), std::min(220.0, rows > 1 ? 62.0 * rows : figureSize.height())};
}

/// Fills A4 pages from top to bottom, in units of 1/96 inch.
class PdfPages {
public:
    PdfPages(QPdfWriter& writer, const QFont& font) : m_writer(writer), m_painter(&writer), m_font(font)
    {
        const double scale = writer.resolution() / 96.0;
        m_painter.setMode(QCPPainter::pmVectorized);
        m_painter.setMode(QCPPainter::pmNoCaching);
        m_painter.scale(scale, scale);
        m_page = QSizeF(210, 297) * 96 / 25.4;
        m_y    = margin;
    }
    ~PdfPages() { number(); }

    double width() const { return m_page.width() - 2 * margin; }
    double left() const { return m_page.height() - margin - m_y; }
    void skip(double height) { m_y += height; }
    void need(double height)
    {
        if (height > left() && m_y > margin) {
            number();
            m_writer.newPage();
            m_y = margin;
        }
    }
    double heightOf(const QString& text, int pixels) const
    {
        QFont font = m_font;
        font.setPixelSize(pixels);
        return QFontMetricsF(font).boundingRect(QRectF(0, 0, width(), 1e5), Qt::TextWordWrap, text).height() + 4;
    }
    void text(const QString& text, int pixels, bool bold, const QColor& colour)
    {
        QFont font = m_font;
        font.setPixelSize(pixels);
        font.setBold(bold);
        const QRectF room = QFontMetricsF(font).boundingRect(QRectF(0, 0, width(), 1e5), Qt::TextWordWrap, text);
        need(room.height());
        m_painter.setFont(font);
        m_painter.setPen(colour);
        m_painter.drawText(QRectF(margin, m_y, width(), room.height() + 2), Qt::TextWordWrap, text);
        skip(room.height() + 4);
    }
    void chart(const Chart& chart, QSize units)
    {
        m_painter.save();
        m_painter.translate(margin + (width() - units.width()) / 2, m_y);
        paintChart(m_painter, chart, ChartPalette::print(), units);
        m_painter.restore();
        skip(units.height() + 4);
    }
    void table(const Table& table, const QFont& font)
    {
        for (std::size_t row = 0; row < table.rows.size();) {
            need(80);
            const std::size_t next = paintTable(m_painter, QRectF(margin, m_y, width(), left()), table, font,
                                                ChartPalette::print(), row);
            if (next == row)
                return;
            skip(next == table.rows.size() ? heightOf(table, font, row) : left());
            row = next;
        }
    }

private:
    static constexpr double margin = 75;   ///< 20 mm

    /// Height of the rows from `first` on, scaled to the page width.
    double heightOf(const Table& table, const QFont& font, std::size_t first) const
    {
        Table rest = table;
        rest.rows.erase(rest.rows.begin(), rest.rows.begin() + static_cast<std::ptrdiff_t>(first));
        const QSizeF size = tableSize(rest, font);
        return size.height() * std::min(1.0, width() / size.width()) + 6;
    }
    void number()
    {
        QFont font = m_font;
        font.setPixelSize(10);
        m_painter.setFont(font);
        m_painter.setPen(ChartPalette::print().muted);
        m_painter.drawText(QRectF(margin, m_page.height() - margin + 20, width(), 20), Qt::AlignCenter,
                           QString::number(++m_number));
    }

    QPdfWriter& m_writer;
    QCPPainter m_painter;
    QFont m_font;
    QSizeF m_page;
    double m_y   = 0;
    int m_number = 0;
};

QByteArray htmlTable(const Table& table)
{
    QByteArray html = "<table>\n<thead><tr>";
    for (std::size_t c = 0; c < table.columns.size(); ++c)
        html += (isNumeric(table, c) ? "<th class=\"n\">" : "<th>")
                + columnTitle(table.columns[c]).toHtmlEscaped().toUtf8() + "</th>";
    html += "</tr></thead>\n<tbody>\n";
    for (const auto& row : table.rows) {
        html += "<tr>";
        for (std::size_t c = 0; c < table.columns.size() && c < row.size(); ++c)
            html += (isNumeric(table, c) ? "<td class=\"n\">" : "<td>")
                    + cellText(row[c], table.columns[c]).toHtmlEscaped().toUtf8() + "</td>";
        html += "</tr>\n";
    }
    return html + "</tbody></table>\n";
}

}   // namespace

/// A document written in parts.
class ReportWriter::Pages {
public:
    Pages(const Report& of) : report(of), captions(captionsOf(of)), scores(scoresOf(of)) {}
    virtual ~Pages()                   = default;
    virtual void begin()               = 0;   ///< content before the figures
    virtual void figure(std::size_t i) = 0;
    virtual QByteArray finish()        = 0;

protected:
    const Report& report;
    const ReportCaptions captions;
    const Chart* const scores;
    QString chapter;   ///< of the last figure
};

class ReportWriter::Pdf : public Pages {
public:
    using Pages::Pages;

    void begin() override
    {
        m_buffer.open(QIODevice::WriteOnly);
        m_writer.emplace(&m_buffer);
        m_writer->setPageSize(QPageSize(QPageSize::A4));
        m_writer->setPageMargins(QMarginsF(0, 0, 0, 0));
        m_writer->setResolution(1200);
        m_writer->setTitle(report.title);
        m_writer->setCreator(creatorOfFigures());
        m_writer->setDocumentXmpMetadata(studyAsXmp(report.studyJson, report.title, report.note));
        m_font.setFamily(QFontInfo(m_font).family());
        m_font.setPixelSize(11);
        m_pages.emplace(*m_writer, m_font);
        auto& pages = *m_pages;
        pages.text(report.title, 24, true, m_palette.text);
        if (!report.note.isEmpty())
            pages.text(report.note, 12, false, m_palette.text);
        pages.skip(12);
        if (scores) {
            pages.text(QString::fromStdString(scores->title), 14, true, m_palette.text);
            pages.table(*scores->table, m_font);
            pages.text(captions.own[scores - report.charts.data()], 11, false, m_palette.muted);
            pages.skip(10);
        }
        if (!captions.shared.isEmpty()) {
            pages.text(captions.shared, 11, false, m_palette.muted);
            pages.skip(10);
        }
        if (!report.settings.rows.empty()) {
            pages.text(QStringLiteral("Settings"), 14, true, m_palette.text);
            pages.table(inTwoHalves(report.settings), m_font);
            pages.skip(12);
        }
        for (const ReportText& text : report.texts) {
            pages.need(80);
            pages.text(text.title, 18, true, m_palette.text);
            for (const QString& line : linesOf(text))
                pages.text(line, 12, false, m_palette.text);
            pages.skip(12);
        }
    }

    void figure(std::size_t i) override
    {
        auto& pages           = *m_pages;
        const Chart& chart    = report.charts[i];
        const QString caption = QStringLiteral("%1. %2").arg(++m_figure).arg(captions.own[static_cast<qsizetype>(i)]);
        const QString heading = headingAt(report, i, chapter);
        QSize units           = figureUnits(sizeOf(chart, m_font));
        // Title and caption stay with the figure, which is reduced slightly if that keeps it on the
        // page.
        const double words = 34 + pages.heightOf(caption, 11) + (heading.isEmpty() ? 0 : pages.heightOf(heading, 18));
        if (const double room = pages.left() - words;
            room < units.height() && room > leastShare * units.height() && !chart.panels.empty())
            units.setHeight(static_cast<int>(room));
        pages.need(units.height() + words);
        if (!heading.isEmpty())
            pages.text(heading, 18, true, m_palette.text);
        pages.text(QString::fromStdString(chart.title), 14, true, m_palette.text);
        pages.chart(chart, units);
        pages.text(caption, 11, false, m_palette.muted);
        pages.skip(14);
    }

    QByteArray finish() override
    {
        m_pages.reset();    // numbers the last page
        m_writer.reset();   // ends the document
        return m_buffer.data();
    }

private:
    QBuffer m_buffer;
    std::optional<QPdfWriter> m_writer;
    std::optional<PdfPages> m_pages;
    QFont m_font                 = QApplication::font();
    const ChartPalette m_palette = ChartPalette::print();
    int m_figure                 = 0;
};

class ReportWriter::Html : public Pages {
public:
    using Pages::Pages;

    void begin() override
    {
        const QByteArray title = report.title.toHtmlEscaped().toUtf8();
        html                   = "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                                 "<meta name=\"generator\" content=\"Credence\">\n<title>"
               + title
               + "</title>\n"
                 "<style>body{font-family:sans-serif;max-width:50em;margin:2em auto;padding:0 1em;line-height:1.4}"
                 "figure{margin:2em 0}figure img{max-width:100%}figcaption,.c{color:#555}"
                 "table{border-collapse:collapse;border-top:2px solid;border-bottom:2px solid}"
                 "thead{border-bottom:1px solid}th,td{padding:.15em .7em;text-align:left}"
                 ".n{text-align:right;font-variant-numeric:tabular-nums}</style>\n"
               + studyAsHtml(report.studyJson) + "\n</head><body>\n<h1>" + title + "</h1>\n";
        if (!report.note.isEmpty())
            html += "<p>" + report.note.toHtmlEscaped().toUtf8() + "</p>\n";
        if (scores)
            html += "<h2>" + QString::fromStdString(scores->title).toHtmlEscaped().toUtf8() + "</h2>\n"
                    + htmlTable(*scores->table) + "<p class=\"c\">"
                    + captions.own[scores - report.charts.data()].toHtmlEscaped().toUtf8() + "</p>\n";
        if (!captions.shared.isEmpty())
            html += "<p class=\"c\">" + captions.shared.toHtmlEscaped().toUtf8() + "</p>\n";
        if (!report.settings.rows.empty())
            html += "<h2>Settings</h2>\n" + htmlTable(report.settings);
        for (const ReportText& text : report.texts) {
            html += "<h2>" + text.title.toHtmlEscaped().toUtf8() + "</h2>\n";
            for (const QString& line : linesOf(text))
                html += "<p>" + line.toHtmlEscaped().toUtf8() + "</p>\n";
        }
    }

    void figure(std::size_t i) override
    {
        const Chart& chart = report.charts[i];
        if (const QString heading = headingAt(report, i, chapter); !heading.isEmpty())
            html += "<h2>" + heading.toHtmlEscaped().toUtf8() + "</h2>\n";
        html += "<figure>\n<h3>" + QString::fromStdString(chart.title).toHtmlEscaped().toUtf8() + "</h3>\n";
        Chart picture = chart;
        picture.table.reset();   // tables are written as tables
        if (!chart.panels.empty() && chart.message.empty())
            html += "<img alt=\"" + QString::fromStdString(chart.title).toHtmlEscaped().toUtf8()
                    + "\" src=\"data:image/svg+xml;base64,"
                    + chartSvg(picture, ChartPalette::print(), sizeOf(picture, QApplication::font())).toBase64()
                    + "\">\n";
        if (!chart.message.empty())
            html += "<p>" + QString::fromStdString(chart.message).toHtmlEscaped().toUtf8() + "</p>\n";
        else if (chart.table)
            html += htmlTable(*chart.table);
        html += "<figcaption>" + captions.own[static_cast<qsizetype>(i)].toHtmlEscaped().toUtf8()
                + "</figcaption>\n</figure>\n";
    }

    QByteArray finish() override { return html + "</body></html>\n"; }

private:
    QByteArray html;
};

ReportWriter::ReportWriter(Report report, const QString& file) : m_report(std::move(report)), m_file(file)
{
    const QString suffix = QFileInfo(file).suffix().toLower();
    if (suffix == QLatin1String("pdf"))
        m_pages = std::make_unique<Pdf>(m_report);
    else if (suffix == QLatin1String("html"))
        m_pages = std::make_unique<Html>(m_report);
    else
        throw Error(QStringLiteral("%1: ends in \"%2\", expected pdf or html.")
                        .arg(QFileInfo(file).fileName(), suffix)
                        .toStdString());
    m_pages->begin();
}

ReportWriter::~ReportWriter() = default;

bool ReportWriter::step()
{
    const Chart* const scores = scoresOf(m_report);
    if (m_next < m_report.charts.size() && &m_report.charts[m_next] == scores)
        ++m_next;   // already on the first page
    if (m_next < m_report.charts.size()) {
        m_pages->figure(m_next++);
        return true;
    }
    writeWhole(m_file, m_pages->finish());
    return false;
}

void writeReport(const Report& report, const QString& file)
{
    ReportWriter writer(report, file);
    while (writer.step()) {}
}

}   // namespace credence
