// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCoreApplication>
#include <gmock/gmock.h>

#include <cstdlib>

/// GoogleTest with an event loop, and without a proxy between it and the loopback address.
int main(int argc, char** argv)
{
    for (const char* variable : {"http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"})
        ::unsetenv(variable);
    testing::InitGoogleMock(&argc, argv);
    QCoreApplication application(argc, argv);
    return RUN_ALL_TESTS();
}
