// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/data_rows.h"
#include "images/image_list.h"
#include "views/image_grid.h"
#include "views/image_rows.h"

#include <QWidget>

#include <map>
#include <optional>

namespace credence {
class TableView;
}
class ImageList;
class QComboBox;
class QLabel;
class QLayout;
class QListView;
class QProgressBar;
class QSlider;
class QStackedWidget;
class QToolButton;

/// Shown instead of a chart: why there is none, or its progress.
class WaitingPage : public QWidget {
    Q_OBJECT
public:
    /// @param name  of the label with the sentence
    WaitingPage(const QString& name, QWidget* parent);

    void notify(const QString& sentence);   ///< nothing is being done
    /// @param share  finished fraction; empty: unknown
    void wait(const QString& sentence, std::optional<double> share);
    QString sentence() const;

private:
    QLabel* m_sentence;
    QProgressBar* m_bar;
};

/// The controls above the image grid: filter, order and size.
class ImageGridBar : public QWidget {
    Q_OBJECT
public:
    explicit ImageGridBar(QWidget* parent);

    const credence::ImageGridChoice& choice() const { return m_choice; }
    credence::ImagePart part() const;
    QString partName() const;   ///< "Test images"
    int size() const;           ///< step of the slider

    // Sends no signal.
    /// for other data: selects all classes
    void setData(const credence::Experiment& experiment, credence::ImagePart part);
    /// @param ownClasses  class names of OOD images, none of which is right or wrong
    void setPart(credence::ImagePart part, std::span<const std::string> ownClasses = {});
    void setFilter(credence::ImageFilter filter);
    void setClasses(std::optional<int> trueClass, std::optional<int> predictedClass);
    void setListed(std::vector<std::uint32_t> images, const QString& name);   ///< ascending; empty: any image
    void setSizes(int steps, int chosen);
    /// @param known  the filter counts are of one step
    void describe(const credence::ImageGridRows& rows, bool known);

    void sizeBy(int steps);   ///< as if changed by the user

signals:
    void changed(bool otherOrder);   ///< the filter, order or size
    void partChosen(credence::ImagePart part);
    void sizeChosen(int step);

private:
    QLayout* buildFilters();
    QLayout* buildChoices();
    QComboBox* addBox(QLayout* layout, const QString& name, const QString& title, const QString& tip);
    void followClass(QComboBox* box, std::optional<int> credence::ImageGridChoice::*which);
    void fillClasses();
    void fitFilters();
    QString className(int k) const;
    QString trueClassName(int k) const;

    credence::ImageGridChoice m_choice;
    QString m_listedName;
    std::vector<std::string> m_classNames;
    /// class names of OOD images; empty: the displayed images have the network's classes
    std::vector<std::string> m_ownClasses;
    std::map<credence::ImageFilter, QToolButton*> m_filters;
    QToolButton* m_chip = nullptr;
    QComboBox *m_part = nullptr, *m_true = nullptr, *m_predicted = nullptr, *m_order = nullptr, *m_criterion = nullptr;
    QSlider* m_size = nullptr;
};

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
    void list(const credence::RowsOfBar& bar);   ///< only the scored images that it counts; none: all again
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
