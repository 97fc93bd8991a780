"""The page's files as a browser gets them: the first page is light."""

from playwright.sync_api import Page
from servers import Server
from weight import weighed

MOST_REQUESTS, MOST_BYTES = 20, 90_000


def test_the_first_page_is_light(page: Page, server: Server) -> None:
    """At most 20 requests and 90 kB, with an empty cache: files as they are sent, messages even before compression."""
    requests, size = weighed(page, server.address)
    assert f"{server.address}/pictures.svg" in requests and any("socket" in url for url in requests)
    assert len(requests) <= MOST_REQUESTS, requests
    assert size <= MOST_BYTES


def test_a_browser_keeps_its_copy(server: Server) -> None:
    """A file that is the same is not sent again."""
    first = server.http.get("/app.js")
    assert first.headers["content-encoding"] == "gzip" and "import(" in first.text
    again = server.http.get("/app.js", headers={"If-None-Match": first.headers["etag"]})
    assert again.status_code == 304 and not again.content
    assert server.http.get("/app.js", headers={"If-None-Match": '"old"'}).status_code == 200
    assert server.http.get("/nowhere.js").status_code == 404
