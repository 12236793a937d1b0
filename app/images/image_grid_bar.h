// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/image_grid.h"
#include "views/image_rows.h"

#include <QWidget>

#include <map>

class QComboBox;
class QLayout;
class QSlider;
class QToolButton;

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
    std::vector<std::string> m_classNames;
    /// class names of OOD images; empty: the displayed images have the network's classes
    std::vector<std::string> m_ownClasses;
    std::map<credence::ImageFilter, QToolButton*> m_filters;
    QToolButton* m_chip = nullptr;
    QComboBox *m_part = nullptr, *m_true = nullptr, *m_predicted = nullptr, *m_order = nullptr, *m_criterion = nullptr;
    QSlider* m_size = nullptr;
};
