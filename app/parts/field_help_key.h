// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class HelpMark;
class QWidget;

/// F1 on a control opens its help mark, so that marks need not be tab stops. Elsewhere F1 triggers
/// the menu.
class FieldHelpKey : public QObject {
    Q_OBJECT
public:
    explicit FieldHelpKey(QObject* parent);   ///< for the whole program, for as long as it lives
    /// The help mark of a control: the one in its line within the nearest part with visible marks,
    /// or, for a chart or table, the nearest one above it. Null: none.
    static HelpMark* markOf(const QWidget* control);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};
