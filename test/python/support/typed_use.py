"""What type checkers have to make of the client of openrpc.json. Not run: checked."""

from collections.abc import Awaitable
from typing import Any, assert_type

from blockchain_node_json_rpc_service_client import (
    AsyncClient,
    Client,
    CreditsExhaustedError,
    Pending,
    WithResponse,
)
from blockchain_node_json_rpc_service_client.types import (
    AccountProof,
    Block,
    BlockWithTransactionHashes,
    BlockWithTransactions,
    ProgramAccountList,
    ProgramAccountsWithContext,
)


def blocking(client: Client, full: bool) -> None:
    assert_type(client.eth_get_block_by_number("latest", True), BlockWithTransactions | None)
    assert_type(client.eth_get_block_by_number("latest", False), BlockWithTransactionHashes | None)
    either = client.eth_get_block_by_number("latest", full)
    assert_type(either, Block | BlockWithTransactions | BlockWithTransactionHashes | None)
    assert_type(client.get_program_accounts("Stake"), ProgramAccountList)
    config = client.get_program_accounts("Stake", {"withContext": True})
    assert_type(config, ProgramAccountList | ProgramAccountsWithContext)
    proof = client.submit(client.eth_get_proof, "0x", [], timeout=3)
    assert_type(proof, Pending[AccountProof])
    assert_type(client.with_response(client.eth_get_proof, "0x", []), WithResponse[AccountProof])
    assert_type(client.request("rpc.discover"), Any)
    assert_type(client.request("eth_getProof", ["0x", []]), AccountProof)
    submitted = client.submit(client.request, "eth_getProof", ["0x", []])
    assert_type(submitted, Pending[AccountProof])
    client.eth_get_proof("0x", 3)  # type: ignore[arg-type]
    client.submit(client.eth_get_proof, "0x")  # type: ignore[call-arg]
    client.eth_estimate_gas({"to": "0x", "gas": 21000})  # type: ignore[typeddict-item]
    Client("http://127.0.0.1/", timeuot=3)  # type: ignore[call-arg]


async def with_asyncio(client: AsyncClient) -> None:
    proof: Awaitable[AccountProof] = client.eth_get_proof("0x", [])
    assert_type(await proof, AccountProof)
    whole = await client.with_response(client.eth_get_block_by_number, "latest", True)
    assert_type(whole, WithResponse[BlockWithTransactions | None])


def errors(error: CreditsExhaustedError) -> None:
    assert_type(error.resets_at, str)
    assert_type(error.data["remaining"], int)
