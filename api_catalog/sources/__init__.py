"""Where API descriptions come from, and the catalogue built from them."""
