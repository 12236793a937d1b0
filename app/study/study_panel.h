// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace credence {

class ChartView;
struct Chart;
struct Experiment;
struct Study;

}   // namespace credence

class FieldEditor;
class Notifier;
class MistakeLabel;
class PresetRow;
class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QScrollArea;
class QToolButton;
class SettingCard;
class StepPreview;
class StudyDocument;
struct AppContext;

/// The Study as five lines. Each line opens its settings, one at a time; below them, *All settings*
/// shows all of them with a search. Settings are generated from the list of fields. Settings
/// without effect are hidden, rarely used ones are collapsed, and errors are marked at their field.
class StudyPanel : public QWidget {
    Q_OBJECT
public:
    StudyPanel(AppContext& context, Notifier& notifier, QWidget* parent);

    void markMistake(const QString& field, const QString& words);
    /// Commits the text being typed in a field.
    /// @return what is wrong in the panel; the field with the error is shown and has the focus.
    /// Empty: no errors
    QString commit();
    void choosePreset(const QString& id);
    /// Starts a new, untitled document with this Study, in one step. @param words  undo text
    void chooseStudy(const credence::Study& study, const QString& words);
    /// Sets one setting as if its value were typed. @return  what is wrong with the value; empty:
    /// valid
    QString setField(const QString& path, const QString& value);
    /// Opens the line of a setting, of a control "section/GROUP" or "advanced/GROUP", or of "presets".
    void unfold(const QString& control);

signals:
    void comparisonRequested(const QString& id);   ///< of runs/comparison.h
    void importRequested();
    void oodRequested();        ///< see OtherStudy
    void dataSetsRequested();   ///< the user wants more image data sets

private:
    /// The settings of one group of fields.
    struct Group {
        QString name;
        QLabel* caption       = nullptr;
        QToolButton* advanced = nullptr;
        std::vector<FieldEditor*> fields{};
    };
    /// One or two groups that open together.
    struct Line {
        QString name;
        SettingCard* card = nullptr;
        std::vector<Group> groups{};
        bool onlyAmongAll() const { return name == QLatin1String("study"); }
    };
    void build();
    QWidget* settings();
    QWidget* searchRow();
    QWidget* allSettingsButton();
    void addPresets(const Line& line);
    void addLine(const QString& name, const QString& title, QWidget* into);
    void addGroup(Line& line, const QString& name, const QString& title);
    void connectField(FieldEditor* field);
    void reportRefusal(const FieldEditor& field);
    void reportOtherChanges(const QStringList& changes);
    void refresh();
    void followDisplayedRun();
    void describeLines();
    std::shared_ptr<const credence::Experiment> prepared() const;
    bool readOnly() const;   ///< true if the settings of a saved run are displayed
    void clearMistakes();
    void openLine(const QString& name);   ///< opens this line and closes the others; empty: closes all
    void layOut();                        ///< shows the settings that are open, or found by the search
    void layOutLine(Line& line);
    bool isFound(const FieldEditor& field) const;
    void resetAll();
    void showField(FieldEditor* field);

    AppContext& m_context;
    StudyDocument& m_document;
    Notifier& m_notifier;
    std::map<QString, FieldEditor*> m_fields;
    std::vector<Line> m_lines;
    QString m_open;      // name of the open line
    QString m_refusal;   // the last message about a value that was refused
    QScrollArea* m_scroll    = nullptr;
    PresetRow* m_presets     = nullptr;
    QLabel* m_note           = nullptr;
    QToolButton* m_all       = nullptr;   // down while all settings are shown
    QWidget* m_searchRow     = nullptr;
    QLineEdit* m_search      = nullptr;
    QCheckBox* m_changedOnly = nullptr;
    QPushButton* m_reset     = nullptr;
    StepPreview* m_steps     = nullptr;                      // below the settings of the training
    MistakeLabel* m_general  = nullptr;                      // errors of fields that are not shown
    std::weak_ptr<const credence::Experiment> m_described;   // whose network the lines describe
    std::pair<bool, long> m_displayed{};   // are its settings read-only, and the number of the displayed run
    QString m_markedByCheck;               // field whose mistake came from the whole Study, not from what was typed
};

/// The box of presets in the Study panel.
class PresetRow : public QWidget {
    Q_OBJECT
public:
    explicit PresetRow(QWidget* parent = nullptr);
    /// Selects its line; if the Study is not a preset, shows its name instead
    void showStudy(const credence::Study& study);

signals:
    void presetChosen(const QString& id);
    void comparisonChosen(const QString& id);

private:
    void fill();
    void choose(const QString& id);

    QComboBox* m_box;
};

/// Previews a Study's steps next to its settings before training: step sizes, burn-in or cycles,
/// and saved draws. Hidden if there is nothing to show.
class StepPreview : public QWidget {
    Q_OBJECT
public:
    explicit StepPreview(QWidget* parent = nullptr);

    void showStepsOf(const credence::Study& study);
    const credence::Chart& chart() const;

private:
    credence::ChartView* m_picture;
};
