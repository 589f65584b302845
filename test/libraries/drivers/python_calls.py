"""Makes calls from standard input with the generated package: one JSON object per line each way."""

import json
import sys

import blockchain_node_json_rpc_service_client as sdk

clients = {}


def call(url, function, method, params):
    client = clients.setdefault(url, sdk.Client(url))
    if function == "request":
        return client.request(method, params)
    return getattr(client, function)(*params)


for line in sys.stdin:
    try:
        answer = {"result": call(**json.loads(line))}
    except Exception as error:
        answer = {"error": repr(error)}
    print(json.dumps(answer), flush=True)
for client in clients.values():
    client.close()
