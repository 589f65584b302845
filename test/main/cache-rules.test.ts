import { expect, it } from 'vitest';
import { cacheRules } from '../../src/main/cache-rules.ts';
import { protocol } from '../../src/main/dependencies.ts';
import type { NetworkConfig } from '../../src/config/schema.ts';

interface Document {
  readonly methods: readonly {
    readonly name: string;
    readonly examples: readonly { readonly result?: { readonly value: unknown } }[];
  }[];
}

it('only results that match the document may be cached', () => {
  const { isValid } = cacheRules({} as NetworkConfig, protocol);
  const { methods } = JSON.parse(protocol.document) as Document;
  const example = methods.find(({ name }) => name === 'eth_getBlockByNumber')!.examples[0]!;
  const isValidBlock = (value: unknown): boolean =>
    isValid('eth_getBlockByNumber', Buffer.from(JSON.stringify(value)));
  expect(isValidBlock(example.result!.value)).toBe(true);
  expect([{}, 'service busy', false].map(isValidBlock)).toEqual([false, false, false]);
});
