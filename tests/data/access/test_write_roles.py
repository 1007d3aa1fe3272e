"""Who may store what: roles by kind of write, names that are the server's own, files of roles."""

import ast
from pathlib import Path

import pytest

from data.access.shared_store import Roles, load_roles, read_roles
from data.items import saved_views
from data.items.loading import load_annotations
from data.items.sign import sign
from data.judging.batches import load_batches, open_batch
from data.meetings.adjudicate import adjudicate
from data.rating.drafts import DraftStep, Sheet, save_steps
from data.runs.remove import remove_runs
from data.store.sidecar_files import get_log_path
from data.store.write_roles import NEEDS, Guard, get_required_role
from faithfulness.model.access import PROGRAM, Role, Visitor, get_identity
from faithfulness.model.errors import NotAllowed, NotSaved, StoreUnavailable
from faithfulness.model.names import fold_name
from faithfulness.model.vocabulary import Answer, Author, AuthorKind
from faithfulness.protocols import PROTOCOLS
from tests.data.stored import save_drafts, sentence_draft

DATA = Path(__file__).resolve().parents[3] / "data"
ADA = "ada@desk.example"


@pytest.fixture
def place(store):
    save_drafts(store, [sentence_draft()])
    with store.read() as cursor:
        found = cursor.execute("select run_id, item_id from runs, items").fetchall()
    return tuple(str(each) for each in found[0])


def let_in(store, role: Role | None, name: str = ADA) -> None:
    visitor = Visitor(name=name, role=role) if name else None
    store.guard = Guard(lambda: visitor)


def rate(store, place, name: str, kind: AuthorKind = AuthorKind.RATER) -> list[int]:
    return sign(
        store,
        run_id=place[0],
        item_id=place[1],
        answers=[Answer(unit_id="s1", criterion="label", value="supported")],
        author=Author(kind=kind, name=name),
        operation_id=f"{name} {kind}",
    )


def settle(store, place, name: str) -> int:
    return adjudicate(
        store,
        run_id=place[0],
        item_id=place[1],
        answer=Answer(unit_id="s1", criterion="label", value="supported"),
        author=Author(kind=AuthorKind.ADJUDICATOR, name=name),
        reason="it stands there",
        seen=10**6,
        operation_id="settled",
    )


def test_every_kind_of_write_has_a_role():
    """Kinds are constants beside their functions, or literals in the call."""
    found = set()
    for path in DATA.rglob("*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        names = {
            target.id: node.value.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        for node in ast.walk(tree):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
                continue
            if node.func.attr not in ("write", "write_journaled") or len(node.args) < 3:
                continue
            kind = node.args[1]
            said = kind.value if isinstance(kind, ast.Constant) else names.get(ast.unparse(kind))
            found |= {said} if said else set()
    assert len(found) > 15
    assert found <= set(NEEDS)


def test_a_kind_that_nobody_listed_needs_the_highest_role():
    assert get_required_role("something new") is Role.ADMIN


@pytest.mark.parametrize("role", list(Role))
def test_a_role_may_what_the_lower_ones_may(store, role):
    let_in(store, role)
    assert store.may("rating") is (role >= Role.RATER)
    assert store.may("adjudication") is (role >= Role.ADJUDICATOR)
    assert store.may("import") is (role >= Role.ADMIN)


def test_without_a_login_everybody_may_everything(store, place):
    assert store.may("import")
    assert rate(store, place, "Zora")


@pytest.mark.parametrize("role", [None, Role.READER])
def test_a_reader_stores_no_rating_and_the_journal_has_no_line_of_it(store, place, role):
    before = store.version()
    journal = store.path.with_name(f"{store.path.name}.journal").read_bytes()
    let_in(store, role)
    with pytest.raises(NotAllowed, match="role"):
        rate(store, place, ADA)
    assert store.version() == before
    assert store.path.with_name(f"{store.path.name}.journal").read_bytes() == journal


def test_nobody_signed_in_stores_nothing_and_sees_nothing(store, place):
    let_in(store, None, name="")
    assert not store.may("rating")
    with pytest.raises(NotAllowed, match="Nobody is signed in"):
        rate(store, place, "")
    with pytest.raises(NotAllowed, match="Nobody is signed in"):
        store.guard.admit()


def test_whoever_has_no_role_is_not_let_in(store):
    let_in(store, None)
    with pytest.raises(NotAllowed, match=f"signed in as {ADA}, but have no role"):
        store.guard.admit()


def test_a_rater_signs_with_their_own_name_only(store, place):
    let_in(store, Role.RATER)
    with pytest.raises(NotAllowed, match="would be signed as ben"):
        rate(store, place, "ben")
    assert rate(store, place, ADA)


def test_a_rater_does_not_settle_and_an_adjudicator_does(store, place):
    let_in(store, Role.RATER)
    with pytest.raises(NotAllowed, match="needs the role adjudicator"):
        settle(store, place, ADA)
    let_in(store, Role.ADJUDICATOR)
    with pytest.raises(NotAllowed, match="would be signed as ben"):
        settle(store, place, "ben")
    assert settle(store, place, ADA)


def test_a_draft_is_kept_for_oneself_only(store, place):
    let_in(store, Role.RATER)
    step = DraftStep("one", "s1", "change", {})
    with pytest.raises(NotAllowed, match="would be signed as ben"):
        save_steps(store, Sheet(*place, "ben"), [step])
    save_steps(store, Sheet(*place, ADA), [step])


def test_a_batch_is_begun_in_ones_own_name_only(store, place):
    let_in(store, Role.ADMIN)
    facts = {"run_id": place[0], "item_ids": [place[1]], "samples": 1, "settings": {}}
    facts |= {"author": Author(kind=AuthorKind.JUDGE, name="north"), "batch_id": "b1"}
    facts["prompt"] = PROTOCOLS["sentence_grounding"].prompt
    with pytest.raises(NotAllowed, match="would be signed as ben"):
        open_batch(store, asked_by="ben", **facts)
    open_batch(store, asked_by=ADA, **facts)
    assert load_batches(store)[0].asked_by == ADA


def test_only_an_admin_removes_and_only_in_their_own_name(store, place):
    let_in(store, Role.ADJUDICATOR)
    with pytest.raises(NotAllowed, match="needs the role admin"):
        remove_runs(store, run_ids=[place[0]], removed_by=ADA, operation_id="gone")
    let_in(store, Role.ADMIN)
    with pytest.raises(NotAllowed, match="would be signed as ben"):
        remove_runs(store, run_ids=[place[0]], removed_by="ben", operation_id="gone")
    remove_runs(store, run_ids=[place[0]], removed_by=ADA, operation_id="gone")


def test_a_reader_saves_no_view(store):
    let_in(store, Role.READER)
    with pytest.raises(NotAllowed):
        saved_views.save_view(store, name="mine", page="runs", address="", operation_id="v")


def test_threads_of_the_program_do_what_was_allowed_to_whoever_set_them_to_work(store, place):
    store.guard = Guard(lambda: PROGRAM)
    assert rate(store, place, "judge-x", AuthorKind.JUDGE)
    assert rate(store, place, "Zora")


def test_what_the_journal_gives_back_needs_no_role(store, place):
    """A visitor's page may be the one that finds the store in need of repair."""
    store.checkpoint()
    before = store.path.read_bytes()
    let_in(store, Role.ADMIN)
    rate(store, place, ADA)
    let_in(store, Role.READER)
    store._connection._let_go()
    store.path.write_bytes(before)
    get_log_path(store.path).unlink(missing_ok=True)
    assert ADA in {each.author.name for each in load_annotations(store, place[1])}


@pytest.mark.parametrize(
    ("claims", "name"),
    [
        ({"email": "Ada@Desk.Example", "email_verified": True, "sub": "1"}, ADA),
        ({"email": "ada@desk.example", "sub": "1"}, ADA),
        ({"email": "ada@desk.example", "email_verified": False, "sub": "1"}, "1"),
        ({"email": "ada@desk.example", "email_verified": "false", "sub": "1"}, "1"),
        ({"email": "", "sub": " 7 "}, "7"),
        ({"email": "Jose\u0301@desk.example"}, "jos\u00e9@desk.example"),
        ({"sub": "Jose\u0301  Luis"}, "Jos\u00e9 Luis"),
        ({"name": "Ada"}, ""),
        ({}, ""),
    ],
)
def test_a_person_is_known_by_a_checked_address_else_by_the_provider(claims, name):
    assert get_identity(claims) == name


@pytest.mark.parametrize("spelt", ["Jose\u0301@desk.example", "jos\u00e9@desk.example"])
def test_a_name_spelt_in_two_ways_has_its_role_and_signs(store, place, tmp_path, spelt):
    path = tmp_path / "roles.yaml"
    path.write_text(f"adjudicator: [{spelt}]\n", "utf-8")
    name = get_identity({"email": "JOSE\u0301@desk.example"})
    let_in(store, read_roles(path).of(name), name)
    assert settle(store, place, fold_name(spelt.lower())) > 0


def test_roles_are_read_and_everybody_else_gets_theirs(tmp_path):
    path = tmp_path / "roles.yaml"
    path.write_text("everybody: none\nadmin: [Ada@Desk.example]\nrater:\n  - sub-7\n")
    found = read_roles(path)
    assert (found.of(ADA), found.of("sub-7"), found.of("ben")) == (Role.ADMIN, Role.RATER, None)


def test_without_a_file_people_read_only(monkeypatch):
    monkeypatch.delenv("PLUMBLINE_ROLES", raising=False)
    assert load_roles() == Roles()
    assert Roles().of(ADA) is Role.READER


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("boss: [ada]", "no role 'boss'"),
        ("everybody: king", "everybody is 'king'"),
        ("admin: ada", "admin is not a list"),
        ("admin: [ada]\nrater: [ada]", "ada has the roles"),
        ("- ada", "no mapping"),
        ("admin: [", "not YAML"),
    ],
)
def test_a_bad_file_of_roles_is_refused_with_what_to_do(tmp_path, text, says):
    path = tmp_path / "roles.yaml"
    path.write_text(text)
    with pytest.raises(StoreUnavailable, match=says) as refused:
        read_roles(path)
    assert str(path) in str(refused.value)


def test_a_missing_file_of_roles_lets_nobody_in(tmp_path):
    with pytest.raises(StoreUnavailable, match="cannot be read"):
        read_roles(tmp_path / "none.yaml")


def test_not_allowed_is_shown_as_not_saved():
    assert issubclass(NotAllowed, NotSaved)
