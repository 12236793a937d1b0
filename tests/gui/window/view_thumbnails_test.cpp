// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/view_thumbnails.h"

#include "views/views.h"
#include "widgets/chart_palette.h"

#include <QImage>
#include <QPainter>
#include <QSvgRenderer>

#include <gtest/gtest.h>

#include <set>

using namespace credence;

namespace {

QImage thumbnailOf(const QString& view, const ChartPalette& colours)
{
    QImage image(2 * view_thumbnails::width, 2 * view_thumbnails::height, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    view_thumbnails::paint(painter, image.rect(), view, colours);
    return image;
}

}   // namespace

TEST(ViewThumbnails, EachViewHasOne)
{
    for (const auto& view : views())
        EXPECT_FALSE(view_thumbnails::kindOf(QString::fromStdString(view.id)).isEmpty())
            << view.id << ": add it to a kind in app/parts/view_thumbnails.cpp";
    EXPECT_TRUE(view_thumbnails::kindOf("no_such_view").isEmpty());
}

TEST(ViewThumbnails, EachKindIsAnSvgInTheColoursOfThePalette)
{
    std::set<QByteArray> different;
    for (const auto& colours : {ChartPalette::light(), ChartPalette::dark()})
        for (const auto& kind : view_thumbnails::kinds()) {
            const QByteArray svg = view_thumbnails::svgOf(kind, colours);
            different.insert(svg);
            EXPECT_TRUE(QSvgRenderer(svg).isValid()) << svg.toStdString();
            for (const char* attribute : {"fill=\"", "stroke=\""})
                for (auto at = svg.indexOf(attribute); at >= 0; at = svg.indexOf(attribute, at + 1)) {
                    const QByteArray value = svg.mid(at).split('"').at(1);
                    EXPECT_TRUE(value == "none" || value.startsWith('#')) << kind.toStdString() << ": " << value.data();
                }
        }
    EXPECT_EQ(different.size(), 2u * static_cast<std::size_t>(view_thumbnails::kinds().size()));
}

TEST(ViewThumbnails, AreDrawnForLightAndDark)
{
    const QImage frame = thumbnailOf("no_such_view", ChartPalette::light());
    EXPECT_EQ(qAlpha(frame.pixel(0, 0)), 0) << "rounded corners";
    for (const auto& view : views()) {
        const auto id      = QString::fromStdString(view.id);
        const QImage light = thumbnailOf(id, ChartPalette::light());
        EXPECT_NE(light, frame) << view.id;
        EXPECT_NE(light, thumbnailOf(id, ChartPalette::dark())) << view.id;
    }
}
