"""Addresses of this machine: a program may call it by its own name, which differs by system."""

import ipaddress
import socket

import psutil

HOST_NAME = socket.gethostname()
ALL_ADDRESSES = "0.0.0.0"
"""The address that means all addresses of this machine."""


def own_addresses() -> list[str]:
    """IPv4 addresses to which this machine's own name resolves: 127.0.1.1 on Debian, the network's on Windows; none if
    the name does not resolve.
    """
    try:
        found = socket.getaddrinfo(HOST_NAME, None, socket.AF_INET, socket.SOCK_STREAM)
    except OSError:
        return []
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


def all_addresses() -> list[str]:
    """All IPv4 addresses of this machine."""
    cards = psutil.net_if_addrs().values()
    return [address.address for card in cards for address in card if address.family == socket.AF_INET]


def is_loopback(host: str) -> bool:
    """Whether only programs on this machine can reach a port at this host."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def is_own_address(host: str) -> bool:
    """Whether an IPv4 address is one of this machine's."""
    return is_loopback(host) or host in all_addresses()


def listening_hosts(host: str) -> list[str]:
    """Addresses to listen on. For `localhost` also those of this machine's own name that are loopback, since a program
    may call the machine by that name.
    """
    if host not in ("localhost", "127.0.0.1"):
        return [host]
    # Debian maps a machine's name to 127.0.1.1, on which a socket at 127.0.0.1 does not listen. An
    # address of the network is left out: it would open the port to others, unasked.
    return list(dict.fromkeys(["127.0.0.1", *filter(is_loopback, own_addresses())]))
