// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/help_window.h"

#include "parts/appearance.h"
#include "parts/ask_path.h"
#include "parts/help_mark.h"

#include "linter/lint.h"
#include "views/views.h"

#include <QFile>
#include <QHBoxLayout>
#include <QImage>
#include <QLineEdit>
#include <QListWidget>
#include <QPdfWriter>
#include <QPushButton>
#include <QSaveFile>
#include <QToolTip>
#include <QVBoxLayout>

using namespace credence;

namespace {

/// Images have a higher resolution than the screen and are scaled down smoothly.
class IllustratedHelp : public HelpText {
public:
    using HelpText::HelpText;
    QVariant loadResource(int type, const QUrl& name) override
    {
        constexpr int width = 560;
        auto found          = HelpText::loadResource(type, name);
        if (type != QTextDocument::ImageResource)
            return found;
        QImage picture;
        if (found.userType() == QMetaType::QByteArray)
            picture = QImage::fromData(found.toByteArray());
        else
            picture = found.value<QImage>();
        if (picture.isNull())
            return found;
        picture = picture.convertToFormat(QImage::Format_RGB32)
                      .scaledToWidth(qRound(width * devicePixelRatioF()), Qt::SmoothTransformation);
        picture.setDevicePixelRatio(devicePixelRatioF());
        return picture;
    }
};

}   // namespace

QString saveAsPdf(const QTextDocument& text, const QString& file)
{
    QSaveFile out(file);
    bool written = out.open(QIODevice::WriteOnly);
    if (written) {
        QPdfWriter pages(&out);
        pages.setPageSize(QPageSize(QPageSize::A4));
        pages.setTitle(text.metaInformation(QTextDocument::DocumentTitle));
        text.print(&pages);
    }
    return written && out.commit() ? QString() : HelpWindow::tr("%1 was not written: %2.").arg(file, out.errorString());
}

HelpWindow::HelpWindow(QWidget* parent)
    : QDialog(parent), m_topics(new QListWidget(this)), m_text(new IllustratedHelp(this))
{
    setObjectName(QStringLiteral("helpWindow"));
    setWindowTitle(tr("Help"));
    resizeWithText(*this, 820, 600);
    const std::pair<QString, QString> topics[] = {
        {QStringLiteral("getting_started"), tr("Getting started")},
        {QStringLiteral("families"), tr("Choosing a posterior")},
        {QStringLiteral("images"), tr("Images")},
        {QStringLiteral("laplace"), tr("Laplace and bridge")},
        {QStringLiteral("simplex"), tr("The simplex")},
        {QStringLiteral("outputs"), tr("Imported predictions")},
        {QStringLiteral("logits"), tr("Imported logits")},
        {QStringLiteral("bandit"), tr("The bandit")},
        {QStringLiteral("sweep"), tr("Sweeps")},
        {QStringLiteral("views"), tr("The views")},
        {QStringLiteral("linter"), tr("The linter")},
        {QStringLiteral("glossary"), tr("Glossary")},
        {QStringLiteral("keys"), tr("Keys")},
    };
    for (const auto& [id, title] : topics) {
        auto* item = new QListWidgetItem(title, m_topics);
        item->setData(Qt::UserRole, id);
    }
    fixWithText(m_topics, 175);
    m_topics->setAccessibleName(tr("Topics"));
    m_text->setObjectName(QStringLiteral("helpText"));
    m_text->setAccessibleName(tr("Text of the topic"));
    m_text->setOpenExternalLinks(true);
    m_text->document()->setDocumentMargin(14);
    connect(m_topics, &QListWidget::currentRowChanged, this, &HelpWindow::showTopic);
    auto* row = new QHBoxLayout(this);
    row->addWidget(m_topics);
    auto* column = new QVBoxLayout;
    column->addWidget(m_keysRow = keysRow());
    column->addWidget(m_text, 1);
    row->addLayout(column, 1);
}

QWidget* HelpWindow::keysRow()
{
    auto* bar = new QWidget(this);
    m_words   = new QLineEdit(bar);
    m_words->setObjectName(QStringLiteral("keysFilter"));
    m_words->setPlaceholderText(tr("Search: export, Ctrl+R, figure …"));
    m_words->setClearButtonEnabled(true);
    m_words->setAccessibleName(tr("Search the keys"));
    auto* print = new QPushButton(tr("Save for &printing…"), bar);
    print->setObjectName(QStringLiteral("printKeys"));
    print->setToolTip(tr("Save this table as a PDF"));
    print->setAutoDefault(false);
    connect(m_words, &QLineEdit::textChanged, this,
            [this](const QString& words) { m_text->showHtml(keysAsHtml(m_keys, words)); });
    connect(print, &QPushButton::clicked, this, &HelpWindow::printKeys);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_words, 1);
    row->addWidget(print);
    bar->hide();
    return bar;
}

void HelpWindow::printKeys()
{
    askWhereToSave(tr("Save the table of keys"), tr("PDF (*.pdf)"), QStringLiteral("credence-keys.pdf"),
                   QStringLiteral("pdf"), this, [this](const QString& file) {
                       if (const QString mistake = saveAsPdf(*m_text->document(), file); !mistake.isEmpty())
                           QToolTip::showText(m_keysRow->mapToGlobal(QPoint()), mistake, m_keysRow);
                   });
}

std::vector<std::pair<QString, QString>> HelpWindow::topics() const
{
    std::vector<std::pair<QString, QString>> all;
    for (int i = 0; i < m_topics->count(); ++i)
        all.emplace_back(m_topics->item(i)->data(Qt::UserRole).toString(), m_topics->item(i)->text());
    return all;
}

void HelpWindow::openTopic(const QString& topic)
{
    for (int i = 0; i < m_topics->count(); ++i)
        if (m_topics->item(i)->data(Qt::UserRole).toString() == topic)
            m_topics->setCurrentRow(i);
    show();
    raise();
    activateWindow();
}

void HelpWindow::showTopic(int row)
{
    const QString topic = m_topics->item(row)->data(Qt::UserRole).toString();
    m_keysRow->setVisible(topic == QStringLiteral("keys"));
    if (topic == QStringLiteral("keys")) {
        m_text->showHtml(keysAsHtml(m_keys, m_words->text()));
    } else if (topic == QStringLiteral("views")) {
        QString html = QStringLiteral("<h2>%1</h2>").arg(tr("The views"));
        for (const auto& view : views())
            html += QStringLiteral("<h3>%1</h3><p>%2</p>").arg(htmlFrom(view.title), htmlFrom(view.help));
        m_text->showHtml(html);
    } else if (topic == QStringLiteral("linter")) {
        QString html = QStringLiteral("<h2>%1</h2><p>%2</p>")
                           .arg(tr("The linter"),
                                tr("Rules for finished runs, displayed saved runs and imported predictions. "
                                   "Findings appear in the status bar and under Findings."));
        for (const auto& rule : lint_rules())
            html += QStringLiteral("<h3>%1</h3><p>%2</p><p>%3</p>")
                        .arg(htmlFrom(rule.title), htmlFrom(rule.what),
                             htmlFrom(origin_of({.idea = rule.idea, .threshold = rule.threshold})));
        m_text->showHtml(html);
    } else {
        QFile file(QStringLiteral(":/help/%1.md").arg(topic));
        if (file.open(QIODevice::ReadOnly))
            m_text->showMarkdown(QString::fromUtf8(file.readAll()));
    }
}
