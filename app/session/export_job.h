// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "work/worker.h"

#include "widgets/export_figure.h"

#include <QHash>
#include <QObject>
#include <QStringList>

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

/// What to write: each figure in each format as FOLDER/FIGURE.SUFFIX, or one report.
struct ExportOrder {
    QStringList views;
    QStringList suffixes;   ///< "pdf", "svg", "png", "csv", "tex"; a report: "pdf", "html"
    QString folder;
    QString report;   ///< base name of a report; empty: single figures
    credence::ExportOptions options;
    /// "txt", "tex": writes FIGURE_caption.SUFFIX with caption and settings next to each figure;
    /// empty: none.
    QString caption{};
    QStringList runs{};   ///< File names of the ticked runs whose figures are all exported; empty: the displayed run.

    QHash<QString, QString> names{};   ///< file names of the views for the displayed run; absent: the id
    int copy = 1;                      ///< from 2: appended to each file name, so that existing files stay

    /// File name of a figure without suffix. @param run  one of `runs`; empty: the displayed run
    QString stem(const QString& view, const QString& run = {}) const;
    QStringList stems() const;   ///< of all figures
    QStringList filesOf(const QString& stem) const;
    QStringList files() const;
    QStringList existing() const;      ///< those of `files` that would be overwritten
    ExportOrder keepingBoth() const;   ///< the same with the first `copy` for which no file exists
};

/// The result of an export.
struct ExportReport {
    QStringList written;
    QStringList notMade;   ///< "ROC: …": why each missing figure could not be made
    QString mistake;       ///< A file that could not be written; later ones were not attempted.
    bool cancelled = false;

    QString sentence(const QString& folder) const;
};

/// Exports figures: renders them in full quality on a separate thread and writes them one at a time
/// between window events. All inputs are captured when the export starts, so later changes do not
/// affect it.
class ExportJob : public QObject {
    Q_OBJECT
public:
    using Step = std::function<bool()>;   ///< writes the next part of a file; false: it is complete
    /// Each writes a file atomically. @throws std::exception that names the file
    struct Writers {
        std::function<void(const credence::Chart& chart, const QString& file)> figure;
        std::function<Step(const std::vector<credence::Chart>& charts, const QString& file)> report;
        std::function<void(const credence::Chart& chart, const QString& file)>
            caption{};   ///< caption file of a figure
    };
    struct Figure {
        QString id;   ///< base name of its files
        QString title;
        std::function<std::optional<credence::Chart>(std::stop_token)> make;   ///< empty: stopped
        /// For a figure made from another Study; null: the job's writers.
        std::shared_ptr<const Writers> writers{};
    };
    explicit ExportJob(QObject* parent = nullptr);

    /// @return false: another export is in progress, and nothing was started
    bool start(const ExportOrder& order, std::vector<Figure> figures, Writers writers);
    void cancel();   ///< Files already written are kept.
    bool busy() const { return m_busy; }
    int made() const { return m_made; }
    int wanted() const { return m_wanted; }
    QString words() const;   ///< description of the progress

signals:
    void progressed();
    void ended(const ExportReport& report);

private:
    /// A file still to be written; a report has no single chart.
    struct Waiting {
        QString file;
        std::shared_ptr<const credence::Chart> chart;
        std::shared_ptr<const Writers> writers;
    };
    void take(const Figure& figure, std::shared_ptr<const credence::Chart> chart);
    bool writePart(const Waiting& next);   // false: the file is complete
    void writeSoon();
    void writeNext();
    void end();

    ExportOrder m_order;
    std::shared_ptr<const Writers> m_writers;
    ExportReport m_report;
    std::vector<credence::Chart> m_charts;   // charts of a report
    std::deque<Waiting> m_waiting;
    Step m_step;   // writes the current report; empty: none
    bool m_busy = false, m_allMade = false, m_soon = false;
    int m_made = 0, m_wanted = 0, m_parts = 0;
    Worker m_worker;   // last: its thread ends first
};
