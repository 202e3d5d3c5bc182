"""How packs travel: manifests, transports, the lock and the cache."""
