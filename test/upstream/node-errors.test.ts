import { describe, expect, it } from 'vitest';
import { isRetried, lastOutcome } from '../../src/upstream/node-errors.ts';

describe('the table of node errors', () => {
  const next: [family: string, code: number, message: string, leaves: 'error' | 'unhealthy'][] = [
    ['svm', -32005, 'Node is unhealthy', 'unhealthy'],
    ['svm', -32005, 'Node is behind by 150 slots', 'unhealthy'],
    ['svm', -32016, 'Minimum context slot has not been reached', 'error'],
    ['svm', -32010, 'X excluded from account secondary indexes', 'error'],
    [
      'svm',
      -32012,
      'Node detected it replayed bad version of slot 5 with id 1, thus the scan …',
      'error',
    ],
    ['svm', 429, 'Too many requests for a specific RPC call', 'unhealthy'],
    ['evm', -32005, 'limit exceeded', 'unhealthy'],
    ['evm', 429, 'Your app has exceeded its compute units per second capacity', 'unhealthy'],
    ['evm', -32000, 'Too Many Requests', 'unhealthy'],
    ['evm', -32007, '50/second request limit reached', 'unhealthy'],
    ['evm', -32603, 'rate limited', 'unhealthy'],
    ['evm', -32000, 'you have exceeded your daily quota', 'unhealthy'],
    ['evm', -32000, 'header not found', 'error'],
    ['evm', -32001, 'block not found: 0x10', 'error'],
    ['evm', -39001, 'Unknown block', 'error'],
    ['evm', -32602, 'BlockOutOfRangeError: block height is 5 but requested was 99', 'error'],
    ['evm', -32000, 'finalized block not found', 'error'],
    ['evm', -32000, 'missing trie node 5c0ee7 (path ) state 0x1 is not available', 'error'],
    ['evm', -32000, 'historical state 5c0ee7 is not available', 'error'],
    ['evm', -32002, 'No state available for block 0x1', 'error'],
    ['evm', 4444, 'pruned history unavailable', 'error'],
    ['evm', -32000, 'transaction indexing is in progress', 'error'],
    ['evm', -32002, 'resource unavailable', 'error'],
    ['evm', -32601, 'the method eth_getBlockReceipts does not exist/is not available', 'error'],
    ['evm', -32004, 'Method not supported', 'error'],
  ];

  it.each(next)('%s %i %s: is retried; without another node ends as %s', (...row) => {
    const [family, code, message, leaves] = row;
    const error = { code, message };
    expect(isRetried(family, error)).toBe(true);
    const last = lastOutcome(family, { kind: 'error', error });
    expect(last).toMatchObject(
      leaves === 'error' ? { kind: 'error', error } : { kind: 'failure', cause: 'unhealthy' },
    );
  });

  const final: [family: string, code: number, message: string][] = [
    ['evm', 3, 'execution reverted: too many requests'],
    ['evm', -32000, 'execution reverted: rate limit exceeded'],
    [
      'evm',
      -32603,
      'VM Exception while processing transaction: reverted with reason "rate limited"',
    ],
    ['evm', -32000, 'insufficient funds for gas * price + value'],
    ['evm', -32002, 'request timed out'],
    ['evm', -32005, 'query timeout exceeded'],
    ['evm', -32005, 'execution reverted: x'],
    ['evm', -32000, 'execution timeout: rate limited'],
    ['evm', -32000, 'response size exceeded the limit'],
    ['svm', -32012, 'scan aborted: The accumulated scan results exceeded the limit'],
    ['evm', -32000, 'gas required exceeds allowance (0)'],
    ['evm', -32602, 'too many keys (max 1024)'],
    ['evm', -32603, 'internal error'],
    ['evm', -32016, 'Unauthorized'],
    ['svm', -32602, 'Too many filters provided; max 4'],
    ['svm', -32600, 'Encoded binary (base 58) data should be less than 128 bytes'],
    ['svm', -32000, 'header not found'],
  ];

  it.each(final)('%s %i %s: is final', (family, code, message) => {
    const error = { code, message };
    expect(isRetried(family, error)).toBe(false);
    expect(lastOutcome(family, { kind: 'error', error })).toEqual({ kind: 'error', error });
  });

  it('examines only the beginning of a message', () => {
    const error = { code: -32000, message: `${'x '.repeat(1_000)}too many requests` };
    expect(isRetried('evm', error)).toBe(false);
  });
});
