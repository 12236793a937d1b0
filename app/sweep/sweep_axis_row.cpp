// SPDX-License-Identifier: GPL-3.0-or-later
#include "sweep/sweep_page.h"

#include "foundation/error.h"
#include "foundation/number_text.h"
#include "parts/buttons.h"
#include "parts/form_controls.h"
#include "parts/help_mark.h"
#include "study/field_editor.h"
#include "study/fields.h"
#include "study/usual_settings.h"
#include "sweeps/sweep.h"
#include "work/text.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QRegularExpression>
#include <QSignalBlocker>
#include <QStandardItemModel>
#include <QStringList>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

using namespace credence;

namespace {

/// Name and note do not affect a run, and seeds have their own field.
bool canBeVaried(const Field& field) { return field.group() != "study"; }

}   // namespace

SettingBox::SettingBox(QWidget* parent) : QComboBox(parent)
{
    setEditable(true);
    setInsertPolicy(NoInsert);
    setSizeAdjustPolicy(AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(14);
    setMaxVisibleItems(20);
    setModel(new QStandardItemModel(this));
    lineEdit()->setPlaceholderText(tr("type part of a setting's name"));
    completer()->setCompletionMode(QCompleter::PopupCompletion);
    completer()->setFilterMode(Qt::MatchContains);
    completer()->setCaseSensitivity(Qt::CaseInsensitive);
    connect(this, &QComboBox::activated, this, &SettingBox::take);
    connect(lineEdit(), &QLineEdit::editingFinished, this, &SettingBox::commitTyped);
}

QString SettingBox::titleOf(const QString& path)
{
    const Field& setting = field(path.toStdString());
    QString group        = toQString(setting.group());
    group[0]             = group[0].toUpper();
    return group + QStringLiteral(" › ") + toQString(setting.label);
}

void SettingBox::listSettingsOf(const Study& study)
{
    const QSignalBlocker quiet(this);
    auto* lines = static_cast<QStandardItemModel*>(model());
    lines->clear();
    for (const bool effective : {true, false})
        for (const auto& setting : study_fields()) {
            if (!canBeVaried(setting) || (!setting.applies || setting.applies(study)) != effective)
                continue;
            const QString path = toQString(setting.path);
            auto* line         = new QStandardItem(titleOf(path));
            line->setData(path, Qt::UserRole);
            line->setToolTip(effective ? toQString(setting.help)
                                       : tr("No effect with the base settings. %1").arg(toQString(setting.help)));
            if (!effective)
                line->setForeground(palette().color(QPalette::Disabled, QPalette::Text));
            lines->appendRow(line);
        }
    setPath(m_path);
}

QString SettingBox::path() const { return m_path; }

void SettingBox::setPath(const QString& path)
{
    const QSignalBlocker quiet(this);
    m_path = path;
    setCurrentIndex(path.isEmpty() ? -1 : findData(path));
    if (currentIndex() < 0)
        setEditText({});
    lineEdit()->setCursorPosition(0);
}

void SettingBox::take(int row)
{
    const QString path = row < 0 ? m_path : itemData(row).toString();
    const bool fresh   = path != m_path;
    setPath(path);
    if (fresh)
        Q_EMIT settingChosen(path);
}

/// Selects the setting with this name, or else the first one that contains the text; otherwise the
/// selection does not change.
void SettingBox::commitTyped()
{
    const QString typed = currentText().trimmed();
    if (completer()->popup() && completer()->popup()->isVisible())
        return;   // it is being chosen there
    int row = typed.isEmpty() ? -1 : findText(typed, Qt::MatchFixedString);
    if (row < 0 && !typed.isEmpty())
        row = findData(typed);
    if (row < 0 && !typed.isEmpty())
        row = findText(typed, Qt::MatchContains);
    take(row);
}

/// Enter selects the setting and does not trigger the default button.
void SettingBox::keyPressEvent(QKeyEvent* event)
{
    QComboBox::keyPressEvent(event);
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        event->accept();
}

namespace {

bool isListOfNumbers(const FieldValue& value)
{
    return std::holds_alternative<std::vector<long>>(value) || std::holds_alternative<std::vector<double>>(value);
}

[[noreturn]] void refuseSweepValues(const Field& setting, const std::string& words)
{
    throw Error(setting.path, setting.label + ": " + words);
}

double rangeNumber(const Field& setting, const QString& text)
{
    const auto number = number_from(text.toStdString());
    if (!number || !std::isfinite(*number))
        refuseSweepValues(setting,
                          "“" + text.toStdString()
                              + "” is not a number, expected a range like 100 … 500 step 100 or 0.001 … 1 in 4 points, "
                                "log.");
    return *number;
}

/// The range in the line, in the format of a sweep file; null: not a range.
nlohmann::ordered_json rangeIn(const Field& setting, const QString& line)
{
    static const QRegularExpression range(
        QStringLiteral("^(\\S+?)\\s*(?:…|\\.\\.\\.|\\bto\\b)\\s*(\\S+?)\\s*,?\\s*"
                       "(?:\\bstep\\s+(\\S+)|\\bin\\s+(\\d{1,6})\\s+points?(\\s*,?\\s*log\\w*)?)$"),
        QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression begun(QStringLiteral("…|\\.\\.\\.|\\bto\\b"));
    const auto found = range.match(line);
    if (!found.hasMatch()) {
        if (begun.match(line).hasMatch())
            refuseSweepValues(setting,
                              "a range needs a step or a number of points, expected a range like 100 … 500 step "
                              "100 or 0.001 … 1 in 4 points, log.");
        return {};
    }
    nlohmann::ordered_json json{{"from", rangeNumber(setting, found.captured(1))},
                                {"to", rangeNumber(setting, found.captured(2))}};
    if (!found.captured(3).isEmpty())
        json["step"] = rangeNumber(setting, found.captured(3));
    else
        json["points"] = rangeNumber(setting, found.captured(4));
    if (!found.captured(5).isEmpty())
        json["scale"] = "log";
    return json;
}

std::vector<FieldValue> valuesOfRange(const Field& setting, const nlohmann::ordered_json& range, bool whole)
{
    std::vector<FieldValue> out;
    try {
        for (const auto& value : range_values(range, whole))
            out.push_back(whole ? FieldValue(value.get<long>()) : FieldValue(value.get<double>()));
    } catch (const Error& error) {
        refuseSweepValues(setting, error.what());
    }
    return out;
}

}   // namespace

std::vector<FieldValue> sweepValues(const Field& setting, const Study& base, const QString& line)
{
    const FieldValue now = setting.get(base);
    const bool whole = std::holds_alternative<long>(now), number = whole || std::holds_alternative<double>(now);
    std::vector<FieldValue> out;
    if (const auto range = number ? rangeIn(setting, line.trimmed()) : nlohmann::ordered_json(); !range.is_null())
        out = valuesOfRange(setting, range, whole);
    if (out.empty()) {
        const QChar between = isListOfNumbers(now) || line.contains(QLatin1Char(';')) ? QLatin1Char(';')
                                                                                      : QLatin1Char(',');
        for (const auto& part : line.split(between, Qt::SkipEmptyParts))
            if (const QString text = part.trimmed(); !text.isEmpty())
                out.push_back(parse_value(setting, text.toStdString()));
    }
    if (out.empty())
        refuseSweepValues(setting,
                          "found no value, expected some, like " + usualSweepValues(setting, base).toStdString() + ".");
    for (auto value = out.begin(); value != out.end(); ++value) {
        Study probe = base;
        setting.set(probe, *value);
        if (std::find(out.begin(), value, *value) != value)
            refuseSweepValues(setting, value_text(*value) + " is repeated.");
    }
    return out;
}

QString sweepValuesLine(const std::vector<FieldValue>& values)
{
    QStringList parts;
    for (const auto& value : values)
        parts += toQString(value_text(value));
    return parts.join(!values.empty() && isListOfNumbers(values.front()) ? QStringLiteral("; ") : QStringLiteral(", "));
}

QString usualSweepValues(const Field& setting, const Study& base)
{
    std::vector<FieldValue> values{setting.get(base)};
    if (std::holds_alternative<bool>(values.front()))
        values = {false, true};
    else if (std::holds_alternative<std::string>(values.front()))
        for (const auto& choice : setting.choices)
            if (values.size() < 2 && suits(choice, base) && FieldValue(choice.name) != values.front())
                values.emplace_back(choice.name);
    return sweepValuesLine(values);
}

namespace {

bool isOneSetting(const SweepAxis& axis)
{
    const auto& fields = study_fields();
    return std::any_of(fields.begin(), fields.end(), [&](const Field& field) { return field.path == axis.name; })
           && std::all_of(axis.values.begin(), axis.values.end(), [&](const SweepValue& value) {
                  return !value.base && value.set.size() == 1 && value.set.front().first == axis.name;
              });
}

}   // namespace

SweepAxisRow::SweepAxisRow(const Study& base, QWidget* parent)
    : QWidget(parent), m_base(base), m_setting(new SettingBox(this)), m_name(new QLabel(this)),
      m_remove(new QToolButton(this)), m_values(new QLineEdit(this)), m_choices(new QMenu(this)),
      m_choose(new MenuButton(tr("Choices"), m_choices, this)),
      m_mistake(new MistakeLabel(QStringLiteral("sweepAxisMistake"), this))
{
    m_help = new HelpMark(
        tr("the varied setting"),
        [this] {
        const QString path = m_setting->path();
        if (m_fixed || path.isEmpty())
            return tr("<p>Its values change several settings together. Such an axis is defined in the sweep file.</p>");
        const Field& setting = field(path.toStdString());
        return fieldHelp(setting, setting.get(m_base), setting.get(with_default_settings(m_base)));
        },
        this);
    describeControl(m_setting, QStringLiteral("sweepSetting"), tr("Varied setting"),
                    tr("Type part of a setting's name, or choose it from the list"));
    describeControl(
        m_values, QStringLiteral("sweepValues"), tr("Values"),
        tr("Enter values with commas: 0, 0.1, 0.2. A range: 100 … 500 step 100, or 0.001 … 1 in 4 points, log (or "
           "three dots). Lists with semicolons: 50, 50; 100"));
    describeControl(m_remove, QStringLiteral("sweepRemove"), tr("Stop varying this setting"),
                    tr("Stop varying this setting"));
    describeControl(m_choose, QStringLiteral("sweepChoices"), tr("Choices of this setting"),
                    tr("Tick the choices to run"));
    m_values->setPlaceholderText(tr("0, 0.1, 0.2  or  100 … 500 step 100"));
    m_remove->setText(QStringLiteral("×"));
    m_remove->setAutoRaise(true);
    m_name->hide();
    m_choose->hide();
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 4);
    grid->setSpacing(3);
    auto* name = new QHBoxLayout;
    name->addWidget(m_setting, 1);
    name->addWidget(m_name, 1);
    grid->addLayout(name, 0, 0);
    grid->addWidget(m_help, 0, 1);
    grid->addWidget(m_remove, 0, 2);
    auto* line = new QHBoxLayout;
    line->addWidget(m_values, 1);
    line->addWidget(m_choose);
    grid->addLayout(line, 1, 0, 1, 3);
    grid->addWidget(m_mistake, 2, 0, 1, 3);
    grid->setColumnStretch(0, 1);
    m_setting->listSettingsOf(m_base);
    connect(m_setting, &SettingBox::settingChosen, this, &SweepAxisRow::chooseSetting);
    connect(m_values, &QLineEdit::textChanged, this, &SweepAxisRow::check);
    connect(m_remove, &QToolButton::clicked, this, &SweepAxisRow::removed);
    check();
}

void SweepAxisRow::setBase(const Study& base)
{
    m_base = base;
    m_setting->listSettingsOf(base);
    check();
}

void SweepAxisRow::setAxis(const SweepAxis& axis)
{
    const bool editable = isOneSetting(axis);
    m_fixed             = editable ? std::nullopt : std::optional(axis);
    m_setting->setVisible(editable);
    m_name->setVisible(!editable);
    m_values->setReadOnly(!editable);
    if (editable) {
        std::vector<FieldValue> values;
        for (const auto& value : axis.values)
            values.push_back(value.set.front().second);
        return setSetting(toQString(axis.name), sweepValuesLine(values));
    }
    m_name->setText(toQString(axis.title()));
    QStringList labels;
    for (const auto& value : axis.values)
        labels += toQString(value.label);
    const QSignalBlocker quiet(m_values);
    m_values->setText(labels.join(QStringLiteral("; ")));
    m_values->setToolTip(tr("Each of these changes several settings together, as defined in the sweep file"));
    check();
}

void SweepAxisRow::setSetting(const QString& path, const QString& values)
{
    m_setting->setPath(path);
    fillChoices();
    {
        const QSignalBlocker quiet(m_values);
        m_values->setText(values);
        m_values->setCursorPosition(0);
    }
    check();
}

void SweepAxisRow::chooseSetting(const QString& path)
{
    setSetting(path, usualSweepValues(field(path.toStdString()), m_base));
    takeFocus();
}

QString SweepAxisRow::path() const { return m_fixed ? toQString(m_fixed->name) : m_setting->path(); }

std::optional<SweepAxis> SweepAxisRow::axis() const { return m_axis; }

QString SweepAxisRow::mistake() const { return m_mistake->text(); }

void SweepAxisRow::setMistake(const QString& sentence) { m_mistake->setMistake(sentence); }

void SweepAxisRow::takeFocus()
{
    if (path().isEmpty())
        m_setting->setFocus(Qt::OtherFocusReason);
    else
        m_values->setFocus(Qt::OtherFocusReason);
    if (m_values->hasFocus())
        m_values->selectAll();
}

/// Shows check boxes for a setting with a few choices.
void SweepAxisRow::fillChoices()
{
    m_choices->clear();
    const QString path = m_setting->path();
    const bool any     = !path.isEmpty() && !field(path.toStdString()).choices.empty();
    m_choose->setVisible(any);
    if (!any)
        return;
    m_choices->setToolTipsVisible(true);
    for (const auto& choice : field(path.toStdString()).choices) {
        auto* action = m_choices->addAction(toQString(choice.title));
        action->setCheckable(true);
        action->setData(toQString(choice.name));
        action->setToolTip(toQString(choice.help));
        connect(action, &QAction::triggered, this,
                [this, name = toQString(choice.name)](bool on) { toggleChoice(name, on); });
    }
}

void SweepAxisRow::toggleChoice(const QString& name, bool on)
{
    QStringList names;
    for (const auto& part : m_values->text().split(QLatin1Char(','), Qt::SkipEmptyParts))
        if (part.trimmed() != name)
            names += part.trimmed();
    if (on)
        names += name;
    m_values->setText(names.join(QStringLiteral(", ")));
}

void SweepAxisRow::check()
{
    m_axis.reset();
    QString mistake;
    if (m_fixed) {
        m_axis = m_fixed;
    } else if (const QString path = m_setting->path(); path.isEmpty()) {
        mistake = tr("No setting is selected, expected the setting to vary.");
    } else {
        const Field& setting = field(path.toStdString());
        try {
            SweepAxis axis{.name = setting.path, .values = {}};
            for (const auto& value : sweepValues(setting, m_base, m_values->text()))
                axis.values.push_back({.label  = value_text(value),
                                       .set    = {{setting.path, value}},
                                       .base   = {},
                                       .number = axis_number(value)});
            m_axis = std::move(axis);
        } catch (const Error& error) {
            mistake = toQString(with_labels(error.what()));
        }
        QStringList now;
        for (const auto& part : m_values->text().split(QLatin1Char(',')))
            now += part.trimmed();
        for (auto* action : m_choices->actions())
            action->setChecked(now.contains(action->data().toString()));
    }
    m_mistake->setMistake(mistake);
    Q_EMIT changed();
}
