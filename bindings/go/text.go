// SPDX-License-Identifier: Apache-2.0

package libdk

import (
	"fmt"
	"sort"
	"strings"
	"text/tabwriter"
)

// number is a number of four significant digits.
func number(value float64) string { return fmt.Sprintf("%.4g", value) }

// sortedNames are the keys of a map in their order.
func sortedNames[T any](values map[string]T) []string {
	names := make([]string, 0, len(values))
	for name := range values {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// textTable is a text of columns that are two spaces apart, whose lines write gives.
func textTable(write func(line func(cells ...any))) string {
	var text strings.Builder
	writer := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	write(func(cells ...any) {
		texts := make([]string, len(cells))
		for i, cell := range cells {
			texts[i] = fmt.Sprint(cell)
		}
		fmt.Fprintln(writer, strings.Join(texts, "\t"))
	})
	writer.Flush()
	return strings.TrimSuffix(text.String(), "\n")
}
