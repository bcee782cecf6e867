// SPDX-License-Identifier: Apache-2.0
package org.libdk;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;

/** A small table of text: columns of numbers are aligned on the right, others on the left. */
final class Table {
    private static final int SIGNIFICANT_DIGITS = 6;
    private static final String GAP = "  ";

    private final List<List<String>> rows = new ArrayList<>();
    private final boolean hasHeader;

    private Table(boolean hasHeader) {
        this.hasHeader = hasHeader;
    }

    static Table withHeader(List<String> header) {
        Table table = new Table(true);
        table.rows.add(List.copyOf(header));
        return table;
    }

    /** A table of names and values. */
    static Table ofFacts() {
        return new Table(false);
    }

    Table row(List<String> cells) {
        rows.add(List.copyOf(cells));
        return this;
    }

    Table fact(String name, Object value) {
        return row(List.of(name, text(value)));
    }

    /** Numbers with six significant digits, truth values as yes and no; nothing of NaN, which is not defined. */
    static String text(Object value) {
        if (value instanceof Boolean truth) return truth ? "yes" : "no";
        if (value instanceof Double number) return number(number);
        return String.valueOf(value);
    }

    private static String number(double value) {
        if (Double.isNaN(value)) return "";
        if (Double.isInfinite(value)) return Double.toString(value);
        BigDecimal rounded =
                new BigDecimal(value).round(new MathContext(SIGNIFICANT_DIGITS)).stripTrailingZeros();
        if (rounded.signum() == 0) return "0";
        int exponent = rounded.precision() - rounded.scale() - 1;
        return exponent >= -5 && exponent < 15 ? rounded.toPlainString() : rounded.toString();
    }

    @Override
    public String toString() {
        int columns = rows.isEmpty() ? 0 : rows.get(0).size();
        List<String> lines = new ArrayList<>();
        for (int r = 0; r < rows.size(); r++) lines.add("");
        for (int c = 0; c < columns; c++) append(lines, c);
        return String.join("\n", lines.stream().map(String::stripTrailing).toList());
    }

    private void append(List<String> lines, int column) {
        int width = rows.stream().mapToInt(row -> width(row.get(column))).max().orElse(0);
        boolean right = hasHeader && rows.stream().skip(1).allMatch(row -> isNumber(row.get(column)));
        for (int r = 0; r < lines.size(); r++) {
            String cell = rows.get(r).get(column);
            String space = " ".repeat(width - width(cell));
            lines.set(r, lines.get(r) + (column == 0 ? "" : GAP) + (right ? space + cell : cell + space));
        }
    }

    private static int width(String cell) {
        return cell.codePointCount(0, cell.length());
    }

    private static boolean isNumber(String cell) {
        return cell.isEmpty() || cell.matches("[-+]?[0-9][0-9.]*([eE][-+]?[0-9]+)?|[-+]?Infinity");
    }
}
