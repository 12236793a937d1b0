// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/appearance.h"
#include "parts/help_mark.h"

#include <QApplication>
#include <QClipboard>
#include <QFrame>
#include <QGridLayout>
#include <QImage>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QTest>
#include <QTextBlock>
#include <QTextDocument>
#include <QTextFragment>
#include <gmock/gmock.h>

namespace credence {
std::vector<std::pair<std::string, std::string>> formula_texts();
}

namespace {

const QString noiseFormula = QStringLiteral("w = m(1 + τε)");

/// The list of the program; its entries have pictures if it was built with matplotlib.
QJsonArray listOfFormulas()
{
    return QJsonDocument::fromJson(QByteArray::fromStdString(credence::formula_texts().front().second)).array();
}

bool builtWithPictures() { return listOfFormulas().first().toObject().contains(QStringLiteral("svg")); }

std::vector<QTextImageFormat> picturesIn(const QTextDocument& text)
{
    std::vector<QTextImageFormat> found;
    for (auto block = text.begin(); block.isValid(); block = block.next())
        for (auto part = block.begin(); !part.atEnd(); ++part)
            if (part.fragment().charFormat().isImageFormat())
                found.push_back(part.fragment().charFormat().toImageFormat());
    return found;
}

std::vector<QString> wordsOf(const std::vector<QTextImageFormat>& pictures)
{
    std::vector<QString> words;
    for (const auto& picture : pictures)
        words.push_back(picture.property(QTextFormat::ImageAltText).toString());
    return words;
}

QImage imageOf(const QTextDocument& text, const QTextImageFormat& picture)
{
    return text.resource(QTextDocument::ImageResource, QUrl(picture.name())).value<QImage>();
}

/// The colour of the opaque pixels; invalid if they differ.
QColor inkOf(const QImage& picture)
{
    QColor ink;
    for (int y = 0; y < picture.height(); ++y)
        for (int x = 0; x < picture.width(); ++x)
            if (const QColor at = picture.pixelColor(x, y); at.alpha() == 255) {
                if (ink.isValid() && ink != at)
                    return {};
                ink = at;
            }
    return ink;
}

class Formulas : public testing::Test {
protected:
    void SetUp() override
    {
        if (!builtWithPictures())
            GTEST_SKIP() << "built without matplotlib: formulas are text";
        applyTheme(Theme::light);
    }
    void TearDown() override
    {
        applyTextSize(usualText);
        applyTheme(Theme::desktop);
    }
};

}   // namespace

TEST_F(Formulas, AreAllTypeset)
{
    HelpText text(nullptr);
    const auto formulas = listOfFormulas();
    ASSERT_GE(formulas.size(), 40);
    for (const auto& formula : formulas) {
        const QString words = formula[QLatin1String("text")].toString();
        text.showHtml(QStringLiteral("<p>Here %1 is meant.</p>").arg(words.toHtmlEscaped()));
        EXPECT_THAT(wordsOf(picturesIn(*text.document())), testing::ElementsAre(words)) << words.toStdString();
        EXPECT_EQ(text.toPlainText(),
                  QStringLiteral("Here %1 is meant.").arg(QChar(QChar::ObjectReplacementCharacter)));
    }
}

TEST_F(Formulas, OfAHelpMarkArePicturesWithTheirTextForScreenReaders)
{
    HelpMark mark("Noise", [] { return QStringLiteral("<b>Noise</b><p>A sample is %1.</p>").arg(noiseFormula); });
    mark.show();
    QTest::mouseClick(&mark, Qt::LeftButton);
    const auto* text = mark.findChild<HelpText*>();
    ASSERT_NE(text, nullptr);
    EXPECT_THAT(wordsOf(picturesIn(*text->document())), testing::ElementsAre(noiseFormula));
    EXPECT_EQ(text->accessibleDescription(), QStringLiteral("A sample is %1.").arg(noiseFormula));
}

TEST_F(Formulas, AreTypesetInMarkdownAndAcrossLines)
{
    HelpText text(nullptr);
    text.showMarkdown(QStringLiteral("A sample is **w =\nm(1 + τε)**; ew = m(1 + τε) is not one.\n"));
    EXPECT_THAT(wordsOf(picturesIn(*text.document())), testing::ElementsAre(noiseFormula));
}

TEST_F(Formulas, HaveTheColourOfTheTextInEveryTheme)
{
    HelpText text(nullptr);
    text.showHtml(noiseFormula);
    const auto pictures = picturesIn(*text.document());
    ASSERT_EQ(pictures.size(), 1U);
    for (const auto theme : {Theme::dark, Theme::light, Theme::projector}) {
        text.setPalette(paletteOf(theme));   // Qt does this while an event loop runs
        EXPECT_EQ(inkOf(imageOf(*text.document(), pictures[0])), paletteOf(theme).color(QPalette::Text))
            << static_cast<int>(theme);
    }
}

TEST_F(Formulas, GrowWithTheText)
{
    HelpText text(nullptr);
    text.resize(1000, 200);
    text.showHtml(noiseFormula);
    const auto picture = picturesIn(*text.document()).at(0);
    const auto before  = imageOf(*text.document(), picture).deviceIndependentSize();
    applyTextSize(200);
    const auto after = imageOf(*text.document(), picture).deviceIndependentSize();
    EXPECT_NEAR(after.width(), 2 * before.width(), 0.1 * before.width());
    EXPECT_NEAR(after.height(), 2 * before.height(), 0.15 * before.height());
}

TEST_F(Formulas, AreLargerOnALineOfTheirOwn)
{
    HelpText text(nullptr);
    text.resize(1000, 200);
    text.showHtml(QStringLiteral("<p>A sample is %1, with ε from N(0, 1).</p><p>%1,</p>").arg(noiseFormula));
    const auto pictures = picturesIn(*text.document());
    ASSERT_EQ(pictures.size(), 2U);
    EXPECT_GT(imageOf(*text.document(), pictures[1]).height(), imageOf(*text.document(), pictures[0]).height());
}

TEST_F(Formulas, NeverExceedTheWidthOfTheText)
{
    HelpText text(nullptr);
    text.resize(1000, 200);
    text.show();
    text.showHtml(noiseFormula);
    const auto picture = picturesIn(*text.document()).at(0);
    EXPECT_GT(imageOf(*text.document(), picture).deviceIndependentSize().width(), 60);
    text.resize(60, 200);
    EXPECT_LE(imageOf(*text.document(), picture).deviceIndependentSize().width(), 60);
}

TEST_F(Formulas, AreCopiedAsText)
{
    HelpText text(nullptr);
    text.showHtml(QStringLiteral("<p>A sample is %1.</p>").arg(noiseFormula));
    text.selectAll();
    text.copy();
    EXPECT_EQ(QGuiApplication::clipboard()->text(), QStringLiteral("A sample is %1.").arg(noiseFormula));
}

TEST(HelpMark, BelongsToItsControlsWhereverItIs)
{
    QWidget page;
    auto* grid = new QGridLayout(&page);
    std::vector<QLineEdit*> lines;
    for (int i = 0; i < 3; ++i)
        lines.push_back(new QLineEdit(&page));
    const auto help = [] { return QString(); };
    auto* first     = new HelpMark("first", help, {lines[0]}, &page);
    auto* second    = new HelpMark("second", help, {lines[1]}, &page);
    grid->addWidget(lines[0], 0, 0);
    grid->addWidget(second, 0, 1);   // in the line of the first control
    grid->addWidget(lines[1], 1, 0);
    grid->addWidget(first, 1, 1);
    grid->addWidget(lines[2], 2, 0);
    page.show();
    EXPECT_EQ(FieldHelpKey::markOf(lines[0]), first);
    EXPECT_EQ(FieldHelpKey::markOf(lines[1]), second);
    EXPECT_EQ(FieldHelpKey::markOf(lines[2]), nullptr);
    auto* all = new HelpMark("page", help, &page);
    all->show();
    EXPECT_EQ(FieldHelpKey::markOf(lines[2]), all);
    EXPECT_EQ(FieldHelpKey::markOf(lines[0]), first) << "the innermost";
    first->hide();
    EXPECT_EQ(FieldHelpKey::markOf(lines[0]), all);
}
