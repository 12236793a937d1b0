// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/input_groups.h"

#include <QObject>
#include <QPointer>
#include <QWidget>

#include <cstddef>
#include <string>
#include <vector>

class ViewBinder;
struct AppContext;

namespace credence {
struct Chart;
struct Experiment;
}   // namespace credence

/// The inputs of the displayed table, the most influential first (the view influence). Computed
/// while no run is in progress, for parts of the window that are visible.
class InputRanking : public QObject {
    Q_OBJECT
public:
    InputRanking(AppContext& context, ViewBinder& binder, QObject* parent);

    /// Returns true for a table with so many inputs that no map or band can show it.
    static bool isOfMany(const credence::Experiment& experiment);
    void serve(QWidget* part);   ///< ranks while it is visible
    /// Computes the ranking again if a served part has become visible.
    void request();
    /// Returns positions in `inputs`, sorted by influence; in the original order if the influence
    /// is not known.
    std::vector<std::size_t> order(const std::vector<credence::InputGroup>& inputs) const;

signals:
    void changed();

private:
    void take(const credence::Chart& chart);

    AppContext& m_context;
    ViewBinder& m_binder;
    std::vector<QPointer<QWidget>> m_parts;
    std::vector<std::string> m_names;
};
