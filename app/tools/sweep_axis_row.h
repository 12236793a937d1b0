// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sweeps/sweep.h"

#include <QWidget>

#include <optional>

class HelpMark;
class MistakeLabel;
class QLabel;
class QLineEdit;
class QMenu;
class QToolButton;
class SettingBox;

/// One axis of a sweep: a setting and its values, checked while typing. An axis that changes
/// several settings together comes from a file: it shows its labels and can be removed but not
/// edited.
class SweepAxisRow : public QWidget {
    Q_OBJECT
public:
    SweepAxisRow(const credence::Study& base, QWidget* parent);

    void setBase(const credence::Study& base);   ///< used to check the values
    void setAxis(const credence::SweepAxis& axis);
    void setSetting(const QString& path, const QString& values);
    std::optional<credence::SweepAxis> axis() const;   ///< empty: an error, or no setting is selected
    QString path() const;                              ///< of the setting, or the name of the axis
    QString mistake() const;                           ///< empty: none
    void setMistake(const QString& sentence);
    void takeFocus();

signals:
    void changed();
    void removed();

private:
    void chooseSetting(const QString& path);
    void fillChoices();
    void toggleChoice(const QString& name, bool on);
    void check();

    credence::Study m_base;
    std::optional<credence::SweepAxis> m_fixed;   // an axis that cannot be edited
    std::optional<credence::SweepAxis> m_axis;
    SettingBox* m_setting;
    QLabel* m_name;   // name of an axis that cannot be edited
    HelpMark* m_help;
    QToolButton* m_remove;
    QLineEdit* m_values;
    QMenu* m_choices;
    QToolButton* m_choose;
    MistakeLabel* m_mistake;
};
