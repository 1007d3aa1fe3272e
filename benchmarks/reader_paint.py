"""First paint of the reader against the same texts without marks, and the time to choose.

200 sentences, 200,000 characters of source and 50 excerpts are drawn in a Chromium by the reader's
own files, without a server; the plain page holds the same texts in the same panes.
"""

import json
import statistics
import sys
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from playwright.sync_api import Page, sync_playwright  # noqa: E402

from benchmarks.claims import claim  # noqa: E402
from components.reader import reader as ours  # noqa: E402
from components.ui.mounted import join_files  # noqa: E402
from faithfulness.model.vocabulary import (  # noqa: E402
    Annotation,
    Answer,
    Author,
    AuthorKind,
    Excerpt,
    Field,
    Item,
    Span,
    Unit,
    UnitKind,
)
from faithfulness.text.excerpts import place_excerpt, prepare_source  # noqa: E402
from tests.browser.chromium import chromium  # noqa: E402

SENTENCES, CHARACTERS, EXCERPTS, ROUNDS = 200, 200_000, 50, 9
LABELS = ("supported", "unsupported", "contradictory", "no_rad")
COLOURS = {
    "background": "#fff",
    "secondary-background": "#f5f6f8",
    "text": "#1b2430",
    "border": "#dde1e7",
    "primary": "#0f6b66",
    "link": "#0f6b66",
}
PAINT = """
(draw) => new Promise((done) => {
  const start = performance.now();
  draw();
  document.body.getBoundingClientRect();
  requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)));
})
"""


def big_item() -> tuple[Item, tuple[Annotation, ...]]:
    lines = [f"Line {n}: the part numbered {n} weighs {n % 90 + 3} grams." for n in range(5_000)]
    source = Field(name="context", kind="context", text="\n".join(lines)[:CHARACTERS])
    told = [f"The part numbered {n} weighs {n % 90 + 3} grams. " for n in range(SENTENCES)]
    units, at = [], 0
    for number, text in enumerate(told, start=1):
        span = Span(field="response", start=at, end=at + len(text) - 1)
        units.append(
            Unit(
                id=f"s{number}",
                kind=UnitKind.SENTENCE,
                field="response",
                text=text[:-1],
                span=span,
            )
        )
        at += len(text)
    response = Field(name="response", kind="response", text="".join(told))
    item = Item(id="big", fields=(response, source), units=tuple(units))
    prepared = [prepare_source(source)]
    said = []
    for number, unit in enumerate(units):
        quoted = lines[number * 15]
        excerpts = (Excerpt(text=quoted, placement=place_excerpt(quoted, prepared)),)
        answer = Answer(
            unit_id=unit.id,
            criterion="label",
            value=LABELS[number % 4],
            rationale="Because the line says so.",
            excerpts=excerpts if number % (SENTENCES // EXCERPTS) == 0 else (),
        )
        for author in (
            Author(kind=AuthorKind.JUDGE, name="j"),
            Author(kind=AuthorKind.RATER, name="r"),
        ):
            said.append(
                Annotation(
                    number=len(said),
                    run_id="r",
                    item_id="big",
                    answer=answer,
                    author=author,
                    signed_at=datetime(2026, 1, 1, tzinfo=UTC),
                )
            )
    return item, tuple(said)


def prepare_page(page: Page, data: dict[str, object]) -> None:
    html, css, script = (join_files(kind, ours.FILES) for kind in ("html", "css", "js"))
    script = script.replace("export default function", "function main")
    names = "".join(f"--st-{name}-color: {value};" for name, value in COLOURS.items())
    page.set_content(
        f"<style>body {{ {names} --st-font: sans-serif }} {css}</style><div id=here></div>"
    )
    page.evaluate("(html) => { window.HTML = html; }", html)
    page.add_script_tag(content=f"{script}\nwindow.main = main;")
    page.evaluate("(data) => { window.DATA = JSON.parse(data); }", json.dumps(data))
    page.evaluate(
        """() => {
        const fresh = () => {
          const box = document.createElement("div");
          const frame = new DOMParser().parseFromString(HTML, "text/html").body;
          box.append(...frame.children);
          document.querySelector("#here").replaceChildren(box);
          return box;
        };
        window.marked = () => {
          window.root = fresh();
          main({ data: DATA, parentElement: root, setStateValue() {} });
        };
        window.bare = () => {
          const box = fresh();
          const whole = (text) => text.segments.map(([words]) => words).join("");
          const texts = [...DATA.reviewed, ...DATA.sources].map(whole);
          [".first", ".second"].forEach((side, at) => {
            const pane = make("section", { class: "pane" });
            pane.append(put(make("div", { class: "text" }), texts[at]));
            box.querySelector(side).append(pane);
          });
        };
      }"""
    )


def main() -> int:
    item, said = big_item()
    data = ours.build_reader_data(item, "sentence_grounding", said)
    start = {"unit": "", "by": "judge:j", "show": [], "marked": [], "counts": {}}
    with sync_playwright() as playwright:
        browser = chromium(playwright)
        assert browser, "no Chromium: `make browser` gets one"
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        may = ["meeting mark", "review tick"]
        prepare_page(page, data | {"start": start, "given": [], "may": may})
        ratios, bare, marked = [], [], []
        for _ in range(ROUNDS):
            bare.append(page.evaluate(f"({PAINT})(bare)"))
            marked.append(page.evaluate(f"({PAINT})(marked)"))
            ratios.append(marked[-1] / bare[-1])
        choices = [
            page.evaluate(
                f"""() => ({PAINT})(() => root.querySelector('[data-unit="s{number}"]').click())"""
            )
            for number in range(1, SENTENCES, 8)
        ]
        browser.close()
    print(f"marks in the sources: {EXCERPTS}, sentences: {SENTENCES}, characters: {CHARACTERS:,}")
    print(f"first paint, bare {min(bare):.0f} ms, marked {min(marked):.0f} ms (best of {ROUNDS})")
    print(f"ratio marked / bare: median {statistics.median(ratios):.2f}, limit 1.50")
    print(f"choosing a sentence: median {statistics.median(choices):.1f} ms, limit 50 ms")
    told = f"First paint of {CHARACTERS:,} characters with marks"
    claim(told, statistics.median(ratios), "times", at_most=1.5, peer="the same texts bare")
    claim("Choosing a sentence in the reader", statistics.median(choices), "ms", at_most=50)
    return 0


if __name__ == "__main__":
    sys.exit(main())
