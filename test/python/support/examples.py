"""Calls every example of a document by the method of the package, on the networks that are named.

    python3 examples.py DOCUMENT '{"evm": "http://…"}'

Prints each that does not give the document's result or error, digit by digit, and how many did.
"""

import asyncio
import json
import sys

import blockchain_node_json_rpc_service_client as sdk
from blockchain_node_json_rpc_service_client.methods import ROUTES

with open(sys.argv[1], encoding="utf-8") as file:
    document = json.load(file)
urls = json.loads(sys.argv[2])


def snake(name):
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in name)


def examples():
    for method in document["methods"]:
        for example in method["examples"]:
            if "x-setup" not in example:
                network = "solana" if method["x-network-family"] == "svm" else "evm"
                yield method["name"], example.get("x-network", network), example


def has_all(got, wanted):
    if isinstance(wanted, dict) and isinstance(got, dict):
        return all(key in got and has_all(got[key], value) for key, value in wanted.items())
    return got == wanted


def check(name, example, result, error):
    if "x-error" not in example:
        is_right = error is None and result == example["result"]["value"]
    else:
        wanted = example["x-error"]
        is_right = (
            isinstance(error, sdk.RpcError)
            and (error.reason is None or type(error) in sdk.SERVICE_ERRORS)
            and (error.code, error.message) == (wanted["code"], wanted["message"])
            and has_all(error.data, wanted.get("data"))
        )
    if not is_right:
        print(f"FAILED {name}, {example['name']}: {result!r} {error!r}")
    return is_right


def main_sync():
    clients = {network: sdk.Client(url) for network, url in urls.items()}
    count = 0
    for name, network, example in examples():
        result = error = None
        try:
            method = getattr(clients[network], snake(name))
            result = method(*(each["value"] for each in example["params"]))
        except sdk.ClientError as caught:
            error = caught
        count += check(name, example, result, error)
    for client in clients.values():
        client.close()
    print(f"{count} examples sync")


async def main_asyncio():
    clients = {network: sdk.AsyncClient(url) for network, url in urls.items()}
    calls = list(examples())
    results = await asyncio.gather(
        *(
            getattr(clients[network], snake(name))(*(each["value"] for each in example["params"]))
            for name, network, example in calls
        ),
        return_exceptions=True,
    )
    count = 0
    for (name, _, example), result in zip(calls, results, strict=True):
        error = result if isinstance(result, Exception) else None
        count += check(name, example, None if error else result, error)
    for client in clients.values():
        await client.close()
    print(f"{count} examples asyncio")


assert set(ROUTES) == {method["name"] for method in document["methods"]}
main_sync()
asyncio.run(main_asyncio())
