"""Windows' job objects: processes that end together, at the latest with the handle's process."""

import subprocess
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from plyground.sandbox.sandbox import Bounds

if sys.platform == "win32":
    import ctypes
    from ctypes import wintypes

    import psutil

    _SUSPENDED = 0x4  # CREATE_SUSPENDED
    _EXTENDED_LIMITS = 9
    _KILL_ON_CLOSE, _PROCESSES, _MEMORY = 0x2000, 0x8, 0x100  # JOB_OBJECT_LIMIT_…
    _SET_QUOTA, _TERMINATE = 0x100, 0x1

    class _Basic(ctypes.Structure):
        """JOBOBJECT_BASIC_LIMIT_INFORMATION."""

        _fields_ = [
            ("PerProcessUserTimeLimit", wintypes.LARGE_INTEGER),
            ("PerJobUserTimeLimit", wintypes.LARGE_INTEGER),
            ("LimitFlags", wintypes.DWORD),
            ("MinimumWorkingSetSize", ctypes.c_size_t),
            ("MaximumWorkingSetSize", ctypes.c_size_t),
            ("ActiveProcessLimit", wintypes.DWORD),
            ("Affinity", ctypes.c_size_t),
            ("PriorityClass", wintypes.DWORD),
            ("SchedulingClass", wintypes.DWORD),
        ]

    class _Extended(ctypes.Structure):
        """JOBOBJECT_EXTENDED_LIMIT_INFORMATION; the six counters are its IO_COUNTERS."""

        _fields_ = [
            ("BasicLimitInformation", _Basic),
            ("IoInfo", ctypes.c_ulonglong * 6),
            ("ProcessMemoryLimit", ctypes.c_size_t),
            ("JobMemoryLimit", ctypes.c_size_t),
            ("PeakProcessMemoryUsed", ctypes.c_size_t),
            ("PeakJobMemoryUsed", ctypes.c_size_t),
        ]

    _kernel = ctypes.WinDLL("kernel32", use_last_error=True)
    for _name, _result, _arguments in (
        ("CreateJobObjectW", wintypes.HANDLE, [wintypes.LPVOID, wintypes.LPCWSTR]),
        ("SetInformationJobObject", wintypes.BOOL, [wintypes.HANDLE, ctypes.c_int, wintypes.LPVOID, wintypes.DWORD]),
        ("OpenProcess", wintypes.HANDLE, [wintypes.DWORD, wintypes.BOOL, wintypes.DWORD]),
        ("AssignProcessToJobObject", wintypes.BOOL, [wintypes.HANDLE, wintypes.HANDLE]),
        ("TerminateJobObject", wintypes.BOOL, [wintypes.HANDLE, wintypes.UINT]),
        ("TerminateProcess", wintypes.BOOL, [wintypes.HANDLE, wintypes.UINT]),
        ("CloseHandle", wintypes.BOOL, [wintypes.HANDLE]),
    ):
        _function = getattr(_kernel, _name)
        _function.restype, _function.argtypes = _result, _arguments

    class WindowsSupervisor:
        """Control of a process and its descendants: they end with `end`, or with this process, however that ends.

        `command` and `options` start the process, and `attach` must be called with its ID. It is started suspended and
        joins a job before it runs; its descendants are in the job, too, and cannot leave it. Only this process has a
        handle of the job, and the system ends a job's processes when its last handle is closed.
        """

        def __init__(
            self,
            command: Sequence[str],
            bounds: "Bounds | None" = None,
            *,
            ends_all: bool = False,
            gentle: bool = False,
        ) -> None:
            """Prepare a start. Of the bounds those of memory and processes hold; `ends_all` is for other systems."""
            self.command = list(command)
            start = subprocess.CREATE_NEW_PROCESS_GROUP | _SUSPENDED
            start |= subprocess.BELOW_NORMAL_PRIORITY_CLASS if gentle else 0
            self.options: dict[str, Any] = {"creationflags": start}
            self._handle = _require_success(_kernel.CreateJobObjectW(None, None))
            limits = _Extended()
            flags = _KILL_ON_CLOSE
            if bounds and bounds.memory:
                flags, limits.ProcessMemoryLimit = flags | _MEMORY, bounds.memory
            if bounds and bounds.processes:
                flags, limits.BasicLimitInformation.ActiveProcessLimit = flags | _PROCESSES, bounds.processes
            limits.BasicLimitInformation.LimitFlags = flags
            size = ctypes.sizeof(limits)
            _require_success(
                _kernel.SetInformationJobObject(self._handle, _EXTENDED_LIMITS, ctypes.byref(limits), size)
            )

        def attach(self, number: int) -> None:
            """Put the started process into the job, and resume it.

            Raises:
                OSError: the system refuses; the process has been ended.
            """
            process = _require_success(_kernel.OpenProcess(_SET_QUOTA | _TERMINATE, False, number))
            try:
                _require_success(_kernel.AssignProcessToJobObject(self._handle, process))
            except OSError:
                _kernel.TerminateProcess(process, 1)
                raise
            finally:
                _kernel.CloseHandle(process)
            psutil.Process(number).resume()

        def wait_started(self) -> None:
            """Return at once: on Windows the command has been started already."""

        def report(self, process: subprocess.Popen[bytes], seconds: float) -> int | None:
            """The exit code, once; then None.

            Raises:
                TimeoutError: it has not ended within `seconds`.
            """
            if process.returncode is not None:
                return None
            try:
                return process.wait(seconds)
            except subprocess.TimeoutExpired:
                raise TimeoutError from None

        def end(self) -> None:
            """End all processes of the job."""
            if self._handle:
                _kernel.TerminateJobObject(self._handle, 1)

        def close(self) -> None:
            """End all processes of the job, and close its handle."""
            if self._handle:
                _kernel.CloseHandle(self._handle)
                self._handle = 0

    def _require_success(result: int) -> int:
        if not result:
            raise ctypes.WinError(ctypes.get_last_error())
        return result
