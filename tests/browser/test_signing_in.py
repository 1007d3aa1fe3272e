"""Where people sign in: nobody looks without, roles hold, and names are those of the server."""

import re
from collections.abc import Iterator
from functools import partial

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Server, ready, served
from tests.oidc_provider import OidcProvider, secrets_for

PEOPLE = {
    "ada": {"email": "Ada@desk.example", "email_verified": True},
    "rob": {"email": "rob@desk.example", "email_verified": True},
    "mallory": {"email": "ada@desk.example", "email_verified": False},
}
ROLES = "everybody: reader\nadmin: [ada@desk.example]\nrater: [rob@desk.example]\n"


@pytest.fixture(scope="module")
def provider() -> Iterator[OidcProvider]:
    running = OidcProvider(PEOPLE)
    yield running
    running.close()


@pytest.fixture(scope="module")
def server(provider, browser, tmp_path_factory) -> Iterator[Server]:
    roles = tmp_path_factory.mktemp("roles") / "roles.yaml"
    roles.write_text(ROLES)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PLUMBLINE_ROLES", str(roles))
        yield from served(tmp_path_factory, secrets=partial(secrets_for, provider))


@pytest.fixture
def signed_in(browser, server):
    """A page of somebody's own browser, signed in through the provider."""
    contexts = []

    def sign_in(name: str, address: str = "/"):
        contexts.append(browser.new_context())
        page = contexts[-1].new_page()
        page.set_default_timeout(20_000)
        page.goto(f"{server.url}{address}")
        page.get_by_role("button", name="Sign in").click()
        page.get_by_role("link", name=name).click()
        expect(page.get_by_text("Signed in as")).to_be_visible(timeout=30_000)
        return page

    yield sign_in
    for each in contexts:
        each.close()


def test_without_signing_in_no_page_shows_anything(browser, server):
    context = browser.new_context()
    page = context.new_page()
    sent = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda each: sent.append(each)))
    for address in ("/", "/item", "/disagreements", "/import_runs"):
        page.goto(f"{server.url}{address}")
        expect(page.get_by_role("button", name="Sign in")).to_be_visible(timeout=30_000)
        expect(page.get_by_role("link", name="Disagreements")).to_have_count(0)
    assert sent
    assert not [each for each in sent if b"shop-assistant-a" in _bytes(each)]
    context.close()


def _bytes(frame: object) -> bytes:
    return frame if isinstance(frame, bytes) else str(frame).encode()


def test_a_rater_signs_as_the_server_knows_them_and_may_not_remove(signed_in, server):
    page = signed_in("rob")
    expect(page.get_by_text("Signed in as rob@desk.example")).to_be_visible()
    expect(page.get_by_role("button", name="Remove the sample")).to_have_count(0)
    page.get_by_role("link", name="Rate").click()
    expect(page.get_by_text("You rate as rob@desk.example")).to_be_visible()


@pytest.mark.soak
def test_an_unchecked_address_is_not_the_person_it_names(signed_in):
    page = signed_in("mallory")
    expect(page.get_by_text("Signed in as mallory")).to_be_visible()
    expect(page.get_by_role("button", name="Remove the sample")).to_have_count(0)
    page.get_by_role("link", name="Read first item").first.click()
    # A reader reads: what they may not store is off, and says why.
    mark = page.get_by_role("button", name="Mark for the meeting")
    expect(mark).to_be_disabled()
    expect(mark).to_have_attribute("title", re.compile("your role does not allow it"))


@pytest.mark.soak
def test_an_admin_may_remove_the_sample_and_signing_out_closes_the_door(signed_in):
    page = signed_in("ada")
    expect(page.get_by_text("Signed in as ada@desk.example")).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("Remove"))).to_be_visible()
    ready(page)
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("button", name="Sign in")).to_be_visible(timeout=30_000)
