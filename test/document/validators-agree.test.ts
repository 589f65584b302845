/**
 * Compares the generated validators with the MethodCallValidator of schema-utils-js. Known differences
 * are listed with their reasons; one that no longer exists fails the test.
 */
import { MethodCallValidator, parseOpenRPCDocument } from '@open-rpc/schema-utils-js';
import { describe, expect, test } from 'vitest';
import { validateParams, type ValidateParams } from '../../generated/validators.js';
import { document, type Json } from '../support/document.ts';
import { misspelt, overdone, places, replaceAt, retyped } from '../support/mutations.ts';
import { fullParams } from '../support/samples.ts';

// It does not follow references, so they are inlined; our document has no recursive schema.
const written = await parseOpenRPCDocument(structuredClone(document) as never);
const oracle = new MethodCallValidator(written);

/** Where schema-utils-js accepts values that the document rejects, and why. */
const KNOWN: readonly {
  readonly method: string;
  readonly pointer: RegExp;
  readonly reason: string;
}[] = [
  {
    method: 'getProgramAccounts',
    pointer: /^$/,
    reason: 'x-format is an annotation to it: the 32 bytes of a public key',
  },
  {
    method: 'getProgramAccounts',
    pointer: /^\/filters\/0\/memcmp\/(bytes|encoding)$/,
    reason: 'x-format is an annotation to it: base-58 and base-64',
  },
];

function oracleAccepts(method: string, params: Json[]): boolean {
  const verdict = oracle.validate(method, params as never);
  return !Array.isArray(verdict) || verdict.length === 0;
}

describe('generated validators and MethodCallValidator agree', () => {
  test.each(document.methods.map((method) => ({ name: method.name, method })))(
    '$name',
    ({ name, method }) => {
      const validate = (validateParams as Readonly<Record<string, ValidateParams>>)[name]!;
      const { withoutNulls } = validate;
      const valid = [...fullParams[name]!] as Json[];
      expect(validate(valid)).toEqual([]);
      expect(oracleAccepts(name, valid)).toBe(true);
      const differences: string[] = [];
      let compared = 0;
      for (const index of method.params.keys()) {
        for (const place of places(valid[index]!)) {
          for (const damaged of [
            ...retyped(valid[index]!, place),
            ...misspelt(valid[index]!, place),
            ...overdone(valid[index]!, place),
          ]) {
            const params = replaceAt(valid, [index], damaged.value) as Json[];
            const ours = validate(params).length === 0;
            // It does not know which nulls mean "absent" (x-normalize).
            const theirs = oracleAccepts(name, withoutNulls(params) as Json[]);
            compared += 1;
            if (ours === theirs) continue;
            const known = KNOWN.some(
              (one) => one.method === name && one.pointer.test(damaged.pointer),
            );
            if (!known || ours)
              differences.push(
                `${index}${damaged.pointer} ${damaged.what}: ours ${ours}, theirs ${theirs}`,
              );
          }
        }
      }
      expect(differences).toEqual([]);
      expect(compared).toBeGreaterThan(10);
    },
  );

  test('known difference: it ignores parameters beyond the last', () => {
    const params = [...fullParams['eth_getTransactionByHash']!, 'superfluous'] as Json[];
    expect(oracleAccepts('eth_getTransactionByHash', params)).toBe(true);
    expect(validateParams.eth_getTransactionByHash(params)).not.toEqual([]);
  });

  test('known difference: it throws when there are no params at all', () => {
    expect(() => oracle.validate('eth_getTransactionByHash', undefined as never)).toThrow();
    expect(validateParams.eth_getTransactionByHash([])).not.toEqual([]);
  });
});
