// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/views.h"

#include <QObject>
#include <QStringList>

#include <functional>
#include <utility>
#include <vector>

/// What the controls beside the views are set to: quantity of the map, pruned share, threshold, … The chosen input is that of the Selection.
class ViewChoices : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    /// @param views  that look different by it
    template <class Change>
    void set(const QStringList& views, Change change)
    {
        change(m_options);
        Q_EMIT changed(views);
    }
    /// @param moving  the hand is still on the control: another change comes soon
    template <class Change>
    void setForAll(bool moving, Change change)
    {
        change(m_options);
        Q_EMIT changedForAll(moving);
    }
    /// Of a control that is asked when pictures are.
    void alsoFrom(std::function<void(credence::ViewOptions&)> source) { m_sources.push_back(std::move(source)); }

    const credence::ViewOptions& options() const { return m_options; }
    /// @param options  with the chosen input already in them
    void complete(credence::ViewOptions& options) const;

signals:
    void changed(const QStringList& views);
    void changedForAll(bool moving);   ///< all pictures look different by it

private:
    credence::ViewOptions m_options;
    std::vector<std::function<void(credence::ViewOptions&)>> m_sources;
};
