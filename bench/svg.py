"""Line charts as SVG text, for the pages of ./dev bench and ./dev figures: linear and logarithmic axes, markers, levels that a claim
names, a legend. Points that are not finite, or not positive on a logarithmic axis, leave a gap in their line."""
import math
from xml.sax.saxutils import escape

# Okabe and Ito's colours, which colour-blind readers can distinguish too.
COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#8c6d1f", "#6a3d9a", "#b15928"]
LEFT, RIGHT, TOP, BOTTOM = 66, 14, 34, 46  # margins of the frame
LEGEND_LINE = 17


class Axis:
    """Maps values to pixels from `start` to `end`; `values` decide the range."""

    def __init__(self, values, log, start, end, limits=None):
        values = [v for v in values if usable(v, log)] or [1.0]
        self.log, self.start, self.end = log, start, end
        low, high = (limits or (None, None))
        low, high = min(values) if low is None else low, max(values) if high is None else high
        if log:
            low, high = math.log10(low), math.log10(high)
        room = 0.05 * (high - low) or (0.5 if log else 0.5 * abs(high) or 1.0)
        self.low, self.high = low - room, high + room
        if limits:
            self.low, self.high = (low if limits[0] is not None else self.low), (high if limits[1] is not None else self.high)

    def place(self, value):
        at = math.log10(value) if self.log else value
        return self.start + (at - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self):
        if self.log:
            every = max(1, math.ceil((self.high - self.low) / 8))
            decades = range(math.ceil(self.low), math.floor(self.high) + 1)
            if len(decades) >= 2:
                return [10.0**d for d in decades if d % every == 0]
            small = [m * 10.0**d for d in range(math.floor(self.low), math.ceil(self.high) + 1) for m in (1, 2, 5)]
            return [v for v in small if self.low <= math.log10(v) <= self.high]
        raw = (self.high - self.low) / 6
        power = 10.0 ** math.floor(math.log10(raw))
        step = next(m * power for m in (1, 2, 5, 10) if m * power >= raw)
        return [k * step for k in range(math.ceil(self.low / step), math.floor(self.high / step) + 1)]


def usable(value, log):
    return isinstance(value, (int, float)) and math.isfinite(value) and (value > 0 or not log)


def tick_text(value, log):
    if log and (value >= 1e4 or value < 0.1):
        mantissa, exponent = f"{value:.0e}".split("e")
        raised = str(int(exponent)).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
        return ("" if mantissa == "1" else mantissa + "·") + "10" + raised
    return f"{value:.6g}"


class Plot:
    count = 0  # of plots: ids must differ within a page

    def __init__(self, title, x_label, y_label, x_log=False, y_log=False, width=520, height=340, x_limits=None, y_limits=None):
        self.title, self.x_label, self.y_label = title, x_label, y_label
        self.x_log, self.y_log, self.width, self.height = x_log, y_log, width, height
        self.x_limits, self.y_limits = x_limits, y_limits
        self.lines, self.levels = [], []
        Plot.count += 1
        self.id = f"frame{Plot.count}"

    def line(self, name, xs, ys, marker=False, dash=False, colour=None):
        """A line through points; a name of "" stays out of the legend."""
        k = len(self.lines)  # when colours repeat, dashes distinguish the lines
        self.lines.append((name, list(xs), list(ys), marker, dash or k >= len(COLOURS), colour or COLOURS[k % len(COLOURS)]))
        return self

    def level(self, y, text):
        """A horizontal line with a text on it, e.g. the bound a claim names."""
        self.levels.append((y, text))
        return self

    def svg(self):
        named = [line for line in self.lines if line[0]]
        columns = max(1, (self.width - LEFT) // (max((len(n) for n, *_ in named), default=1) * 7 + 34))
        legend_rows = -(-len(named) // columns)
        bottom = self.height - BOTTOM
        x_axis = Axis([x for line in self.lines for x in line[1]], self.x_log, LEFT, self.width - RIGHT, self.x_limits)
        y_axis = Axis([y for line in self.lines for y in line[2]] + [y for y, _ in self.levels], self.y_log, bottom, TOP, self.y_limits)
        height = self.height + legend_rows * LEGEND_LINE
        out = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" height="{height}" viewBox="0 0 {self.width} {height}" '
            'font-family="sans-serif" font-size="12">',
            f'<rect width="{self.width}" height="{height}" fill="#fff"/>',
            f'<text x="{self.width / 2}" y="20" text-anchor="middle" font-size="14" font-weight="bold">{escape(self.title)}</text>',
        ]
        out += self._frame(x_axis, y_axis, bottom)
        inside = f'<rect x="{LEFT}" y="{TOP}" width="{self.width - RIGHT - LEFT}" height="{bottom - TOP}"/>'
        out.append(f'<clipPath id="{self.id}">{inside}</clipPath>')
        out.append(f'<g clip-path="url(#{self.id})">')
        for name, xs, ys, marker, dash, colour in self.lines:
            out += self._curve(x_axis, y_axis, xs, ys, marker, dash, colour)
        out.append("</g>")
        for k, (name, _, _, marker, dash, colour) in enumerate(named):
            x = LEFT + k % columns * ((self.width - LEFT) // columns)
            y = self.height + k // columns * LEGEND_LINE
            out.append(f'<line x1="{x}" x2="{x + 22}" y1="{y}" y2="{y}" stroke="{colour}" stroke-width="2"{dashes(dash)}/>')
            if marker:
                out.append(f'<circle cx="{x + 11}" cy="{y}" r="3" fill="{colour}"/>')
            out.append(f'<text x="{x + 28}" y="{y + 4}">{escape(name)}</text>')
        return "\n".join(out + ["</svg>"])

    def _frame(self, x_axis, y_axis, bottom):
        right, out = self.width - RIGHT, []
        for value in x_axis.ticks():
            x = f"{x_axis.place(value):.1f}"
            out.append(f'<line x1="{x}" x2="{x}" y1="{TOP}" y2="{bottom}" stroke="#e2e2e2"/>')
            out.append(f'<text x="{x}" y="{bottom + 16}" text-anchor="middle">{tick_text(value, self.x_log)}</text>')
        for value in y_axis.ticks():
            y = y_axis.place(value)
            out.append(f'<line x1="{LEFT}" x2="{right}" y1="{y:.1f}" y2="{y:.1f}" stroke="#e2e2e2"/>')
            out.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{tick_text(value, self.y_log)}</text>')
        for value, text in self.levels:
            y = y_axis.place(value)
            out.append(f'<line x1="{LEFT}" x2="{right}" y1="{y:.1f}" y2="{y:.1f}" stroke="#b00020" stroke-dasharray="6 4"/>')
            out.append(f'<text x="{LEFT + 5}" y="{y - 4:.1f}" fill="#b00020">{escape(text)}</text>')
        out.append(f'<rect x="{LEFT}" y="{TOP}" width="{right - LEFT}" height="{bottom - TOP}" fill="none" stroke="#444"/>')
        out.append(f'<text x="{(LEFT + right) / 2}" y="{bottom + 34}" text-anchor="middle">{escape(self.x_label)}</text>')
        middle = (TOP + bottom) / 2
        out.append(f'<text x="14" y="{middle}" text-anchor="middle" transform="rotate(-90 14 {middle})">{escape(self.y_label)}</text>')
        return out

    def _curve(self, x_axis, y_axis, xs, ys, marker, dash, colour):
        pieces, piece = [], []
        for x, y in zip(xs, ys):
            if usable(x, self.x_log) and usable(y, self.y_log):
                piece.append((x_axis.place(x), y_axis.place(y)))
            elif piece:
                pieces.append(piece)
                piece = []
        pieces.append(piece)
        out = []
        for piece in pieces:
            if len(piece) > 1:
                points = " ".join(f"{x:.1f},{y:.1f}" for x, y in piece)
                out.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.6"{dashes(dash)}/>')
            if marker or len(piece) == 1:
                out += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in piece]
        return out


def dashes(dash):
    return ' stroke-dasharray="5 4"' if dash else ""


def slope(xs, ys):
    """Slope of the straight line fitted to log y over log x by least squares: an order of convergence, an exponent of cost."""
    points = [(math.log(x), math.log(y)) for x, y in zip(xs, ys) if usable(x, True) and usable(y, True)]
    if len(points) < 2:
        return math.nan
    mean_x, mean_y = (sum(p[i] for p in points) / len(points) for i in (0, 1))
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / sum((x - mean_x) ** 2 for x, _ in points)
