"""How far metrics agree with what people chose of a release's pairs: figures, and the tables that show them."""
