// SPDX-License-Identifier: GPL-3.0-or-later
#include "docks/study_panel.h"

#include "docks/info_bars.h"
#include "docks/notifier.h"
#include "docks/preset_chooser.h"
#include "foundation/error.h"
#include "parts/appearance.h"
#include "parts/field_editor.h"
#include "parts/form_controls.h"
#include "runs/changed_points.h"
#include "session/app_context.h"
#include "session/settings.h"
#include "study/fields.h"
#include "study/method.h"
#include "study/presets.h"
#include "study/usual_settings.h"
#include "views/schedule.h"
#include "widgets/chart_view.h"
#include "work/text.h"

#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>

using namespace credence;

namespace {

constexpr int linesHigh = 8;   ///< of text

}   // namespace

StepPreview::StepPreview(QWidget* parent) : QWidget(parent), m_picture(new ChartView(this))
{
    setObjectName(QStringLiteral("stepPreview"));
    m_picture->setAccessibleName(tr("Preview of step sizes and saved draws"));
    setToolTip(tr("Preview the learning rate over the steps of a run with the settings above; marks show saved draws, "
                  "shading shows steps without saved draws"));
    // The wheel scrolls the form, and Tab skips the chart, which needs no scroll bar of its own.
    m_picture->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_picture->findChild<QScrollArea*>()->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_picture->setFocusPolicy(Qt::NoFocus);
    fixWithText(m_picture, 0, linesHigh * fontMetrics().height() * usualText / textSize());
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 2, 0, 2);
    all->addWidget(m_picture);
    hide();
}

void StepPreview::showStepsOf(const Study& study)
{
    const bool shown = has_step_schedule(study);
    setVisible(shown);
    if (!shown)
        return;
    Chart chart = to_chart(step_schedule(plan_of(study)));
    for (auto& panel : chart.panels)
        panel.legend = false;   // no space here: the tooltip has the same text
    m_picture->setChart(chart);
}

const Chart& StepPreview::chart() const { return m_picture->chart(); }

namespace {

constexpr int leastWidth = 228;   ///< for default text with the scroll bar; larger text scrolls sideways

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
    m_presets = new PresetRow(this);
    connect(m_presets, &PresetRow::presetChosen, this, &StudyPanel::choosePreset);
    connect(m_presets, &PresetRow::comparisonChosen, this, [this](const QString& id) {
        refresh();   // the Study stays as it is, and so does its line
        Q_EMIT comparisonRequested(id);
    });

    m_note = new QLabel(this);
    m_note->setObjectName(QStringLiteral("note"));
    m_note->setWordWrap(true);
    m_note->setTextFormat(Qt::PlainText);
    m_note->setTextInteractionFlags(Qt::TextSelectableByMouse);

    m_general = new MistakeLabel(QStringLiteral("studyMistake"), this);

    auto* inside = new QWidget(this);
    auto* column = new QVBoxLayout(inside);
    column->setContentsMargins(8, 4, 8, 8);
    column->setSpacing(2);
    column->addWidget(m_presets);
    column->addWidget(m_note);
    column->addWidget(m_general);
    addSection(QStringLiteral("study"), {}, inside);
    addSection(QStringLiteral("data"), tr("Data"), inside);
    addSection(QStringLiteral("split"), tr("Split"), inside);
    addSection(QStringLiteral("network"), tr("Network"), inside);
    addSection(QStringLiteral("posterior"), tr("Posterior"), inside);
    addSection(QStringLiteral("prior"), tr("Prior"), inside);
    addSection(QStringLiteral("training"), tr("Training"), inside);
    addSection(QStringLiteral("prediction"), tr("Prediction"), inside);
    column->addStretch(1);

    m_scroll = new QScrollArea(this);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setMinimumWidth(leastWidth);
    m_scroll->setWidget(inside);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    auto* other = new OtherStudy(m_context, this);
    connect(other, &OtherStudy::oodRequested, this, &StudyPanel::oodRequested);
    all->addWidget(other);
    all->addWidget(m_scroll);
}

/// A button that folds the section and remembers it.
QToolButton* StudyPanel::sectionHeader(const QString& group, const QString& title, QWidget* body, QWidget* parent)
{
    auto* header = new QToolButton(parent);
    header->setObjectName("section/" + group);
    header->setText(title);
    header->setCheckable(true);
    header->setAutoRaise(true);
    header->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    header->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    header->setAccessibleName(tr("Section %1").arg(title));
    QFont bold = header->font();
    bold.setBold(true);
    header->setFont(bold);
    const auto fold = [header, body](bool open) {
        header->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
        body->setVisible(open);
    };
    const bool open = !read(settings::foldedSections).contains(group);
    header->setChecked(open);
    fold(open);
    connect(header, &QToolButton::toggled, this, [group, fold](bool on) {
        fold(on);
        auto folded = read(settings::foldedSections);
        folded.removeAll(group);
        if (!on)
            folded.append(group);
        write(settings::foldedSections, folded);
    });
    return header;
}

void StudyPanel::addSection(const QString& group, const QString& title, QWidget* into)
{
    Section section;
    section.group = group;
    auto* layout  = into->layout();
    section.body  = new QWidget(into);
    auto* rows    = new QVBoxLayout(section.body);
    rows->setContentsMargins(title.isEmpty() ? 0 : 12, 0, 0, 4);
    rows->setSpacing(2);

    if (!title.isEmpty()) {
        section.header = sectionHeader(group, title, section.body, into);
        layout->addWidget(section.header);
    }
    layout->addWidget(section.body);

    const auto addField = [&](const Field& f) {
        auto* editor = new FieldEditor(f, section.body);
        rows->addWidget(editor);
        section.fields.push_back(editor);
        m_fields[toQString(f.path)] = editor;
        connectField(editor);
        if (f.path == "data.file") {
            auto* import = new QPushButton(tr("Import table…"), section.body);
            import->setObjectName(QStringLiteral("importButton"));
            connect(import, &QPushButton::clicked, this, &StudyPanel::importRequested);
            rows->addWidget(import);
        }
    };
    for (const auto& f : study_fields())
        if (f.group() == group.toStdString() && !f.advanced && f.path != "seed"
            && f.path != "note")   // the seed is in the toolbar
            addField(f);
    if (group == QLatin1String("training"))
        rows->addWidget(m_steps = new StepPreview(section.body));
    const auto advanced = [&](const Field& f) { return f.group() == group.toStdString() && f.advanced; };
    if (std::any_of(study_fields().begin(), study_fields().end(), advanced)) {
        section.advanced = new QToolButton(section.body);
        section.advanced->setObjectName("advanced/" + group);
        section.advanced->setText(tr("More…"));
        section.advanced->setCheckable(true);
        section.advanced->setAutoRaise(true);
        section.advanced->setArrowType(Qt::RightArrow);
        section.advanced->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        section.advanced->setAccessibleName(tr("More settings of %1").arg(title));
        rows->addWidget(section.advanced);
        for (const auto& f : study_fields())
            if (advanced(f))
                addField(f);
        connect(section.advanced, &QToolButton::toggled, this, &StudyPanel::refresh);
    }
    m_sections.push_back(std::move(section));
}

void StudyPanel::connectField(FieldEditor* field)
{
    connect(field, &FieldEditor::edited, this, [this, field](const FieldValue& value) {
        Study after = m_document.session().study();
        try {
            field->field().set(after, value);
        } catch (const Error& error) {   // the Study does not change, and the mark stays until the field is fixed
            field->markMistake(toQString(with_labels(error.what())));
            m_notifier.notify(field->mistake());
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
    connect(field, &FieldEditor::refused, this, [this](const QString& sentence) { m_notifier.notify(sentence); });
    connect(field, &FieldEditor::dataSetsRequested, this, &StudyPanel::dataSetsRequested);
}

/// Reports other settings that changed with a new posterior family or data source.
void StudyPanel::reportOtherChanges(const QStringList& changes)
{
    if (!changes.isEmpty())
        m_notifier.note(tr("Also set: %1. Ctrl+Z undoes it.").arg(changes.join(QStringLiteral("; "))),
                        {{tr("Undo"), [this] { m_context.document.undo().undo(); }}}, MessageBar::Until::next_step);
}

bool StudyPanel::readOnly() const { return m_document.session().displaysSaved(); }

void StudyPanel::followDisplayedRun()
{
    const std::pair now(readOnly(), m_document.session().currentRun().number());
    const auto before = std::exchange(m_displayed, now);
    if (before != now && (before.first || now.first))
        refresh();
}

void StudyPanel::refresh()
{
    const Study& study = m_document.session().panelStudy();
    m_displayed        = {readOnly(), m_document.session().currentRun().number()};
    for (auto& section : m_sections) {
        section.body->setEnabled(!readOnly());
        for (auto* field : section.fields)
            field->showValueOf(study);
        foldAdvanced(section);
    }
    m_steps->showStepsOf(study);
    if (auto* import = findChild<QPushButton*>(QStringLiteral("importButton")))
        import->setVisible(study.data.source == DataSource::csv);
    QStringList notes{toQString(study.note)};
    if (const auto changes = changes_in_words(study.data, study.training.steps); !changes.empty())
        notes += toQString(changes) + QLatin1Char(' ') + tr("Restart trains with them from the start.");
    notes.removeAll(QString());
    m_note->setText(notes.join(QLatin1Char('\n')));
    m_note->setVisible(!notes.isEmpty());
    m_presets->showStudy(study);
}

void StudyPanel::foldAdvanced(Section& section)
{
    if (!section.advanced)
        return;
    const Study& study = m_document.session().panelStudy();
    bool any           = false;
    for (auto* field : section.fields) {
        if (!field->field().advanced)
            continue;
        const bool applies = field->field().applies(study);
        any                = any || applies;
        field->setVisible(applies && (section.advanced->isChecked() || field->hasMistake() || field->hasCaution()));
    }
    section.advanced->setVisible(any);
    section.advanced->setArrowType(section.advanced->isChecked() ? Qt::DownArrow : Qt::RightArrow);
}

void StudyPanel::browsePresets() { m_presets->browse(); }

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

void StudyPanel::unfold(const QString& path)
{
    for (auto& section : m_sections)
        for (auto* field : section.fields)
            if (field->objectName() == path) {
                if (section.header)
                    section.header->setChecked(true);
                if (section.advanced && field->field().advanced)
                    section.advanced->setChecked(true);
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
    for (auto& section : m_sections)
        if (std::find(section.fields.begin(), section.fields.end(), found->second) != section.fields.end()
            && section.header)
            section.header->setChecked(true);   // a folded section must not hide a mistake
    refresh();
}

void StudyPanel::clearMistakes()
{
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
    for (auto& section : m_sections)
        for (auto* field : section.fields)
            if (field->hasMistake() && field->field().applies(m_document.session().study())) {
                showField(section, field);
                return field->mistake();
            }
    return {};
}

/// A collapsed section must not hide an error.
void StudyPanel::showField(Section& section, FieldEditor* field)
{
    if (section.header)
        section.header->setChecked(true);
    foldAdvanced(section);
    m_scroll->ensureWidgetVisible(field);
    field->editor()->setFocus();
}
