// SPDX-License-Identifier: GPL-3.0-or-later
#include "shell/main_window.h"

#include "images/image_canvas.h"
#include "images/thumbnail_strip.h"
#include "parts/form_controls.h"
#include "parts/toasts.h"

#include "widgets/accessibility.h"

#include <QAccessibleWidget>
#include <QPointer>

#include <algorithm>
#include <functional>

namespace {

/// A message or error; its text is its accessible name.
class AlertInterface : public QAccessibleWidget {
public:
    AlertInterface(QWidget& widget, std::function<QString()> words)
        : QAccessibleWidget(&widget, QAccessible::AlertMessage), m_words(std::move(words))
    {}
    QString text(QAccessible::Text which) const override
    {
        return which == QAccessible::Name && widget() ? m_words() : QAccessibleWidget::text(which);
    }

private:
    std::function<QString()> m_words;
};

class CanvasInterface : public QAccessibleWidget {
public:
    explicit CanvasInterface(ImageCanvas& canvas) : QAccessibleWidget(&canvas, QAccessible::Graphic), m_canvas(&canvas)
    {}
    QString text(QAccessible::Text which) const override
    {
        if (!m_canvas)
            return {};
        if (which == QAccessible::Value)
            return m_canvas->spoken(true);
        if (which != QAccessible::Description || !m_canvas->spoken(true).isEmpty())
            return which == QAccessible::Description ? m_canvas->spoken(true) : QAccessibleWidget::text(which);
        const QString verdict = m_canvas->accessibleDescription();
        return verdict.isEmpty() ? m_canvas->spoken(false) : verdict + QStringLiteral("; ") + m_canvas->spoken(false);
    }

private:
    QPointer<ImageCanvas> m_canvas;
};

QAccessibleInterface* partFactory(const QString& className, QObject* object)
{
    if (className == QLatin1String("Toasts"))
        if (auto* bar = qobject_cast<Toasts*>(object))
            return new AlertInterface(*bar, [bar] { return bar->text(); });
    if (className == QLatin1String("MistakeLabel"))
        if (auto* label = qobject_cast<MistakeLabel*>(object))
            return new AlertInterface(*label, [label] { return label->text(); });
    if (className == QLatin1String("ThumbnailStrip"))
        if (auto* strip = qobject_cast<ThumbnailStrip*>(object))
            return new credence::AccessibleItems(strip, QAccessible::List, QAccessible::ListItem, *strip);
    if (className == QLatin1String("ImageCanvas"))
        if (auto* canvas = qobject_cast<ImageCanvas*>(object))
            return new CanvasInterface(*canvas);
    return nullptr;
}

}   // namespace

void installSpokenParts()
{
    static const bool once = [] {
        QAccessible::installFactory(partFactory);
        return true;
    }();
    static_cast<void>(once);
}
