// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/palette.h"

#include "parts/appearance.h"
#include "parts/form_controls.h"

#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <map>
#include <tuple>

namespace {

constexpr int paletteWidth = 640, paletteHeight = 560;
constexpr int menuWidth = 440;   ///< below a button

/// 0: the title starts with it; 1: a word of the title does; 2: it is inside the title; 3:
/// elsewhere; -1: not found
int rankOf(const QString& word, const QString& title, const QString& elsewhere)
{
    const auto first = title.indexOf(word);
    if (first == 0)
        return 0;
    for (auto at = first; at >= 0; at = title.indexOf(word, at + 1))
        if (!title[at - 1].isLetterOrNumber())
            return 1;
    if (first > 0)
        return 2;
    return elsewhere.contains(word) ? 3 : -1;
}

}   // namespace

std::vector<int> matches(const std::vector<Command>& commands, const QString& typed)
{
    const QStringList words = typedWords(typed);
    struct Group {
        bool useless;
        int rank;     // best of its commands
        int recent;   // negative: the greatest of its commands with that rank
        int order;
        auto operator<=>(const Group&) const = default;
    };
    struct Match {
        Group group;
        bool useless;   // after equally good ones that can be chosen, if a search found it
        int rank, recent, index;
    };
    std::vector<Match> found;
    std::map<QString, Group> groups;
    for (int i = 0; i < static_cast<int>(commands.size()); ++i) {
        const auto& command     = commands[static_cast<std::size_t>(i)];
        const QString title     = searchedText(command.title);
        const QString elsewhere = searchedText(command.detail + QLatin1Char(' ') + command.group);
        int rank                = 0;
        for (const auto& word : words) {
            const int ofWord = rankOf(word, title, elsewhere);
            rank             = rank < 0 || ofWord < 0 ? -1 : std::max(rank, ofWord);
        }
        if (rank < 0)
            continue;
        const Group first{true, rank, 0, static_cast<int>(groups.size())};
        auto& group   = groups.try_emplace(command.group, first).first->second;
        group.useless = group.useless && !command.whyNot.isEmpty();
        if (rank < group.rank)
            group.recent = 0;
        group.rank = std::min(group.rank, rank);
        if (rank == group.rank)
            group.recent = std::min(group.recent, -command.recent);
        found.push_back({first, !words.isEmpty() && !command.whyNot.isEmpty(), rank, -command.recent, i});
    }
    for (auto& match : found)
        match.group = groups.at(commands[static_cast<std::size_t>(match.index)].group);
    std::stable_sort(found.begin(), found.end(), [](const Match& a, const Match& b) {
        return std::tie(a.group, a.rank, a.useless, a.recent) < std::tie(b.group, b.rank, b.useless, b.recent);
    });
    std::vector<int> indices;
    indices.reserve(found.size());
    for (const auto& match : found)
        indices.push_back(match.index);
    return indices;
}

SearchPopup::SearchPopup(int margin, QWidget* parent)
    : QFrame(parent, Qt::Popup), m_typed(new QLineEdit(this)), m_count(new QLabel(this)), m_list(new QListView(this))
{
    setAttribute(Qt::WA_DeleteOnClose);
    setFrameShape(QFrame::StyledPanel);
    m_typed->installEventFilter(this);
    m_list->setFocusPolicy(Qt::NoFocus);   // the keys stay with the search field
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(margin, margin, margin, margin);
    column->addWidget(m_typed);
    column->addWidget(m_count);
    column->addWidget(m_list, 1);
    connect(m_typed, &QLineEdit::textChanged, this, &SearchPopup::filter);
    connect(m_list, &QListView::clicked, this, &SearchPopup::choose);
}

void SearchPopup::move(int rows)
{
    const int step = rows < 0 ? -1 : 1, count = m_list->model()->rowCount();
    int row = std::clamp(m_list->currentIndex().row() + rows, 0, std::max(0, count - 1));   // −1: none is selected
    while (row >= 0 && row < count && isCaption(row))
        row += step;
    if (row < count)
        select(row < 0 ? 1 : row);   // above the first caption: below it
}

void SearchPopup::select(int row)
{
    const auto index = m_list->model()->index(row, 0);
    m_list->setCurrentIndex(index);
    row <= 1 ? m_list->scrollToTop() : m_list->scrollTo(index);   // to the top: with the first caption
    m_typed->setAccessibleDescription(index.data(Qt::AccessibleTextRole).toString());
}

bool SearchPopup::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::KeyPress)
        return QFrame::eventFilter(watched, event);
    switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Down: move(1); return true;
    case Qt::Key_Up: move(-1); return true;
    case Qt::Key_PageDown: move(page()); return true;
    case Qt::Key_PageUp: move(-page()); return true;
    case Qt::Key_Return:
    case Qt::Key_Enter: choose(); return true;
    case Qt::Key_Escape: close(); return true;
    default: return QFrame::eventFilter(watched, event);
    }
}

Palette::Palette(std::vector<Command> commands, const QString& hint, QWidget* window, const QWidget* below,
                 const QString& fold)
    : SearchPopup(paletteMargin, window), m_model(nullptr), m_below(below)
{
    const bool alike = std::all_of(commands.begin(), commands.end(),
                                   [](const auto& one) { return one.view.isEmpty(); });
    m_model          = new PaletteModel(std::move(commands), fold, this);
    setWindowTitle(tr("Search"));
    setAccessibleName(hint);
    m_typed->setObjectName(QStringLiteral("paletteSearch"));
    m_typed->setPlaceholderText(hint);
    m_typed->setAccessibleName(hint);
    m_count->setObjectName(QStringLiteral("paletteCount"));
    m_count->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_list->setObjectName(QStringLiteral("paletteList"));
    m_list->setAccessibleName(tr("Search results"));
    m_list->setModel(m_model);
    paintPaletteRows(m_list);
    m_list->setUniformItemSizes(alike);
    if (!below)
        m_shade = shadeOver(*window);
    filter({});
    setGeometry(placeIn(*window, below));
    m_highest = height();
    for (int row = 0; row < m_model->rowCount(); ++row)
        if (const auto* command = m_model->commandAt(row); command && command->current)
            select(row);
    m_typed->setFocus();
}

/// Places the popup below a button: as high as its rows, and within the window.
QRect Palette::placeIn(const QWidget& window, const QWidget* below) const
{
    const auto within = [&](int margin, int width, int height) {
        return QSize(width, height).boundedTo(window.size() - QSize(2 * margin, 2 * margin));
    };
    if (!below) {
        const QSize size = within(4 * paletteMargin, withText(paletteWidth), withText(paletteHeight));
        return {window.mapToGlobal(QPoint((window.width() - size.width()) / 2, (window.height() - size.height()) / 4)),
                size};
    }
    const QSize size = within(paletteMargin, withText(menuWidth), neededHeight());
    QPoint at        = below->mapTo(&window, QPoint(0, below->height()));
    at.setX(std::clamp(at.x(), 0, window.width() - size.width()));
    at.setY(std::clamp(at.y(), 0, window.height() - size.height()));
    return {window.mapToGlobal(at), size};
}

int Palette::neededHeight() const
{
    int rows = 0;
    for (int row = 0; row < m_model->rowCount(); ++row)
        rows += m_list->sizeHintForRow(m_list->uniformItemSizes() ? 0 : row);
    int others = m_typed->sizeHint().height() + layout()->spacing();
    if (!m_count->isHidden())
        others += m_count->sizeHint().height() + layout()->spacing();
    return rows + others + 2 * paletteMargin + 2 * frameWidth();
}

Palette::~Palette() { delete m_shade; }

void Palette::filter(const QString& typed)
{
    const int found = m_model->filter(typed);
    m_count->setVisible(!typed.trimmed().isEmpty());
    m_count->setText(found == 0 ? tr("No matches") : found == 1 ? tr("1 match") : tr("%1 matches").arg(found));
    m_count->setAlignment((found == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);   // alone below the field
    m_list->setVisible(m_model->rowCount() > 0);
    move(1);
    if (m_highest > 0)   // avoids empty space below few matches
        resize(width(), std::min(m_highest, neededHeight()));
}

bool Palette::isCaption(int row) const { return m_model->kindAt(row) == PaletteModel::Kind::caption; }

int Palette::page() const
{
    const int tallest = std::max({1, m_list->sizeHintForRow(0), m_list->sizeHintForRow(1)});
    return std::max(1, m_list->height() / tallest - 1);
}

/// The row of the fold stays selected.
void Palette::toggleFold()
{
    const int row = m_list->currentIndex().row();
    m_model->toggleFold();
    filter(m_typed->text());
    setGeometry(placeIn(*parentWidget(), m_below));
    m_highest = height();
    select(row);
    m_list->scrollTo(m_list->currentIndex(), QAbstractItemView::PositionAtTop);
}

void Palette::choose()
{
    const auto index = m_list->currentIndex();
    if (index.isValid() && m_model->kindAt(index.row()) == PaletteModel::Kind::fold)
        return toggleFold();
    const auto* command = index.isValid() ? m_model->commandAt(index.row()) : nullptr;
    if (!command || !command->whyNot.isEmpty())
        return;
    // Runs after this popup has closed, so that the focus has returned and dialogs can open.
    QTimer::singleShot(0, parentWidget(), command->run);
    close();
}
