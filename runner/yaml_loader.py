"""YAML as every command reads it: without aliases, and by libyaml, ten times as fast, if PyYAML was built with it.

Nine lists of nine aliases each expand to more texts than any machine holds, once something looks at all of them. A key that
occurs twice is refused: PyYAML silently takes the last of two values.
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
    """The data of a document. Raises YAMLError, also for an alias or a key that occurs twice."""
    if "*" in text and "&" in text:
        for event in yaml.parse(text, Loader=_Loader):
            if isinstance(event, yaml.AliasEvent):
                mark: Any = event.start_mark
                raise yaml.MarkedYAMLError(problem=f"an alias, *{event.anchor}", problem_mark=mark)
    return yaml.load(text, Loader=_Loader)
