// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "charts/figure_files.h"
#include "widgets/study_metadata.h"

#include <QByteArray>
#include <QImage>
#include <QSizeF>
#include <QString>
#include <QStringList>

#include <memory>
#include <string>
#include <vector>

class QMimeData;

namespace credence {

struct ExportOptions {
    double widthMm  = 120;
    double heightMm = 90;
    int dpi         = 300;   ///< PNG only; PDF and SVG are vector formats
    /// Font size of labels on paper, points; lines scale with it. Side-by-side panels can use a font
    /// up to a fifth smaller.
    double fontPt                               = usual_font_pt;
    bool title                                  = false;   ///< draw the title above the figure
    bool table                                  = true;    ///< draw the table below the panels, if there is one
    bool operator==(const ExportOptions&) const = default;
};

/// A whole slide, 16:9 and 33.87 cm wide as in presentation programs; PNG of 1920 × 1080 pixels.
/// Font size 20 points with matching lines.
ExportOptions slideOptions();

/// The suffixes supported by exportChart: pdf, svg, png, csv, tex.
QStringList exportSuffixes();

/// Writes one figure atomically in print colours; the suffix of `file` selects the format. The
/// Study is stored in the metadata.
/// @throws Error "curve.xyz: …" for an unknown suffix, an invalid size, or a file that cannot be
///        written
void exportChart(const Chart& chart, const QString& file, const ExportOptions& options, const QByteArray& studyJson);

/// Writes caption and settings to a separate text or LaTeX file atomically; the suffix of `file`
/// selects the format.
/// @param settings  columns setting, value, unit
/// @throws Error "curve_caption.doc: …" for an unknown suffix or a file that cannot be written
void exportCaption(const Chart& chart, const QString& file, const Table& settings);

/// Returns the page size of exportChart, millimetres: as requested, or larger if a table needs it.
QSizeF exportedPage(const Chart& chart, const ExportOptions& options);
/// The image that exportChart writes, at `dpi`.
QImage exportedImage(const Chart& chart, const ExportOptions& options, int dpi);

/// The bytes of a PNG with title, caption, program and Study in its metadata. @param studyJson  empty: none
QByteArray pngOf(QImage image, const std::string& title, const std::string& caption, const QByteArray& studyJson);

/// `image/svg+xml` and `image/png` of the figure; for a table also its text.
QMimeData* chartMimeData(const Chart& chart, const ExportOptions& options, const QByteArray& studyJson);

/// Writes `content` to a temporary file next to `file` and renames it. @throws Error that names the
/// file
void writeWhole(const QString& file, const QByteArray& content);

/// A chapter of text: findings, remarks.
struct ReportText {
    QString title;
    QStringList lines;   ///< one paragraph each; empty: states that there is nothing
};

struct Report {
    QString title;          ///< "Two moons, mean field"
    QString note;           ///< a paragraph below the title; empty: none
    QByteArray studyJson;   ///< for the metadata
    /// Each with title and caption; a chart with a message instead of a figure shows the message.
    /// "scores" is the first.
    std::vector<Chart> charts;
    Table settings{};   ///< on the first page
    /// The common part of the captions, "Data: …. Seed 1": stated once on the first page and omitted
    /// from the captions.
    QString setting{};
    std::vector<ReportText> texts{};   ///< after the first page
    QStringList chapters{};            ///< the heading of each chart; empty: none, as for "scores"
};

/// Writes one document with figures, tables and the Study; the suffix selects `.pdf` (A4, numbered
/// pages) or `.html` (one file with embedded SVG). The common part of the captions is stated once,
/// so that each caption only states differences. Written atomically, with the Study in the
/// metadata. @throws Error that names the file
void writeReport(const Report& report, const QString& file);

/// Writes a report in parts, so that a window stays responsive between figures.
class ReportWriter {
public:
    /// @throws Error  for an unknown suffix
    ReportWriter(Report report, const QString& file);
    ~ReportWriter();
    bool step();   ///< writes the next part; false: the file is complete. @throws Error that names the file

private:
    class Pages;
    class Pdf;
    class Html;
    const Report m_report;
    const QString m_file;
    std::unique_ptr<Pages> m_pages;
    std::size_t m_next = 0;   // the next chart
};

}   // namespace credence
