import { describe, expect, it } from 'vitest';
import { call, connect, serveNetwork } from './support.ts';
import { eventually } from './eventually.ts';

describe('a WebSocket whose key ends', () => {
  it('gets an error and closes with 1008 when its key is revoked, even if idle', async () => {
    const network = await serveNetwork();
    const client = await connect(`${network.wsUrl}/ws/v3/demo`);
    client.socket.send(call());
    await client.next();
    network.changeKey({ revokedAt_ms: 1 });
    expect(await client.next()).toMatchObject({
      id: null,
      error: { code: 401, data: { reason: 'key_revoked' } },
    });
    expect(await client.closed).toEqual([1008, 'key_revoked']);
  });

  it('is charged for calls that a node answers after its key is revoked', async () => {
    const network = await serveNetwork({
      upstream: (asked) =>
        new Promise((resolve) => {
          asked.abandoned?.addEventListener('abort', () =>
            resolve({ kind: 'result', result: Buffer.from('1') }),
          );
          started.resolve();
        }),
    });
    const started = Promise.withResolvers<void>();
    const client = await connect(`${network.wsUrl}/ws/v3/demo`);
    client.socket.send(call());
    await started.promise;
    network.changeKey({ revokedAt_ms: 1 });
    await client.closed;
    await eventually(() => network.connections.websocket).toBe(0);
    await eventually(() => network.charged()).toBe(80);
  });

  it('gets an error with the id of its next message when its key has expired', async () => {
    let time_ms = 0;
    const network = await serveNetwork({ key: { expiresAt_ms: 1_000 }, now_ms: () => time_ms });
    const client = await connect(`${network.wsUrl}/ws/v3/demo`);
    time_ms = 1_000;
    client.socket.send(call(5));
    expect(await client.next()).toMatchObject({
      id: 5,
      error: { data: { reason: 'key_expired' } },
    });
    expect((await client.closed)[0]).toBe(1008);
  });
});
