"""The labelling form: layout, encoding of drafts, decoding of annotations. No vendor, no server."""
