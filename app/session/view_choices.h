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
    /// Of a control that is asked when pictures are.
    void alsoFrom(std::function<void(credence::ViewOptions&)> source) { m_sources.push_back(std::move(source)); }

    const credence::ViewOptions& options() const { return m_options; }
    /// @param options  with the chosen input already in them
    void complete(credence::ViewOptions& options) const;

signals:
    void changed(const QStringList& views);

private:
    credence::ViewOptions m_options;
    std::vector<std::function<void(credence::ViewOptions&)>> m_sources;
};
