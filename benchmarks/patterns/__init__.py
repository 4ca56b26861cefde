"""Our regular expressions, and texts made to be slow for them."""
