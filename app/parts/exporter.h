// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "parts/export_dialog.h"
#include "session/export_job.h"

#include "charts/chart.h"

#include <QObject>

#include <functional>
#include <memory>
#include <vector>

class QPushButton;

/// A chart with the Study that made it, as text; empty: none did.
struct ChartOfStudy {
    std::shared_ptr<const credence::Chart> chart;
    QByteArray studyJson{};
};

/// Asks which figures to write, how and where, and writes them in the background with progress and Cancel: the only way from a window into files.
class Exporter : public QObject {
    Q_OBJECT
public:
    /// @param job     writes the files; lives as long as the window
    /// @param window  the dialog belongs to it
    Exporter(ExportJob& job, QWidget* window);

    QPushButton* progress() const
    {
        return m_progress;
    }   ///< shows how far the export is, a click cancels it; for a place in the window
    bool busy() const { return m_job.busy(); }
    /// Never blocks: `go` is called when the dialog is accepted.
    void ask(const ExportChoices& choices, std::function<void(const ExportOrder&)> go);
    /// Nothing happens while an export is being written.
    void start(const ExportOrder& order, std::vector<ExportJob::Figure> figures, ExportJob::Writers writers);
    /// Asks, and writes charts as they are. @param chosen  id of the one that is ticked at first; empty: all
    void askForCharts(std::vector<ChartOfStudy> charts, const std::string& chosen);

signals:
    void ended(const ExportReport& report, const QString& sentence);

private:
    void refresh();

    ExportJob& m_job;
    QWidget* m_window;
    QPushButton* m_progress;
    QString m_folder;
};
