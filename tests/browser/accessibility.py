"""What axe finds on a page at rest: grave faults anywhere, or any in our own components."""

from importlib.resources import files

_AXE = (files("axe_playwright_python") / "axe.min.js").read_text("utf-8")
# Streamlit fades what it draws anew, and axe reads faded text as text of low contrast.
_FADED = """
() => Promise.all(document.getAnimations()
  .filter((each) => each instanceof CSSTransition)
  .map((each) => each.finished.catch(() => null)))
"""
_FIND = """
(context) => axe.run(context, {
  runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"], resultTypes: ["violations"],
}).then((found) => found.violations.flatMap((rule) => rule.nodes.map((node) => ({
  text: rule.id + " " + node.html.slice(0, 200),
  grave: ["serious", "critical"].includes(rule.impact),
  ours: node.target.some((each) => Array.isArray(each)),
}))))
"""
# Not the framework's menu: its list holds sections that axe takes for no items.
_WHOLE = {"exclude": [["[data-testid=stSidebarNav]"]]}


def grave_faults(page, within: str = "") -> list[str]:
    """Serious and critical faults of the page, or of what a selector names."""
    found = _found(page, {"include": [[within]]} if within else _WHOLE)
    return [each["text"] for each in found if each["grave"]]


def faults_of_ours(page) -> list[str]:
    """Every fault inside the shadow roots of our own components."""
    return [each["text"] for each in _found(page, _WHOLE) if each["ours"]]


def _found(page, context: dict) -> list[dict]:
    page.evaluate(_AXE)
    page.evaluate(_FADED)
    found: list[dict] = page.evaluate(_FIND, context)
    return found
