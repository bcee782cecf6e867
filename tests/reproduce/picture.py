# SPDX-License-Identifier: Apache-2.0
"""Pictures of the scripts of published figures: lines, bars and histograms as SVG files, written without any library."""

COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#999999"]
WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 520, 340, 64, 48, 34, 150


class Picture:
    """A frame with axes, in which data are drawn in their own units."""

    def __init__(self, title, x_range, y_range, x_label, y_label):
        self.x_range, self.y_range = x_range, y_range
        self.parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="11">',
            f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
            self._text(LEFT, 18, title, size=13),
            f'<rect x="{LEFT}" y="{TOP}" width="{WIDTH - LEFT - RIGHT}" height="{HEIGHT - TOP - BOTTOM}" fill="none" '
            'stroke="#444444"/>',
            self._text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, x_label, anchor="middle"),
            f'<text transform="translate(14 {HEIGHT / 2}) rotate(-90)" text-anchor="middle">{y_label}</text>']
        self.legend = 0
        low, high = y_range
        for k in range(5):
            value = low + (high - low) * k / 4
            self.parts.append(self._text(LEFT - 6, self.y(value) + 4, f"{value:.3g}", anchor="end"))

    @staticmethod
    def _text(x, y, text, anchor="start", size=11):
        return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}">{text}</text>'

    def x(self, value):
        low, high = self.x_range
        return LEFT + (WIDTH - LEFT - RIGHT) * (value - low) / ((high - low) or 1)

    def y(self, value):
        low, high = self.y_range
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (value - low) / ((high - low) or 1)

    def ticks(self, positions, names):
        for position, name in zip(positions, names):
            self.parts.append(self._text(self.x(position), HEIGHT - BOTTOM + 16, name, anchor="middle"))

    def name(self, text):
        """Adds a line to the legend; gives its colour."""
        colour = COLOURS[self.legend % len(COLOURS)]
        y = TOP + 14 + 16 * self.legend
        self.legend += 1
        self.parts.append(f'<rect x="{WIDTH - RIGHT + 12}" y="{y - 8}" width="10" height="10" fill="{colour}"/>')
        self.parts.append(self._text(WIDTH - RIGHT + 27, y + 1, text))
        return colour

    def line(self, xs, ys, colour, dashed=False):
        points = " ".join(f"{self.x(a):.1f},{self.y(b):.1f}" for a, b in zip(xs, ys))
        dash = ' stroke-dasharray="4 3"' if dashed else ""
        self.parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.5"{dash}/>')

    def interval(self, x, low, high, colour):
        self.line([x, x], [low, high], colour)

    def dot(self, x, y, colour):
        self.parts.append(f'<circle cx="{self.x(x):.1f}" cy="{self.y(y):.1f}" r="2.5" fill="{colour}"/>')

    def bar(self, left, right, height, colour, opacity=0.5):
        top, bottom = self.y(height), self.y(self.y_range[0])
        self.parts.append(f'<rect x="{self.x(left):.1f}" y="{top:.1f}" width="{self.x(right) - self.x(left):.1f}" '
                          f'height="{bottom - top:.1f}" fill="{colour}" fill-opacity="{opacity}"/>')

    def save(self, path):
        with open(path, "w") as file:
            file.write("\n".join([*self.parts, "</svg>"]) + "\n")
