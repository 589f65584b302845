"""Answers calls from standard input with the generated package, one JSON object per line.

    python3 python_calls.py URL
"""

import json
import sys

import blockchain_node_json_rpc_service_client as sdk


def call(client, function, method, params):
    if function == "request":
        return client.request(method, params)
    return getattr(client, function)(*params)


with sdk.Client(sys.argv[1]) as client:
    for line in sys.stdin:
        try:
            answer = {"result": call(client, **json.loads(line))}
        except Exception as error:
            answer = {"error": repr(error)}
        print(json.dumps(answer), flush=True)
