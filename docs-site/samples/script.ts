import { scriptMember, scriptString } from '../../common/escape/script.ts';
import { argumentsText, hasBigIntegers, httpUrl, requestText, scriptLiteral } from './call-text.ts';
import type { Json, Writer } from './sample.ts';

export const fetchSample: Writer = (call) => {
  const { method, params } = call;
  const request = {
    jsonrpc: '2.0',
    id: 1,
    method: method.name,
    params: params as Json,
  };
  // JSON.stringify knows no integers beyond 2^53.
  const body = hasBigIntegers(request)
    ? quoted(requestText(call))
    : `JSON.stringify(${scriptLiteral(request, '  ')})`;
  return `const response = await fetch(${quoted(httpUrl(call))}, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: ${body},
});
const { result, error } = await response.json();
console.log(error ?? result);`;
};

export const generatedClient: Writer = (call) => {
  const { method } = call;
  if (hasBigIntegers(call.params)) return null;
  return `import { createClient, http } from ${quoted(method.clientPackage)};

const client = createClient({ transport: http({ url: ${quoted(httpUrl(call))} }) });
const result = await client.${method.identifier}(${argumentsText(call)});
console.log(result);`;
};

export const viem: Writer = (call) => {
  if (call.method.family !== 'evm' || hasBigIntegers(call.params)) return null;
  return `import { createClient, http } from 'viem';

const client = createClient({ transport: http(${quoted(httpUrl(call))}) });
const result = await client.request({
  method: ${quoted(call.method.name)},
  params: ${scriptLiteral(call.params as Json, '  ')},
});
console.log(result);`;
};

/** ethers would ask for eth_chainId first, which is not served: the network has to be static. */
export const ethers: Writer = (call) => {
  if (call.method.family !== 'evm' || hasBigIntegers(call.params)) return null;
  return `import { JsonRpcProvider, Network } from 'ethers';

const url = ${quoted(httpUrl(call))};
const provider = new JsonRpcProvider(url, undefined, { staticNetwork: Network.from(1) });
const result = await provider.send(${quoted(call.method.name)}, ${scriptLiteral(call.params as Json)});
console.log(result);
provider.destroy();`;
};

export const solanaKit: Writer = (call) => {
  if (call.method.family !== 'svm') return null;
  return `import { createSolanaRpc } from '@solana/kit';

const rpc = createSolanaRpc(${quoted(httpUrl(call))});
const result = await rpc${scriptMember(call.method.name, "'")}(${argumentsText(call)}).send();
console.log(result);`;
};

function quoted(text: string): string {
  return scriptString(text, "'");
}
