import { describe, expect, it } from 'vitest';
import { failure, type FailureCause, type UpstreamOutcome } from '../../src/upstream/upstream.ts';
import { caller, gatewayOver } from './support/gateway.ts';
import { protocol } from './support/protocol.ts';

const result = (text: string): UpstreamOutcome => ({ kind: 'result', result: Buffer.from(text) });
const nodeError = (code: number, message: string, data?: unknown): UpstreamOutcome => ({
  kind: 'error',
  error: data === undefined ? { code, message } : { code, message, data },
});

describe('a call through the gateway', () => {
  it("is answered with the node's result and charged by the document's cost", async () => {
    const gateway = gatewayOver(result('{"a":1}'));
    const answer = await gateway.call('eth_getBlock', ['0x1', true]);
    expect(answer).toMatchObject({ status: 200, body: { result: { a: 1 } }, credits: 80 });
    expect(gateway.sent).toEqual([['eth_getBlock', '["0x1",true]']]);
    expect(await gateway.usage()).toEqual([
      {
        accountId: 'acme',
        keyId: 'key-1',
        day: '2026-11-21',
        method: 'eth_getBlock',
        calls: 1,
        credits: 80,
      },
    ]);
  });

  it('is normalized, capped and completed before it is sent to the node', async () => {
    const gateway = gatewayOver(result('null'));
    await gateway.call('eth_getReceipts', [16]);
    await gateway.call('eth_estimate', [{ to: '0x1', gas: '0xffffffffffffff' }]);
    expect(gateway.sent.map(([, params]) => params)).toEqual([
      '["0x10"]',
      '[{"to":"0x1","gas":"0x11e1a300"}]',
    ]);
  });

  it('of a method of another family, or of an unknown one, is -32601 with status 200', async () => {
    const gateway = gatewayOver(result('1'));
    const hints = {
      getAccounts: 'network solana has it',
      eth_getBlok: 'did you mean eth_getBlock?',
      ETH_GETPROOF: 'did you mean eth_getProof?',
      eth_getCode: undefined,
      eth_subscribe: undefined,
      constructor: undefined,
    };
    for (const [method, hint] of Object.entries(hints)) {
      const message = `the method ${method} does not exist/is not available`;
      const fix = 'Call rpc.discover for the methods of this network.';
      const data = { reason: 'method_not_found', fix, method, ...(hint && { hint }) };
      expect(await gateway.call(method, ['x'])).toEqual({
        status: 200,
        credits: 0,
        body: {
          jsonrpc: '2.0',
          id: 1,
          error: {
            code: -32601,
            message: hint === undefined ? message : `${message}; ${hint}`,
            data: { ...data, requestId: expect.any(String) as string },
          },
        },
      });
    }
    const solana = gatewayOver(result('1'), { family: 'svm' });
    expect((await solana.call('getAccounts', ['x'])).status).toBe(200);
    expect((await solana.call('eth_getBlock', ['0x1', true])).body.error?.code).toBe(-32601);
  });

  it('with invalid params never reaches a node and is not charged', async () => {
    const gateway = gatewayOver(result('1'));
    const answer = await gateway.call('eth_getBlock', ['0x1']);
    expect(answer).toMatchObject({ status: 200, credits: 0, body: { error: { code: -32602 } } });
    expect(gateway.sent).toEqual([]);
    expect(await gateway.usage()).toEqual([]);
  });

  it('above the daily balance is 402, with cost, remaining credits and reset time', async () => {
    const gateway = gatewayOver(result('1'));
    const poor = { creditsPerDay: 100 };
    await gateway.call('eth_getBlock', ['0x1', true], poor);
    expect(await gateway.call('eth_getBlock', ['0x1', true], poor)).toMatchObject({
      status: 402,
      credits: 0,
      body: {
        error: {
          code: 402,
          data: {
            reason: 'credits_exhausted',
            cost: 80,
            remaining: 20,
            resetsAt: '2026-11-22T00:00:00.000Z',
          },
        },
      },
    });
    expect(gateway.sent).toHaveLength(1);
  });

  it('to rpc.discover returns the document, free of charge, on every network', async () => {
    for (const family of ['evm', 'svm']) {
      const gateway = gatewayOver(result('1'), { family });
      const answer = await gateway.call('rpc.discover', [], { creditsPerDay: 0 });
      expect(answer).toMatchObject({
        status: 200,
        credits: 0,
        body: { result: JSON.parse(protocol.document) as unknown },
      });
      expect((await gateway.call('rpc.discover', [1])).body.error?.code).toBe(-32602);
    }
  });

  it('to a method that client libraries ask first is answered without a node, free of charge', async () => {
    const gateway = gatewayOver(result('1'), { head: { number: 255, gasLimit: 1n } });
    const restricted = { methods: new Set(['eth_getBlock']), contracts: new Set<string>() };
    const as = { creditsPerDay: 0, allowed: { ...caller.allowed, ...restricted } };
    const answers = {
      eth_chainId: '0x7a69',
      net_version: '31337',
      eth_blockNumber: '0xff',
      web3_clientVersion: 'Specgate/v3.0.0',
    };
    for (const [method, value] of Object.entries(answers)) {
      expect(await gateway.call(method, [], as), method).toMatchObject({
        status: 200,
        credits: 0,
        body: { result: value },
      });
      expect((await gateway.call(method, [1])).body.error?.code, method).toBe(-32602);
    }
    expect(gateway.sent).toEqual([]);
  });

  it('to such a method is unknown on other networks, and where it is switched off', async () => {
    for (const options of [{ family: 'svm' }, { serviceMethods: false }]) {
      const gateway = gatewayOver(result('1'), options);
      expect((await gateway.call('eth_chainId', [])).body.error?.code).toBe(-32601);
      expect((await gateway.call('rpc.discover', [])).body.error).toBeUndefined();
    }
  });

  it('to such a method gets no_upstream while the answer is not known', async () => {
    const gateway = gatewayOver(result('1'), { head: null, identity: null });
    for (const method of ['eth_chainId', 'net_version', 'eth_blockNumber']) {
      expect(await gateway.call(method, []), method).toMatchObject({
        status: 503,
        body: { error: { code: -32603, data: { reason: 'no_upstream' } } },
      });
    }
  });

  it('with capped gas is not sent while the head is unknown', async () => {
    const gateway = gatewayOver(result('1'), { head: null });
    expect(await gateway.call('eth_estimate', [{ to: '0x1' }])).toMatchObject({
      status: 503,
      body: { error: { code: -32603, data: { reason: 'no_upstream' } } },
    });
    expect(gateway.sent).toEqual([]);
  });
});

describe("a node's error", () => {
  it('is returned unchanged with status 200, and is charged', async () => {
    const gateway = gatewayOver(nodeError(-32000, 'insufficient funds', { have: 1 }));
    const answer = await gateway.call('eth_estimate', [{ to: '0x1' }]);
    expect(answer).toMatchObject({ status: 200, credits: 300 });
    expect(answer.body.error).toEqual({
      code: -32000,
      message: 'insufficient funds',
      data: { have: 1 },
    });
  });

  it('that is a revert becomes code 3 with the decoded reason and the raw data', async () => {
    const gateway = gatewayOver(nodeError(-32015, 'VM execution error.', 'Reverted 0xdeadbeef'));
    const answer = await gateway.call('eth_estimate', [{ to: '0x1' }]);
    expect(answer).toMatchObject({ status: 200, credits: 300 });
    expect(answer.body.error).toEqual({
      code: 3,
      message: 'execution reverted: custom error 0xdeadbeef',
      data: '0xdeadbeef',
    });
    const bare = gatewayOver(nodeError(-32000, 'execution reverted'));
    expect((await bare.call('eth_estimate', [{ to: '0x1' }])).body.error).toEqual({
      code: 3,
      message: 'execution reverted',
      data: '0x',
    });
  });

  it('is unchanged if the method does not revert', async () => {
    const gateway = gatewayOver(nodeError(-32000, 'execution reverted'));
    expect((await gateway.call('eth_getBlock', ['0x1', true])).body.error?.code).toBe(-32000);
  });

  it('that means "not found" in its dialect becomes null, and is charged', async () => {
    const gateway = gatewayOver(nodeError(-32602, 'BlockOutOfRangeError: block height is 5'));
    const answer = await gateway.call('eth_getReceipts', ['0x99']);
    expect(answer).toMatchObject({ status: 200, body: { result: null }, credits: 1000 });
    const other = await gateway.call('eth_getBlock', ['0x99', true]);
    expect(other.body.error?.code).toBe(-32602);
  });
});

describe('a failure of the upstreams', () => {
  const failures: [cause: FailureCause, reason: string, status: number, code: number][] = [
    ['timeout', 'upstream_timeout', 504, -32603],
    ['malformed', 'invalid_upstream_response', 502, -32603],
    ['connection', 'no_upstream', 503, -32603],
    ['status', 'no_upstream', 503, -32603],
    ['unhealthy', 'no_upstream', 503, -32603],
    ['overloaded', 'no_upstream', 503, -32603],
    ['none', 'no_upstream', 503, -32603],
  ];

  it.each(failures)('of cause %s becomes %s, without internals, uncharged', async (...row) => {
    const [cause, reason, status, code] = row;
    const gateway = gatewayOver(failure(cause, 'http://secret.internal'));
    const answer = await gateway.call('eth_getBlock', ['0x1', true]);
    expect(answer).toMatchObject({
      status,
      credits: 0,
      body: { error: { code, data: { reason } } },
    });
    expect(JSON.stringify(answer)).not.toContain('secret');
    expect(await gateway.usage()).toEqual([]);
  });

  it.each(['too_large', 'too_deep'] as const)('of cause %s is charged', async (cause) => {
    const gateway = gatewayOver(failure(cause, 'http://secret.internal'));
    const answer = await gateway.call('eth_getBlock', ['0x1', true]);
    expect(answer).toMatchObject({
      status: 200,
      credits: 80,
      body: { error: { code: -32003, data: { reason: 'response_too_large' } } },
    });
    expect(JSON.stringify(answer)).not.toContain('secret');
  });

  it('that may be due to another call is not charged', async () => {
    const large = { ...failure('too_large', ''), isUncertain: true as const };
    expect(await gatewayOver(large).call('eth_getBlock', ['0x1', true])).toMatchObject({
      credits: 0,
      body: { error: { data: { reason: 'response_too_large' } } },
    });
  });

  it('to read a response in time is due to the account, and is charged', async () => {
    const gateway = gatewayOver(failure('unread', 'http://secret.internal'));
    expect(await gateway.call('eth_getBlock', ['0x1', true])).toMatchObject({
      status: 429,
      credits: 80,
      body: {
        error: { code: -32005, data: { reason: 'too_many_calls_in_flight', scope: 'account' } },
      },
    });
    expect(await gateway.usage()).toMatchObject([{ calls: 1, credits: 80 }]);
  });

  it('that throws is an internal error, uncharged', async () => {
    const gateway = gatewayOver(() => Promise.reject(new Error('bug')));
    expect(await gateway.call('eth_getBlock', ['0x1', true])).toMatchObject({
      status: 500,
      credits: 0,
    });
    expect((await gateway.call('eth_getBlock', ['0x1', true], { creditsPerDay: 80 })).status).toBe(
      500,
    );
  });
});

describe('an allow-list', () => {
  const only = {
    methods: undefined,
    networks: undefined,
    origins: undefined,
    contracts: undefined,
  };

  it('of methods refuses the others with 403', async () => {
    const gateway = gatewayOver(result('1'));
    const allowed = { ...only, methods: new Set(['eth_getBlock']) };
    expect((await gateway.call('eth_getBlock', ['0x1', true], { allowed })).status).toBe(200);
    expect(await gateway.call('eth_getProof', ['0xAA'], { allowed })).toMatchObject({
      status: 403,
      body: {
        error: { code: 403, data: { reason: 'method_not_allowed', method: 'eth_getProof' } },
      },
    });
  });

  it('of contracts covers address params and the target of a call object', async () => {
    const gateway = gatewayOver(result('1'));
    const allowed = { ...only, contracts: new Set(['0xaa']) };
    const status = async (method: string, params: unknown[]): Promise<number> =>
      (await gateway.call(method, params, { allowed })).status;
    expect(await status('eth_getProof', ['0xAA'])).toBe(200);
    expect(await status('eth_getProof', ['0xbb'])).toBe(403);
    expect(await status('eth_estimate', [{ to: '0xaa' }])).toBe(200);
    expect(await status('eth_estimate', [{ to: '0xbb' }])).toBe(403);
    expect(await status('eth_estimate', [{ data: '0x' }])).toBe(403);
    expect(await status('eth_getBlock', ['0xbb', true])).toBe(200);
  });

  it('is applied after validation, which reports an invalid address', async () => {
    const gateway = gatewayOver(result('1'));
    const allowed = { ...only, contracts: new Set(['0xaa']) };
    expect(await gateway.call('eth_getProof', [5], { allowed })).toMatchObject({
      body: { error: { code: -32602 } },
    });
  });
});
