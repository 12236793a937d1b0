// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/view_area.h"

#include "parts/palette.h"
#include "parts/quiet_parts.h"
#include "parts/view_binder.h"
#include "parts/view_panel.h"
#include "work/text.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLayout>
#include <QRegularExpression>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

using namespace credence;

/// Title, controls and tools in one line, or the controls in a second line where one is too narrow.
class HeaderLayout : public QLayout {
public:
    explicit HeaderLayout(QWidget* parent) : QLayout(parent)
    {
        setContentsMargins(4, 1, 4, 1);
        setSpacing(6);
    }
    ~HeaderLayout() override { qDeleteAll(m_items); }

    /// @param atEnd  at the right end of the line
    void add(QWidget* widget, bool atEnd)
    {
        addWidget(widget);
        if (atEnd)
            m_atEnd.append(widget);
    }

    void addItem(QLayoutItem* item) override { m_items.append(item); }
    int count() const override { return static_cast<int>(m_items.size()); }
    QLayoutItem* itemAt(int index) const override { return m_items.value(index); }
    QLayoutItem* takeAt(int index) override { return index >= 0 && index < count() ? m_items.takeAt(index) : nullptr; }
    Qt::Orientations expandingDirections() const override { return Qt::Horizontal; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override { return place({0, 0, width, 0}, false); }
    QSize sizeHint() const override { return minimumSize(); }

    QSize minimumSize() const override
    {
        const auto shown = parts();
        const QSize first(shown.title.width() + (shown.end ? spacing() + shown.end->minimumSize().width() : 0),
                          std::max(shown.title.height(), shown.end ? shown.end->minimumSize().height() : 0));
        return (shown.controls ? first.expandedTo(shown.controls->minimumSize()) : first).grownBy(contentsMargins());
    }

    void setGeometry(const QRect& rect) override
    {
        QLayout::setGeometry(rect);
        place(rect, true);
    }

private:
    struct Parts {
        QSize title;
        QLayoutItem *controls = nullptr, *end = nullptr;   // null: none is visible
    };

    Parts parts() const
    {
        Parts found{m_items.front()->sizeHint()};
        for (auto* item : m_items.mid(1))
            if (!item->isEmpty())
                (m_atEnd.contains(item->widget()) ? found.end : found.controls) = item;
        return found;
    }

    /// @return  the height that is needed
    int place(const QRect& rect, bool move) const
    {
        const QRect room   = rect.marginsRemoved(contentsMargins());
        const auto shown   = parts();
        const QSize end    = shown.end ? shown.end->sizeHint() : QSize(0, 0);
        const QSize asked  = shown.controls ? shown.controls->sizeHint() : QSize(0, 0);
        const int left     = shown.title.width() + spacing();
        const bool second  = left + asked.width() + spacing() + end.width() > room.width();
        const int height   = std::max({shown.title.height(), end.height(), second ? 0 : asked.height()});
        const auto centred = [&](int x, const QSize& size) {
            return QRect(QPoint(x, room.top() + (height - size.height()) / 2), size);
        };
        if (move) {
            m_items.front()->setGeometry(centred(room.left(), shown.title));
            if (shown.end)
                shown.end->setGeometry(centred(room.left() + room.width() - end.width(), end));
            if (shown.controls && !second)
                shown.controls->setGeometry(centred(room.left() + left, asked));
            if (shown.controls && second) {
                const bool wide = shown.controls->expandingDirections().testFlag(Qt::Horizontal);
                const int width = wide ? room.width() : std::min(room.width(), asked.width());
                shown.controls->setGeometry({room.left(), room.top() + height, width, asked.height()});
            }
        }
        return height + (second ? asked.height() : 0) + contentsMargins().top() + contentsMargins().bottom();
    }

    QList<QLayoutItem*> m_items;   // the title comes first
    QList<QWidget*> m_atEnd;
};

namespace {

/// The title of the current view. Alt+Down opens the menu, like that of a combo box.
class AreaTitle : public QToolButton {
public:
    using QToolButton::QToolButton;

protected:
    void keyPressEvent(QKeyEvent* event) override
    {
        const bool down = event->key() == Qt::Key_Down && event->modifiers().testFlag(Qt::AltModifier);
        if (down || event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
            click();
        else
            QToolButton::keyPressEvent(event);
    }
};

/// The start of a help text, up to the end of a sentence or a colon.
QString startOf(const std::string& help)
{
    static const QRegularExpression end(QStringLiteral("(?<=[.?]) |: |\n"));
    return toQString(help).section(end, 0, 0);
}

bool isCheap(const View& view) { return view.cost == Cost::quick || view.cost == Cost::draws; }

}   // namespace

ViewArea::ViewArea(const QString& name, ViewBinder& binder, QWidget* parent)
    : QWidget(parent), m_binder(binder), m_title(new AreaTitle(this)), m_quiet(new QuietParts(this, this)),
      m_stack(new QStackedWidget(this))
{
    setObjectName(name);
    m_title->setObjectName(name + QStringLiteral("/title"));
    m_title->setAutoRaise(true);
    m_title->setToolButtonStyle(Qt::ToolButtonTextOnly);
    QFont bold;
    bold.setBold(true);
    m_title->setFont(bold);
    m_title->setToolTip(tr("Select another view (Alt+Down)"));
    auto* header = new QWidget(this);
    m_header     = new HeaderLayout(header);
    m_header->add(m_title, false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(header);
    column->addWidget(m_stack, 1);
    connect(m_title, &QToolButton::clicked, this, &ViewArea::openMenu);
    connect(m_stack, &QStackedWidget::currentChanged, this, &ViewArea::followCurrent);
    connect(&binder, &ViewBinder::fitted, this,
            [this](const std::shared_ptr<const Experiment>& experiment) { fit(*experiment); });
}

void ViewArea::add(std::initializer_list<std::pair<const char*, QString>> views)
{
    for (const auto& [view, title] : views)
        add(view, title);
}

void ViewArea::add(const std::string& view, const QString& title) { add(m_binder.make(view, this), title); }

void ViewArea::add(ViewPanel* panel, const QString& title)
{
    addPage(panel, title);
    m_pages.back().followed = panel;
}

void ViewArea::addPage(ViewPanel* panel, const QString& title)
{
    const auto& view     = panel->view();
    const QString whole  = toQString(view.title);
    const QString starts = whole.compare(title, Qt::CaseInsensitive) == 0 ? QString() : whole + QStringLiteral(": ");
    addPage({.body     = panel,
             .id       = toQString(view.id),
             .title    = title,
             .help     = starts + startOf(view.help),
             .group    = view.group,
             .cheap    = isCheap(view),
             .controls = panel->takeControls(),
             .tools    = panel->takeTools()});
}

void ViewArea::addPage(Page page)
{
    if (page.tools)
        page.tools = quiet(page.tools);
    for (auto* part : {page.controls, page.tools})
        if (part) {
            part->hide();
            m_header->add(part, part == page.tools);
        }
    m_pages.push_back(std::move(page));
    m_stack->addWidget(m_pages.back().body);   // the first one becomes the current one
}

/// In a widget that keeps their place: they are hidden until they are needed.
QWidget* ViewArea::quiet(QWidget* tools)
{
    auto* place = new QWidget(this);
    auto* row   = new QHBoxLayout(place);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(tools);
    m_quiet->add(tools);
    return place;
}

ViewArea::Page* ViewArea::find(const QWidget* page)
{
    const auto found = std::find_if(m_pages.begin(), m_pages.end(),
                                    [page](const Page& one) { return one.body == page; });
    return found == m_pages.end() ? nullptr : &*found;
}

const ViewArea::Page* ViewArea::named(const QString& words) const
{
    for (const auto text : {&Page::title, &Page::id})
        for (const auto& page : m_pages)
            if ((page.*text).compare(words, Qt::CaseInsensitive) == 0)
                return &page;
    return nullptr;
}

QWidget* ViewArea::current() const { return m_stack->currentWidget(); }

const ViewArea::Page& ViewArea::currentPage() const
{
    return m_pages[static_cast<std::size_t>(m_stack->currentIndex())];
}

bool ViewArea::isThere(const QWidget* page) const
{
    return std::any_of(m_pages.begin(), m_pages.end(),
                       [page](const Page& one) { return one.body == page && one.there; });
}

void ViewArea::show(QWidget* page)
{
    if (isThere(page))
        m_stack->setCurrentWidget(page);
}

void ViewArea::reveal(const QWidget& widget)
{
    for (const auto& page : m_pages)
        for (const auto* part : {page.body, page.controls, page.tools})
            if (part && (part == &widget || part->isAncestorOf(&widget)))
                return show(page.body);
}

void ViewArea::setThere(QWidget* page, bool there, const QString& whyNot)
{
    auto* one   = find(page);
    one->there  = there;
    one->whyNot = there ? QString() : whyNot;
    if (!there && page == current())
        showDefault();
}

/// First all views are asked, so that none that does not apply is shown in between.
void ViewArea::fit(const Experiment& experiment)
{
    for (auto& page : m_pages)
        if (page.followed) {
            const auto why = page.followed->view().why_not(experiment);
            page.there     = !why;
            page.whyNot    = why ? toQString(*why) : QString();
        }
    if (!isThere(current()))
        showDefault();
}

/// The first one that applies and is cheap. If none applies, nothing changes and the owner hides the area.
void ViewArea::showDefault()
{
    auto found = std::find_if(m_pages.begin(), m_pages.end(),
                              [](const Page& page) { return page.there && page.cheap; });
    if (found == m_pages.end())
        found = std::find_if(m_pages.begin(), m_pages.end(), [](const Page& page) { return page.there; });
    if (found != m_pages.end())
        m_stack->setCurrentWidget(found->body);
}

void ViewArea::followCurrent()
{
    for (const auto& page : m_pages)
        for (auto* part : {page.controls, page.tools})
            if (part)
                part->setVisible(page.body == current());
    const auto& page = currentPage();
    m_title->setText(page.title + QStringLiteral(" ▾"));
    m_title->setAccessibleName(tr("View: %1").arg(page.title));
    m_title->setAccessibleDescription(page.help);
    Q_EMIT currentChanged(current());
}

Palette* ViewArea::openMenu()
{
    std::vector<const Page*> pages;
    for (const auto& page : m_pages)
        pages.push_back(&page);
    std::stable_sort(pages.begin(), pages.end(), [](const Page* a, const Page* b) {
        return std::pair(!a->there, a->there ? a->group : ViewGroup())
               < std::pair(!b->there, b->there ? b->group : ViewGroup());
    });
    std::vector<Command> lines;
    for (const auto* page : pages)
        lines.push_back({.group   = page->there ? toQString(title_of(page->group)) : tr("Not for this run"),
                         .title   = page->title,
                         .detail  = page->help,
                         .run     = [this, body = page->body] { show(body); },
                         .whyNot  = page->whyNot,
                         .current = page->body == current()});
    auto* menu = new Palette(std::move(lines), tr("Search views"), window(), m_title);
    menu->setObjectName(QStringLiteral("viewMenu"));
    menu->show();
    return menu;
}
