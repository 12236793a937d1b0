// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

#include <optional>
#include <string>

namespace credence {

/// "Credence 0.1.0 (commit 1a2b3c4d5e6f, …)": the build that drew a figure, for its metadata.
QString creatorOfFigures();

/// Encodings of a Study in each type of file. All decode to the same bytes.
QByteArray studyAsSvg(const QByteArray& studyJson);   ///< <metadata id="credence-study"> with the JSON as escaped text
QByteArray studyAsXmp(const QByteArray& studyJson, const QString& title,
                      const QString& description);             ///< an XMP packet for a PDF; the Study in base64
QByteArray studyAsHtml(const QByteArray& studyJson);           ///< <script type="application/json" id="credence-study">
std::string studyAsComments(const QByteArray& studyJson);      ///< lines between two marks, for CSV and LaTeX
inline constexpr const char* studyPngKey = "credence-study";   ///< text chunk of a PNG

/// Reads the Study from the metadata of a figure, table or report (PDF, SVG, PNG, CSV, TeX, HTML,
/// by suffix); empty: there is none.
/// @throws Error "curve.csv: contains only the hash of its Study, 0123456789abcdef, …", "curve.png:
///        cannot be read: …", "curve.png: is damaged: expected a complete PNG image.", "curve.csv:
///        its Study is damaged: …"
std::optional<QByteArray> studyIn(const QString& file);

}   // namespace credence
