import { plainAddress } from '../escape/address.ts';
import { escapeJson } from '../escape/json.ts';
import { scriptMember, scriptString } from '../escape/script.ts';
import { shellWord } from '../escape/shell.ts';
import { jsonText } from './json-text.ts';
import { hasWideIntegers, scriptSyntax, writeLiteral } from './literal.ts';
import type { Json, SampleCall } from './sample.ts';

/** Writes the code of a call, or returns null when the tool cannot make it. */
export type Writer = (call: SampleCall) => string | null;

/** Returns the network's HTTP URL; a placeholder for a relative or invalid one. */
export function httpUrl({ network }: SampleCall): string {
  return plainAddress(network?.http ?? '', ['http', 'https']) ?? 'http://127.0.0.1:8545';
}

function wsUrl({ network }: SampleCall): string | null {
  return network === null ? 'ws://127.0.0.1:8545' : plainAddress(network.ws ?? '', ['ws', 'wss']);
}

function requestOf({ method, params }: SampleCall): Json {
  return { jsonrpc: '2.0', id: 1, method: method.name, params: params as Json };
}

const requestText = (call: SampleCall) => escapeJson(jsonText(requestOf(call)));

const quoted = (text: string) => scriptString(text, "'");

export const curl: Writer = (call) =>
  [
    `curl -s ${shellWord(httpUrl(call))} \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d ${shellWord(requestText(call))}`,
  ].join('\n');

export const wscat: Writer = (call) => {
  const url = wsUrl(call);
  if (url === null) return null;
  return `npx wscat -c ${shellWord(url)} -w 2 -x ${shellWord(requestText(call))}`;
};

export const fetchSample: Writer = (call) => {
  const request = requestOf(call);
  // JSON.stringify cannot write integers beyond 2^53.
  const body = hasWideIntegers(request)
    ? quoted(requestText(call))
    : `JSON.stringify(${writeLiteral(request, scriptSyntax, '  ')})`;
  return `const response = await fetch(${quoted(httpUrl(call))}, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: ${body},
});
const { result, error } = await response.json();
console.log(error ?? result);`;
};

export const viem: Writer = (call) => {
  if (call.method.family !== 'evm' || hasWideIntegers(call.params)) return null;
  return `import { createClient, http } from 'viem';

const client = createClient({ transport: http(${quoted(httpUrl(call))}) });
const result = await client.request({
  method: ${quoted(call.method.name)},
  params: ${writeLiteral(call.params as Json, scriptSyntax, '  ')},
});
console.log(result);`;
};

export const ethers: Writer = (call) => {
  if (call.method.family !== 'evm' || hasWideIntegers(call.params)) return null;
  return `import { JsonRpcProvider } from 'ethers';

const provider = new JsonRpcProvider(${quoted(httpUrl(call))});
const result = await provider.send(${quoted(call.method.name)}, ${writeLiteral(call.params as Json, scriptSyntax)});
console.log(result);
provider.destroy();`;
};

export const solanaKit: Writer = (call) => {
  if (call.method.family !== 'svm') return null;
  const values = (Array.isArray(call.params) ? call.params : [call.params]) as readonly Json[];
  const args = values.map((value) => writeLiteral(value, scriptSyntax)).join(', ');
  return `import { createSolanaRpc } from '@solana/kit';

const rpc = createSolanaRpc(${quoted(httpUrl(call))});
const result = await rpc${scriptMember(call.method.name, "'")}(${args}).send();
console.log(result);`;
};
