import { describe, expect, it } from 'vitest';
import { secretsOf, withRedaction } from '../../src/upstream/with-redaction.ts';
import type { StreamingOutcome } from '../../src/upstream/upstream.ts';
import { ask } from './support.ts';

describe('withRedaction', () => {
  const url = new URL(
    'https://user:pass%20word@node.example/v2/0123456789abcdef0123?key=fedcba9876543210&token=s3cret&v=2',
  );
  const secrets = secretsOf(url, {
    authorization: 'Bearer t0ken-1',
    'x-key': 'k-e-y-1',
    'x-n': '7',
  });

  it('finds credentials, keys in path and query, and headers with and without scheme', () => {
    expect(secrets.toSorted()).toEqual(
      [
        '0123456789abcdef0123',
        'Bearer t0ken-1',
        'fedcba9876543210',
        'k-e-y-1',
        'dXNlcjpwYXNzIHdvcmQ=',
        'pass word',
        'pass%20word',
        's3cret',
        't0ken-1',
      ].toSorted(),
    );
  });

  it('reads an invalid percent escape literally', () => {
    expect(secretsOf(new URL('https://user:100%pure@node.example'), {})).toContain('100%pure');
  });

  it('removes secrets from node errors and changes nothing else', async () => {
    const outcomes: StreamingOutcome[] = [
      {
        kind: 'error',
        error: { code: -32000, message: 'bad key k-e-y-1', data: { sent: ['t0ken-1', 7, null] } },
      },
      { kind: 'result', result: Buffer.from('"k-e-y-1"') },
      { kind: 'error', error: { code: 3, message: 'execution reverted', data: '0x' } },
    ];
    const upstream = withRedaction(async () => outcomes.shift()!, secrets);
    expect(await ask(upstream)).toEqual({
      kind: 'error',
      error: {
        code: -32000,
        message: 'bad key [redacted]',
        data: { sent: ['[redacted]', 7, null] },
      },
    });
    expect(await ask(upstream)).toMatchObject({ result: Buffer.from('"k-e-y-1"') });
    expect(await ask(upstream)).toMatchObject({ error: { code: 3, data: '0x' } });
  });

  it('removes secrets from raw data: names, escapes and duplicate members', async () => {
    const rawData = Buffer.from(
      String.raw`{"a":"k-e-y-1","a":18446744073709551615,"t0ken-1":["k\u002de-y-1 \"x\""], "n":1e2}`,
    );
    const data: unknown = JSON.parse(rawData.toString());
    const upstream = withRedaction(
      async () => ({ kind: 'error', error: { code: 1, message: '', data, rawData } }),
      secrets,
    );
    const outcome = await ask(upstream);
    if (outcome.kind !== 'error') throw new Error('no error');
    expect(outcome.error.rawData?.toString()).toBe(
      String.raw`{"a":"[redacted]","a":18446744073709551615,"[redacted]":["[redacted] \"x\""], "n":1e2}`,
    );
    expect(JSON.stringify(outcome.error.data)).not.toMatch(/k-e-y-1|t0ken-1/);
  });

  it.each([
    ['elements', (count: number) => Array.from({ length: count }, () => '')],
    [
      'member names',
      (count: number) => Object.fromEntries(Array.from({ length: count }, (_, name) => [name, 0])),
    ],
  ])('replaces data as a whole that has more than 10,000 strings as %s', async (_, make) => {
    for (const count of [10_000, 10_001]) {
      const data = make(count);
      const rawData = Buffer.from(JSON.stringify(data));
      const error = { code: 1, message: 'k-e-y-1', data, rawData };
      const upstream = withRedaction(async () => ({ kind: 'error', error }), secrets);
      const expected = count === 10_000 ? { data, rawData } : { data: '[redacted]' };
      expect(await ask(upstream)).toEqual({
        kind: 'error',
        error: { code: 1, message: '[redacted]', ...expected },
      });
    }
  });

  it('handles data with millions of escapes', async () => {
    const data = `${'"'.repeat(5_000_000)}k-e-y-1`;
    const upstream = withRedaction(
      async () => ({ kind: 'error', error: { code: 1, message: '', data } }),
      secrets,
    );
    const outcome = await ask(upstream);
    if (outcome.kind !== 'error') throw new Error('no error');
    expect(String(outcome.error.data).slice(-12)).toBe('""[redacted]');
  });
});
