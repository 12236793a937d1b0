// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/kept_results.h"

#include <vector>

namespace credence {

namespace {

struct Collections {
    std::mutex mutex;
    std::vector<ForgetfulResults*> all;
};
Collections& collections()
{
    static Collections the;
    return the;
}

}   // namespace

void ForgetfulResults::be_known()
{
    const std::lock_guard lock(collections().mutex);
    collections().all.push_back(this);
}

void ForgetfulResults::be_unknown()
{
    const std::lock_guard lock(collections().mutex);
    std::erase(collections().all, this);
}

void forget_gone_results()
{
    const std::lock_guard lock(collections().mutex);
    bool again = true;
    while (again) {   // repeated, since a result may own the snapshot of another one
        again = false;
        for (auto* one : collections().all)
            again = one->forget_gone() || again;
    }
}

}   // namespace credence
