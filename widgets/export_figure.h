// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "charts/figure_files.h"
#include "widgets/study_metadata.h"

#include <QImage>
#include <QSizeF>
#include <QString>
#include <QStringList>

#include <string>

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

/// The page size of exportChart, millimetres: as stated, or that of a table on it.
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

}   // namespace credence
