// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <memory>
#include <vector>

namespace credence {

/// A chapter in words: findings, remarks.
struct ReportText {
    QString title;
    QStringList lines;   ///< a paragraph each; empty: there is nothing to say, which is said
};

struct Report {
    QString title;          ///< "Two moons, mean field"
    QString note;           ///< a paragraph under the title; empty: none
    QByteArray studyJson;   ///< into the metadata
    std::vector<Chart>
        charts;   ///< each with title and caption; charts with a message instead of a picture show the message; "scores" comes first
    Table settings{};   ///< on the first page
    QString
        setting{};   ///< what the captions share, "Data: …. Seed 1": said once, on the first page, and left out of the captions
    std::vector<ReportText> texts{};   ///< behind the first page
    QStringList chapters{};   ///< of each chart the heading under which it stands; empty: none, as for "scores"
};

/// One document with figures, tables and the Study, told by its suffix: `.pdf` (A4, numbered pages) or `.html` (one file, figures inside as SVG).
/// What most captions say, of step and draws too, is said once, so that each says what differs. Written whole or not at all, with the Study in the metadata. @throws Error that names the file
void writeReport(const Report& report, const QString& file);

/// The same in parts, so that a window stays responsive between two figures.
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
