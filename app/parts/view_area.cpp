// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/view_area.h"

#include "parts/buttons.h"
#include "parts/form_controls.h"
#include "parts/icons.h"
#include "parts/quiet_parts.h"
#include "parts/view_binder.h"
#include "parts/view_panel.h"
#include "work/text.h"

#include "widgets/chart_view.h"

#include <QContextMenuEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLayout>
#include <QMenu>
#include <QRegularExpression>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

using namespace credence;

/// Places title, controls and tools in one line; the controls move to a second line if the first is
/// too narrow.
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
    void drop(QWidget* widget)
    {
        removeWidget(widget);
        m_atEnd.removeAll(widget);
    }
    void setCorner(QWidget* widget)   ///< at the right of everything else
    {
        addWidget(widget);
        m_corner = widget;
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
        return (shown.controls ? first.expandedTo(shown.controls->minimumSize()) : first).grownBy(contentsMargins())
               + QSize(cornerWidth(), 0);
    }

    void setGeometry(const QRect& rect) override
    {
        QLayout::setGeometry(rect);
        place(rect, true);
    }

private:
    int cornerWidth() const { return m_corner ? m_corner->sizeHint().width() + spacing() : 0; }

    struct Parts {
        QSize title;
        QLayoutItem *controls = nullptr, *end = nullptr;   // null: none is visible
    };

    Parts parts() const
    {
        Parts found{m_items.front()->sizeHint()};
        for (auto* item : m_items.mid(1))
            if (!item->isEmpty() && item->widget() != m_corner)
                (m_atEnd.contains(item->widget()) ? found.end : found.controls) = item;
        return found;
    }

    /// @return  the height that is needed
    int place(const QRect& rect, bool move) const
    {
        const QRect room   = rect.marginsRemoved(contentsMargins()).adjusted(0, 0, -cornerWidth(), 0);
        const auto shown   = parts();
        const QSize end    = shown.end ? shown.end->sizeHint() : QSize(0, 0);
        const QSize asked  = shown.controls ? shown.controls->sizeHint() : QSize(0, 0);
        const int left     = shown.title.width() + spacing();
        const bool second  = shown.controls && left + asked.width() + spacing() + end.width() > room.width();
        const int height   = std::max({shown.title.height(), end.height(), second ? 0 : asked.height()});
        const int below    = !second ? 0
                             : shown.controls->hasHeightForWidth()   // wraps
                                 ? shown.controls->heightForWidth(std::min(room.width(), asked.width()))
                                 : asked.height();
        const auto centred = [&](int x, const QSize& size) {
            return QRect(QPoint(x, room.top() + (height - size.height()) / 2), size);
        };
        if (move) {
            m_items.front()->setGeometry(centred(room.left(), shown.title));
            if (m_corner)
                m_corner->setGeometry(centred(room.right() + 1 + spacing(), m_corner->sizeHint()));
            if (shown.end)
                shown.end->setGeometry(centred(room.left() + room.width() - end.width(), end));
            if (shown.controls && !second)
                shown.controls->setGeometry(centred(room.left() + left, asked));
            if (shown.controls && second) {
                const bool wide = shown.controls->expandingDirections().testFlag(Qt::Horizontal);
                const int width = wide ? room.width() : std::min(room.width(), asked.width());
                shown.controls->setGeometry({room.left(), room.top() + height, width, below});
            }
        }
        return height + below + contentsMargins().top() + contentsMargins().bottom();
    }

    QList<QLayoutItem*> m_items;   // the title comes first
    QList<QWidget*> m_atEnd;
    QWidget* m_corner = nullptr;   // null: there is none
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

/// Returns the beginning of a help text, up to the end of a sentence or a colon.
QString startOf(const std::string& help)
{
    static const QRegularExpression end(QStringLiteral("(?<=[.?]) |: |\n"));
    return toQString(help).section(end, 0, 0);
}

/// A widget with these tools that keeps its size while they are hidden.
QWidget* withSpaceFor(QWidget* tools, QWidget* parent)
{
    auto* space = new QWidget(parent);
    auto* row   = new QHBoxLayout(space);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(tools);
    return space;
}

bool isCheap(const View& view) { return view.cost == Cost::quick || view.cost == Cost::draws; }

}   // namespace

ViewArea::ViewArea(const QString& name, ViewBinder& binder, QWidget* parent)
    : QWidget(parent), m_binder(binder), m_title(new AreaTitle(this)), m_quiet(new QuietParts(this, this)),
      m_stack(new QStackedWidget(this)), m_nothing(new QLabel(m_stack)), m_menu(new QMenu(tr("Area"), this)),
      m_toRight(m_menu->addAction(tr("Split &right"), this, [this] { Q_EMIT splitRequested(Qt::Horizontal); })),
      m_below(m_menu->addAction(tr("Split &below"), this, [this] { Q_EMIT splitRequested(Qt::Vertical); })),
      m_close(m_menu->addAction(tr("&Close this half"), this, &ViewArea::closeRequested)),
      m_window(m_menu->addAction(tr("Open in its own &window"), this, &ViewArea::openWindow))
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
    m_nothing->setAlignment(Qt::AlignCenter);
    m_nothing->setWordWrap(true);
    m_nothing->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
    m_stack->addWidget(m_nothing);
    for (auto* action : {m_toRight, m_below, m_close})
        action->setVisible(false);
    binder.add(this);
    connect(m_title, &QToolButton::clicked, this, &ViewArea::openMenu);
    connect(m_stack, &QStackedWidget::currentChanged, this, &ViewArea::followCurrent);
    connect(&binder, &ViewBinder::fitted, this,
            [this](const std::shared_ptr<const Experiment>& experiment) { fit(*experiment); });
    followCurrent();
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
             .entry    = {.title = title, .detail = starts + startOf(view.help)},
             .whole    = whole,
             .group    = view.group,
             .cheap    = isCheap(view),
             .controls = panel->takeControls(),
             .tools    = panel->takeTools()});
}

void ViewArea::addPage(Page page)
{
    page.home = this;
    if (page.tools)
        page.tools = withSpaceFor(page.tools, this);
    m_pages.push_back(std::move(page));
    attach(m_pages.back());
    if (m_pages.size() == 1)
        m_stack->setCurrentWidget(m_pages.back().body);
}

void ViewArea::attach(Page& page)
{
    page.host = this;
    for (auto* part : {page.controls, page.tools})
        if (part) {
            part->hide();
            m_header->add(part, part == page.tools);
        }
    if (page.tools)
        m_quiet->add(page.tools->layout()->itemAt(0)->widget());
    m_stack->addWidget(page.body);
    for (auto* chart : page.body->findChildren<ChartView*>())
        chart->addAction(m_menu->menuAction());
}

void ViewArea::detach(Page& page)
{
    for (auto* part : {page.controls, page.tools})
        if (part)
            m_header->drop(part);
    if (page.tools)
        m_quiet->remove(page.tools->layout()->itemAt(0)->widget());
    m_stack->removeWidget(page.body);
    for (auto* chart : page.body->findChildren<ChartView*>())
        chart->removeAction(m_menu->menuAction());
}

ViewArea::Page* ViewArea::find(const QWidget* page)
{
    const auto found = std::find_if(m_pages.begin(), m_pages.end(),
                                    [page](const Page& one) { return one.body == page; });
    return found == m_pages.end() ? nullptr : &*found;
}

const ViewArea::Page* ViewArea::named(const QString& words) const
{
    for (const bool byTitle : {true, false})
        for (const auto& page : m_pages)
            if ((byTitle ? page.entry.title : page.id).compare(words, Qt::CaseInsensitive) == 0)
                return &page;
    return nullptr;
}

ViewArea::Page* ViewArea::pageOf(const QWidget* body) const
{
    for (auto* area : m_binder.areas())
        if (auto* page = area->find(body))
            return page;
    return nullptr;
}

QWidget* ViewArea::current() const { return m_stack->currentWidget(); }

ViewArea::Page ViewArea::currentPage() const
{
    if (const auto* page = pageOf(current()))
        return *page;
    return {.body = m_nothing, .id = {}, .entry = {.title = tr("No view")}, .group = ViewGroup::predictions};
}

bool ViewArea::isThere(const QWidget* page) const
{
    const auto* found = pageOf(page);
    return found && found->there;
}

void ViewArea::show(QWidget* page)
{
    if (isThere(page))
        pageOf(page)->host->showHere(page);
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
    auto* one         = find(page);
    one->there        = there;
    one->entry.whyNot = there ? QString() : whyNot;
    if (!there && page == one->host->current())
        one->host->showDefault();
}

/// Checks all views first, so that no unavailable view is shown in between.
void ViewArea::fit(const Experiment& experiment)
{
    for (auto& page : m_pages)
        if (page.followed) {
            const auto why    = page.followed->view().why_not(experiment);
            page.there        = !why;
            page.entry.whyNot = why ? toQString(*why) : QString();
        }
    for (const auto& page : m_pages)
        if (!page.there && page.host->current() == page.body)
            page.host->showDefault();
    if (current() == m_nothing)
        showDefault();
}

void ViewArea::followCurrent()
{
    const auto* page = pageOf(current());
    for (const auto& one : m_pages)
        for (auto* part : {one.controls, one.tools})
            if (part && one.host == this)
                part->setVisible(one.body == current());
    if (page && page->home != this)
        for (auto* part : {page->controls, page->tools})
            if (part)
                part->setVisible(true);
    const QString title = page ? titleOf(*page) : tr("No view");
    m_title->setText(title + QStringLiteral(" ▾"));
    m_title->setAccessibleName(tr("View: %1").arg(title));
    m_title->setAccessibleDescription(page ? page->entry.detail : QString());
    m_nothing->setText(m_keepsEmpty ? tr("This view is in its own window.") : tr("Select a view in the title above."));
    m_window->setEnabled(page != nullptr);
    Q_EMIT currentChanged(current());
}

Palette* ViewArea::openMenu()
{
    std::vector<Command> lines;
    int absent = 0;
    for (const auto& page : choices()) {
        absent += page.there ? 0 : 1;
        const QString group = toQString(title_of(page.group));
        Command line        = page.entry;
        line.group          = !page.there                         ? tr("Do not apply to this Study")
                              : page.home == this || m_borrowsAll ? group
                                                                  : tr("Other areas: %1").arg(group);
        line.run            = [this, body = page.body] { showHere(body); };
        line.current        = page.body == current();
        line.view           = page.id;
        lines.push_back(std::move(line));
    }
    const QString fold = absent == 0   ? QString()
                         : absent == 1 ? tr("1 view does not apply to this Study")
                                       : tr("%1 views do not apply to this Study").arg(absent);
    auto* menu         = new Palette(std::move(lines), tr("Search views"), window(), m_title, fold);
    menu->setObjectName(QStringLiteral("viewMenu"));
    menu->show();
    return menu;
}

void ViewArea::setOnStage()
{
    m_borrowsAll      = true;
    m_split           = new MenuButton({}, m_menu, m_title->parentWidget());
    const QString tip = tr("Split this area, or open its view in its own window");
    describeControl(m_split, objectName() + QStringLiteral("/split"), tip, tip);
    m_split->setIcon(icon(QStringLiteral("split")));
    m_split->setAutoRaise(true);
    m_header->setCorner(m_split);
    m_quiet->add(m_split);
    for (auto* action : {m_toRight, m_below, m_close})
        action->setVisible(true);
}

void ViewArea::setSplitting(bool canSplit, bool canClose)
{
    m_toRight->setEnabled(canSplit);
    m_below->setEnabled(canSplit);
    m_close->setEnabled(canClose);
}

void ViewArea::takeFocus() { m_title->setFocus(Qt::OtherFocusReason); }

void ViewArea::contextMenuEvent(QContextMenuEvent* event) { m_menu->popup(event->globalPos()); }
