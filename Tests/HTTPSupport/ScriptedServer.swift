// Servers for tests: a scripted one, and nginx.
