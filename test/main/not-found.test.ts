/** What nodes answer for items they do not have, byte for byte, through a running gateway. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { bytes, startBench } from './node-bytes.ts';

const hash = `0x${'23'.repeat(32)}`;
// The tag finalized is that of a probe.
const byTag = ['eth_getBlockByNumber', ['safe', false], '80'] as const;
const byHash = ['eth_getBlockByHash', [hash, false], '80'] as const;
const byIndex = ['eth_getTransactionByBlockNumberAndIndex', ['0x1577d62', '0xb4'], '150'] as const;
const uncle = ['eth_getUncleByBlockNumberAndIndex', ['0x1577d62', '0x0'], '150'] as const;
const receipts = ['eth_getBlockReceipts', ['0x1577d62'], '1000'] as const;

type Call = readonly [method: string, params: readonly unknown[], credits: string];

/** The bytes are those of the source; only the id differs from call to call. */
const dialects: readonly (readonly [node: string, call: Call, answer: string])[] = [
  // ethereum/execution-apis#879: go-ethereum before its first forkchoice update.
  [
    'geth',
    byTag,
    '{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"safe block not found"}}',
  ],
  // ethereum/go-ethereum#27162, eth/api_backend.go before it.
  [
    'geth 1.11',
    byTag,
    `{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"'safe' tag not supported on pre-merge network"}}`,
  ],
  // bnb-chain/bsc#1054: eth_getBlockByHash of geth 1.1.12 of BSC.
  [
    'geth of BSC',
    byHash,
    '{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"header not found"}}',
  ],
  // ethereum/go-ethereum#31949: eth_getBlockReceipts of 1.15.
  [
    'geth 1.15',
    receipts,
    '{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"header for hash not found"}}',
  ],
  // RpcErrorType.java, UNKNOWN_BLOCK: "eth_getBlockByNumber specific error message".
  ['Besu', byTag, '{"jsonrpc":"2.0","id":1,"error":{"code":-39001,"message":"Unknown block"}}'],
  // RpcErrorType.java, BLOCK_NOT_FOUND and TRANSACTION_NOT_FOUND.
  [
    'Besu',
    receipts,
    '{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"Block not found"}}',
  ],
  [
    'Besu',
    byIndex,
    '{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"Transaction not found"}}',
  ],
  // NethermindEth/nethermind#8648: 1.31.10.
  [
    'Nethermind 1.31',
    byIndex,
    '{"jsonrpc":"2.0","error":{"code":-32602,"message":"Position Index is incorrect"},"id":1}',
  ],
  // BlockFinderExtensions.cs with ErrorCodes.ResourceNotFound, -32001 until it became -32000
  // (NethermindEth/nethermind#11214).
  [
    'Nethermind',
    uncle,
    '{"jsonrpc":"2.0","error":{"code":-32001,"message":"22511970 could not be found"},"id":1}',
  ],
  [
    'Nethermind',
    uncle,
    '{"jsonrpc":"2.0","error":{"code":-32000,"message":"4294967295 could not be found"},"id":1}',
  ],
  // BlockFinderExtensions.cs, finalized and safe.
  [
    'Nethermind',
    byTag,
    '{"jsonrpc":"2.0","error":{"code":-39001,"message":"Unknown block error"},"id":1}',
  ],
  // node-real/bsc-erigon#376.
  ['Erigon', byTag, '{"jsonrpc":"2.0","id":1,"error":{"code":-39001,"message":"Unknown block"}}'],
  // erigontech/erigon#20149.
  [
    'Erigon',
    byTag,
    String.raw`{"jsonrpc":"2.0","id":1,"error":{"code":-39001,"message":"block \"safe\" not available (head block: 21459236)"}}`,
  ],
  // paradigmxyz/reth#7368 shows what Erigon says beside reth.
  [
    'Erigon',
    byHash,
    '{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"block 230d842afd1faceaa3c5c0dacd24228747565c441ed5e1e3a9306c2c6b55d619 not found"}}',
  ],
  [
    'reth 0.2',
    byHash,
    '{"jsonrpc":"2.0","error":{"code":-32001,"message":"unknown block number"},"id":1}',
  ],
  // rpc-eth-types/src/error/mod.rs, HeaderNotFound and UnknownBlockOrTxIndex.
  [
    'reth',
    byTag,
    '{"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"block not found: safe"}}',
  ],
  [
    'reth',
    byIndex,
    '{"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"unknown block or tx index"}}',
  ],
  // crates/anvil/src/eth/error.rs, BlockNotFound and BlockOutOfRange.
  [
    'anvil',
    byIndex,
    '{"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"Resource not found"}}',
  ],
  [
    'anvil',
    uncle,
    '{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"BlockOutOfRangeError: block height is 16 but requested was 22511970"}}',
  ],
];

it('an item that no node has is null, however the nodes say so', async () => {
  const { nodes, ask } = await startBench(2);
  for (const [name, call, answer] of dialects) {
    const [method, params, credits] = call;
    for (const node of nodes) node.behave(bytes(answer));
    const before = nodes.map(({ requests }) => requests.length);
    expect(await ask(method, params), `${name}: ${answer}`).toMatchObject({
      status: 200,
      credits,
      text: '{"jsonrpc":"2.0","id":1,"result":null}',
    });
    // The first node may only be behind.
    const asked = nodes.map(({ requests }, at) => requests.slice(before[at]));
    expect(asked.map((requests) => requests.map((each) => each.method))).toEqual([
      [method],
      [method],
    ]);
  }
});

it('an item that another node has is the answer', async () => {
  const { nodes, ask } = await startBench(2);
  for (const [name, [method, params], answer] of dialects) {
    nodes[0]!.behave(bytes(answer));
    nodes[1]!.behave(() => '{"found":true}');
    expect((await ask(method, params)).body.result, name).toEqual({ found: true });
  }
});

it('a similar error, or one of a method without null, stays the error of the node', async () => {
  const { nodes, ask } = await startBench(2);
  const errors: readonly (readonly [call: Call, code: number, message: string])[] = [
    [['eth_estimateGas', [{ to: `0x${'11'.repeat(20)}` }], '300'], -32000, 'header not found'],
    [['eth_getProof', [`0x${'11'.repeat(20)}`, []], '150'], -39001, 'Unknown block'],
    // Besu, RpcErrorType.java.
    [byHash, -32000, 'Filter not found'],
    [byHash, -32000, 'World state unavailable'],
    [byTag, -32000, 'execution reverted: block not found'],
    [byTag, 4444, 'pruned history unavailable'],
    [byTag, -32601, 'the method eth_getBlockByNumber does not exist/is not available'],
  ];
  for (const [[method, params], code, message] of errors) {
    const error = { code, message };
    for (const node of nodes) {
      node.behave(bytes(JSON.stringify({ jsonrpc: '2.0', id: 1, error })));
    }
    expect((await ask(method, params)).body.error, message).toMatchObject(error);
  }
});

it('the guide lists every node with its codes', () => {
  const guide = readFileSync(
    new URL('../../docs-site/content/guides/nodes.md', import.meta.url),
    'utf8',
  );
  const [, section = ''] = /^## Not found\n(.*?)^## /ms.exec(guide) ?? [];
  for (const [node, , answer] of dialects) {
    const [name = ''] = node.split(' ');
    const code = /"code":(-\d+)/.exec(answer)![1]!;
    const rows = section.split('\n').filter((line) => line.startsWith(`| ${name} `));
    expect(rows.join('\n'), `${node}: ${answer}`).toContain(code);
  }
});
