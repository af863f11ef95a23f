"""How many cases each area has in each tier, frozen beside the suites: losses are named, and never silent.

suites/census.txt: one line an area and tier: `kernels/math premerge 812 5f0c...`, the digest is of the ids
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from runner.model import Tier, UsageError
from runner.shapes import read_text
from runner.sources import OPTIONAL

NAME = "census.txt"
COMMAND = "runner list --census > suites/census.txt"
_LINE = re.compile(r"(\S+) (\S+) (\d{1,9}) ([0-9a-f]{16})")

Census = dict[tuple[str, str], tuple[int, str]]  # (area, tier): number of cases, digest of their ids


def take_census(tiers: Mapping[str, Tier]) -> Census:
    """Count the cases of all suites that are everywhere the same, by the tier of each id."""
    return {key: (len(own), _digest(own)) for key, own in sorted(_group(tiers).items())}


def _group(tiers: Mapping[str, Tier]) -> dict[tuple[str, str], list[str]]:
    """The ids of each area and tier."""
    ids: dict[tuple[str, str, Tier], list[str]] = {}
    for test_id, tier in tiers.items():
        suite, area, *_ = test_id.split("/", 2)
        ids.setdefault((suite, area, tier), []).append(test_id)
    return {(f"{suite}/{area}", str(tier)): own for (suite, area, tier), own in ids.items() if suite not in OPTIONAL}


def format_census(census: Census) -> str:
    """The text that `parse_census` reads back."""
    head = f"# The cases of each area and tier. Made by `{COMMAND}`.\n"
    return head + "".join(f"{area} {tier} {count} {digest}\n" for (area, tier), (count, digest) in census.items())


def parse_census(text: str, path: Path) -> Census:
    """Read the frozen text. Raises UsageError with path and line."""
    census: Census = {}
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("#"):
            continue
        found = _LINE.fullmatch(line)
        if not found:
            raise UsageError(f"{path}:{number}: is not a line of a census; make it again: {COMMAND}")
        census[found[1], found[2]] = int(found[3]), found[4]
    return census


def find_losses(tiers: Mapping[str, Tier], suites: Path) -> list[str]:
    """The cases in the frozen census that are missing from those given, by the tier of each id; the sum first."""
    path = suites / NAME
    try:
        frozen = parse_census(read_text(path), path)
    except FileNotFoundError:
        return []
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: cannot be read: {error}; make it again: {COMMAND}") from error
    taken = _group(tiers)
    lost = {key: count - len(taken.get(key, ())) for key, (count, _) in frozen.items()}
    lost = {key: number for key, number in lost.items() if number > 0}
    if not lost:
        return []
    return [f"{sum(lost.values()):,} cases fewer than {path} has; if that is meant: {COMMAND}", *_by_area(lost, frozen)]


def _by_area(lost: dict[tuple[str, str], int], frozen: Census) -> Iterator[str]:
    for key, number in sorted(lost.items(), key=lambda entry: (-entry[1], entry[0])):
        area, tier = key
        count = frozen[key][0]
        what = f"none of {count:,} is left" if number == count else f"{number:,} of {count:,} are gone"
        yield f"{area}, tier {tier}: {what}"


def _digest(ids: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(sorted(ids)).encode()).hexdigest()[:16]
