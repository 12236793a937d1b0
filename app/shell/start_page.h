// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class PresetCards;
class QAbstractButton;
class QLabel;
class SavedRuns;

/// The first page: an example that trains at once, data of one's own, a preset, and the documents that were opened
/// last. It makes requests only; the window leaves the page and does what was chosen.
class StartPage : public QWidget {
    Q_OBJECT
public:
    StartPage(const SavedRuns& runs, QWidget* parent);

    /// Fills in the documents opened last, and shows the choices.
    /// @param cards  also the presets, with `preset` selected
    void present(bool cards, const QString& preset);

signals:
    void exampleWanted();
    void tableWanted();
    void imagesWanted();
    void predictionsWanted();
    void presetWanted(const QString& id);
    void comparisonWanted(const QString& id);
    void fileWanted(const QString& file);

private:
    void addCards();
    void showPresets();
    void askForData();
    void showRecent();

    const SavedRuns& m_runs;
    QAbstractButton *m_example, *m_data, *m_preset;
    QWidget* m_recent;
    QLabel* m_hint;
    QString m_selected;               ///< preset
    PresetCards* m_cards = nullptr;   ///< made when first wanted
};
