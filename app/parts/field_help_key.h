// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class HelpMark;
class QWidget;

/// F1 on a control opens the help mark that explains it, so that marks need be no stops of the Tab key. Elsewhere F1 stays what the menu makes of it.
class FieldHelpKey : public QObject {
    Q_OBJECT
public:
    explicit FieldHelpKey(QObject* parent);   ///< for the whole program, for as long as it lives
    /// The mark beside a control: of the nearest part that has visible marks the one in its line, or, of a picture or a table, the nearest one above it. Null: none.
    static HelpMark* markOf(const QWidget* control);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};
