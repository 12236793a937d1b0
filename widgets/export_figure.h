// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "widgets/study_metadata.h"

#include <QString>
#include <QStringList>

class QMimeData;

namespace credence {

struct ExportOptions {
    double widthMm  = 120;
    double heightMm = 90;
    int dpi         = 300;   ///< of PNG; PDF and SVG are vectors
    /// What is copied: drawn on a smaller page, then enlarged to the stated size, type and lines too.
    double enlarged = 1;
};

/// The whole of a slide, 16:9 and 33.87 cm wide as slide programs have it; PNG of 1920 × 1080 pixels. Type of 20 points, lines to match.
ExportOptions slideOptions();

/// The suffixes that exportChart writes: pdf, svg, png, csv, tex.
QStringList exportSuffixes();

/// Writes one figure, whole or not at all, in the colours of print; the suffix of `file` says how. The Study goes into the metadata.
/// @throws Error "curve.xyz: …" for an unknown suffix, a size that cannot be, or a file that cannot be written
void exportChart(const Chart& chart, const QString& file, const ExportOptions& options, const QByteArray& studyJson);

/// `image/svg+xml` and `image/png` of the figure, enlarged as the options say; of a chart that is only a table also its text.
QMimeData* chartMimeData(const Chart& chart, const ExportOptions& options, const QByteArray& studyJson);

/// Writes `content` to a temporary file beside `file` and renames it. @throws Error that names the file
void writeWhole(const QString& file, const QByteArray& content);

}   // namespace credence
