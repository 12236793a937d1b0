// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "study/fields.h"
#include "sweeps/sweep.h"

#include <QString>
#include <QWidget>

#include <optional>
#include <vector>

// Values of one setting of a sweep, typed into one line.

/// Parses the line: "0, 0.1, 0.2"; ranges including both ends, "100 … 500 step 100", "0.0001 … 1 in
/// 5 points, log" (also with ... or to); settings that are lists have semicolons between values,
/// "50, 50; 100".
/// @param base  Study in which each value is checked
/// @throws credence::Error  one sentence: no value, a repeated value, an invalid value, or a range
///        that does not reach its end
std::vector<credence::FieldValue> sweepValues(const credence::Field& setting, const credence::Study& base,
                                              const QString& line);
/// Returns the line for these values.
QString sweepValuesLine(const std::vector<credence::FieldValue>& values);
/// Returns a default line: some of the choices, both answers, or the current value.
QString usualSweepValues(const credence::Field& setting, const credence::Study& base);

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
