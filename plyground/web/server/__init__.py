"""HTTP and WebSockets: the app, its limits, and the page's files."""
