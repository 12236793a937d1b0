// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

#include <optional>
#include <string>

namespace credence {

/// "Credence 0.1.0 (commit 1a2b3c4d5e6f, …)": which build drew a figure, for its metadata.
QString creatorOfFigures();

/// How a Study travels in each kind of file. All give back the same bytes.
QByteArray studyAsSvg(const QByteArray& studyJson);   ///< <metadata id="credence-study"> with the JSON as escaped text
QByteArray studyAsXmp(const QByteArray& studyJson, const QString& title,
                      const QString& description);             ///< an XMP packet for a PDF; the Study in base64
QByteArray studyAsHtml(const QByteArray& studyJson);           ///< <script type="application/json" id="credence-study">
std::string studyAsComments(const QByteArray& studyJson);      ///< lines between two marks, for CSV and LaTeX
inline constexpr const char* studyPngKey = "credence-study";   ///< text chunk of a PNG

/// The Study in the metadata of a figure, table or report (PDF, SVG, PNG, CSV, TeX, HTML), told by its suffix; empty: it carries none.
/// @throws Error "curve.csv: names its Study by the hash 0123456789abcdef only, …", "curve.png: cannot be read: …", "curve.png: is damaged: expected a PNG picture.", "curve.csv: its Study is damaged: …"
std::optional<QByteArray> studyIn(const QString& file);

}   // namespace credence
