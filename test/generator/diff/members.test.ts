import { describe, expect, test } from 'vitest';
import { documentOf, methodOf } from '../support/document.ts';
import { diffOf, kindsIn } from './support/documents.ts';

const request = (schema: unknown) => documentOf([methodOf('a', schema)]);
const response = (schema: unknown) => documentOf([methodOf('a', {}, schema)]);

describe('a member that only one schema describes', () => {
  const described = { type: 'object', properties: { a: { type: 'string' } } };
  const required = { type: 'object', required: ['a'] };

  test('and the new one requires, breaks calls without it', async () => {
    const found = kindsIn(await diffOf(request(described), request(required)));
    expect(found).toContain('request-property-became-required');
    const reversed = kindsIn(await diffOf(request(required), request(described)));
    expect(reversed).toContain('request-property-became-optional');
  });

  test('and the old one requires, breaks readers of results that lack it', async () => {
    const found = kindsIn(await diffOf(response(required), response(described)));
    expect(found).toContain('response-property-became-optional');
    const reversed = kindsIn(await diffOf(response(described), response(required)));
    expect(reversed).toContain('response-property-became-required');
  });
});

describe('a member that is no longer described, or is now', () => {
  const described = { type: 'object', properties: { a: { type: 'string' } } };
  const closed = { ...described, additionalProperties: false };
  const others = { type: 'object', additionalProperties: { type: 'integer' } };
  const both = { ...others, ...described };

  test('breaks where the schema of other members refuses its values', async () => {
    expect(errorsIn(await diffOf(request(closed), request(others)))).toContain(
      'request-other-members-restricted',
    );
    expect(errorsIn(await diffOf(request(both), request(others)))).toContain(
      'request-other-members-restricted',
    );
    expect(kindsIn(await diffOf(response(others), response(both)))).toContain(
      'response-other-members-allowed',
    );
  });

  test('does not break where that schema allows them', async () => {
    const any = { type: 'object', additionalProperties: { type: ['string', 'integer'] } };
    const one = { ...any, ...described };
    for (const found of [
      await diffOf(request(one), request(any)),
      await diffOf(response(any), response(one)),
    ]) {
      expect(errorsIn(found)).toEqual([]);
      expect(kindsIn(found).join()).not.toContain('other-members');
    }
  });
});

describe('a member with a name of another version', () => {
  const named = (name: string) => ({
    type: 'object',
    required: [name],
    properties: { [name]: { type: 'string' } },
  });
  const method = (name: string) => ({
    name: 'm',
    paramStructure: 'by-name',
    params: [{ name, required: true, schema: true }],
    result: { name: 'r', schema: true },
  });

  test.each([
    ['proto.1', 'proto.2'],
    ['userV1', 'userV2'],
  ])('is another member: %s, %s', async (old, fresh) => {
    const removed = await diffOf(response(named(old)), response(named(fresh)));
    expect(errorsIn(removed)).toContain('response-required-property-removed');
    const added = await diffOf(request(named(old)), request(named(fresh)));
    expect(errorsIn(added)).toContain('request-required-property-added');
    const param = await diffOf(documentOf([method(old)]), documentOf([method(fresh)]));
    expect(errorsIn(param)).toContain('named-param-renamed');
  });
});

function errorsIn({ changes }: Awaited<ReturnType<typeof diffOf>>): readonly string[] {
  return changes.flatMap(({ kind, severity }) => (severity === 'error' ? [kind] : []));
}
