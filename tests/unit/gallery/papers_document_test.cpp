// SPDX-License-Identifier: GPL-3.0-or-later
#include "gallery/gallery.h"

#include "unit/gallery/small_gallery.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <sstream>

namespace credence {
namespace {

using ::testing::HasSubstr;

TEST(PapersDocument, HasASectionForEachPaperAndEachEntry)
{
    const std::string page = papers_document(small_gallery());
    EXPECT_THAT(page, HasSubstr("| [Posch and Pilz 2021](#posch-and-pilz-2021) | 2 | 1 | 0 | 0 | 0 | 1 | 0 | 0 |"));
    EXPECT_THAT(page, HasSubstr("| All | 11 | 1 | 1 | 1 | 3 | 3 | 1 | 1 |"));
    EXPECT_THAT(page, HasSubstr("\n## Posch and Pilz 2021\n"));
    EXPECT_THAT(page, HasSubstr("\n- **Agrees** (1): [Table I, h = 100, correlated](#P.table1.correlated).\n"
                                "- **Shown** (1): [(18)](#P.eq18).\n"));
    EXPECT_THAT(page, HasSubstr(R"(
### <a id="P.table1.correlated"></a>Table I, h = 100, correlated

**Agrees.** Test error of the net with correlated neighbours on MNIST.

| Quantity | Published | Ours |
| --- | ---: | ---: |
| Error (%) | 0.70 | 0.80 |
| Log-likelihood | −251.7 | −261.8 |
| Brier score | 0.01128 | 0.01211 |

- *How measured*: seed 1; 8 minutes; 2026-11-22, commit de27ed0.
- *Difference*: One standard error of an error rate near 0.8 % is 0.09: the two differ by about one.
- *Reproduce*: `credence reproduce P.table1.correlated` (about 8 minutes; `--quick`: about 1
  minute).
- *See*: [picture](images/boxplots-sure.png), [details](mnist.md).

### <a id="P.eq18"></a>(18)

**Shown.** The covariance of neighbouring weights and its factor.

- *Difference*: None: the printed factor times its transpose is the covariance.
- *Reproduce*: test `Tridiagonal.PrintedFactorTimesItsTransposeIsTheCovariance`.
)"));
    EXPECT_THAT(page, HasSubstr("- *Reproduce*: in the window, Tools › Double well.\n"));
    EXPECT_THAT(page,
                HasSubstr("**Not measured.** Test error of four methods on MNIST.\n\n- *Reason*: Not run yet.\n"));
    EXPECT_THAT(page, HasSubstr("| Rate 0.1, error (%) | – | – |\n"));
}

TEST(PapersDocument, ADifferenceOfNoneIsNotNamedTwice)
{
    Gallery gallery               = small_gallery();
    gallery.entries[1].difference = "No difference; the order is that of the paper.";
    EXPECT_THAT(papers_document(gallery), HasSubstr("- *Difference*: None; the order is that of the paper.\n"));
}

TEST(PapersDocument, ValuesCannotAddCellsToTheirTable)
{
    Gallery gallery                   = small_gallery();
    gallery.entries[0].values[0].name = "P(a | b)";
    EXPECT_THAT(papers_document(gallery), HasSubstr("| P(a \\| b) | 0.70 | 0.80 |\n"));
}

TEST(PapersDocument, LinesOutsideTablesHaveAtMostAHundredCharacters)
{
    std::istringstream lines(papers_document(small_gallery()));
    for (std::string line; std::getline(lines, line);) {
        const auto characters = std::count_if(line.begin(), line.end(), [](unsigned char c) { return c >> 6 != 2; });
        EXPECT_TRUE(line.starts_with('|') || characters <= 100) << line;
    }
}

}   // namespace
}   // namespace credence
