// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/export_figure.h"

#include "charts/figure_files.h"
#include "foundation/error.h"
#include "foundation/files.h"
#include "widgets/render_chart.h"

#include <QBuffer>
#include <QFile>
#include <QFileInfo>
#include <QMimeData>
#include <QPageSize>
#include <QPdfWriter>
#include <algorithm>
#include <qcustomplot.h>

namespace credence {
namespace {

[[noreturn]] void failExport(const QString& file, const QString& what)
{
    throw Error(QStringLiteral("%1: %2.").arg(QFileInfo(file).fileName(), what).toStdString());
}

FigureLook lookOf(const ExportOptions& options) { return {options.fontPt / usual_font_pt, options.title}; }

QByteArray pngBytes(const Chart& chart, const ExportOptions& options, const QByteArray& studyJson)
{
    return pngOf(exportedImage(chart, options, options.dpi), chart.title, chart.caption, studyJson);
}

/// Draws the figure, or only its panels if its table is not requested.
template <class Draw>
auto drawn(const Chart& chart, const ExportOptions& options, const Draw& draw)
{
    if (options.table || chart.panels.empty() || !chart.table)
        return draw(chart);
    Chart panels = chart;
    panels.table.reset();
    return draw(panels);
}

QByteArray svgBytes(const Chart& chart, const ExportOptions& options, const QByteArray& studyJson)
{
    return chartSvg(chart, ChartPalette::print(), exportedPage(chart, options), studyAsSvg(studyJson), lookOf(options));
}

QByteArray pdfBytes(const Chart& chart, const ExportOptions& options, const QByteArray& studyJson)
{
    constexpr int resolution = 1200;
    const QString title      = QString::fromStdString(chart.title);
    const QSizeF page        = exportedPage(chart, options);
    const FigureLook look    = lookOf(options);
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    {
        QPdfWriter writer(&buffer);
        writer.setPageSize(QPageSize(page, QPageSize::Millimeter, title, QPageSize::ExactMatch));
        writer.setPageMargins(QMarginsF(0, 0, 0, 0));
        writer.setResolution(resolution);
        writer.setTitle(title);
        writer.setCreator(creatorOfFigures());
        writer.setDocumentXmpMetadata(studyAsXmp(studyJson, title, QString::fromStdString(chart.caption)));
        QCPPainter painter(&writer);
        painter.scale(look.scale * resolution / 96.0, look.scale * resolution / 96.0);
        paintChart(painter, chart, ChartPalette::print(), figureUnits(page, look.scale), look.title);
    }
    return buffer.data();
}

/// Title and caption, then the Study: the comments of a table file.
std::string comments(const Chart& chart, const QByteArray& studyJson)
{
    std::string text;
    for (const std::string& part : {chart.title, chart.caption, studyAsComments(studyJson)})
        if (!part.empty())
            text += (text.empty() ? "" : "\n") + part;
    return text;
}

}   // namespace

ExportOptions slideOptions()
{
    constexpr double inch = 25.4;
    return {.widthMm = 40.0 / 3 * inch, .heightMm = 7.5 * inch, .dpi = 144, .fontPt = 2.5 * usual_font_pt};
}

QStringList exportSuffixes()
{
    return {QStringLiteral("pdf"), QStringLiteral("svg"), QStringLiteral("png"), QStringLiteral("csv"),
            QStringLiteral("tex")};
}

void writeWhole(const QString& file, const QByteArray& content)
{
    write_whole(QFile::encodeName(file).toStdString(), {content.data(), static_cast<std::size_t>(content.size())});
}

void exportChart(const Chart& chart, const QString& file, const ExportOptions& options, const QByteArray& studyJson)
{
    const QString suffix = QFileInfo(file).suffix().toLower();
    if (!(options.widthMm >= 10 && options.widthMm <= 2000 && options.heightMm >= 10 && options.heightMm <= 2000))
        failExport(file, QStringLiteral("a size of %1 mm × %2 mm cannot be drawn, expected 10 to 2000 mm")
                             .arg(options.widthMm)
                             .arg(options.heightMm));
    if (!(options.fontPt >= 3 && options.fontPt <= 100))
        failExport(
            file,
            QStringLiteral("a font size of %1 points cannot be drawn, expected 3 to 100 points").arg(options.fontPt));
    if (suffix == QLatin1String("png")
        && (options.dpi < 30 || options.dpi > 2400
            || options.widthMm * options.heightMm * options.dpi * options.dpi / (25.4 * 25.4) > 4e8))
        failExport(file,
                   QStringLiteral(
                       "%1 dpi at this size cannot be drawn, expected 30 to 2400 dpi and at most 400 million pixels")
                       .arg(options.dpi));
    const auto bytes = [&](auto make) {
        return drawn(chart, options, [&](const Chart& figure) { return make(figure, options, studyJson); });
    };
    if (suffix == QLatin1String("png"))
        writeWhole(file, bytes(pngBytes));
    else if (suffix == QLatin1String("svg"))
        writeWhole(file, bytes(svgBytes));
    else if (suffix == QLatin1String("pdf"))
        writeWhole(file, bytes(pdfBytes));
    else if (suffix == QLatin1String("csv"))
        writeWhole(file, QByteArray::fromStdString(to_csv(data_table(chart), comments(chart, studyJson))));
    else if (suffix == QLatin1String("tex"))
        writeWhole(file, QByteArray::fromStdString(to_latex(chart, comments(chart, studyJson))));
    else
        failExport(
            file,
            QStringLiteral("ends in \"%1\", expected %2").arg(suffix, exportSuffixes().join(QStringLiteral(", "))));
}

void exportCaption(const Chart& chart, const QString& file, const Table& settings)
{
    const QFileInfo named(file);
    const QString suffix = named.suffix().toLower();
    QString label        = named.completeBaseName();
    label.remove(QStringLiteral("_caption"));
    if (suffix == QLatin1String("txt"))
        writeWhole(file, QByteArray::fromStdString(caption_as_text(chart, settings)));
    else if (suffix == QLatin1String("tex"))
        writeWhole(file, QByteArray::fromStdString(caption_as_latex(chart, settings, label.toStdString())));
    else
        failExport(file, QStringLiteral("ends in \"%1\", expected txt or tex").arg(suffix));
}

QSizeF exportedPage(const Chart& chart, const ExportOptions& options)
{
    return drawn(chart, options, [&](const Chart& figure) {
        return pageSize(figure, {options.widthMm, options.heightMm}, lookOf(options));
    });
}

QImage exportedImage(const Chart& chart, const ExportOptions& options, int dpi)
{
    return drawn(chart, options, [&](const Chart& figure) {
        return chartImage(figure, ChartPalette::print(), exportedPage(figure, options), dpi, lookOf(options));
    });
}

QByteArray pngOf(QImage image, const std::string& title, const std::string& caption, const QByteArray& studyJson)
{
    image.setText(QStringLiteral("Title"), QString::fromStdString(title));
    image.setText(QStringLiteral("Description"), QString::fromStdString(caption));
    image.setText(QStringLiteral("Software"), creatorOfFigures());
    if (!studyJson.isEmpty())
        image.setText(QLatin1String(studyPngKey), QString::fromUtf8(studyJson));
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    return buffer.data();
}

QMimeData* chartMimeData(const Chart& chart, const ExportOptions& stated, const QByteArray& studyJson)
{
    ExportOptions options = stated;
    const QSizeF page     = exportedPage(chart, stated);   // larger than requested for a long table
    options.fontPt *= std::min({1.0, stated.widthMm / page.width(), stated.heightMm / page.height()});
    auto* const data = new QMimeData;
    data->setData(QStringLiteral("image/svg+xml"), svgBytes(chart, options, studyJson));
    data->setData(QStringLiteral("image/png"), pngBytes(chart, options, studyJson));
    if (chart.panels.empty() && chart.table)
        data->setText(QString::fromStdString(to_csv(data_table(chart))));
    return data;
}

}   // namespace credence
