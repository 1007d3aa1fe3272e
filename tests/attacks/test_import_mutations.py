"""Thousands of spoiled copies of good files: each is read or refused, and nothing else happens."""

import random
from pathlib import Path

import pytest

from data.importing.formats import IMPORTERS
from data.importing.importer import Options, Source
from data.importing.limits import PAGE
from data.importing.prepare import prepare
from data.importing.preparing import Request, choose_importer, prepare_here
from faithfulness.model.errors import ReviewError
from tests.data.importing.samples import SAMPLES, TABLE_MAPPING
from tests.few import few

COPIES = 170  # of each of 16 samples: 2,720 in all
TOKENS = (
    b'"', b"'", b"{", b"}", b"[", b"]", b":", b",", b"\n", b"\r\n", b"\t", b"\\", b"\\u0000",
    b"\\ud800", b"\x00", b"\xff", b"\xef\xbb\xbf", b"NaN", b"null", b"true", b"-1", b"1e999",
    b"9" * 40, b"&a", b"*a", b"!!python/object:os.system", b"- ", b"#", b"\xe2\x80\xa8", b";", b"",
)  # fmt: skip
TABLE = Options(protocol="comparative_summary", mapping=TABLE_MAPPING)


def spoiled(content: bytes, chance: random.Random) -> bytes:
    """One to four accidents in a row."""
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(content) + 1)
        until = min(len(content), at + chance.choice((0, 1, 2, 7, 40)))
        kind = chance.randrange(6)
        if kind == 0 and at < len(content):
            flipped = bytes([content[at] ^ (1 << chance.randrange(8))])
            content = content[:at] + flipped + content[at + 1 :]
        elif kind == 1:
            content = content[:at] + content[until:]
        elif kind == 2:
            content = content[:until] + content[at:]
        elif kind == 3:
            content = content[:at] + chance.choice(TOKENS) + content[until:]
        elif kind == 4 and chance.random() < 0.3:
            content = content[:at]
        else:
            there = chance.randrange(len(content) + 1)
            content = content[:at] + content[there : there + 30] + content[until:]
    return content


def read_as_recognised(source: Source) -> None:
    list(choose_importer([source], None, Options()).read([source], Options()))


def outcome(key: str | None, path: Path, name: str, into: Path, options: Options) -> str:
    """What becomes of a file: how many items, or the refusal."""
    source = Source(name, path, PAGE)
    try:
        manifest = prepare_here(Request([source], key, options, into, workers=1))
    except ReviewError as refused:
        return str(refused)
    assert all(run.items > 0 for run in manifest.runs)
    return ""


@pytest.mark.parametrize(("key", "name", "content"), SAMPLES, ids=[name for _, name, _ in SAMPLES])
def test_spoiled_copies_are_read_or_refused(key, name, content, tmp_path):
    chance = random.Random(name)
    path, into = tmp_path / "copy", tmp_path / "into"
    into.mkdir()
    refusals = 0
    for number in range(COPIES):
        path.write_bytes(spoiled(content, chance))
        asked = None if number % 2 else key
        said = outcome(asked, path, name, into, TABLE if key == "table" else Options())
        refusals += bool(said)
        # A refusal always says where.
        assert not said or name in said or "files hold no item" in said
    assert refusals > COPIES // 10  # the accidents are real ones


@pytest.mark.parametrize(
    "name", ["a.jsonl", "a.csv", "a.yaml", "a.json", "a.parquet", "a.txt", "a"]
)
def test_noise_is_refused_whatever_it_calls_itself(name, tmp_path):
    chance = random.Random(name)
    path = tmp_path / "noise"
    for size in (1, 2, 3, 17, 400, 5_000):
        path.write_bytes(chance.randbytes(size))
        with pytest.raises(ReviewError):
            read_as_recognised(Source(name, path, PAGE))


def test_every_importer_refuses_the_files_of_all_others_or_reads_them(tmp_path):
    for _, name, content in SAMPLES:
        path = tmp_path / name
        path.write_bytes(content)
        for importer in IMPORTERS.values():
            try:
                drafts = list(importer.read([Source(name, path, PAGE)], Options()))
            except ReviewError:
                continue
            assert drafts


@pytest.mark.parametrize("sample", few(SAMPLES[::3], 2), ids=lambda sample: sample[1])
def test_spoiled_copies_leave_the_app_alive_through_the_child(sample, tmp_path):
    _, name, content = sample
    chance = random.Random(f"child {name}")
    path = tmp_path / "copy"
    for number in range(3):
        into = tmp_path / f"into-{number}"
        into.mkdir()
        path.write_bytes(spoiled(content, chance))
        try:
            manifest = prepare([(name, path)], into=into)
        except ReviewError as refused:
            said = str(refused)
            left = list(into.iterdir())
        else:
            said, left = "", []
            assert manifest.importer in IMPORTERS
        assert left == []
        # The reader refused by itself: it neither died nor broke on an unforeseen error.
        assert "could not be read" not in said
