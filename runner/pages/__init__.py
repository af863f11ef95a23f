"""Pages to look at: of a run (`runner report --as html`), and of a history (`runner site`). None loads anything."""
