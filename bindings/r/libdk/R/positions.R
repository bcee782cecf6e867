# SPDX-License-Identifier: Apache-2.0
# The library counts rows, columns and nodes from 0, R counts them from 1: messages that name the user's data are translated.

# Messages with positions, each matched from its beginning, so that no name of the user is taken for one. Numbers in groups
# are positions; those named row are rows of the data of the call.
messages_with_positions <- c(
  "^row (?<row>\\d+) is of class ",
  "^value \\S+ at row (?<row>\\d+), column (\\d+)(?: of matrix (\\d+))? \\(counted from 0\\)",
  "^value \\S+ in series (?<row>\\d+), step (\\d+), channel (\\d+) \\(counted from 0\\)",
  "^the value at row (?<row>\\d+), column (\\d+) \\(counted from 0\\)",
  "^(?:score|genuine|target|self similarity) of row (?<row>\\d+) is ",
  # the weights of a call are those of the rows that it trains
  "^weight of row (\\d+) is ",
  "^matrix (\\d+) is not symmetric: element \\((\\d+), (\\d+)\\) is \\S+, element \\((\\d+), (\\d+)\\) is",
  "^edge (\\d+) of graph (?<row>\\d+) names node (-?\\d+); the graph has nodes (0) to (\\d+)",
  "^label (?<row>\\d+) is ",
  "^the similarity callback gave \\S+ for row (?<row>\\d+) and (?:training row|point) (\\d+);",
  "^the squared norm of row (?<row>\\d+) overflows",
  "^kernel .+ needs values of at least 0; row (?<row>\\d+) has \\S+ in column (\\d+) of its columns \\(counted from 0\\)$",
  "^kernel .+ overflows: k\\(x, x\\) of row (?<row>\\d+) ",
  "^kernel .+ overflows between rows (?<row>\\d+) and (\\d+)",
  "^the reconstruction of row (?<row>\\d+) was not found",
  "^the kernel overflows on row (?<row>\\d+),",
  "^every value of column (\\d+) \\(",
  "^model (\\d+) is of "
)

# The message as R counts; rows[i] is the user's row that the library had as its i-th. What a function of the user said stays
# as it is.
counted_from_one <- function(message, rows = NULL, status = "") {
  if (status == "callback" || !validUTF8(message)) return(message)
  for (pattern in messages_with_positions) {
    found <- regexpr(pattern, message, perl = TRUE)
    if (found > 0) return(with_positions(message, found, rows))
  }
  message
}

with_positions <- function(message, found, rows) {
  starts <- attr(found, "capture.start")[1, ]
  ends <- starts + attr(found, "capture.length")[1, ] - 1
  end <- found + attr(found, "match.length") - 1
  rest <- substr(message, end + 1, nchar(message))
  message <- substr(message, 1, end)
  # from the last, so that the places of those before stay
  for (group in rev(which(starts > 0))) {
    position <- as.double(substr(message, starts[group], ends[group])) + 1
    if (attr(found, "capture.names")[group] == "row" && isTRUE(rows[position] > 0)) position <- rows[position]
    message <- paste0(substr(message, 1, starts[group] - 1), number_text(position),
                      substr(message, ends[group] + 1, nchar(message)))
  }
  paste0(sub(" (counted from 0)", "", message, fixed = TRUE), rest)
}

# Failures of an expression that works on some of the user's rows name the row that the user has.
with_rows <- function(rows, expression) {
  tryCatch(expression, dk_error = function(failure) {
    failure$message <- counted_from_one(failure$library_message, rows, failure$status)
    stop(failure)
  })
}
