"""The catalogue of all cases, and the lists that hold its ids: features, census, renames, frozen ids of releases."""
