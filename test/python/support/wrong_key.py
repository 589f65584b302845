"""Calls a service with a wrong key, blocking and for asyncio, and prints the error of each.

    python3 wrong_key.py URL
"""

import asyncio
import sys
import traceback

import blockchain_node_json_rpc_service_client as sdk

url = sys.argv[1]


def report(error, attempts, kind):
    shown = {frame.name for frame in traceback.extract_tb(error.__traceback__)}
    assert "call_with_wrong_key" in shown, shown
    assert "zzzz" not in "".join(traceback.format_exception(error))
    count = f"{len(attempts)} attempt{'' if len(attempts) == 1 else 's'}"
    print(type(error).__name__, error.code, count, kind)


def main_sync():
    attempts = []
    with sdk.Client(url, on_request=attempts.append) as client:

        def call_with_wrong_key():
            client.eth_get_block_by_number("latest", False)

        try:
            call_with_wrong_key()
        except sdk.KeyUnknownError as error:
            report(error, attempts, "sync")


async def main_asyncio():
    attempts = []
    async with sdk.AsyncClient(url, on_request=attempts.append) as client:

        async def call_with_wrong_key():
            await client.eth_get_block_by_number("latest", False)

        try:
            await call_with_wrong_key()
        except sdk.KeyUnknownError as error:
            report(error, attempts, "asyncio")


main_sync()
asyncio.run(main_asyncio())
