// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/views.h"

#include <QObject>
#include <QStringList>

#include <functional>
#include <utility>
#include <vector>

/// The settings of the view controls: map quantity, pruned fraction, threshold, … The selected
/// input is in Selection.
class ViewChoices : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    /// @param views  affected by the change
    template <class Change>
    void set(const QStringList& views, Change change)
    {
        change(m_options);
        Q_EMIT changed(views);
    }
    /// @param moving  the control is still being moved, so another change follows soon
    template <class Change>
    void setForAll(bool moving, Change change)
    {
        change(m_options);
        Q_EMIT changedForAll(moving);
    }
    /// Adds a control that is read when charts are requested.
    void alsoFrom(std::function<void(credence::ViewOptions&)> source) { m_sources.push_back(std::move(source)); }

    const credence::ViewOptions& options() const { return m_options; }
    /// @param options  already contain the selected input
    void complete(credence::ViewOptions& options) const;

signals:
    void changed(const QStringList& views);
    void changedForAll(bool moving);   ///< affects all charts

private:
    credence::ViewOptions m_options;
    std::vector<std::function<void(credence::ViewOptions&)>> m_sources;
};
