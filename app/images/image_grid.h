// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "images/image_list_model.h"

#include <QWidget>

#include <optional>

namespace credence {
class TableView;
}
class ImageGridBar;
class ImageList;
class WaitingPage;
class QLabel;
class QListView;
class QStackedWidget;
class QToolButton;

/// The images of a data set with their predictions: filters with counts, order, classes, size.
/// Handles any number of images, since only visible ones are painted. Selection and scroll position
/// are kept when new predictions arrive.
class ImageGrid : public QWidget {
    Q_OBJECT
public:
    explicit ImageGrid(QWidget* parent = nullptr);

    void setExperiment(const std::shared_ptr<const credence::Experiment>& experiment);   ///< @pre its data are images
    /// ignored if they belong to other data or another part
    void setPredictions(const std::shared_ptr<const PredictedImages>& images);
    void choose(credence::ImagePart part, std::uint32_t image);   ///< Selects from outside; sends no signal.
    void chooseNone();
    void filterClasses(std::optional<int> trueClass,
                       std::optional<int> predictedClass);   ///< a cell of the confusion matrix
    void setFilter(credence::ImageFilter filter);
    /// Other data are being read: hides the previous ones until they arrive, or until called with
    /// an empty sentence.
    void setReading(const QString& sentence);
    /// OOD images are requested first if they are missing.
    void setPart(credence::ImagePart part);
    /// Sets the OOD images, which are then shown; null: they have changed or are unavailable.
    void setOod(std::shared_ptr<const credence::OodImages> ood);

    credence::ImagePart part() const { return m_part; }
    const credence::ImageGridChoice& choice() const;
    const ImageListModel& model() const { return *m_model; }
    /// Those of the displayed part; null: it is not the OOD part.
    std::shared_ptr<const credence::OodImages> ood() const
    {
        return m_part == credence::ImagePart::ood ? m_ood : nullptr;
    }
    /// The selected image, if it belongs to the displayed part.
    std::optional<std::uint32_t> chosen() const { return m_chosenPart == m_part ? m_chosen : std::nullopt; }
    QListView* list() const;
    /// Test or training images, *Show data* and help: for the corner of a tab bar.
    QWidget* tools() const { return m_tools; }

signals:
    void imageChosen(credence::ImagePart part, int image);
    void partChanged(credence::ImagePart part);
    void oodWanted();                                              ///< OOD images are needed, see setOod
    void sightChanged(const std::vector<std::uint32_t>& images);   ///< the visible images

private:
    QWidget* buildTools();
    void refresh();
    void emitChosen(const QModelIndex& at);
    void markChosen(bool scroll);
    void emitVisibleRows();
    void describe();
    void setSide(int step);
    void showPage();
    bool eventFilter(QObject* watched, QEvent* event) override;

    ImageListModel* m_model;
    ImageList* m_list;
    credence::TableView* m_table;
    WaitingPage* m_waiting;
    QStackedWidget* m_pages;
    QToolButton* m_tableButton;
    QWidget* m_tools;
    ImageGridBar* m_bar;
    QLabel* m_status;
    std::vector<int> m_sides;   ///< image sizes, one for each step of the slider
    QString m_reading;          ///< empty: nothing is being read

    credence::ImagePart m_part = credence::ImagePart::test;
    std::shared_ptr<const credence::OodImages> m_ood;
    std::optional<std::uint32_t> m_chosen;
    credence::ImagePart m_chosenPart = credence::ImagePart::test;
    std::vector<std::uint32_t> m_sight;
    bool m_quiet = false;   ///< the current image changes, but not because of the user
};
