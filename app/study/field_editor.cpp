// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/field_editor.h"

#include "foundation/error.h"
#include "foundation/number_text.h"
#include "parts/form_controls.h"
#include "parts/help_mark.h"
#include "parts/icons.h"
#include "sources/image_sources.h"
#include "work/text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QStandardItemModel>
#include <QToolButton>

#include <algorithm>
#include <cmath>

using namespace credence;

DataSetBox::DataSetBox(const QString& emptyMeaning, QWidget* parent) : QComboBox(parent), m_emptyMeaning(emptyMeaning)
{
    setEditable(true);
    setInsertPolicy(QComboBox::NoInsert);
    setCompleter(nullptr);   // completion must not turn a path into the name of a set
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(8);
    lineEdit()->setPlaceholderText(m_emptyMeaning);
    connect(this, &QComboBox::activated, this, &DataSetBox::choose);
}

void DataSetBox::showPopup()
{
    const QSignalBlocker quiet(this);
    m_before = lineEdit()->text();
    clear();
    if (!m_emptyMeaning.isEmpty())
        addItem(m_emptyMeaning, QString());
    for (const ImageSource& source : available_image_sources()) {
        const QString id = toQString(source.id), title = toQString(source.title);
        addItem(title == id ? id : tr("%1 (%2)").arg(title, id), id);
        setItemData(count() - 1, toQString(source.about), Qt::ToolTipRole);
    }
    insertSeparator(count());
    addItem(tr("Get data sets…"));
    setCurrentIndex(findData(m_before));
    lineEdit()->setText(m_before);
    QComboBox::showPopup();
}

void DataSetBox::choose(int index)
{
    const bool get     = index == count() - 1;
    const QString name = get ? m_before : itemData(index).toString();
    {
        const QSignalBlocker quiet(this);
        setCurrentIndex(-1);
        lineEdit()->setText(name);
    }
    if (get)
        Q_EMIT dataSetsRequested();
    else
        Q_EMIT chosen(name);
}

QString fieldHelp(const Field& field, const FieldValue& now, const FieldValue& usual)
{
    const auto tr = [](const char* words) { return QCoreApplication::translate("FieldEditor", words); };
    QString html  = QStringLiteral("<b>%1</b>").arg(htmlFrom(field.label));
    if (!field.unit.empty())
        html += QStringLiteral(" [%1]").arg(htmlFrom(field.unit));
    html += QStringLiteral("<p>%1</p>").arg(htmlFrom(field.help));
    if (!field.choices.empty()) {
        html += QStringLiteral("<ul style='margin-left:-24px'>");
        for (const auto& choice : field.choices)
            html += QStringLiteral("<li><b>%1</b>: %2</li>").arg(htmlFrom(choice.title), htmlFrom(choice.help));
        html += QStringLiteral("</ul>");
    } else {
        html += QStringLiteral("<p>%1</p>").arg(tr("Value: %1.").arg(htmlFrom(expectation(field))));
    }
    html += QStringLiteral("<p>%1<br>%2</p>")
                .arg(tr("Current value: <b>%1</b>; default: %2")
                         .arg(htmlFrom(value_text(now)), htmlFrom(value_text(usual))),
                     tr("In files and on the command line: <code>%1</code>").arg(htmlFrom(field.path)));
    return html;
}

namespace {

/// Returns the next number above or below in the series 1, 2, 5, 10, …, which is useful for trying
/// settings.
double nextRoundNumber(double value, int direction)
{
    if (value == 0)
        return direction > 0 ? 0.001 : 0;
    const bool up       = (direction > 0) == (value > 0);
    const double size   = std::fabs(value);
    const double decade = std::pow(10, std::floor(std::log10(size) + 1e-9));
    const double digit  = size / decade;
    double next         = 0;
    if (up)
        next = digit < 2 - 1e-9 ? 2 : digit < 5 - 1e-9 ? 5 : 10;
    else
        next = digit > 5 + 1e-9 ? 5 : digit > 2 + 1e-9 ? 2 : digit > 1 + 1e-9 ? 1 : 0.5;
    return std::copysign(rounded_number(next * decade, 12), value);
}

/// Returns true if a choice would be cut off next to the label. The list is then placed in its own
/// row below the label.
bool hasLongChoice(const QComboBox& box)
{
    constexpr int charactersBeside = 13;
    int longest                    = 0;
    for (int i = 0; i < box.count(); ++i)
        longest = std::max(longest, box.fontMetrics().horizontalAdvance(box.itemText(i)));
    return longest > charactersBeside * box.fontMetrics().averageCharWidth();
}

}   // namespace

FieldEditor::FieldEditor(const Field& field, QWidget* parent)
    : QWidget(parent), m_field(field), m_value(field.get(Study{})), m_usual(m_value)
{
    makeEditor();
    const QString name = toQString(field.label);
    setObjectName(toQString(field.path));
    describeControl(m_editor, toQString(field.path) + "/editor",
                    field.unit.empty() ? name : name + ", " + toQString(field.unit),
                    tr("%1: %2").arg(name, toQString(expectation(field))));
    m_editor->setAccessibleDescription(toQString(field.help));
    m_editor->setWhatsThis(helpText());
    m_reset = new QToolButton(this);
    describeControl(m_reset, toQString(field.path) + "/reset", tr("Reset %1").arg(name), {});
    m_reset->setIcon(icon(QStringLiteral("restart")));
    m_reset->setAutoRaise(true);
    m_reset->hide();
    connect(m_reset, &QToolButton::clicked, this, [this] { Q_EMIT edited(m_usual); });

    auto* mark = new HelpMark(
        name, [this] { return helpText(); }, this);
    m_mistake = new MistakeLabel(toQString(field.path) + "/mistake", this);
    m_caution = new MistakeLabel(toQString(field.path) + "/caution", this);

    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 1, 0, 1);
    grid->setHorizontalSpacing(4);
    grid->setVerticalSpacing(1);
    if (qobject_cast<QCheckBox*>(m_editor)) {
        grid->addWidget(m_editor, 0, 0, 1, 2);
    } else {
        const QString unit = toQString(field.unit);
        const bool named   = unit.isEmpty() || name.contains(unit, Qt::CaseInsensitive);
        m_label            = new QLabel(named ? name : tr("%1 [%2]").arg(name, unit), this);
        m_label->setWordWrap(true);
        m_label->setBuddy(m_editor);
        const auto* box  = m_line ? nullptr : qobject_cast<QComboBox*>(m_editor);
        const bool words = m_editor == m_line && std::holds_alternative<std::string>(m_value);
        if (words || (box && hasLongChoice(*box))) {
            grid->addWidget(m_label, 0, 0, 1, 2);
            grid->addWidget(m_editor, 1, 0, 1, 2);   // as far to the right as the other fields
        } else {
            grid->addWidget(m_label, 0, 0);
            grid->addWidget(m_editor, 0, 1);
        }
    }
    grid->addWidget(m_reset, 0, 2, Qt::AlignTop);
    grid->addWidget(mark, 0, 3, Qt::AlignTop);
    grid->addWidget(m_mistake, 2, 0, 1, 4);
    grid->addWidget(m_caution, 3, 0, 1, 4);
    grid->setColumnStretch(0, 8);
    grid->setColumnStretch(1, 14);
}

void FieldEditor::makeEditor()
{
    if (std::holds_alternative<bool>(m_value)) {
        auto* box = new QCheckBox(toQString(m_field.label), this);
        connect(box, &QCheckBox::toggled, this, [this](bool on) { Q_EMIT edited(FieldValue{m_value = on}); });
        m_editor = box;
    } else if (!m_field.choices.empty()) {
        auto* box = m_field.path == "posterior.family" ? new PosteriorBox(this) : new QComboBox(this);
        for (const auto& choice : m_field.choices) {
            box->addItem(toQString(choice.title).section(QStringLiteral(" ("), 0, 0),
                         toQString(choice.name));   // the explanation is in the tip
            box->setItemData(box->count() - 1, toQString(choice.title + ": " + choice.help), Qt::ToolTipRole);
        }
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(7);   // in large type still as wide as the other fields
        connect(box, &QComboBox::activated, this, [this, box] {
            m_value = box->currentData().toString().toStdString();
            Q_EMIT edited(m_value);
        });
        m_editor = box;
    } else if (m_field.path == "data.set" || m_field.path == "prediction.other_data") {
        auto* box = new DataSetBox(m_field.path == "data.set" ? QString() : tr("default for the data"), this);
        m_line    = box->lineEdit();
        m_line->setObjectName(toQString(m_field.path) + "/line");
        connect(m_line, &QLineEdit::editingFinished, this, &FieldEditor::commit);
        connect(box, &DataSetBox::chosen, this, [this] {
            m_line->setModified(true);
            commit();
        });
        connect(box, &DataSetBox::dataSetsRequested, this, &FieldEditor::dataSetsRequested);
        m_editor = box;
    } else {
        m_line = new QLineEdit(this);
        m_line->setMinimumWidth(40);
        m_line->installEventFilter(this);
        connect(m_line, &QLineEdit::editingFinished, this, &FieldEditor::commit);
        m_editor = m_line;
    }
}

void FieldEditor::showValueOf(const Study& study, const Study& usual)
{
    const FieldValue value = m_field.get(study);
    const QSignalBlocker quiet(m_editor);
    if (auto* check = qobject_cast<QCheckBox*>(m_editor)) {
        check->setChecked(std::get<bool>(value));
    } else if (auto* combo = qobject_cast<QComboBox*>(m_editor); combo && !m_line) {
        combo->setCurrentIndex(combo->findData(toQString(std::get<std::string>(value))));
        auto* lines = qobject_cast<QStandardItemModel*>(combo->model());
        for (std::size_t i = 0; lines && i < m_field.choices.size(); ++i)   // a numeric target has no sets of classes
            lines->item(static_cast<int>(i))->setEnabled(suits(m_field.choices[i], study));
    } else if (value != m_value || !hasMistake()) {
        const QString words = toQString(value_text(value));
        if (m_line->text() != words)
            m_line->setText(words);
        m_line->setCursorPosition(0);
        m_line->setModified(false);
    }
    if (value != m_value)
        markMistake({});
    m_value = value;
    m_usual = m_field.get(usual);
    markChanged();
    showCaution(m_field.caution ? toQString(m_field.caution(study)) : QString());
}

void FieldEditor::offerReset(bool on)
{
    m_offersReset = on;
    markChanged();
}

void FieldEditor::markChanged()
{
    static const QString mark = QStringLiteral(" •");
    const auto marked         = [this](QString words) {
        words.remove(mark);
        return changed() ? words + mark : words;
    };
    if (m_label)
        m_label->setText(marked(m_label->text()));
    else if (auto* box = qobject_cast<QCheckBox*>(m_editor))
        box->setText(marked(box->text()));
    if (m_label)
        m_label->setForegroundRole(changed() ? QPalette::Link : QPalette::WindowText);
    m_editor->setAccessibleDescription(changed() ? tr("Not the default. %1").arg(toQString(m_field.help))
                                                 : toQString(m_field.help));
    m_reset->setToolTip(tr("Reset to the default, %1").arg(toQString(value_text(m_usual))));
    m_reset->setVisible(m_offersReset && changed());
}

void FieldEditor::commit()
{
    if (!m_line || !m_line->isModified())
        return;
    m_line->setModified(false);
    try {
        const auto value = parse_value(m_field, m_line->text().toStdString());
        markMistake({});
        if (value != m_value)
            Q_EMIT edited(value);
    } catch (const Error& error) {
        markMistake(toQString(with_labels(error.what())));
        Q_EMIT refused(mistake());
    }
}

void FieldEditor::markMistake(const QString& sentence)
{
    m_mistake->setMistake(sentence);
    m_editor->setProperty("mistake", !sentence.isEmpty());
    paintRed();
}

void FieldEditor::showCaution(const QString& sentence)
{
    if (m_caution->text() == sentence)
        return;
    m_caution->setMistake(sentence);
    paintRed();
}

/// Colours the text red too, for users who look at the field and not at the line below.
void FieldEditor::paintRed()
{
    if (!m_line)
        return;
    QPalette colours;
    if (hasMistake() || hasCaution())
        colours.setColor(QPalette::Text, MistakeLabel::red(palette()));
    m_line->setPalette(colours);
}

void FieldEditor::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && (hasMistake() || hasCaution()))
        paintRed();
}

bool FieldEditor::hasMistake() const { return m_mistake && !m_mistake->text().isEmpty(); }

bool FieldEditor::hasCaution() const { return m_caution && !m_caution->text().isEmpty(); }

QString FieldEditor::mistake() const { return m_mistake->text(); }

QString FieldEditor::warning() const { return hasMistake() ? mistake() : m_caution->text(); }

void FieldEditor::stepNumber(int direction)
{
    commit();
    if (hasMistake())
        return;
    double number = 0;
    if (const auto* real = std::get_if<double>(&m_value)) {
        number = nextRoundNumber(*real, direction);
    } else if (const auto* whole = std::get_if<long>(&m_value)) {
        const bool one = *whole + direction < 20;
        number         = one ? static_cast<double>(*whole + direction)
                             : std::round(nextRoundNumber(static_cast<double>(*whole), direction));
    } else {
        return;
    }
    if (number < m_field.min || number > m_field.max || (m_field.min_open && number == m_field.min)
        || (m_field.max_open && number == m_field.max))
        return;
    if (std::holds_alternative<long>(m_value))
        Q_EMIT edited(FieldValue{static_cast<long>(number)});
    else
        Q_EMIT edited(FieldValue{number});
}

bool FieldEditor::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_line && event->type() == QEvent::ShortcutOverride && !m_line->isModified() && !hasMistake()) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo)) {
            event->ignore();   // nothing is being typed: undo the last setting, not old text of this field
            return true;
        }
    }
    const bool number = std::holds_alternative<double>(m_value) || std::holds_alternative<long>(m_value);
    if (watched == m_line && event->type() == QEvent::MouseButtonDblClick && number) {
        // Selects the whole number; by default, only the digits before or after the point would be
        // selected
        m_line->selectAll();
        return true;
    }
    if (watched == m_line && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Up || key == Qt::Key_Down) {
            stepNumber(key == Qt::Key_Up ? 1 : -1);
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

QString FieldEditor::helpText() const { return fieldHelp(m_field, m_value, m_usual); }
