// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>

#include <clocale>

/// GoogleTest in the locale of the environment, where Qt puts the program too: numbers must not follow it.
int main(int argc, char** argv)
{
    std::setlocale(LC_ALL, "");
    testing::InitGoogleMock(&argc, argv);
    return RUN_ALL_TESTS();
}
