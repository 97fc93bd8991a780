"""Addresses of a server, from the current addresses of this machine's network interfaces."""

import ipaddress
import socket

import psutil

ALL_INTERFACES = ("0.0.0.0", "::")
"""Hosts that mean all interfaces of the machine."""


def is_own(host: str) -> bool:
    """Whether only programs on this machine can reach a server at this host."""
    if host in ALL_INTERFACES:
        return False
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def reached_at(host: str, port: int) -> list[str]:
    """Addresses by which other devices reach a server that listens on a host, the likeliest first; may be empty."""
    if is_own(host):
        return []
    if host not in ALL_INTERFACES:
        return [f"http://{_host_text(host)}:{port}"]
    wanted = (socket.AF_INET, socket.AF_INET6) if host == "::" else (socket.AF_INET,)
    stats = psutil.net_if_stats()
    found = [
        each.address
        for name, several in psutil.net_if_addrs().items()
        # Interfaces that are down keep their addresses, at which nothing answers.
        if name not in stats or stats[name].isup
        for each in several
        if each.family in wanted and _is_reachable(each.address)
    ]
    usual = _default_route_address()
    # The address of the default route first: the other devices are most likely there.
    found.sort(key=lambda address: (address != usual, ":" in address))
    return [f"http://{_host_text(address)}:{port}" for address in dict.fromkeys(found)]


def _is_reachable(address: str) -> bool:
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    return not (found.is_loopback or found.is_link_local or found.is_unspecified)


def _default_route_address() -> str:
    """Address of this machine on its default route; found without sending anything."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # reserved for documentation
            return str(probe.getsockname()[0])
        except OSError:
            return ""


def _host_text(host: str) -> str:
    return f"[{host}]" if ":" in host else host
