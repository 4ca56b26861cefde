"""Label Studio: server, connection, push, pull, webhooks."""
