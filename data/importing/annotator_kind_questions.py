"""Ask whether a rater name that looks like a model's belongs to a person or to a model.

The kind of such a name is never guessed. The answer is stored with the import (table
annotator_kinds) and applied to later imports, which state that it was used.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import PurePath

from data.importing.importer import Options, quote_value
from faithfulness.model.drafts import Draft, ImportQuestion, QuestionOption
from faithfulness.model.model_names import looks_like_model
from faithfulness.model.names import collect_authors, fold_name, replace_authors
from faithfulness.model.vocabulary import Author, AuthorKind
from faithfulness.model.wording import format_count, join_names

KIND_TITLES = {AuthorKind.RATER: "a person", AuthorKind.JUDGE: "a model"}
_SHOWN = 10  # names in one note


@dataclass(kw_only=True, slots=True)
class _OpenName:
    """A rater's name that may be a model's: where it stands first, and how often."""

    file: str
    line: int
    answers: int = 0


@dataclass(kw_only=True, slots=True)
class AnnotatorKinds:
    """Who of an import is a person and who a model, where the files leave it open."""

    options: Options
    # What was said about annotators of these files, in this import or an earlier one.
    applied: dict[str, AuthorKind] = field(default_factory=dict)
    open_names: dict[str, _OpenName] = field(default_factory=dict)
    authors: set[Author] = field(default_factory=set)  # everybody, as the files have them

    def settle(self, draft: Draft) -> Draft:
        """The draft with the chosen kinds; names that nobody chose a kind for are noted."""
        judges = set()
        authors = collect_authors(draft)
        self.authors |= authors
        for author in authors:
            if author.kind is not AuthorKind.RATER or self._is_stated(author, draft):
                continue
            kind = self.options.kind_of(author.name)
            if kind is not None:
                self.applied[author.name] = kind
            elif looks_like_model(author.name):
                self._note_open(author, draft)
            if kind is AuthorKind.JUDGE:
                judges.add(author)
        if not judges:
            return draft
        return replace_authors(
            draft,
            lambda author: (
                Author(kind=AuthorKind.JUDGE, name=author.name) if author in judges else author
            ),
        )

    def questions(self) -> list[ImportQuestion]:
        """A question for each name that may be a model's and that nobody chose a kind for."""
        files = [*dict.fromkeys(place.file for place in self.open_names.values())]
        in_order = sorted(
            self.open_names.items(),
            key=lambda entry: (files.index(entry[1].file), entry[1].line, entry[0]),
        )
        return [
            ImportQuestion(
                file=place.file,
                column="",
                text=f"The rater {quote_value(name)} may be a model "
                f"({format_count(place.answers, 'answer')}, first on line {place.line}).",
                choices=[QuestionOption(kind.value, title) for kind, title in KIND_TITLES.items()],
                annotator=name,
            )
            for name, place in in_order
        ]

    def notes(self) -> Iterator[str]:
        """What to know about chosen kinds, for a command: a page shows the choices themselves."""
        recalled = {
            name: kind for name, kind in self.applied.items() if name not in self.options.kinds
        }
        if recalled:
            shown = [
                f"{quote_value(name)} is {KIND_TITLES[kind]}" for name, kind in recalled.items()
            ]
            yield (
                f"As chosen for an earlier import, {join_names(shown, _SHOWN)}. To change that, "
                "import with --rater NAME (a person) or --judge NAME (a model)."
            )
        unused = [quote_value(name) for name in self.options.kinds if name not in self.applied]
        if unused:
            yield (
                f"--rater and --judge change nothing for {join_names(unused, _SHOWN)}: no rater "
                "has this name, or the file says itself who is a person and who a model."
            )

    def _is_stated(self, author: Author, draft: Draft) -> bool:
        """Whether the file, or whoever imports it, says that the author is a person."""
        if author in draft.stated_authors:
            return True
        options = self.options
        signs = fold_name(options.author) or PurePath(draft.file).stem
        return options.author_kind is AuthorKind.RATER and author.name == signs

    def _note_open(self, author: Author, draft: Draft) -> None:
        lines = [answer.line for answer in draft.said if answer.author == author]
        lines += [reply.line for reply in draft.replies if reply.author == author]
        lines += [number.line for number in draft.numbers if number.author == author]
        line = min(lines) or draft.line
        place = self.open_names.setdefault(author.name, _OpenName(file=draft.file, line=line))
        place.line = min(line, place.line) if draft.file == place.file else place.line
        place.answers += len(lines)
