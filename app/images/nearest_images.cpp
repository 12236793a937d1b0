// SPDX-License-Identifier: GPL-3.0-or-later
#include "images/nearest_images.h"

#include "images/image_canvas.h"
#include "images/thumbnail_strip.h"
#include "parts/help_mark.h"
#include "work/text.h"

#include "views/image_rows.h"
#include "views/views.h"

#include <QLabel>
#include <QVBoxLayout>

using namespace credence;

NearestImages::NearestImages(QWidget* parent) : QWidget(parent), m_strip(new ThumbnailStrip(this))
{
    m_strip->setObjectName(QStringLiteral("imageNearest"));
    m_strip->setAccessibleName(tr("Nearest training images"));
    auto* row = new QHBoxLayout;
    row->addWidget(new QLabel(tr("Nearest training images: class, distance"), this), 1);
    row->addWidget(new HelpMark(
        tr("Nearest training images"),
        [] {
        return QStringLiteral("<p>%1</p><p>%2</p>")
            .arg(htmlFrom(credence::view("nearest_images").help),
                 tr("Images of another class have a frame. Click one to morph the selected image into it."));
        },
        this));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 2, 0, 0);
    column->setSpacing(0);
    column->addLayout(row);
    column->addWidget(m_strip);
    connect(m_strip, &ThumbnailStrip::activated, this,
            [this](int index) { Q_EMIT chosen(m_rows[static_cast<std::size_t>(index)]); });
}

bool NearestImages::setNearest(const Chart& found, const Experiment& experiment, std::optional<int> label)
{
    if (!found.table)
        return false;
    std::vector<ThumbnailStrip::Thumbnail> thumbnails;
    std::vector<int> rows;
    for (const auto& row : found.table->rows) {
        const int index        = static_cast<int>(std::get<long>(row[0]));
        const QString name     = toQString(std::get<std::string>(row[1]));
        const QString distance = QString::number(std::get<double>(row[2]), 'f', 2);
        if (static_cast<std::size_t>(index) >= experiment.data->training.n_rows)
            return false;
        const auto bytes = image_bytes(experiment, ImagePart::training, static_cast<std::size_t>(index));
        const std::vector<float> pixels(bytes.begin(), bytes.end());
        thumbnails.push_back({pictureOf(pixels, *experiment.data->image), name, distance,
                              tr("Training image %1, class %2, distance %3").arg(index).arg(name, distance),
                              label && *label != experiment.data->training.labels[static_cast<std::size_t>(index)]});
        rows.push_back(index);
    }
    m_strip->setThumbnails(std::move(thumbnails));
    m_rows = std::move(rows);
    return true;
}

void NearestImages::clear()
{
    m_strip->setThumbnails({});
    m_rows.clear();
}
