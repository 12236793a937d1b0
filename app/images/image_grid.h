// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "images/image_list_model.h"

#include <QWidget>

#include <map>
#include <optional>

namespace credence {
class TableView;
}
class ImageDelegate;
class QComboBox;
class QLabel;
class QListView;
class QSlider;
class QStackedWidget;
class QToolButton;

/// The images of a data set with what the run says of each: filters with their counts, orders, classes, size. Any number of images scrolls, since only
/// those in sight are painted. The chosen image stays chosen, and the place in the list stays, when new predictions come.
class ImageGrid : public QWidget {
    Q_OBJECT
public:
    explicit ImageGrid(QWidget* parent = nullptr);

    void setExperiment(const std::shared_ptr<const credence::Experiment>& experiment);   ///< with images
    void setPredictions(
        const std::shared_ptr<const PredictedImages>& images);    ///< dropped if they are of other data or another part
    void choose(credence::ImagePart part, std::uint32_t image);   ///< from outside: nothing is told
    void chooseNone();
    void filterClasses(std::optional<int> trueClass,
                       std::optional<int> predictedClass);   ///< a cell of the confusion matrix
    void setFilter(credence::ImageFilter filter);
    void setPart(credence::ImagePart part);

    credence::ImagePart part() const { return m_part; }
    const credence::ImageGridChoice& choice() const { return m_choice; }
    const ImageListModel& model() const { return *m_model; }
    /// The chosen one, if it belongs to the part on show.
    std::optional<std::uint32_t> chosen() const { return m_chosenPart == m_part ? m_chosen : std::nullopt; }
    QListView* list() const { return m_list; }
    /// Test or training images, *Show data* and help: for the corner of a tab bar.
    QWidget* tools() const { return m_tools; }

signals:
    void imageChosen(credence::ImagePart part, int image);
    void partChanged(credence::ImagePart part);
    void sightChanged(const std::vector<std::uint32_t>& images);   ///< those that can be seen now

private:
    QWidget* buildFilters();
    QWidget* buildControls();
    QWidget* buildTools();
    QComboBox* classBox(const QString& name, const QString& prefix,
                        std::optional<int> credence::ImageGridChoice::*which, const QString& tip);
    void fillClasses();
    void refresh();
    void tellChosen(const QModelIndex& at);
    void markChosen(bool scroll);
    void tellSight();
    void describe();
    void setSide(int step);
    void showTable(bool on);
    bool eventFilter(QObject* watched, QEvent* event) override;

    ImageListModel* m_model;
    ImageDelegate* m_delegate;
    QListView* m_list;
    credence::TableView* m_table;
    QLabel* m_message;
    QStackedWidget* m_pages;
    QComboBox* m_partBox;
    QToolButton* m_tableButton;
    QWidget* m_tools;
    QComboBox *m_order, *m_criterion, *m_true, *m_predicted;
    std::map<credence::ImageFilter, QToolButton*> m_filters;
    QToolButton* m_chip;
    QSlider* m_zoom;
    QLabel* m_status;
    std::vector<int> m_sides;   ///< of the pictures, one for each step of the slider

    credence::ImagePart m_part = credence::ImagePart::test;
    credence::ImageGridChoice m_choice;
    std::optional<std::uint32_t> m_chosen;
    credence::ImagePart m_chosenPart = credence::ImagePart::test;
    std::vector<std::uint32_t> m_sight;
    bool m_quiet = false;   ///< the current image changes, but not by the user
};
