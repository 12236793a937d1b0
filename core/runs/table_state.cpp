// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/table_state.h"

#include "foundation/error.h"
#include "foundation/number_text.h"
#include "foundation/read_file.h"
#include "foundation/text_hash.h"
#include "study/source.h"

namespace credence {

std::string table_state(const DataSpec& data)
{
    const Source& source = source_of(data);
    if (!source.place || source.gives_images())
        return {};
    try {
        const auto bytes = read_file(source.place(data), "a table");
        return grouped_text(static_cast<long>(bytes.size())) + " bytes, hash " + text_hash(bytes);
    } catch (const Error&) {   // it existed a moment ago
        return {};
    }
}

}   // namespace credence
