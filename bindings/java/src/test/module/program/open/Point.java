// SPDX-License-Identifier: Apache-2.0
package program.open;

/** A row that libdk may read, since its package is open. */
public record Point(double height, double width, String kind) {}
