"""YAML as every command reads it: by libyaml, ten times as fast, if PyYAML was built with it, and without aliases.

Nine lists of nine aliases each are as many texts as no machine holds, once something looks at all of them. A key that
stands there twice is refused: of two values PyYAML takes the last without a word.
"""

from typing import Any

import yaml

_BASE: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Loader(_BASE):  # type: ignore[misc]  # of one of two classes
    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: set[tuple[str, Any]] = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode) and (own := (key.tag, key.value)) not in seen:
                seen.add(own)
            elif isinstance(key, yaml.ScalarNode):
                raise yaml.MarkedYAMLError(problem=f"{key.value!r} stands there twice", problem_mark=key.start_mark)
        return dict(super().construct_mapping(node, deep=deep))


def load_yaml(text: str) -> Any:
    """The data of a document. Raises YAMLError, also for an alias or a key that stands there twice."""
    if "*" in text and "&" in text:
        for event in yaml.parse(text, Loader=_Loader):
            if isinstance(event, yaml.AliasEvent):
                mark: Any = event.start_mark
                raise yaml.MarkedYAMLError(problem=f"an alias, *{event.anchor}", problem_mark=mark)
    return yaml.load(text, Loader=_Loader)
