"""Where this machine is found: a program may call it by its own name, which points elsewhere on each system."""

import ipaddress
import socket

import psutil

NAME = socket.gethostname()
EVERYWHERE = "0.0.0.0"
"""The address that means all addresses of this machine."""


def own_addresses() -> list[str]:
    """The IPv4 addresses that this machine's own name points to: 127.0.1.1 on Debian, the network's on Windows; none
    where the name points nowhere.
    """
    try:
        found = socket.getaddrinfo(NAME, None, socket.AF_INET, socket.SOCK_STREAM)
    except OSError:
        return []
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


def all_addresses() -> list[str]:
    """Every IPv4 address of this machine."""
    cards = psutil.net_if_addrs().values()
    return [address.address for card in cards for address in card if address.family == socket.AF_INET]


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach what listens there."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def is_here(host: str) -> bool:
    """Whether an IPv4 address is one of this machine's."""
    return is_loopback(host) or host in all_addresses()


def listening_hosts(host: str) -> list[str]:
    """The addresses to listen on. `localhost` is joined by where this machine's own name points, for a program may call
    it by that, if the name points to this machine alone.
    """
    if host not in ("localhost", "127.0.0.1"):
        return [host]
    return list(dict.fromkeys(["127.0.0.1", *filter(is_loopback, own_addresses())]))
