"""A small OpenID Connect provider on loopback: real keys and tokens, and a choice of people."""

import base64
import hashlib
import json
import secrets
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import RSAKey

CLIENT, SECRET = "plumbline", "a secret of this test"


class OidcProvider:
    """Serves until closed; `people` are the claims of those who may sign in, by a short name."""

    def __init__(self, people: dict[str, dict[str, Any]]) -> None:
        self.people = people
        self.key = RSAKey.generate_key(2048, {"kid": "one", "use": "sig", "alg": "RS256"})
        self.codes: dict[str, tuple[str, dict[str, str]]] = {}
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                place = urlsplit(self.path)
                words = {name: said[0] for name, said in parse_qs(place.query).items()}
                provider.answer(self, place.path, words)

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                words = {name: said[0] for name, said in parse_qs(body).items()}
                provider.answer(self, urlsplit(self.path).path, words)

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()

    def answer(self, request: BaseHTTPRequestHandler, path: str, words: dict[str, str]) -> None:
        if path == "/.well-known/openid-configuration":
            _send(request, self.metadata())
        elif path == "/keys":
            _send(request, {"keys": [self.key.as_dict(private=False)]})
        elif path == "/authorize":
            self.ask(request, words)
        elif path == "/choose":
            self.redirect(request, words)
        elif path == "/token":
            self.give_token(request, words)
        else:
            request.send_error(404)

    def metadata(self) -> dict[str, Any]:
        return {
            "issuer": self.url,
            "authorization_endpoint": f"{self.url}/authorize",
            "token_endpoint": f"{self.url}/token",
            "jwks_uri": f"{self.url}/keys",
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
        }

    def ask(self, request: BaseHTTPRequestHandler, words: dict[str, str]) -> None:
        assert words["client_id"] == CLIENT
        kept = {name: words[name] for name in ("redirect_uri", "state", "nonce") if name in words}
        kept["challenge"] = words.get("code_challenge", "")
        links = "".join(
            f'<p><a href="/choose?{urlencode({**kept, "who": name})}">{name}</a></p>'
            for name in self.people
        )
        page = f"<!doctype html><title>Who are you?</title>{links}".replace("&", "&amp;").encode()
        request.send_response(200)
        request.send_header("Content-Type", "text/html; charset=utf-8")
        request.send_header("Content-Length", str(len(page)))
        request.end_headers()
        request.wfile.write(page)

    def redirect(self, request: BaseHTTPRequestHandler, words: dict[str, str]) -> None:
        code = secrets.token_urlsafe(16)
        self.codes[code] = (words["who"], words)
        back = urlencode({"code": code, "state": words["state"]})
        request.send_response(302)
        request.send_header("Location", f"{words['redirect_uri']}?{back}")
        request.end_headers()

    def give_token(self, request: BaseHTTPRequestHandler, words: dict[str, str]) -> None:
        who, asked = self.codes.pop(words["code"])  # good for one use
        if asked.get("challenge"):
            digest = hashlib.sha256(words["code_verifier"].encode()).digest()
            assert base64.urlsafe_b64encode(digest).rstrip(b"=").decode() == asked["challenge"]
        now = int(time.time())
        claims = {"iss": self.url, "aud": CLIENT, "iat": now, "exp": now + 600, "sub": who}
        if "nonce" in asked:
            claims["nonce"] = asked["nonce"]
        token = jwt.encode({"alg": "RS256", "kid": "one"}, claims | self.people[who], self.key)
        _send(
            request,
            {"access_token": "none", "token_type": "Bearer", "expires_in": 600, "id_token": token},
        )


def _send(request: BaseHTTPRequestHandler, said: dict[str, Any]) -> None:
    body = json.dumps(said).encode()
    request.send_response(200)
    request.send_header("Content-Type", "application/json")
    request.send_header("Content-Length", str(len(body)))
    request.end_headers()
    request.wfile.write(body)


def secrets_for(provider: OidcProvider, url: str) -> str:
    """The operator's secrets that let people of this provider sign in to the app at `url`."""
    return (
        "[auth]\n"
        f'redirect_uri = "{url}/oauth2callback"\n'
        f'cookie_secret = "{secrets.token_hex(32)}"\n'
        f'client_id = "{CLIENT}"\n'
        f'client_secret = "{SECRET}"\n'
        f'server_metadata_url = "{provider.url}/.well-known/openid-configuration"\n'
    )
