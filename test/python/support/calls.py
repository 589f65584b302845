"""Makes calls with a generated package over a transport of its own; prints what was sent as JSON.

    python3 calls.py FOLDER MODULE CALL…

A call is a list in JSON: a member of the client, arguments (`"OMIT"` is the one), keyword arguments.
A ValueError or TypeError is printed.
"""

import importlib
import json
import sys

folder, name, *calls = sys.argv[1:]
sys.path.insert(0, folder)
sdk = importlib.import_module(name)


class Recorder:
    """A transport that answers every call with what it was."""

    async def send(self, call):
        params = list(call.params) if isinstance(call.params, list) else call.params
        return sdk.Answer([call.method, params, call.notification])

    async def close(self):
        pass


with sdk.Client(Recorder()) as client:
    for call in calls:
        member, args, kwargs = json.loads(call)
        given = [sdk.OMIT if each == "OMIT" else each for each in args]
        try:
            method = getattr(client, member)
            print(json.dumps(client.with_response(method, *given, **kwargs).result))
        except (TypeError, ValueError) as error:
            print(json.dumps(f"{type(error).__name__}: {error}"))
