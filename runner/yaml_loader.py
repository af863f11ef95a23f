"""YAML as every command reads it: by libyaml, ten times as fast, where PyYAML was built with it, and without aliases.

Nine lists of nine aliases each are as many texts as no machine holds, once something looks at all of them.
"""

from __future__ import annotations

from typing import Any

import yaml

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def load_yaml(text: str) -> Any:
    """The data of a document. Raises YAMLError, also for an alias."""
    if "*" in text and "&" in text:
        for event in yaml.parse(text, Loader=_LOADER):
            if isinstance(event, yaml.AliasEvent):
                mark: Any = event.start_mark
                raise yaml.MarkedYAMLError(problem=f"an alias, *{event.anchor}", problem_mark=mark)
    return yaml.load(text, Loader=_LOADER)
