// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/palette.h"

#include "parts/appearance.h"
#include "parts/form_controls.h"
#include "parts/icons.h"
#include "parts/view_thumbnails.h"
#include "widgets/chart_palette.h"

#include <QListView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTextLayout>

#include <algorithm>

PaletteModel::PaletteModel(std::vector<Command> commands, QString fold, QObject* parent)
    : QAbstractListModel(parent), m_commands(std::move(commands)), m_fold(std::move(fold))
{}

int PaletteModel::filter(const QString& typed)
{
    const bool folds = !m_fold.isEmpty() && typedWords(typed).isEmpty();
    int listed       = 0;
    beginResetModel();
    m_typed = typed;
    m_rows.clear();
    const QString* group = nullptr;
    for (const int index : matches(m_commands, typed)) {
        const auto& command = m_commands[static_cast<std::size_t>(index)];
        const bool folded   = folds && !command.whyNot.isEmpty();
        if (!group || *group != command.group)
            m_rows.push_back({&command, folded ? Kind::fold : Kind::caption});
        group = &command.group;
        if (folded && !m_open)
            continue;
        m_rows.push_back({&command, Kind::command});
        ++listed;
    }
    endResetModel();
    return listed;
}

const Command* PaletteModel::commandAt(int row) const
{
    return kindAt(row) == Kind::command ? m_rows.at(static_cast<std::size_t>(row)).command : nullptr;
}

bool PaletteModel::isUsable(int row) const
{
    const auto* command = commandAt(row);
    return command ? command->whyNot.isEmpty() : kindAt(row) == Kind::fold;
}

int PaletteModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

Qt::ItemFlags PaletteModel::flags(const QModelIndex& index) const
{
    return index.isValid() && kindAt(index.row()) != Kind::caption ? Qt::ItemIsSelectable | Qt::ItemIsEnabled
                                                                   : Qt::NoItemFlags;
}

QVariant PaletteModel::data(const QModelIndex& index, int role) const
{
    const auto& [command, kind] = m_rows.at(static_cast<std::size_t>(index.row()));
    if (role == typed_role)
        return m_typed;
    if (kind == Kind::caption)
        return role == Qt::DisplayRole ? command->group : QVariant();
    return kind == Kind::fold ? foldData(role) : commandData(*command, role);
}

QVariant PaletteModel::foldData(int role) const
{
    switch (role) {
    case Qt::DisplayRole: return m_fold;
    case Qt::ToolTipRole:
        return m_open ? Palette::tr("Hide these entries") : Palette::tr("List these entries and the reasons");
    case Qt::AccessibleTextRole:
        return m_open ? Palette::tr("%1. Press Enter to hide them.").arg(m_fold)
                      : Palette::tr("%1. Press Enter to list them.").arg(m_fold);
    default: return {};
    }
}

QVariant PaletteModel::commandData(const Command& command, int role) const
{
    const bool usable    = command.whyNot.isEmpty();
    const QString spoken = usable ? command.detail : Palette::tr("not available: %1").arg(command.whyNot);
    switch (role) {
    case Qt::DisplayRole: return command.title;
    case detail_role:
    case Qt::ToolTipRole: return usable || m_fold.isEmpty() ? spoken : command.whyNot;   // else a heading shows it
    case keys_role: return command.keys;
    case view_role: return command.view;
    case Qt::AccessibleTextRole: {
        QStringList parts{command.title, spoken, command.keys};
        parts.removeAll(QString());
        return parts.join(QStringLiteral(", "));
    }
    default: return {};
    }
}

namespace {

constexpr int rowPadding = 12;

/// Paints the title with the typed letters in bold, the detail in a paler colour, and the keys at
/// the right. A view has a thumbnail at the left and the detail below its title: one line, or all
/// lines of the reason why it is not available.
class CommandDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        if (index.data(PaletteModel::view_role).toString().isEmpty())
            return {0, option.fontMetrics.height() + 2 * paletteMargin};
        const auto parts = partsOf(option, index);
        return {0, std::max(parts.picture.height(), parts.title.height() + parts.detail.height()) + paletteMargin};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const auto& colours = option.palette;
        const auto kind     = modelOf(index).kindAt(index.row());
        const bool usable   = isUsable(index);
        const bool chosen   = option.state.testFlag(QStyle::State_Selected) && kind != PaletteModel::Kind::caption;
        const bool strong   = chosen && usable;   // on the other rows, Enter does nothing
        painter->save();
        if (chosen)
            painter->fillRect(option.rect, colours.color(strong ? QPalette::Highlight : QPalette::Button));
        const QColor pale = colours.color(strong ? QPalette::HighlightedText : QPalette::PlaceholderText);
        const QColor text = usable ? colours.color(strong ? QPalette::HighlightedText : QPalette::Text) : pale;
        if (kind != PaletteModel::Kind::command)
            paintHeading(*painter, option, index, pale);
        else if (index.data(PaletteModel::view_role).toString().isEmpty())
            paintLine(*painter, option, index, text, pale);
        else
            paintView(*painter, option, index, text, pale);
        painter->restore();
    }

private:
    struct Parts {
        QRect picture, title, detail;
    };

    static const PaletteModel& modelOf(const QModelIndex& index)
    {
        return static_cast<const PaletteModel&>(*index.model());
    }
    static bool isUsable(const QModelIndex& index) { return modelOf(index).isUsable(index.row()); }

    /// Returns the parts of a view's row. The row has the width of the list without its scroll bar,
    /// so that it does not change when the scroll bar appears.
    static Parts partsOf(const QStyleOptionViewItem& option, const QModelIndex& index)
    {
        const int wide = withText(view_thumbnails::width), tall = withText(view_thumbnails::height);
        const int left = rowPadding + wide + rowPadding, line = option.fontMetrics.height();
        const auto* list = option.widget;
        const int right  = list->width() - list->style()->pixelMetric(QStyle::PM_ScrollBarExtent, &option, list);
        const int room   = std::max(1, right - left - rowPadding);
        int below        = line;
        if (!isUsable(index))
            below = option.fontMetrics
                        .boundingRect(QRect(0, 0, room, 10000), Qt::TextWordWrap,
                                      index.data(PaletteModel::detail_role).toString())
                        .height();
        const QPoint middle(option.rect.left(), option.rect.center().y());
        Parts parts;
        parts.picture = QRect(middle + QPoint(rowPadding, -tall / 2), QSize(wide, tall));
        parts.title   = QRect(middle + QPoint(left, -(line + below) / 2), QSize(room, line));
        parts.detail  = QRect(parts.title.bottomLeft() + QPoint(0, 1), QSize(room, below));
        return parts;
    }

    /// A caption or the row of a fold.
    static void paintHeading(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index,
                             const QColor& pale)
    {
        const bool fold = modelOf(index).kindAt(index.row()) == PaletteModel::Kind::fold;
        QRect free      = option.rect.adjusted(rowPadding, 0, -rowPadding, 0);
        QFont font      = option.font;
        font.setBold(!fold);
        painter.setFont(font);
        painter.setPen(pale);
        if (fold) {
            const int side = option.fontMetrics.height();
            icon(modelOf(index).isOpen() ? QStringLiteral("fold-open") : QStringLiteral("fold-closed"), pale)
                .paint(&painter, QRect(free.left(), free.center().y() - side / 2, side, side));
            free.setLeft(free.left() + side + rowPadding / 2);
        }
        painter.drawText(free, Qt::AlignLeft | Qt::AlignVCenter, index.data().toString());
    }

    static void paintLine(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index,
                          const QColor& text, const QColor& pale)
    {
        QRect free = option.rect.adjusted(rowPadding, 0, -rowPadding, 0);
        painter.setFont(option.font);
        painter.setPen(pale);
        if (const QString keys = index.data(PaletteModel::keys_role).toString(); !keys.isEmpty()) {
            painter.drawText(free, Qt::AlignRight | Qt::AlignVCenter, keys);
            free.setRight(free.right() - option.fontMetrics.horizontalAdvance(keys) - rowPadding);
        }
        painter.setPen(text);
        const int used = paintTitle(painter, option, index, free);
        free.setLeft(free.left() + used + rowPadding);
        painter.setPen(pale);
        painter.drawText(free, Qt::AlignLeft | Qt::AlignVCenter, elidedDetail(option, index, free.width()));
    }

    static void paintView(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index,
                          const QColor& text, const QColor& pale)
    {
        const auto parts = partsOf(option, index);
        painter.setOpacity(isUsable(index) ? 1 : 0.5);
        view_thumbnails::paint(painter, parts.picture, index.data(PaletteModel::view_role).toString(),
                               credence::ChartPalette::forScreen(option.palette));
        painter.setOpacity(1);
        painter.setFont(option.font);
        painter.setPen(text);
        paintTitle(painter, option, index, parts.title);
        painter.setPen(pale);
        if (isUsable(index))
            painter.drawText(parts.detail, Qt::AlignLeft | Qt::AlignTop,
                             elidedDetail(option, index, parts.detail.width()));
        else
            painter.drawText(parts.detail, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap,
                             index.data(PaletteModel::detail_role).toString());
    }

    static QString elidedDetail(const QStyleOptionViewItem& option, const QModelIndex& index, int width)
    {
        return option.fontMetrics.elidedText(index.data(PaletteModel::detail_role).toString(), Qt::ElideRight, width);
    }

    /// @return  its width in pixels
    static int paintTitle(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index, QRect free)
    {
        QFont bold = option.font;
        bold.setBold(true);
        const QString title = QFontMetrics(bold).elidedText(index.data().toString(), Qt::ElideRight, free.width());
        QList<QTextLayout::FormatRange> parts;
        for (const auto& word : typedWords(index.data(PaletteModel::typed_role).toString()))
            if (const auto at = title.toCaseFolded().indexOf(word); at >= 0) {
                QTextCharFormat format;
                format.setFontWeight(QFont::Bold);
                parts.push_back({static_cast<int>(at), static_cast<int>(word.size()), format});
            }
        QTextLayout layout(title, option.font);
        layout.setFormats(parts);
        layout.beginLayout();
        auto line = layout.createLine();
        layout.endLayout();
        layout.draw(&painter, QPointF(free.left(), free.top() + (free.height() - line.height()) / 2));
        return static_cast<int>(line.naturalTextWidth());
    }
};

}   // namespace

void paintPaletteRows(QListView* list) { list->setItemDelegate(new CommandDelegate(list)); }
