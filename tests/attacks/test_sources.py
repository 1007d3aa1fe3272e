"""What the program's own files must not hold: secrets, changes of facts, open settings."""

import re
import tomllib

from streamlit import config

from tests.shared_data import ROOT

ROOMS = ("data", "faithfulness", "components", "pages")
FACTS = "annotations|excerpts|adjudications|decision_facts|meeting_events|replies|operations"
CHANGES = re.compile(rf"\b(?:update|delete\s+from|truncate)\s+(?:{FACTS})\b", re.I)
# Migrations that correct a value which an earlier version stored wrongly.
CORRECTIONS = {"0011_stated_confidence.sql"}
SECRETS = re.compile(
    r"(?:cookie_secret|client_secret|password|api_key|token)\s*[:=]\s*[\"'][\w+/=-]{12,}[\"']|"
    r"\bsk-[A-Za-z0-9_-]{20,}|-----BEGIN [A-Z ]*PRIVATE KEY-----"
)
SETTINGS = {
    ("server", "address"): "127.0.0.1",
    ("server", "allowedHosts"): ["localhost", "127.0.0.1", "::1"],
    ("server", "enableCORS"): True,
    ("server", "enableXsrfProtection"): True,
    ("server", "enableStaticServing"): False,
    ("client", "showErrorDetails"): "none",
    ("client", "showErrorLinks"): False,
    ("client", "disableDataExport"): True,
    ("browser", "gatherUsageStats"): False,
}


def sources():
    for room in ROOMS:
        for path in (ROOT / room).rglob("*"):
            if path.suffix in (".py", ".sql", ".js", ".yaml", ".toml", ".html"):
                yield path, path.read_text(encoding="utf-8")
    for path in (ROOT / "app.py", ROOT / "cli.py", ROOT / ".streamlit" / "config.toml"):
        yield path, path.read_text(encoding="utf-8")


def test_patterns_find_what_they_look_for():
    assert CHANGES.search("delete from annotations where 1")
    assert SECRETS.search('cookie_secret = "abcdefghijklmnop"')


def test_no_statement_changes_or_deletes_a_fact():
    assert [
        (path.name, CHANGES.findall(text))
        for path, text in sources()
        if path.name not in CORRECTIONS and CHANGES.search(text)
    ] == []


def test_no_secret_comes_with_the_program():
    assert [path.name for path, text in sources() if SECRETS.search(text)] == []
    assert not (ROOT / ".streamlit" / "secrets.toml").exists()


def test_settings_that_matter_for_safety_are_set():
    found = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    assert {key: found.get(key[0], {}).get(key[1]) for key in SETTINGS} == SETTINGS


def test_no_door_for_agents_is_opened():
    """Off by default, and no setting of ours turns it on."""
    found = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    assert found["server"].get("enableAgentApi", False) is False
    assert config.get_option("server.enableAgentApi") is False
