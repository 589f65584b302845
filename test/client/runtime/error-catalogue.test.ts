import { describe, expect, test } from 'vitest';
import {
  type CatalogueRow,
  toRpcError,
} from '../../../generator/targets/client/runtime/error-catalogue.ts';
import { RevertError } from '../../../generator/targets/client/runtime/revert-error.ts';
import { RpcError } from '../../../generator/targets/client/runtime/rpc-error.ts';

class TimedOutError extends RpcError {}
class NoUpstreamError extends RpcError {}
class NodeError extends RpcError {}
class RevertedError extends RevertError {}
class FirstError extends RpcError {}
class SecondError extends RpcError {}

const row = (type: CatalogueRow['type'], key: Partial<CatalogueRow>): CatalogueRow => ({
  type,
  code: 0,
  reason: null,
  message: '',
  named: false,
  retryable: null,
  charged: null,
  mend: null,
  ...key,
});

const catalogue = [
  row(TimedOutError, {
    code: -32603,
    reason: 'timed_out',
    named: true,
    retryable: true,
    mend: 'x',
  }),
  row(NoUpstreamError, { code: -32603, reason: 'no_upstream', named: true }),
  row(NodeError, { code: -32000, reason: 'node_error', charged: true }),
  row(RevertedError, { code: 3, reason: 'execution_reverted' }),
  row(FirstError, { code: 7, message: 'first' }),
  row(SecondError, { code: 7, message: 'second' }),
];

const read = (code: number, message: string, data?: unknown) =>
  toRpcError(catalogue, { code, message, data }, { method: 'm', response: null });

describe('an error answer becomes', () => {
  test('the class of its code and reason, with what the document says of it', () => {
    const error = read(-32603, 'the node did not answer', { reason: 'timed_out', requestId: 'r' });
    expect(error).toBeInstanceOf(TimedOutError);
    expect(error).toMatchObject({
      code: -32603,
      reason: 'timed_out',
      message: 'the node did not answer',
      data: { requestId: 'r' },
      method: 'm',
      retryable: true,
      charged: null,
      mend: 'x',
    });
  });

  test('the one class of its code when a node’s error bears no reason', () => {
    expect(read(-32000, 'header not found')).toBeInstanceOf(NodeError);
    expect(read(-32000, 'header not found').reason).toBe('node_error');
  });

  test('the class with its message when several share a code', () => {
    expect(read(7, 'second')).toBeInstanceOf(SecondError);
  });

  test.each([
    ['an unknown code', -1, 'odd', undefined],
    ['an unknown reason', -32603, 'odd', { reason: 'new' }],
    ['a missing reason', -32603, 'odd', undefined],
    ['a reason that is no text', -32603, 'odd', { reason: 5 }],
    ['a message that none of several has', 7, 'third', undefined],
  ])('an RpcError itself by %s', (_, code, message, data) => {
    expect(read(code, message, data).constructor).toBe(RpcError);
  });

  test('a revert with its decoded reason and its raw data', () => {
    const error = read(3, 'execution reverted: boom: loud', '0x08c379a0') as RevertedError;
    expect(error).toBeInstanceOf(RevertedError);
    expect([error.revertReason, error.data]).toEqual(['boom: loud', '0x08c379a0']);
    expect((read(3, 'execution reverted', '0x') as RevertedError).revertReason).toBeNull();
  });
});
