"""Known reasons why rated items may not be a random sample, as corrected rates assume."""

from faithfulness.model.wording import format_count


def list_sample_problems(reference: str, *, rated: int, disputed: int) -> list[str]:
    """In words for people, nothing where nothing is known.

    Args:
        reference: the kind of the side that counts as right.
        rated: items that people rated.
        disputed: those of them that stood on an agenda before anybody rated them.
    """
    said = []
    if reference in ("adjudicated", "verdict"):
        said.append(
            "People settle what they disagree on: items with such an answer were chosen by "
            "disagreement and are no random sample. Choose the majority of raters instead."
        )
    if disputed:
        said.append(
            f"{disputed:,} of {format_count(rated, 'rated item')} stood on a meeting's "
            "agenda before "
            "anybody rated them. They were chosen by disagreement, so that the corrected rate "
            "leans towards them."
        )
    return said
