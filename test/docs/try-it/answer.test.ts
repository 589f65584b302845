import { describe, expect, test } from 'vitest';
import { explain } from '../../../docs-site/browser/try-it/answer/explain.ts';
import { readAnswer } from '../../../docs-site/browser/try-it/answer/read-answer.ts';
import { decodeRevert } from '../../../docs-site/browser/try-it/answer/revert.ts';
import { document } from '../../support/document.ts';

const word = (value: bigint): string => value.toString(16).padStart(64, '0');

describe('revert data', () => {
  test.each([
    ['0x', 'no reason given'],
    [`0x4e487b71${word(0x11n)}`, 'arithmetic overflow or underflow (panic 0x11)'],
    [`0x4e487b71${word(0x99n)}`, 'unknown panic (panic 0x99)'],
    [`0x08c379a0${word(32n)}${word(4n)}626f6f6d${'0'.repeat(56)}`, 'boom'],
    [`0x08c379a0${word(32n)}${word(0n)}`, 'empty reason'],
    ['0xdeadbeef', 'custom error 0xdeadbeef'],
  ])('%.24s… is decoded as: %s', (data, reason) => {
    expect(decodeRevert(data)?.reason).toBe(reason);
  });

  test('of a custom error is split into words', () => {
    expect(decodeRevert(`0xf984d914${word(5n)}${word(1n)}`)?.words).toEqual([
      `0x${word(5n)}`,
      `0x${word(1n)}`,
    ]);
  });

  test.each([
    undefined,
    null,
    3,
    'boom',
    '0x1',
    { reason: 'x' },
    // An invalid length or offset is not a text.
    `0x08c379a0${word(32n)}${word(400n)}62`,
    `0x08c379a0${word(2n ** 255n)}`,
    '0x4e487b71',
    // Not a selector and words: raw text.
    '0x6e6f7420656e6f75676820746f6b656e73',
    '0xdead',
  ])('%j is rejected', (data) => {
    expect(decodeRevert(data)).toBe(null);
  });
});

describe('explain', () => {
  const rows = document['x-errors'];

  test('finds the row of a code and reason', () => {
    for (const { code, reason, name, origin } of rows) {
      if (origin === 'node') continue;
      const found = explain({ code, message: '', data: { reason } }, rows, 0);
      expect(found.row?.name).toBe(name);
    }
  });

  test('does not take a node error for a gateway error with the same code', () => {
    const error = { code: -32600, message: 'Encoded binary (base 58) data…', data: undefined };
    expect(explain(error, rows, 0)).toMatchObject({ row: null, cause: null, fix: null });
    expect(explain({ code: -32602, message: '', data: { reason: 'another' } }, rows, 0).row).toBe(
      null,
    );
  });

  test('returns when to try again', () => {
    const now = Date.parse('2026-11-21T21:30:00Z');
    const data = { reason: 'credits_exhausted', resetsAt: '2026-11-22T00:00:00.000Z' };
    expect(explain({ code: 402, message: '', data }, rows, now).when).toBe(
      'Credits reset at 2026-11-22 00:00 UTC, in 2 h 30 min.',
    );
    const limited = { reason: 'rate_limited', retryAfterMs: 1200 };
    expect(explain({ code: -32005, message: '', data: limited }, rows, now).when).toBe(
      'Try again in 2 s.',
    );
  });
});

describe('readAnswer', () => {
  const read = (text: string) =>
    readAnswer({
      kind: 'answer',
      text,
      status: 200,
      connectMs: null,
      latencyMs: 1,
      headers: new Headers(),
      note: null,
    });

  test.each([
    ['{"jsonrpc":"2.0","id":1,"result":null}', null],
    ['{"jsonrpc":"2.0","id":1,"error":{"code":3,"message":"m"}}', null],
    ['{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"m"}}', null],
    ['{"jsonrpc":"2.0","id":99,"result":"0x1"}', 'Its id is 99, expected 1.'],
    ['{"jsonrpc":"2.0","id":"1","result":"0x1"}', 'Its id is "1", expected 1.'],
    ['{"jsonrpc":"2.0","id":null,"result":"0x1"}', 'Its id is null, expected 1.'],
    ['{"jsonrpc":"2.0","result":"0x1"}', 'It has no id.'],
    ['{"jsonrpc":"2.0","id":1}', 'It has neither a result nor an error.'],
    ['[]', 'It has neither a result nor an error.'],
    ['<html>', 'Invalid JSON: line 1, column 1: expected a value, got "<".'],
    ['', 'Invalid JSON: line 1, column 1: expected a value, got the end.'],
  ])('reads %s, problem: %s', (text, problem) => {
    expect(read(text).problem).toBe(problem);
  });
});
