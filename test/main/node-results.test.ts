/** Results of nodes that differ from the interface, through a running gateway that validates them. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { eventually } from '../transport/eventually.ts';
import { bytes, startBench } from './node-bytes.ts';

interface NodeResult {
  readonly node: string;
  /** What differs from the interface. */
  readonly differs: string;
  readonly source: string;
  readonly method: string;
  readonly params: readonly unknown[];
  readonly result: unknown;
}

const results = JSON.parse(
  readFileSync(new URL('../data/node-results.json', import.meta.url), 'utf8'),
) as readonly NodeResult[];

it('results that nodes are known to give are passed on unchanged and fit the document', async () => {
  const { gateway, nodes, ask } = await startBench(1);
  for (const { node, differs, method, params, result } of results) {
    const answer = `{"jsonrpc":"2.0","id":1,"result":${JSON.stringify(result)}}`;
    nodes[0]!.behave(bytes(answer));
    expect((await ask(method, params)).text, `${node}: ${differs}`).toBe(answer);
  }
  // The contract monitor checks every result in the background.
  const metrics = async (): Promise<string[]> => {
    const text = await (await fetch(new URL('metrics', gateway.ops!))).text();
    return text.match(/^specgate_contract_checks_total.*$/gm) ?? [];
  };
  await eventually(metrics).toEqual([
    expect.stringMatching(new RegExp(`outcome="checked"} ${results.length}$`)),
  ]);
});
