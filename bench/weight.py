"""What the first page weighs for a browser that has never been here: its requests, and the bytes that they bring."""

from playwright.sync_api import Page


def weighed(page: Page, address: str) -> tuple[list[str], int]:
    """The addresses that a first page asks for with nothing kept, its socket among them, and all the bytes that come:
    files as they are sent, messages even before they are compressed."""
    requests: list[str] = []
    sizes: list[int] = []
    page.goto("about:blank")  # what the page before still fetches is not counted
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    network.send("Network.clearBrowserCache")
    network.on("Network.requestWillBeSent", lambda event: requests.append(event["request"]["url"]))
    network.on("Network.webSocketCreated", lambda event: requests.append(event["url"]))
    network.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    network.on("Network.webSocketFrameReceived", lambda event: sizes.append(len(event["response"]["payloadData"])))
    page.goto(address)
    page.get_by_role("gridcell").first.wait_for()
    page.locator(".tile .picture use").first.wait_for()
    page.wait_for_load_state("networkidle")
    network.detach()
    return requests, sum(sizes)
