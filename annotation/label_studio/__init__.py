"""Label Studio behind ``AnnotationBackend``: server, connection, interface, results, webhooks."""
