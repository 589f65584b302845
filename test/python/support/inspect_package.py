"""Imports a generated package and resolves every annotation in it; prints how many there are.

    python3 inspect_package.py FOLDER MODULE
"""

import importlib
import inspect
import sys
import typing
from pathlib import Path

folder, name = sys.argv[1:]
sys.path.insert(0, folder)
package = importlib.import_module(name)
count = 0


def resolve(of):
    return len(typing.get_type_hints(of, include_extras=True))


for path in sorted(Path(folder, name).rglob("*.py")):
    parts = path.relative_to(folder).with_suffix("").parts
    module = importlib.import_module(".".join(parts).removesuffix(".__init__"))
    count += resolve(module)
    for value in list(vars(module).values()):
        if getattr(value, "__module__", None) != module.__name__:
            continue
        if inspect.isfunction(value):
            count += resolve(value)
        if inspect.isclass(value):
            count += resolve(value)
            for member in vars(value).values():
                own = member.fget if isinstance(member, property) else member
                if inspect.isfunction(own) and own.__module__ == module.__name__:
                    count += resolve(own)
for exported in package.__all__:
    getattr(package, exported)
print(f"{count} annotations")
