// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "charts/figure_sizes.h"
#include "widgets/study_metadata.h"

#include <QImage>
#include <QSizeF>
#include <QString>
#include <QStringList>

class QMimeData;

namespace credence {

struct ExportOptions {
    double widthMm  = 120;
    double heightMm = 90;
    int dpi         = 300;   ///< of PNG; PDF and SVG are vectors
    double fontPt =
        usual_font_pt;   ///< of labels, points on paper; lines grow with them. Panels beside one another may have letters a fifth smaller
    bool title                                  = false;   ///< the title above the picture
    bool operator==(const ExportOptions&) const = default;
};

/// The whole of a slide, 16:9 and 33.87 cm wide as slide programs have it; PNG of 1920 × 1080 pixels. Type of 20 points, lines to match.
ExportOptions slideOptions();

/// The suffixes that exportChart writes: pdf, svg, png, csv, tex.
QStringList exportSuffixes();

/// Writes one figure, whole or not at all, in the colours of print; the suffix of `file` says how. The Study goes into the metadata.
/// @throws Error "curve.xyz: …" for an unknown suffix, a size that cannot be, or a file that cannot be written
void exportChart(const Chart& chart, const QString& file, const ExportOptions& options, const QByteArray& studyJson);

/// Writes caption and settings into a text or LaTeX file of their own, whole or not at all; the suffix of `file` says which.
/// @param settings  columns setting, value, unit
/// @throws Error "curve_caption.doc: …" for an unknown suffix or a file that cannot be written
void exportCaption(const Chart& chart, const QString& file, const Table& settings);

/// The page that exportChart fills, millimetres: as stated, or as large as the table on it.
QSizeF exportedPage(const Chart& chart, const ExportOptions& options);
/// The same picture that exportChart writes, at `dpi` in place of its own.
QImage exportedImage(const Chart& chart, const ExportOptions& options, int dpi);

/// `image/svg+xml` and `image/png` of the figure; of a chart that is only a table also its text.
QMimeData* chartMimeData(const Chart& chart, const ExportOptions& options, const QByteArray& studyJson);

/// Writes `content` to a temporary file beside `file` and renames it. @throws Error that names the file
void writeWhole(const QString& file, const QByteArray& content);

}   // namespace credence
