"""Who calls, and what he may do."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from benchwright.scripts.servers.hub.errors import Refused, no_repository
from benchwright.scripts.servers.hub.repository import Repository

Role = Literal["read", "write"]


@dataclass(frozen=True)
class Token:
    """Whose token, and whether it lets him write."""

    user: str
    role: Role = "write"


class Accounts:
    """Users with their tokens, organisations with their members."""

    def __init__(
        self, users: Mapping[str, str], tokens: Mapping[str, Token], organisations: Mapping[str, Sequence[str]]
    ) -> None:
        self.organisations = {name: tuple(members) for name, members in organisations.items()}
        self.tokens = {**{token: Token(user) for user, token in users.items()}, **tokens}

    def caller(self, authorization: str | None) -> Token | None:
        """Who sends a header `Authorization`; nobody without one.

        Raises:
            Refused: 401 for a token that nobody has.
        """
        if not authorization:
            return None
        token = self.tokens.get(authorization.removeprefix("Bearer ").strip())
        if token is None:
            raise Refused(401, "Invalid credentials in Authorization header")
        return token

    def namespaces(self, user: str) -> set[str]:
        """A user's name and his organisations."""
        return {user, *(name for name, members in self.organisations.items() if user in members)}

    def is_member(self, caller: Token | None, namespace: str) -> bool:
        """Whether a namespace is the caller's, or of an organisation of his."""
        return caller is not None and namespace in self.namespaces(caller.user)

    def may_see(self, caller: Token | None, repository: Repository) -> bool:
        """Whether a repository exists for the caller."""
        return not repository.private or self.is_member(caller, repository.namespace)

    def check_read(self, caller: Token | None, repository: Repository) -> None:
        """Refuses who may not see a repository, as if it were not there."""
        if not self.may_see(caller, repository):
            raise no_repository(caller is not None)

    def check_files(self, caller: Token | None, repository: Repository) -> None:
        """Refuses who may not read the files: a gated repository shows itself, but not its files."""
        self.check_read(caller, repository)
        if repository.gated and not self.is_member(caller, repository.namespace):
            status = 401 if caller is None else 403
            raise Refused(status, f"Access to {repository.kind} {repository.id} is restricted.", "GatedRepo")

    def check_known(self, caller: Token | None) -> Token:
        """Refuses who has not said who he is."""
        if caller is None:
            raise Refused(401, "Invalid username or password.")
        return caller

    def check_writer(self, caller: Token | None) -> Token:
        """Refuses nobody's and read-only tokens."""
        known = self.check_known(caller)
        if known.role != "write":
            raise Refused(403, "This token is read-only: a token with the role `write` is needed")
        return known

    def check_propose(self, caller: Token | None, repository: Repository) -> Token:
        """Refuses who may not open discussions and pull requests: seeing the repository and a writing token suffice."""
        self.check_read(caller, repository)
        return self.check_writer(caller)

    def check_write(self, caller: Token | None, repository: Repository, hint: str = "") -> Token:
        """Refuses who may not change a repository."""
        known = self.check_propose(caller, repository)
        if not self.is_member(known, repository.namespace):
            raise Refused(403, hint or f"You don't have the rights to change {repository.kind} {repository.id}")
        return known

    def identity(self, caller: Token | None) -> dict[str, Any]:
        """The body of `whoami-v2`."""
        known = self.check_known(caller)
        return {
            "type": "user",
            "id": f"user-{known.user}",
            "name": known.user,
            "fullname": known.user,
            "isPro": False,
            "canPay": False,
            "avatarUrl": "",
            "orgs": [
                {"type": "org", "id": f"org-{name}", "name": name, "fullname": name, "roleInOrg": "write"}
                for name, members in sorted(self.organisations.items())
                if known.user in members
            ],
            "auth": {"type": "access_token", "accessToken": {"displayName": "test", "role": known.role}},
        }
