"""Texts that attack a screen: our own list, and the public one where its folder is present."""

import json
import re

from tests.shared_data import SHARED

PORT = 47027
BEACON = f"http://127.0.0.1:{PORT}"
LISTS = SHARED / "hostile" / "lists.json"

# Whatever runs sets `hit` on the page, opens a dialog, or knocks at the listener.
OWN = (
    # Markup that loads or runs by being there.
    f"<img src={BEACON}/img onerror=top.hit=1>",
    "<img src=x: onerror=alert(1)>",
    f"<script>hit=1;fetch('{BEACON}/script')</script>",
    "<ScRiPt\n>hit=1</sCrIpT\t>",
    f"<svg/onload=fetch('{BEACON}/svg')>",
    f"<svg><image href={BEACON}/image /><animate onbegin=hit=1 attributeName=x dur=1s /></svg>",
    "<iframe srcdoc=\"<script>top.hit='frame'</script>\"></iframe>",
    f"<iframe src={BEACON}/frame></iframe>",
    f"<meta http-equiv=refresh content='0;url={BEACON}/meta'>",
    f"<link rel=stylesheet href={BEACON}/css>",
    f"<style>@import url({BEACON}/import);*{{color:red}}</style>",
    f"<p style='background:url({BEACON}/style)'>painted</p>",
    f"<video poster={BEACON}/poster><source onerror=hit=1></video>",
    f"<audio src={BEACON}/audio autoplay onerror=hit=1>",
    f"<object data={BEACON}/object></object><embed src={BEACON}/embed>",
    f"<base href={BEACON}/>",
    "<details open ontoggle=hit=1>fold</details>",
    "<input autofocus onfocus=hit=1 onblur=hit=1>",
    "<marquee onstart=hit=1>old</marquee>",
    "<math><mtext><table><mglyph><style><img src=x onerror=hit=1>",
    "<custom-thing onpointerenter=hit=1 onmouseover=hit=1>touch me</custom-thing>",
    # Markup that breaks out of where it stands.
    "\"'><img src=x onerror=hit=1>",
    "</span></mark></div></template></textarea></title><plaintext>",
    "<!-- --!><img src=x onerror=hit=1> -->",
    "]]><![CDATA[<img src=x onerror=hit=1>",
    "</script><script>hit=1</script>",
    "' onclick=hit=1 onfocus=hit=1 tabindex=0 autofocus '",
    # Markup that waits for a click.
    "<a href='javascript:hit=1'>click</a>",
    f"<form action={BEACON}/form><button autofocus>send</button></form>",
    "javascript:hit=1//",
    "jAvAsCrIpT\u0001:hit=1",
    "data:text/html,<script>top.hit=1</script>",
    "vbscript:hit=1 file:///etc/passwd \\\\server\\share",
    "blob:null/x about:blank#x //127.0.0.1:47027/relative",
    # Markdown, formulas and directives of the framework.
    f"![pixel]({BEACON}/md.png)",
    f"![pixel][far]\n\n[far]: {BEACON}/ref.png",
    "[press](javascript:hit=1) [^1] <javascript:hit=1>",
    f"{BEACON}/bare and www.example.com and me@example.com",
    "$\\href{javascript:hit=1}{x}$ and $$\\frac{a}{b}$$, $5 or $6",
    ":red[hot] :smile: :material/home: :blue-badge[b] :small[s] :streamlit:",
    "# heading\n- list\n1. one\n> quote\n```\ncode\n```\n| a | b |\n|---|---|",
    "**bold** _it_ ~~no~~ `code` a -> b <- c -- d >= e ==> f",
    "---\n\n***\n\n    indented code",
    "&lt;b&gt; &amp; &#60;img src=x&#62; &colon; \\* \\<",
    "{{response}} {} %s %(x)s ${hit=1} {{constructor.constructor('hit=1')()}} %{x} <extra>",
    # Characters that hide, turn or pile up.
    "\u202egnidliub\u202c \u200bzero\u200b \ufeffmark \u2066iso\u2069 \u200fright",
    "\x01\x1b[31m red \x7f and \x85 next",
    "Z\u0351\u036b\u0343\u036a\u0302\u036b\u033d\u034fa\u0334\u0319\u0324\u031e\u0349lgo",
    "👩\u200d🚀 \U000e0041\U000e0042 flag 🏴\U000e0067\U000e0062\U000e007f é e\u0301 ＜script＞",
    "line\u2028separator\u2029and \u00a0 kept \u3000 blanks",
    # Words for the engine and for a spreadsheet.
    "'; drop table runs; -- \" or 1=1 /*",
    "select * from read_text('/etc/passwd') $run ? %",
    "=HYPERLINK(\"http://x\") @SUM(1) +1 -1 =cmd|' /C calc'!A0",
    "w" * 400,
)


def shared_payloads() -> tuple[str, ...]:
    """The texts for screens of the public list; none where its folder is not here."""
    if not LISTS.is_file():
        return ()
    lists = json.loads(LISTS.read_text(encoding="utf-8"))
    names = ("payloads", "filter_strings", "formulas", "upload_names", "engine_escapes")
    found = [each.strip() for name in names for each in lists[name]]
    # A single letter would be found on any page, and a text of pages has its own tests.
    return tuple(dict.fromkeys(each for each in found if 1 < len(each) < 500))


def all_payloads() -> tuple[str, ...]:
    """Both lists, each text once, and none that is a part of another: a unit has its own words."""
    found = tuple(dict.fromkeys((*OWN, *shared_payloads())))
    return tuple(each for each in found if sum(each in other for other in found) == 1)


def as_imported(text: str) -> str:
    """A text as an import stores it: control characters that no text needs are replaced."""
    return re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f]", "\ufffd", text)
