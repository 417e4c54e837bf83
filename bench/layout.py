"""Common to the pages of ./dev bench and ./dev figures: the frame of a self-contained HTML page, tables, marks of claims."""
from html import escape

STYLE = """
body { font: 15px/1.45 sans-serif; margin: 2em auto; max-width: 1120px; padding: 0 1em; color: #1a1a1a; background: #fff }
h1 { font-size: 1.6em } h2 { font-size: 1.25em; margin-top: 2em; border-bottom: 1px solid #ccc }
table { border-collapse: collapse; margin: 0.8em 0; font-size: 0.92em }
th, td { border: 1px solid #ddd; padding: 0.25em 0.6em; text-align: right } th { background: #f3f3f3 }
th:first-child, td:first-child, td.text { text-align: left }
.met { color: #00703c; font-weight: bold } .missed { color: #b00020; font-weight: bold } .open { color: #7a5c00 }
.plots { display: flex; flex-wrap: wrap; gap: 1em } .wide { overflow-x: auto } small { color: #555 }
"""


def page(title, body):
    return (f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title><style>{STYLE}</style></head>\n'
            f"<body><h1>{escape(title)}</h1>\n{body}\n</body></html>\n")


def table(head, rows):
    """Cells are text; text that starts with "<" is HTML already."""
    def cell(tag, text):
        return f"<{tag}>{text if text.startswith('<') else escape(text)}</{tag}>"
    lines = ["<tr>" + "".join(cell("th", c) for c in head) + "</tr>"]
    lines += ["<tr>" + "".join(cell("td", c) for c in row) + "</tr>" for row in rows]
    return '<div class="wide"><table>' + "\n".join(lines) + "</table></div>"


def mark(met):
    """True, False, or None where it could not be measured."""
    style, text = {True: ("met", "met"), False: ("missed", "missed"), None: ("open", "not measured")}[met]
    return f'<span class="{style}">{text}</span>'


def plots(charts):
    return '<div class="plots">' + "\n".join(chart.svg() for chart in charts) + "</div>"
