// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace dk {

// The build sets it to the version in CMakeLists.txt.
inline constexpr const char* version_string = DK_VERSION_STRING;

}  // namespace dk
