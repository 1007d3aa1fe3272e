"""Which role somebody has who signed in, as the operator's file of roles says."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from faithfulness.model.access import Role
from faithfulness.model.errors import StoreUnavailable
from faithfulness.model.names import folded_name

VARIABLE = "PLUMBLINE_ROLES"
NOBODY = "none"  # as `everybody`: whoever is not listed may not even read
_ROLES = {role.title: role for role in Role}


@dataclass(frozen=True, kw_only=True, slots=True)
class Roles:
    """Roles by name; `everybody` is the role of those who sign in and are not listed."""

    by_name: Mapping[str, Role] = field(default_factory=dict)
    everybody: Role | None = Role.READER

    def of(self, name: str) -> Role | None:
        return self.by_name.get(name, self.everybody)


def roles_from_environment() -> Roles:
    """As the file says; without a file everybody who signs in may read, and nobody may write.

    Raises:
        StoreUnavailable: the file is missing or says something that is no role.
    """
    named = os.environ.get(VARIABLE)
    return read_roles(Path(named)) if named else Roles()


def read_roles(path: Path) -> Roles:
    """Read a file of roles: `everybody`, and under each role the names that have it."""
    try:
        said = yaml.safe_load(path.read_text("utf-8"))
    except OSError as error:
        raise _refused(path, f"it cannot be read ({error.strerror})") from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise _refused(path, f"it is not YAML ({str(error).splitlines()[0]})") from error
    if not isinstance(said, dict):
        raise _refused(path, "it holds no mapping of roles to names")
    unknown = [key for key in said if key not in _ROLES and key != "everybody"]
    if unknown:
        raise _refused(path, f"there is no role {unknown[0]!r}")
    return Roles(by_name=_by_name(path, said), everybody=_everybody(path, said))


def _by_name(path: Path, said: Mapping[str, Any]) -> dict[str, Role]:
    found: dict[str, Role] = {}
    for title, role in _ROLES.items():
        names = said.get(title) or []
        if not isinstance(names, list) or not all(isinstance(each, str) for each in names):
            raise _refused(path, f"{title} is not a list of names")
        for name in names:
            key = folded_name(name.lower() if "@" in name else name)
            if found.setdefault(key, role) is not role:
                raise _refused(path, f"{key} has the roles {found[key].title} and {title}")
    return found


def _everybody(path: Path, said: Mapping[str, Any]) -> Role | None:
    title = said.get("everybody", Role.READER.title)
    if title == NOBODY:
        return None
    if title not in _ROLES:
        raise _refused(path, f"everybody is {title!r}, which is no role")
    return _ROLES[title]


def _refused(path: Path, why: str) -> StoreUnavailable:
    titles = ", ".join(_ROLES)
    return StoreUnavailable(
        f"The file of roles {path} cannot be used: {why}. It lists names under {titles}; "
        f"everybody is one of these or {NOBODY}. Correct it and load the page again."
    )
