"""Pages to look at: of one run (`runner html`), and of all that a history knows (`runner site`). None loads anything."""
