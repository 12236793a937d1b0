// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/study_panel.h"

#include "foundation/error.h"
#include "parts/appearance.h"
#include "parts/form_controls.h"
#include "parts/notifier.h"
#include "parts/setting_lines.h"
#include "runs/changed_points.h"
#include "session/app_context.h"
#include "session/settings.h"
#include "study/field_editor.h"
#include "study/fields.h"
#include "study/info_bars.h"
#include "study/method.h"
#include "study/preset_cards.h"
#include "study/presets.h"
#include "study/source.h"
#include "study/study_words.h"
#include "study/usual_settings.h"
#include "views/network_picture.h"
#include "widgets/chart_palette.h"
#include "widgets/symbols.h"
#include "work/text.h"

#include <QCheckBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>

using namespace credence;

namespace {

Symbol symbolOf(const Study& study, const QString& group)
{
    const auto& posterior = method_of(study).posterior;
    return group == QLatin1String("data")            ? is_images(study.data.source) ? Symbol::images : Symbol::table
           : group == QLatin1String("network")       ? Symbol::network
           : group == QLatin1String("training")      ? Symbol::loss
           : group == QLatin1String("prediction")    ? Symbol::intervals
           : posterior.is_sample_set                 ? Symbol::samples
           : posterior.noise == NoiseIn::weights     ? Symbol::density
           : posterior.noise == NoiseIn::activations ? Symbol::masks
                                                     : Symbol::one_value;
}

/// Fills in the sentence of a line and its picture: some of the points, the layers of the network,
/// or a symbol.
/// @param network  of the prepared experiment; null: not known
void describeLine(SettingLine& line, const QString& group, const Study& study, const Architecture* network)
{
    const QString sentence = toQString(
        study_sentence(study, group.toStdString(), network ? layout_of(*network).size() : std::size_t{0}));
    if (group == QLatin1String("data") && !source_of(study.data).gives_images() && !source_of(study.data).place) {
        DataSpec few = study.data;
        few.toy.n    = std::min(few.toy.n, 60);   // more would be a blot
        line.describe(sentence, [few](QPainter& painter, const QRectF& box, const ChartPalette& colours) {
            painter.drawImage(box.topLeft(),
                              presetPicture(few, colours, qRound(box.width()), painter.device()->devicePixelRatioF()));
        });
    } else if (network && group == QLatin1String("network")) {
        std::vector<int> units;
        for (const auto& column : network_columns(*network))
            units.push_back(column.block ? 0 : column.units);
        line.describe(sentence, [units](QPainter& painter, const QRectF& box, const ChartPalette& colours) {
            paintUnits(painter, box, units, colours);
        });
    } else
        line.describe(sentence, symbolOf(study, group));
}

}   // namespace

StudyPanel::StudyPanel(AppContext& context, Notifier& notifier, QWidget* parent)
    : QWidget(parent), m_context(context), m_document(context.document), m_notifier(notifier)
{
    build();
    connect(&m_document.session(), &Session::studyChanged, this, &StudyPanel::refresh);
    for (const auto signal : {&Session::snapshotChanged, &Session::stateChanged})
        connect(&m_document.session(), signal, this, &StudyPanel::followDisplayedRun);
    connect(&m_document.session(), &Session::studyAccepted, this, &StudyPanel::clearMistakes);
    connect(&m_document.session(), &Session::studyRefused, this, &StudyPanel::markMistake);
    m_document.addFields([this] { return commit(); });
    refresh();
}

void StudyPanel::build()
{
    auto* other = new OtherStudy(m_context, this);
    connect(other, &OtherStudy::oodRequested, this, &StudyPanel::oodRequested);
    m_scroll = new LineScroll(this);
    m_scroll->setWidget(settings());
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addWidget(other);
    all->addWidget(searchRow());
    all->addWidget(m_scroll);
    all->addWidget(allSettingsButton());
    m_open = read(::settings::openLine);
}

/// Creates the lines in a column.
QWidget* StudyPanel::settings()
{
    auto* inside = new QWidget(this);
    m_note       = new QLabel(inside);
    m_note->setObjectName(QStringLiteral("note"));
    m_note->setWordWrap(true);
    m_note->setTextFormat(Qt::PlainText);
    m_note->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_general    = new MistakeLabel(QStringLiteral("studyMistake"), inside);
    auto* column = new QVBoxLayout(inside);
    column->setContentsMargins(8, 4, 8, 8);
    column->setSpacing(2);
    column->addWidget(m_note);
    column->addWidget(m_general);
    addLine(QStringLiteral("study"), tr("Study"), inside);
    addLine(QStringLiteral("data"), tr("Data"), inside);
    addPresets(m_lines.back());
    addGroup(m_lines.back(), QStringLiteral("split"), tr("Split"));
    addLine(QStringLiteral("network"), tr("Network"), inside);
    addLine(QStringLiteral("posterior"), tr("Posterior"), inside);
    addGroup(m_lines.back(), QStringLiteral("prior"), tr("Prior"));
    addLine(QStringLiteral("training"), tr("Training"), inside);
    addLine(QStringLiteral("prediction"), tr("Prediction"), inside);
    column->addStretch(1);
    return inside;
}

/// Adds the presets below the line's button instead of inside its body, since they can be selected
/// while the settings are read-only.
void StudyPanel::addPresets(const Line& line)
{
    m_presets = new PresetRow(line.card);
    m_presets->setContentsMargins(8, 0, 8, 0);
    static_cast<QVBoxLayout*>(line.card->layout())->insertWidget(1, m_presets);
    connect(m_presets, &PresetRow::presetChosen, this, &StudyPanel::choosePreset);
    connect(m_presets, &PresetRow::comparisonChosen, this, [this](const QString& id) {
        refresh();   // the Study stays as it is, and so does its line
        Q_EMIT comparisonRequested(id);
    });
}

QWidget* StudyPanel::allSettingsButton()
{
    m_all = new QToolButton(this);
    describeControl(m_all, QStringLiteral("allSettings"), tr("All settings"),
                    tr("Show or hide all settings, with a search and the changes from the defaults"));
    m_all->setText(tr("All settings"));
    m_all->setCheckable(true);
    m_all->setProperty(plainWhenOn, true);   // its text names the state
    m_all->setAutoRaise(true);
    m_all->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(m_all, &QToolButton::toggled, this, [this](bool on) {
        m_search->clear();
        m_changedOnly->setChecked(false);
        layOut();
        m_scroll->verticalScrollBar()->setValue(0);
        if (on)
            m_search->setFocus();
    });
    return m_all;
}

/// Creates the search row above all settings.
QWidget* StudyPanel::searchRow()
{
    m_searchRow = new QWidget(this);
    m_search    = new QLineEdit(m_searchRow);
    describeControl(m_search, QStringLiteral("settingSearch"), tr("Search among the settings"),
                    tr("Search labels, choices, units and names in files"));
    m_search->setPlaceholderText(tr("Search settings"));
    m_search->setClearButtonEnabled(true);
    m_changedOnly = new QCheckBox(tr("Changed only"), m_searchRow);
    describeControl(m_changedOnly, QStringLiteral("changedOnly"), tr("Changed only"),
                    tr("Show only settings that differ from the defaults for this data, network and posterior"));
    m_reset = new QPushButton(tr("Reset all"), m_searchRow);
    describeControl(m_reset, QStringLiteral("resetSettings"), tr("Reset all"),
                    tr("Set all settings to the defaults for this data, network and posterior. Ctrl+Z undoes it"));
    connect(m_search, &QLineEdit::textChanged, this, &StudyPanel::layOut);
    connect(m_changedOnly, &QCheckBox::toggled, this, &StudyPanel::layOut);
    connect(m_reset, &QPushButton::clicked, this, &StudyPanel::resetAll);
    auto* grid = new QGridLayout(m_searchRow);
    grid->setContentsMargins(8, 4, 8, 4);
    grid->addWidget(m_search, 0, 0, 1, 2);
    grid->addWidget(m_changedOnly, 1, 0);
    grid->addWidget(m_reset, 1, 1, Qt::AlignRight);
    return m_searchRow;
}

void StudyPanel::addLine(const QString& name, const QString& title, QWidget* into)
{
    Line line{.name = name, .card = new SettingCard(name, title, into)};
    connect(line.card, &SettingCard::openRequested, this, [this, name](bool on) { openLine(on ? name : QString()); });
    into->layout()->addWidget(line.card);
    addGroup(line, name, title);
    m_lines.push_back(std::move(line));
}

void StudyPanel::addGroup(Line& line, const QString& name, const QString& title)
{
    Group group{.name = name, .caption = new QLabel(title, line.card->body())};
    auto* body = line.card->body();
    auto* rows = body->layout();
    QFont bold = font();
    bold.setBold(true);
    group.caption->setFont(bold);
    group.caption->setContentsMargins(0, 6, 0, 2);
    if (!line.groups.empty())
        group.caption->setObjectName("section/" + name);
    rows->addWidget(group.caption);
    const auto addFields = [&](bool advanced) {
        for (const auto& f : study_fields()) {
            if (toQString(f.group()) != name || f.advanced != advanced || f.path == "seed" || f.path == "note")
                continue;   // the seed is in the toolbar
            auto* editor = new FieldEditor(f, body);
            rows->addWidget(editor);
            group.fields.push_back(editor);
            m_fields[toQString(f.path)] = editor;
            connectField(editor);
            if (f.path == "data.file") {
                auto* import = new QPushButton(tr("Import table…"), body);
                import->setObjectName(QStringLiteral("importButton"));
                connect(import, &QPushButton::clicked, this, &StudyPanel::importRequested);
                rows->addWidget(import);
            }
        }
    };
    addFields(false);
    if (name == QLatin1String("training"))
        rows->addWidget(m_steps = new StepPreview(body));
    group.advanced = new QToolButton(body);
    group.advanced->setObjectName("advanced/" + name);
    group.advanced->setText(tr("More…"));
    group.advanced->setCheckable(true);
    group.advanced->setAutoRaise(true);
    group.advanced->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    group.advanced->setAccessibleName(tr("More settings of %1").arg(title));
    connect(group.advanced, &QToolButton::toggled, this, &StudyPanel::layOut);
    rows->addWidget(group.advanced);
    addFields(true);
    line.groups.push_back(std::move(group));
}

void StudyPanel::connectField(FieldEditor* field)
{
    connect(field, &FieldEditor::edited, this, [this, field](const FieldValue& value) {
        Study after = m_document.session().study();
        try {
            field->field().set(after, value);
        } catch (const Error& error) {   // the Study does not change, and the mark stays until the field is fixed
            field->markMistake(toQString(with_labels(error.what())));
            reportRefusal(*field);
            return;
        }
        try {
            if (field->field().path == "posterior.family") {
                reportOtherChanges(m_document.chooseFamily(after.posterior.family));
                return;
            }
            if (field->field().path == "data.source") {
                reportOtherChanges(m_document.chooseSource(after.data.source));
                return;
            }
            if (field->field().path == "network.kind")
                after = with_network_kind(m_document.session().study(), after.network.kind);
            const bool hadDrawn = !m_document.session().study().data.changes.empty();
            m_document.editSettings(after, toQString(field->field().path));
            if (const auto& data = m_document.session().study().data;
                hadDrawn && data.changes.empty() && data.source != DataSource::drawn)
                m_notifier.notify(tr("Points that changed during training are not in the new data. Ctrl+Z restores "
                                     "them."));
            check(after);
        } catch (const Error& error) {
            markMistake(toQString(error.field().empty() ? field->field().path : error.field()), error.what());
        }
    });
    connect(field, &FieldEditor::refused, this, [this, field] { reportRefusal(*field); });
    connect(field, &FieldEditor::dataSetsRequested, this, &StudyPanel::dataSetsRequested);
}

/// Reports a refusal until the Study is accepted again.
void StudyPanel::reportRefusal(const FieldEditor& field)
{
    m_refusal = field.mistake();
    m_notifier.notify(m_refusal);
    unfold(field.objectName());
}

/// Reports other settings that changed with a new posterior family or data source.
void StudyPanel::reportOtherChanges(const QStringList& changes)
{
    if (!changes.isEmpty())
        m_notifier.note(tr("Also set: %1. Ctrl+Z undoes it.").arg(changes.join(QStringLiteral("; "))),
                        {{tr("Undo"), [this] { m_context.document.undo().undo(); }}}, Toasts::Until::next_step);
}

bool StudyPanel::readOnly() const { return m_document.session().displaysSaved(); }

void StudyPanel::followDisplayedRun()
{
    const std::pair now(readOnly(), m_document.session().currentRun().number());
    const auto before = std::exchange(m_displayed, now);
    if (before != now && (before.first || now.first))
        refresh();
    else if (m_described.lock() != prepared())
        describeLines();
}

/// The experiment whose network is that of the displayed settings. Null: not prepared yet
std::shared_ptr<const Experiment> StudyPanel::prepared() const
{
    const auto& experiment = m_document.session().run().experiment;
    const Study& study     = m_document.session().panelStudy();
    const bool same        = experiment && !experiment->outputs && experiment->study.network == study.network
                      && experiment->study.data == study.data
                      && experiment->study.posterior.family == study.posterior.family;
    return same ? experiment : nullptr;
}

void StudyPanel::describeLines()
{
    const auto experiment = prepared();
    m_described           = experiment;
    for (auto& line : m_lines)
        describeLine(line.card->line(), line.name, m_document.session().panelStudy(),
                     experiment ? &experiment->model.architecture : nullptr);
}

void StudyPanel::refresh()
{
    const Study& study = m_document.session().panelStudy();
    m_displayed        = {readOnly(), m_document.session().currentRun().number()};
    const Study usual  = with_default_settings(study);
    for (auto& [path, field] : m_fields)
        field->showValueOf(study, usual);
    for (auto& line : m_lines)
        line.card->body()->setEnabled(!readOnly());
    describeLines();
    m_steps->showStepsOf(study);
    if (auto* import = findChild<QPushButton*>(QStringLiteral("importButton")))
        import->setVisible(study.data.source == DataSource::csv);
    QStringList notes{toQString(study.note)};
    if (const auto changes = changes_in_words(study.data, study.training.steps); !changes.empty())
        notes += toQString(changes) + QLatin1Char(' ') + tr("Restart trains with them from the start.");
    notes.removeAll(QString());
    m_note->setText(notes.join(QLatin1Char('\n')));
    m_presets->showStudy(study);
    layOut();
}

void StudyPanel::openLine(const QString& name)
{
    m_open = name;
    write(::settings::openLine, name);
    m_all->setChecked(false);
    layOut();
}

bool StudyPanel::isFound(const FieldEditor& field) const
{
    const Field& f = field.field();
    QStringList words{toQString(f.label), toQString(f.path), toQString(f.unit)};
    for (const auto& choice : f.choices)
        words += toQString(choice.title);
    return (!m_changedOnly->isChecked() || field.changed())
           && hasAllWords(words.join(QLatin1Char('\n')), m_search->text());
}

void StudyPanel::layOutLine(Line& line)
{
    const Study& study = m_document.session().panelStudy();
    const bool all = m_all->isChecked(), open = line.name == m_open;
    QString warning;
    for (auto& group : line.groups) {
        bool any = false, more = false;
        for (auto* field : group.fields) {
            const bool applies = field->field().applies(study), marked = field->hasMistake() || field->hasCaution();
            const bool main = !field->field().advanced || group.advanced->isChecked() || marked;
            const bool seen = applies && (all ? isFound(*field) : main);
            field->offerReset(all);
            field->setVisible(seen);
            any  = any || seen;
            more = more || (applies && field->field().advanced);
            if (applies && marked && warning.isEmpty())
                warning = field->warning();
        }
        group.caption->setVisible(any && (all || &group != &line.groups.front()));
        group.advanced->setVisible(more && !all);
        group.advanced->setArrowType(group.advanced->isChecked() ? Qt::DownArrow : Qt::RightArrow);
    }
    using State = SettingCard::State;
    line.card->setVisible(all || !line.onlyAmongAll());
    line.card->setState(all ? State::body_only : open ? State::open : State::closed);
    line.card->line().warn(open ? QString() : warning);
}

void StudyPanel::layOut()
{
    const bool all = m_all->isChecked();
    for (auto& line : m_lines)
        layOutLine(line);
    m_presets->setVisible(!all && m_open == QLatin1String("data"));
    m_note->setVisible(!all && !m_note->text().isEmpty());
    m_searchRow->setVisible(all);
    m_all->setText(all ? tr("‹ Back to the overview") : tr("All settings"));
    m_reset->setEnabled(!readOnly() && std::any_of(m_fields.begin(), m_fields.end(), [&](const auto& one) {
        return one.second->changed() && one.second->field().applies(m_document.session().panelStudy());
    }));
}

void StudyPanel::resetAll()
{
    for (auto& [path, field] : m_fields)
        field->markMistake({});
    m_document.edit(with_default_settings(m_document.session().study()), tr("Reset all settings"));
}

void StudyPanel::choosePreset(const QString& id)
{
    const Study& chosen = preset(id.toStdString());
    chooseStudy(chosen, tr("Preset %1").arg(toQString(chosen.name)));
}

void StudyPanel::chooseStudy(const Study& study, const QString& words)
{
    for (auto& [path, field] : m_fields)
        field->markMistake({});
    m_document.startNew(study, words);
}

QString StudyPanel::setField(const QString& path, const QString& value)
{
    const auto found = m_fields.find(path);
    if (found == m_fields.end())
        return tr("The Study panel has no setting “%1”.").arg(path);
    auto* field = found->second;
    try {
        const auto wanted = parse_value(field->field(), value.toStdString());
        field->markMistake({});
        if (wanted != field->field().get(m_document.session().study()))
            Q_EMIT field->edited(wanted);
    } catch (const Error& error) {
        return toQString(with_labels(error.what()));
    }
    return field->mistake();
}

void StudyPanel::unfold(const QString& control)
{
    if (control == QLatin1String("presets"))
        return openLine(QStringLiteral("data"));
    const auto found = m_fields.find(control);
    for (auto& line : m_lines)
        for (auto& group : line.groups) {
            const bool advanced = control == "advanced/" + group.name;
            const bool has      = found != m_fields.end()
                             && std::find(group.fields.begin(), group.fields.end(), found->second)
                                    != group.fields.end();
            if (!has && !advanced && control != "section/" + group.name)
                continue;
            if (has && (m_all->isChecked() || line.onlyAmongAll())) {
                m_all->setChecked(true);
                m_search->clear();
                m_changedOnly->setChecked(false);
                return;
            }
            if (has && found->second->field().advanced)
                group.advanced->setChecked(true);
            return openLine(line.name);
        }
}

void StudyPanel::markMistake(const QString& field, const QString& words)
{
    clearMistakes();
    const QString sentence = toQString(with_labels(words.toStdString()));
    const auto found       = m_fields.find(field);
    if (found == m_fields.end() || !found->second->field().applies(m_document.session().study())) {
        m_general->setMistake(sentence);
        return;
    }
    m_markedByCheck = field;
    found->second->markMistake(sentence);
    unfold(field);   // opens the line, since a closed line must not hide an error
    refresh();
}

void StudyPanel::clearMistakes()
{
    m_notifier.takeBack(m_refusal);
    m_general->hide();
    if (const auto marked = m_fields.find(std::exchange(m_markedByCheck, {})); marked != m_fields.end())
        marked->second->markMistake({});
}

QString StudyPanel::commit()
{
    if (readOnly())
        return {};
    for (auto& [path, field] : m_fields)
        field->commit();
    if (!m_general->isHidden())
        return m_general->text();
    for (auto& line : m_lines)
        for (auto& group : line.groups)
            for (auto* field : group.fields)
                if (field->hasMistake() && field->field().applies(m_document.session().study())) {
                    showField(field);
                    return field->mistake();
                }
    return {};
}

/// Shows a field, since a closed line must not hide an error.
void StudyPanel::showField(FieldEditor* field)
{
    unfold(field->objectName());
    m_scroll->ensureWidgetVisible(field);
    field->editor()->setFocus();
}
