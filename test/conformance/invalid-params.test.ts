import { describe, expect, inject, test } from 'vitest';
import { errors as rows } from '../../generated/errors.ts';
import { document, paramsOf, type Json } from '../support/document.ts';
import {
  misspelt,
  overdone,
  places,
  replaceAt,
  retyped,
  without,
  type Mutation,
  type Place,
} from '../support/mutations.ts';
import { fullParams } from '../support/samples.ts';
import { compilePointer } from '../support/schemas.ts';
import { post, type RpcAnswer } from '../support/wire.ts';

interface Violation {
  readonly pointer: string;
  readonly param: string;
  readonly keyword: string;
  readonly expected: string;
  readonly message: string;
}

function urlOf(family: string): string {
  const { networks } = inject('product');
  return family === 'svm' ? networks.solana.http : networks.evm.http;
}

/** Sends all inputs in one batch; -32602 errors are free and reach no node. */
async function answers(url: string, method: string, inputs: readonly Json[]): Promise<RpcAnswer[]> {
  const got: RpcAnswer[] = [];
  for (let from = 0; from < inputs.length; from += 50) {
    const batch = inputs
      .slice(from, from + 50)
      .map((params, index) => ({ jsonrpc: '2.0', id: from + index, method, params }));
    got.push(...((await post(url, JSON.stringify(batch))).json as RpcAnswer[]));
  }
  return got;
}

function violationsOf(answer: RpcAnswer): Violation[] {
  return (answer.error?.data as { violations?: Violation[] } | undefined)?.violations ?? [];
}

describe.each(document.methods.map((method) => ({ method, name: method.name })))(
  '$name',
  ({ method }) => {
    const valid = [...fullParams[method.name]!] as Json[];
    const params = paramsOf(method);

    test.each(params.map((param, index) => ({ param: param.name, index })))(
      'every invalid $param is rejected with -32602 and named',
      async ({ param, index }) => {
        const reference = (method.params[index] as { $ref?: string }).$ref;
        const pointer =
          reference?.slice(1) ?? `/methods/${document.methods.indexOf(method)}/params/${index}`;
        const validate = compilePointer(`${pointer}/schema`);
        expect(validate(valid[index]), JSON.stringify(validate.errors)).toBe(true);
        // Null means absent for optional members of objects, and for optional params.
        const mayBeNull = (place: Place): boolean => {
          if (place.path.length === 0) return params[index]!.required !== true;
          const isMember = typeof place.path.at(-1) === 'string';
          return isMember && validate(without(valid[index]!, place).value) === true;
        };
        const damaged = places(valid[index]!).flatMap((place): Mutation[] => [
          ...retyped(valid[index]!, place).filter(
            ({ what }) => !what.endsWith('null') || !mayBeNull(place),
          ),
          ...misspelt(valid[index]!, place),
          ...overdone(valid[index]!, place),
          ...(place.path.length === 0 ? [] : [without(valid[index]!, place)]),
        ]);
        const invalid = damaged.filter(({ value }) => !validate(value));
        expect(invalid.length).toBeGreaterThanOrEqual(5);
        const got = await answers(
          urlOf(method['x-network-family']),
          method.name,
          invalid.map(({ value }) => replaceAt(valid, [index], value)),
        );
        for (const [at, answer] of got.entries()) {
          const what = `${invalid[at]!.pointer} ${invalid[at]!.what}: ${JSON.stringify(answer)}`;
          expect(answer.error?.code, what).toBe(-32602);
          const violations = violationsOf(answer);
          expect(violations.length, what).toBeGreaterThan(0);
          for (const violation of violations) {
            expect(violation.param, what).toBe(param);
            expect(violation.pointer, what).toMatch(new RegExp(`^/${index}(/|$)`));
            expect(violation.expected.length, what).toBeGreaterThan(3);
            expect(violation.message, what).toMatch(/: (?:missing|.*(?:expected|did you mean) .)/s);
          }
          expect(answer.error?.message, what).toContain(param);
          expect(answer.error?.data, what).toMatchObject({ fix: rows.InvalidParams.fix });
        }
      },
    );

    test('a missing required parameter is rejected with -32602 and named', async () => {
      for (const [index, param] of params.entries()) {
        if (param.required !== true) continue;
        const [answer] = await answers(urlOf(method['x-network-family']), method.name, [
          valid.slice(0, index),
        ]);
        expect(answer?.error?.code).toBe(-32602);
        expect(violationsOf(answer!).map((violation) => violation.param)).toContain(param.name);
      }
    });

    test('an additional parameter is rejected with -32602', async () => {
      const [answer] = await answers(urlOf(method['x-network-family']), method.name, [
        [...valid, 'superfluous'],
      ]);
      expect(answer?.error?.code).toBe(-32602);
      expect(violationsOf(answer!)[0]?.pointer).toBe(`/${params.length}`);
    });
  },
);

describe('error messages', () => {
  async function messageOf(method: string, params: Json[], url = urlOf('evm')): Promise<string> {
    const [answer] = await answers(url, method, [params]);
    expect(answer?.error?.code).toBe(-32602);
    return `${answer?.error?.message} ${JSON.stringify(answer?.error?.data)}`;
  }

  test('a decimal number where a quantity is expected is shown as a quantity', async () => {
    const { evm } = inject('product').networks;
    const calls: [method: string, params: Json[], meant: string][] = [
      ['eth_getBlockByNumber', [7, false], '"0x7"'],
      ['eth_getBlockByNumber', ['10', false], '"0xa"'],
      ['eth_getBlockByNumber', ['0x07', false], '"0x7"'],
      ['eth_getTransactionByBlockNumberAndIndex', ['0x1', 0], '"0x0"'],
      ['eth_estimateGas', [{ to: `0x${'1'.repeat(40)}`, gas: 21000 }], '"0x5208"'],
    ];
    for (const [method, params, meant] of calls) {
      const [answer] = await answers(evm.http, method, [params]);
      expect(answer?.error?.message, method).toContain(`; did you mean ${meant}?`);
    }
    const [hash] = await answers(evm.http, 'eth_getTransactionByHash', [[7]]);
    expect(hash?.error?.message).not.toContain('did you mean');
  });

  test('a hash that is too short is rejected with the expected length', async () => {
    expect(await messageOf('eth_getTransactionByHash', ['0x12'])).toContain(
      'a 32-byte hash: 0x and 64 hexadecimal digits',
    );
  });

  test('an EIP-1898 block object is rejected by name', async () => {
    expect(
      await messageOf('eth_getBlockByNumber', [{ blockHash: `0x${'ab'.repeat(32)}` }, false]),
    ).toContain('EIP-1898');
    expect(
      await messageOf('eth_getProof', [`0x${'ab'.repeat(20)}`, [], { blockNumber: '0x1' }]),
    ).toContain('EIP-1898');
  });

  test('an unknown option is rejected with the nearest known one', async () => {
    expect(
      await messageOf(
        'getProgramAccounts',
        ['TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', { encodng: 'base64' }],
        urlOf('svm'),
      ),
    ).toMatch(/encodng.*encoding/s);
  });

  test('a call object without "to" is rejected with the case that allows it', async () => {
    expect(await messageOf('eth_estimateGas', [{ value: '0x1' }])).toMatch(/\bto\b.*creation/s);
  });

  test('a key of 31 bytes is rejected', async () => {
    expect(
      await messageOf('getProgramAccounts', ['1111111111111111111111111111111'], urlOf('svm')),
    ).toContain('32 bytes');
    expect(await messageOf('getProgramAccounts', ['1'.repeat(33)], urlOf('svm'))).toContain(
      '32 bytes',
    );
  });

  test('dataSlice with jsonParsed is rejected with the encodings that allow it', async () => {
    const config = { encoding: 'jsonParsed', dataSlice: { offset: 0, length: 1 } };
    expect(
      await messageOf(
        'getProgramAccounts',
        ['TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', config],
        urlOf('svm'),
      ),
    ).toMatch(/dataSlice.*base58, base64 and base64\+zstd/s);
  });
});
