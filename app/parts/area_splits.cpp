// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/area_splits.h"

#include "parts/view_area.h"
#include "parts/view_binder.h"
#include "widgets/chart_palette.h"

#include <QJsonArray>
#include <QPainter>
#include <QPalette>
#include <QSplitterHandle>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace {

bool containsFirst(const QJsonObject& node)
{
    const auto parts = node["parts"].toArray();
    return node["first"].toBool() || std::any_of(parts.begin(), parts.end(), [](const QJsonValue& part) {
               return containsFirst(part.toObject());
           });
}

/// Calls `act` for the splitters and areas of a tree.
template <class Act>
void forEach(QWidget& node, const Act& act)
{
    act(node);
    if (auto* splitter = qobject_cast<QSplitter*>(&node))
        for (int k = 0; k < splitter->count(); ++k)
            forEach(*splitter->widget(k), act);
}

/// Hides all areas of a tree of splitters except one. @return  true if the tree contains that area
bool showOnly(QWidget& node, const ViewArea& only)
{
    bool shown = &node == &only;
    if (auto* splitter = qobject_cast<QSplitter*>(&node))
        for (int k = 0; k < splitter->count(); ++k)
            shown = showOnly(*splitter->widget(k), only) || shown;
    node.setVisible(shown);
    return shown;
}

}   // namespace

AreaSplits::AreaSplits(ViewArea& first, ViewBinder& binder, QWidget* parent)
    : QWidget(parent), m_first(first), m_binder(binder)
{
    setObjectName(QStringLiteral("stage"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(&first);
    add(first);
}

void AreaSplits::add(ViewArea& area)
{
    m_areas.push_back(&area);
    area.setOnStage();
    connect(&area, &ViewArea::splitRequested, this, [this, &area](Qt::Orientation orientation) {
        if (auto* added = split(area, orientation))
            added->takeFocus();
    });
    connect(&area, &ViewArea::closeRequested, this, [this, &area] { close(area); });
    follow();
}

void AreaSplits::follow()
{
    for (auto* area : m_areas)
        area->setSplitting(m_areas.size() < most, m_areas.size() > 1);
}

ViewArea& AreaSplits::areaAround(const QWidget* widget) const
{
    for (; widget; widget = widget->parentWidget())
        for (auto* area : m_areas)
            if (area == widget)
                return *area;
    return m_first;
}

QSplitter* AreaSplits::splitterOf(const ViewArea& area) const { return qobject_cast<QSplitter*>(area.parentWidget()); }

void AreaSplits::replace(QWidget& old, QWidget& by)
{
    if (auto* around = qobject_cast<QSplitter*>(old.parentWidget())) {
        const auto sizes = around->sizes();
        around->replaceWidget(around->indexOf(&old), &by);
        around->setSizes(sizes);
    } else {
        delete layout()->replaceWidget(&old, &by);
    }
    by.show();
}

ViewArea* AreaSplits::split(ViewArea& area, Qt::Orientation orientation)
{
    if (m_areas.size() >= most)
        return nullptr;
    showAlone(nullptr);
    auto* around = new HairlineSplitter(orientation, this);
    auto* added  = new ViewArea(QStringLiteral("area%1").arg(++m_made), m_binder, around);
    replace(area, *around);
    around->insertWidget(0, &area);
    around->insertWidget(1, added);
    area.show();
    added->show();
    around->setSizes({1000, 1000});
    add(*added);
    added->showDefault();
    return added;
}

void AreaSplits::addTemporary(const QString& view)
{
    if (m_areas.size() > 1)
        return;
    m_temporary = split(m_first, Qt::Horizontal);
    m_temporary->showHere(view);
    constexpr int linesAround = 4;   ///< what heading, axis and legend take more in height than an axis in width
    constexpr double most     = 0.6;
    const int square          = height() - linesAround * fontMetrics().lineSpacing();
    const int first           = std::max(width() / 2, std::min(static_cast<int>(most * width()), square));
    splitterOf(m_first)->setSizes({first, width() - first});
}

void AreaSplits::removeTemporary()
{
    if (m_temporary)
        close(*m_temporary);
    m_temporary.clear();
}

void AreaSplits::close(ViewArea& area)
{
    auto* around = splitterOf(area);
    if (!around)
        return;
    showAlone(nullptr);
    auto* rest = around->widget(1 - around->indexOf(&area));
    if (&area != &m_first) {
        remove(area);
    } else {   // it takes the view and the position of another one
        auto* other = qobject_cast<ViewArea*>(rest);
        if (!other)
            other = rest->findChild<ViewArea*>();
        m_first.showHere(other->current());
        if (other == rest)
            return close(*other);
        replace(*other, m_first);
        remove(*other);
    }
    replace(*around, *rest);
    delete around;
}

void AreaSplits::remove(ViewArea& area)
{
    area.setParent(nullptr);
    std::erase(m_areas, &area);
    area.retire();
    area.deleteLater();
    follow();
}

void AreaSplits::showAlone(const QWidget* inside)
{
    auto& top        = *layout()->itemAt(0)->widget();
    const auto sizes = std::exchange(m_sizesBefore, {});
    forEach(top, [&](QWidget& node) {
        node.show();
        if (const auto before = sizes.find(&node); before != sizes.end())
            static_cast<QSplitter&>(node).setSizes(before->second);
    });
    if (!inside || !isAncestorOf(inside))
        return;
    forEach(top, [this](QWidget& node) {
        if (const auto* splitter = qobject_cast<QSplitter*>(&node))
            m_sizesBefore[&node] = splitter->sizes();
    });
    showOnly(top, areaAround(inside));
}

QJsonObject AreaSplits::written(const QWidget& node) const
{
    if (const auto* area = qobject_cast<const ViewArea*>(&node)) {
        QJsonObject leaf{{"view", area->currentPage().id}};
        if (area == &m_first)
            leaf["first"] = true;
        return leaf;
    }
    const auto& splitter = static_cast<const QSplitter&>(node);
    if (m_temporary && m_temporary->parentWidget() == &splitter)
        return written(*splitter.widget(1 - splitter.indexOf(m_temporary)));
    const auto before = m_sizesBefore.find(&splitter);
    const auto pixels = before == m_sizesBefore.end() ? splitter.sizes() : before->second;
    QJsonArray sizes, parts;
    for (int k = 0; k < splitter.count(); ++k) {
        sizes.append(pixels[k]);
        parts.append(written(*splitter.widget(k)));
    }
    return {
        {"split", splitter.orientation() == Qt::Horizontal ? "right" : "below"}, {"sizes", sizes}, {"parts", parts}};
}

QJsonObject AreaSplits::state() const
{
    QJsonObject views;
    for (const auto* area : m_binder.areas())
        if (!area->isOnStage() && !area->hasOwnWindow())
            views[area->objectName()] = area->currentPage().id;
    return {{"stage", written(*layout()->itemAt(0)->widget())}, {"views", views}};
}

void AreaSplits::restore(const QJsonObject& state)
{
    while (m_areas.size() > 1)
        close(*m_areas.back());
    for (auto* area : std::vector(m_binder.areas()))
        area->hasOwnWindow() ? void(area->window()->close()) : area->release();
    build(m_first, state["stage"].toObject());
    const auto views = state["views"].toObject();
    for (auto* area : std::vector(m_binder.areas()))
        if (!area->isOnStage() && !area->hasOwnWindow())
            area->showHere(views[area->objectName()].toString());
}

void AreaSplits::build(ViewArea& at, const QJsonObject& node)
{
    const auto parts = node["parts"].toArray();
    if (parts.size() != 2)
        return at.showHere(node["view"].toString());
    auto* added = split(at, node["split"].toString() == QLatin1String("below") ? Qt::Vertical : Qt::Horizontal);
    if (!added)
        return;
    auto* around          = splitterOf(*added);
    const auto before     = parts[0].toObject();
    const auto after      = parts[1].toObject();
    const bool firstAfter = containsFirst(after);
    if (firstAfter)
        around->insertWidget(0, added);
    build(at, firstAfter ? after : before);
    build(*added, firstAfter ? before : after);
    const auto sizes = node["sizes"].toArray();
    const QList<int> pixels{sizes[0].toInt(), sizes[1].toInt()};
    if (pixels[0] > 0 && pixels[1] > 0)
        around->setSizes(pixels);
}

namespace {

class HairlineHandle : public QSplitterHandle {
public:
    using QSplitterHandle::QSplitterHandle;

private:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setPen(hairlineColour(palette()));
        if (orientation() == Qt::Horizontal)
            painter.drawLine(width() / 2, 0, width() / 2, height());
        else
            painter.drawLine(0, height() / 2, width(), height() / 2);
    }
};

}   // namespace

QColor hairlineColour(const QPalette& palette)
{
    return credence::laidOver(palette.color(QPalette::WindowText), palette.color(QPalette::Window), 0.15);
}

HairlineSplitter::HairlineSplitter(Qt::Orientation orientation, QWidget* parent) : QSplitter(orientation, parent)
{
    setChildrenCollapsible(false);
    setHandleWidth(5);
}

QSplitterHandle* HairlineSplitter::createHandle() { return new HairlineHandle(orientation(), this); }
