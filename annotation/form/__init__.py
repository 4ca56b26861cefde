"""The labelling form: interface, encoding of drafts, decoding of annotations. No server."""
