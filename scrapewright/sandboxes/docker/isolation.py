"""Checks a container's isolation: whether the engine has set everything that was asked for.

An engine may leave out what it can't do, and its own settings may open what was not asked to be open. So all that was
asked for is held against what came of it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

_LIMITS = {
    "Memory": "its memory",
    "MemorySwap": "its memory with swap",
    "PidsLimit": "the number of its processes",
    "ShmSize": "its shared memory",
}
_OPENINGS = {
    "Privileged": "it is privileged",
    "CapAdd": "it has capabilities",
    "Binds": "something of the host is mounted in it",
    "VolumesFrom": "another container's volumes are mounted in it",
    "Devices": "it has devices of the host",
    "DeviceRequests": "it has devices of the host",
    "DeviceCgroupRules": "it may use devices of the host",
    "GroupAdd": "it is in groups of the host",
    "PortBindings": "it has ports of the host",
    "PublishAllPorts": "it has ports of the host",
    "Links": "it is linked to another container",
    "Sysctls": "it has kernel settings of its own",
    "OomKillDisable": "it is not killed for want of memory",
    "Init": "its first process is not the supervisor",
}
_NAMESPACES = ("NetworkMode", "PidMode", "IpcMode", "UTSMode", "UsernsMode", "CgroupnsMode")
_OF_SYSTEMS = "CgroupnsMode"
"""The one that engines share with the host by themselves, on hosts with control groups of the first version."""
_WEAKER = ("unconfined", "disable", "unmask", "false")
_EVERYWHERE = {"CHOWN", "DAC_OVERRIDE", "FOWNER", "KILL", "SETGID", "SETPCAP", "SETUID"}
"""Capabilities that every engine gives by default. Where they are gone, all are: some engines tell them one by one."""


def breaches(container: Mapping[str, Any], asked: Mapping[str, Any], unable: Collection[str] = ()) -> list[str]:
    """What is wrong with a container's isolation, in words; empty where it is complete.

    `container` is what the engine says of it, `asked` docker-py's arguments to create_container. `unable` are the
    limits, by their names in a HostConfig, that the engine has said it can't keep: they are reported elsewhere.
    """
    host: Mapping[str, Any] = container.get("HostConfig") or {}
    wanted: Mapping[str, Any] = asked["host_config"]
    about: Mapping[str, Any] = container.get("Config") or {}
    wrong = [
        *_limits(host, wanted, unable),
        *(what for name, what in _OPENINGS.items() if host.get(name)),
        *_namespaces(host),
        *_privileges(host),
        *_files(host, wanted, container),
    ]
    networks = (container.get("NetworkSettings") or {}).get("Networks") or {}
    if host.get("NetworkMode") != wanted["NetworkMode"] or set(networks) - {wanted["NetworkMode"]}:
        wrong.append(f"its network is {', '.join(networks) or repr(host.get('NetworkMode'))}")
    if about.get("User") != asked["user"]:
        wrong.append(f"it runs as {about.get('User') or 'root'}")
    if about.get("Tty"):
        wrong.append("it has a terminal")
    if (host.get("LogConfig") or {}).get("Type") != wanted["LogConfig"]["Type"]:
        wrong.append("what it prints is kept by the engine")
    return list(dict.fromkeys(wrong))


def _limits(host: Mapping[str, Any], wanted: Mapping[str, Any], unable: Collection[str]) -> Iterator[str]:
    for name, what in _LIMITS.items():
        if name not in unable and not 0 < (host.get(name) or 0) <= wanted[name]:
            yield f"{what} is not limited as asked ({host.get(name)})"
    kept = {str(one["Name"]).lower().removeprefix("rlimit_"): one for one in host.get("Ulimits") or ()}
    for limit in wanted["Ulimits"]:
        found = kept.get(limit["Name"], {})
        if any(not 0 <= found.get(end, -1) <= limit[end] for end in ("Soft", "Hard")):
            yield f"its limit {limit['Name']} is not as asked"


def _namespaces(host: Mapping[str, Any]) -> Iterator[str]:
    for name in _NAMESPACES:
        mode = str(host.get(name) or "")
        if mode.startswith(("container:", "ns:")) or (mode == "host" and name != _OF_SYSTEMS):
            yield f"it shares a namespace ({name} {mode})"


def _privileges(host: Mapping[str, Any]) -> Iterator[str]:
    options = [str(option) for option in host.get("SecurityOpt") or ()]
    if not any(option.startswith("no-new-privileges") for option in options):
        yield "it may gain privileges"
    for option in options:
        if option.replace("=", ":").rpartition(":")[2] in _WEAKER:
            yield f"its security is weakened ({option})"
    dropped = {str(name).upper().removeprefix("CAP_") for name in host.get("CapDrop") or ()}
    if "ALL" not in dropped and not dropped >= _EVERYWHERE:
        yield "it has capabilities"


def _files(host: Mapping[str, Any], wanted: Mapping[str, Any], container: Mapping[str, Any]) -> Iterator[str]:
    if host.get("ReadonlyRootfs") is not True:
        yield "its root can be written to"
    if any(mount.get("Type") != "tmpfs" for mount in [*(container.get("Mounts") or ()), *(host.get("Mounts") or ())]):
        yield "something of the host is mounted in it"
    places = host.get("Tmpfs") or {}
    for place, options in wanted["Tmpfs"].items():
        if lacking := set(options.split(",")) - set(places.get(place, "").split(",")):
            yield f"its {place} is not as asked (lacks {', '.join(sorted(lacking))})"
    if more := places.keys() - wanted["Tmpfs"].keys():
        yield f"there is more to write to in it ({', '.join(sorted(more))})"
    # Podman masks and says nothing of it.
    masked, readonly = host.get("MaskedPaths"), host.get("ReadonlyPaths")
    if masked is not None and not set(masked) >= set(wanted["MaskedPaths"]):
        yield "parts of /proc and /sys are not masked"
    if readonly is not None and "/proc/sys" not in readonly:
        yield "the kernel's settings can be written to"
