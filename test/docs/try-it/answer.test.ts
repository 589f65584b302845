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
    [`0x4e487b71${word(0x99n)}`, 'an unknown panic (panic 0x99)'],
    [`0x08c379a0${word(32n)}${word(4n)}626f6f6d${'0'.repeat(56)}`, 'boom'],
    [`0x08c379a0${word(32n)}${word(0n)}`, 'an empty reason'],
    // What claims to be longer than it is, or to lie elsewhere, is no text.
    [`0x08c379a0${word(32n)}${word(400n)}62`, 'custom error 0x08c379a0'],
    [`0x08c379a0${word(2n ** 255n)}`, 'custom error 0x08c379a0'],
    ['0xdeadbeef', 'custom error 0xdeadbeef'],
  ])('%.24s… says: %s', (data, reason) => {
    expect(decodeRevert(data)?.reason).toBe(reason);
  });

  test('of a custom error is shown word by word', () => {
    expect(decodeRevert(`0xf984d914${word(5n)}${word(1n)}`)?.words).toEqual([
      `0x${word(5n)}`,
      `0x${word(1n)}`,
    ]);
  });

  test.each([undefined, null, 3, 'boom', '0x1', { reason: 'x' }])('%j is none', (data) => {
    expect(decodeRevert(data)).toBe(null);
  });
});

describe('an error', () => {
  const rows = document['x-errors'];

  test('is explained by the row of its code and reason', () => {
    for (const { code, reason, name, origin } of rows) {
      if (origin === 'node') continue;
      const found = explain({ code, message: '', data: { reason } }, rows, 0);
      expect(found.row?.name).toBe(name);
    }
  });

  test('of a node is not taken for one of the gateway that has the same code', () => {
    const error = { code: -32600, message: 'Encoded binary (base 58) data…', data: undefined };
    expect(explain(error, rows, 0)).toMatchObject({ row: null, cause: null, mend: null });
    expect(explain({ code: -32602, message: '', data: { reason: 'another' } }, rows, 0).row).toBe(
      null,
    );
  });

  test('says when it is worth trying again', () => {
    const now = Date.parse('2026-11-21T21:30:00Z');
    const data = { reason: 'credits_exhausted', resetsAt: '2026-11-22T00:00:00.000Z' };
    expect(explain({ code: 402, message: '', data }, rows, now).when).toBe(
      'The balance is full again at 2026-11-22 00:00 UTC, 2 h 30 min from now.',
    );
    const limited = { reason: 'rate_limited', retryAfterMs: 1200 };
    expect(explain({ code: -32005, message: '', data: limited }, rows, now).when).toBe(
      'A call is likely to pass in 2 s.',
    );
  });
});

describe('an answer', () => {
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
    ['{"jsonrpc":"2.0","id":99,"result":"0x1"}', 'It answers another call: its id is 99, not 1.'],
    ['{"jsonrpc":"2.0","id":"1","result":"0x1"}', 'It answers another call: its id is "1", not 1.'],
    [
      '{"jsonrpc":"2.0","id":null,"result":"0x1"}',
      'It answers another call: its id is null, not 1.',
    ],
    ['{"jsonrpc":"2.0","result":"0x1"}', 'It has no id.'],
    ['{"jsonrpc":"2.0","id":1}', 'It has neither a result nor an error.'],
    ['[]', 'It has neither a result nor an error.'],
    ['<html>', 'It is not JSON: line 1, column 1: expected a value, found "<".'],
    ['', 'It is not JSON: line 1, column 1: expected a value, found the end.'],
  ])('%s: %s', (text, fault) => {
    expect(read(text).fault).toBe(fault);
  });
});
