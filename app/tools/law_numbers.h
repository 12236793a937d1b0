// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tools/law_picture.h"
#include "work/worker.h"

#include <QTimer>

class QLabel;
namespace credence {
class TableView;
}

/// Numbers that compare an exact distribution with its Dirichlet, computed after the chart on a
/// separate thread: overall numbers in a line, those of each class in a table.
class LawNumbers : public QObject {
    Q_OBJECT
public:
    explicit LawNumbers(QWidget* parent);

    /// Numbers of an outdated chart are still shown, since the next ones will follow.
    void follow(const std::shared_ptr<const LawPicture>& picture, const credence::SimplexLook& look);
    void clear();
    void cancel() { m_job.cancel(); }
    bool busy() const { return m_job.busy(); }
    QLayout* buildSummary();   ///< the line with its help mark
    credence::TableView* table() const { return m_table; }
    QString summary() const;

signals:
    /// Includes the table, for export.
    void chartMade(const std::shared_ptr<const LawPicture>& of, const credence::Chart& full);

private:
    void take(const std::shared_ptr<const LawPicture>& of, std::optional<credence::BridgeNumbers> numbers,
              const credence::Chart& full);
    void refresh();

    std::shared_ptr<const LawPicture> m_of;   ///< displayed chart
    QString m_mistake;   ///< why the numbers of the last chart could not be computed; empty: no error
    std::optional<credence::BridgeNumbers> m_known;   ///< of the displayed distribution, or of the previous one
    QLabel* m_summary;
    credence::TableView* m_table;
    QTimer m_patience;   ///< numbers that take longer are shown as missing
    Worker m_job{{.newer = Worker::Newer::waits_for_old}};
};
