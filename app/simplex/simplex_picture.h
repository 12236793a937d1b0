// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/simplex.h"
#include "views/views.h"
#include "work/worker.h"

#include <QStringList>
#include <QTimer>

#include <memory>
#include <optional>
#include <stop_token>

/// A distribution of class probabilities and its Dirichlet, as shown in the page *Simplex*.
struct SimplexPicture {
    std::shared_ptr<const credence::SimplexDensity> value;   ///< null: two classes, or nothing
    credence::Chart chart;                                   ///< without its table
    std::optional<credence::Table> table;                    ///< for two classes, computed with the chart
    QStringList classNames;
};

// Thread-safe. Both use a finer grid than the inspector and print, since the triangles on the page are
// larger.

/// @param names  [3]
std::shared_ptr<const SimplexPicture> pictureByHand(const credence::LogitGaussian& logits,
                                                    const std::vector<std::string>& names,
                                                    credence::SimplexChoice choice);
/// @return null: stopped. For a run without such a distribution, a chart that explains why.
std::shared_ptr<const SimplexPicture> pictureOfInput(const credence::RunSnapshot& run, credence::ViewOptions options,
                                                     credence::SimplexChoice choice, std::stop_token stop);

class QLabel;
namespace credence {
class TableView;
}

/// Numbers that compare an exact distribution with its Dirichlet, computed after the chart on a
/// separate thread: overall numbers in a line, those of each class in a table.
class SimplexNumbers : public QObject {
    Q_OBJECT
public:
    explicit SimplexNumbers(QWidget* parent);

    /// Numbers of an outdated chart are still shown, since the next ones will follow.
    void follow(const std::shared_ptr<const SimplexPicture>& picture, const credence::SimplexLook& look);
    void clear();
    void cancel() { m_job.cancel(); }
    bool busy() const { return m_job.busy(); }
    QLayout* buildSummary();   ///< the line with its help mark
    credence::TableView* table() const { return m_table; }
    QString summary() const;

signals:
    /// Includes the table, for export.
    void chartMade(const std::shared_ptr<const SimplexPicture>& of, const credence::Chart& full);

private:
    void take(const std::shared_ptr<const SimplexPicture>& of, std::optional<credence::BridgeNumbers> numbers,
              const credence::Chart& full);
    void refresh();

    std::shared_ptr<const SimplexPicture> m_of;   ///< displayed chart
    QString m_mistake;   ///< why the numbers of the last chart could not be computed; empty: no error
    std::optional<credence::BridgeNumbers> m_known;   ///< of the displayed distribution, or of the previous one
    QLabel* m_summary;
    credence::TableView* m_table;
    QTimer m_patience;   ///< numbers that take longer are shown as missing
    Worker m_job{{.newer = Worker::Newer::waits_for_old}};
};
