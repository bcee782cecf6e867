// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

namespace dk {

/// What a date becomes where it is made a number.
enum class DateNumber { days, day_of_year, weekday };

/// Tells whether a text is written as a date, perhaps with a time behind it: 2020-01-31, 2020/01/31,
/// 31.01.2020, or 1/31/2020, whose month and day may be the other way round.
bool looks_like_date(std::string_view text);

/// Makes a number of a date: days since 1970-01-01 with the time as a fraction, the day of the year from 1,
/// or the weekday from 1, a Monday. It gives nothing for what is no date or where day and month are not sure.
std::optional<double> number_of_date(std::string_view text, DateNumber what);

}  // namespace dk
