// SPDX-License-Identifier: GPL-3.0-or-later
#include "images/image_list_model.h"

#include "work/text.h"

#include "data/dataset.h"

#include <algorithm>
#include <cmath>

using namespace credence;

void ImageListModel::setImages(std::shared_ptr<const Experiment> experiment, ImagePart part,
                               std::shared_ptr<const OodImages> ood)
{
    beginResetModel();
    m_experiment = std::move(experiment);
    m_part       = part;
    m_ood        = std::move(ood);
    m_predicted.reset();
    m_rows           = {};
    const auto& data = *images().data;
    m_unknown.assign(data.labels.empty() ? data.n_rows : 0, -1);
    endResetModel();
}

std::span<const int> ImageListModel::labels() const
{
    return m_unknown.empty() ? std::span<const int>(images().data->labels) : m_unknown;
}

std::span<const RowPrediction> ImageListModel::predictions() const
{
    return m_predicted ? std::span<const RowPrediction>(m_predicted->rows) : std::span<const RowPrediction>();
}

bool ImageListModel::refresh(const ImageGridChoice& choice)
{
    m_choice = choice;
    if (!m_experiment)
        return false;
    auto rows = image_grid_rows(predictions(), labels(), choice);
    if (rows.rows == m_rows.rows) {
        m_rows = std::move(rows);   // only the counts changed
        return false;
    }
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
    return true;
}

QString ImageListModel::className(int k) const
{
    return k < 0 ? tr("unknown") : toQString(class_name(classNames(), k));
}

std::span<const std::string> ImageListModel::ownClassNames() const
{
    return hasTruth() ? std::span<const std::string>() : std::span<const std::string>(m_ood->own.class_names);
}

bool ImageListModel::wrong(std::uint32_t image) const
{
    const auto* row = predictionOf(image);
    return row && hasTruth() && labelOf(image) >= 0 && row->predicted != labelOf(image);
}

QString ImageListModel::trueClassName(std::uint32_t image) const
{
    const int label = labelOf(image);
    return label < 0 ? tr("unknown") : toQString(class_name(hasTruth() ? classNames() : ownClassNames(), label));
}

int ImageListModel::placeOf(std::uint32_t image) const
{
    const auto at = std::find(m_rows.rows.begin(), m_rows.rows.end(), image);
    return at == m_rows.rows.end() ? -1 : static_cast<int>(at - m_rows.rows.begin());
}

const RowPrediction* ImageListModel::predictionOf(std::uint32_t image) const
{
    return prediction_of(predictions(), image);
}

QImage ImageListModel::picture(std::uint32_t image) const
{
    return pictureOf(image_bytes(*m_experiment, m_part, image, m_ood.get()), *m_experiment->data->image);
}

QString ImageListModel::nameOf(std::uint32_t image) const
{
    return (m_part == ImagePart::ood               ? tr("OOD image %1")
            : m_experiment->outputs                ? tr("image %1")
            : m_part == ImagePart::training        ? tr("training image %1")
            : has_validation_images(*m_experiment) ? tr("validation image %1")
                                                   : tr("test image %1"))
        .arg(image);
}

QString ImageListModel::sentenceOf(std::uint32_t image) const
{
    QString words = (hasTruth() ? tr("%1, true class %2") : tr("%1, of the OOD class %2"))
                        .arg(nameOf(image), trueClassName(image));
    if (const auto* row = predictionOf(image)) {
        words += tr(", predicted %1, %2%3, confidence %4 percent, entropy %5 nats")
                     .arg(className(row->predicted),
                          !hasTruth()          ? QString()
                          : labelOf(image) < 0 ? tr("correctness unknown, ")
                          : wrong(image)       ? tr("wrong, ")
                                               : tr("right, "),
                          certain(*row) ? tr("certain") : tr("uncertain"))
                     .arg(100 * static_cast<double>(row->confidence), 0, 'f', 1)
                     .arg(static_cast<double>(row->entropy), 0, 'f', 2);
    }
    return words;
}

QString ImageListModel::tipOf(std::uint32_t image) const
{
    QString html    = QStringLiteral("<p style='white-space:pre'><b>%1</b></p><table>").arg(nameOf(image));
    const auto line = [&html](const QString& name, const QString& value) {
        html += QStringLiteral("<tr><td>%1&nbsp;&nbsp;</td><td>%2</td></tr>").arg(name, value.toHtmlEscaped());
    };
    line(hasTruth() ? tr("True class") : tr("OOD class"), trueClassName(image));
    const auto* row = predictionOf(image);
    if (!row)
        return html + QStringLiteral("</table>");
    const double h = static_cast<double>(row->entropy), epistemic = static_cast<double>(row->mutual_information);
    const auto nats = [](double value) { return tr("%1 nats").arg(value, 0, 'f', 3); };
    line(tr("Predicted class"),
         wrong(image) ? tr("%1 (wrong)").arg(className(row->predicted)) : className(row->predicted));
    line(tr("Confidence max p̄"), tr("%1 %").arg(100 * static_cast<double>(row->confidence), 0, 'f', 2));
    line(tr("Predictive entropy"), tr("%1 of at most ln %2 = %3")
                                       .arg(nats(h))
                                       .arg(classNames().size())
                                       .arg(std::log(static_cast<double>(classNames().size())), 0, 'f', 3));
    line(tr("Aleatoric part"), nats(std::max(0.0, h - epistemic)));
    line(tr("Epistemic part"), nats(epistemic));
    const double level = m_predicted->run.experiment->study.prediction.level;
    line(tr("(i) intervals at α = %1").arg(level),
         row->certain_no_overlap ? tr("no overlap: certain") : tr("overlap: uncertain"));
    line(tr("(ii) max p̄ ≥ %1").arg(level), row->certain_by_probability ? tr("yes: certain") : tr("no: uncertain"));
    line(m_experiment->outputs ? tr("Samples") : tr("Weight samples"), QString::number(m_predicted->draws_of[image]));
    return html + QStringLiteral("</table>");
}

QVariant ImageListModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const auto image = imageAt(index.row());
    switch (role) {
    case Qt::DisplayRole: {   // so that typing a class jumps to its next image
        const auto* row = predictionOf(image);
        return row ? tr("%1 → %2").arg(trueClassName(image), className(row->predicted)) : trueClassName(image);
    }
    case Qt::ToolTipRole: return tipOf(image);
    case Qt::AccessibleTextRole: return sentenceOf(image);
    default: return {};
    }
}

QImage pictureOf(std::span<const std::uint8_t> bytes, ImageShape shape)
{
    const auto area = static_cast<std::size_t>(shape.height) * static_cast<std::size_t>(shape.width);
    QImage image(shape.width, shape.height, shape.channels == 3 ? QImage::Format_RGB32 : QImage::Format_Grayscale8);
    for (int y = 0; y < shape.height; ++y) {
        const auto row = bytes.subspan(static_cast<std::size_t>(y) * static_cast<std::size_t>(shape.width));
        if (shape.channels != 3) {
            std::copy_n(row.begin(), shape.width, image.scanLine(y));
            continue;
        }
        auto* pixels = reinterpret_cast<QRgb*>(image.scanLine(y));
        for (std::size_t x = 0; x < static_cast<std::size_t>(shape.width); ++x)
            pixels[x] = qRgb(row[x], row[area + x], row[2 * area + x]);
    }
    return image;
}
