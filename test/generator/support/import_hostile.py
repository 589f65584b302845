"""Imports packages and runs samples, and prints what each left behind: `[{"canary": …, "methods": …}]`."""

import builtins
import importlib
import json
import pkgutil
import sys
import tomllib
import types

sys.dont_write_bytecode = True
CANARY, cases = json.load(sys.stdin)


def import_all(path: str, module: str) -> list[str]:
    sys.path.insert(0, path + "/src")
    try:
        package = importlib.import_module(module)
        for each in pkgutil.walk_packages(package.__path__, module + "."):
            importlib.import_module(each.name)
        return list(package.METHODS)
    finally:
        sys.path.pop(0)
        for name in [name for name in sys.modules if name.split(".")[0] == module]:
            del sys.modules[name]


def run_sample(module: str, code: str) -> list[object]:
    """What a sample calls: the address, the name, and the arguments."""
    calls: list[object] = []

    class Client:
        def __init__(self, url: str) -> None:
            calls.append(url)

        def __enter__(self) -> "Client":
            return self

        def __exit__(self, *_: object) -> None:
            pass

        def __getattr__(self, name: str) -> object:
            return lambda *given: calls.append([name, *given])

    sys.modules[module] = types.ModuleType(module)
    sys.modules[module].Client = Client  # type: ignore[attr-defined]
    try:
        exec(compile(code, "sample", "exec"), {"print": lambda _: None})
    finally:
        del sys.modules[module]
    return calls


def examine(case: dict) -> dict:
    found: dict = {"failure": None, "methods": [], "name": "", "calls": []}
    try:
        with open(case["path"] + "/pyproject.toml", "rb") as file:
            found["name"] = tomllib.load(file)["project"]["name"]
        found["methods"] = import_all(case["path"], case["module"])
        found["calls"] = [run_sample(case["module"], code) for code in case["samples"]]
    except BaseException as failure:
        found["failure"] = f"{type(failure).__name__}: {failure}"
    found["canary"] = hasattr(builtins, CANARY)
    if found["canary"]:
        delattr(builtins, CANARY)
    return found


json.dump([examine(case) for case in cases], sys.stdout)
