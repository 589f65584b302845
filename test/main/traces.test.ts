import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import {
  AlwaysOffSampler,
  BasicTracerProvider,
  BatchSpanProcessor,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type ReadableSpan,
} from '@opentelemetry/sdk-trace-base';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hashKey } from '../../src/auth/hash-key.ts';
import { openTracing } from '../../src/tracing/open-tracing.ts';
import { call, connect, request } from '../transport/support.ts';
import { eventually } from '../transport/eventually.ts';
import { nodeError, startFakeNode, type FakeNode } from '../upstream/fake-node.ts';
import { startFakeSocketNode, type FakeSocketNode } from '../upstream/fake-socket-node.ts';
import { resultOf } from '../upstream/stream-support.ts';
import { configFor, KEY, start, type TestGateway, withoutCache } from './support.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const TRACEPARENT = `00-${TRACE}-${SPAN}-01`;
const MEGABYTES = 3_000_000;
const headers = { 'content-type': 'application/json', traceparent: TRACEPARENT };

interface Rig {
  readonly gateway: TestGateway;
  readonly spans: () => ReadableSpan[];
  /** What nodes were sent as `traceparent`, calls only. */
  readonly sent: (string | undefined)[];
}

/** A gateway in a process with an SDK that keeps its spans in memory. */
async function traced(
  nodes: readonly (FakeNode | FakeSocketNode)[],
  isSampled = true,
): Promise<Rig> {
  const exporter = new InMemorySpanExporter();
  const spanProcessors = [new SimpleSpanProcessor(exporter)];
  const sampler = isSampled ? {} : { sampler: new AlwaysOffSampler() };
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors, ...sampler }));
  onTestFinished(() => trace.disable());
  const sent: (string | undefined)[] = [];
  for (const node of nodes) if (node.url.protocol === 'http:') listenFor(node as FakeNode, sent);
  const config = withoutCache(await configFor(nodes.map(({ url }) => url)));
  const [network] = config.networks;
  const upstreams = network!.upstreams.map((each, index) => ({ ...each, tier: index + 1 }));
  const tracing = openTracing('3.0.0');
  expect(tracing).toBeDefined();
  const networks = [{ ...network!, upstreams }];
  const gateway = await start({ ...config, networks }, { tracing });
  return { gateway, spans: () => exporter.getFinishedSpans(), sent };
}

function listenFor(node: FakeNode, sent: (string | undefined)[]): void {
  node.behave(({ method }, response) => {
    if (method !== 'eth_getBlock') return undefined;
    sent.push(response.req.headers['traceparent'] as string | undefined);
    return '1';
  });
}

const ofKind = (spans: readonly ReadableSpan[], kind: SpanKind): ReadableSpan[] =>
  spans.filter((span) => span.kind === kind);

describe('traces', () => {
  it('have a span for a call with a child for its attempt, within the trace of the caller', async () => {
    const { gateway, spans, sent } = await traced([await startFakeNode()]);
    await request(gateway.rpcUrl, {
      body: call(7),
      headers: { ...headers, 'x-request-id': 'mine' },
    });
    await eventually(() => spans().length).toBe(2);
    const [attempt, server] = spans() as [ReadableSpan, ReadableSpan];
    expect([server.name, server.kind]).toEqual(['eth_getBlock', SpanKind.SERVER]);
    expect(server.spanContext().traceId).toBe(TRACE);
    expect(server.parentSpanContext).toMatchObject({ spanId: SPAN, isRemote: true });
    expect(server.attributes).toEqual({
      'rpc.system': 'jsonrpc',
      'rpc.method': 'eth_getBlock',
      'rpc.jsonrpc.version': '2.0',
      'rpc.jsonrpc.request_id': '7',
      'specgate.network': 'evm',
      'specgate.request_id': 'mine',
      'specgate.key_id': `key-${hashKey(KEY).slice(0, 12)}`,
      'specgate.outcome': 'ok',
      'specgate.credits': 80,
    });
    expect([attempt.name, attempt.kind]).toEqual(['eth_getBlock', SpanKind.CLIENT]);
    expect(attempt.parentSpanContext?.spanId).toBe(server.spanContext().spanId);
    expect(attempt.attributes).toEqual({
      'rpc.system': 'jsonrpc',
      'rpc.method': 'eth_getBlock',
      'rpc.jsonrpc.version': '2.0',
      'specgate.network': 'evm',
      'specgate.upstream': 'upstream-1',
      'specgate.partner': false,
      'specgate.outcome': 'result',
    });
    expect(sent).toEqual([`00-${TRACE}-${attempt.spanContext().spanId}-01`]);
  });

  it('have a span for each attempt of a retried call, and mark failed ones', async () => {
    const [bad, good] = [await startFakeNode(), await startFakeNode()];
    const { gateway, spans } = await traced([bad, good]);
    bad.behave(({ method }, response) => {
      if (method === 'eth_getBlock') response.writeHead(500).end();
      return undefined;
    });
    await request(gateway.rpcUrl, { body: call() });
    await eventually(() => spans().length).toBe(3);
    const attempts = ofKind(spans(), SpanKind.CLIENT);
    expect(
      attempts.map(({ attributes, status }) => [
        attributes['specgate.upstream'],
        attributes['specgate.outcome'],
        attributes['error.type'],
        status.code,
      ]),
    ).toEqual([
      ['upstream-1', 'status', 'status', SpanStatusCode.ERROR],
      ['upstream-2', 'result', undefined, SpanStatusCode.UNSET],
    ]);
    const [server] = ofKind(spans(), SpanKind.SERVER);
    expect(server?.status.code).toBe(SpanStatusCode.UNSET);
    for (const { parentSpanContext } of attempts) {
      expect(parentSpanContext?.spanId).toBe(server?.spanContext().spanId);
    }
  });

  it('record errors by code and reason; errors of nodes and callers are not failures of the service', async () => {
    const node = await startFakeNode();
    const { gateway, spans } = await traced([node]);
    node.behave((asked, response) =>
      asked.method === 'eth_getBlock' ? nodeError(-32000, 'no')(asked, response) : undefined,
    );
    await request(gateway.rpcUrl, { body: call() });
    await request(gateway.rpcUrl, { body: call(1, 'no flag') });
    await request(gateway.rpcUrl, { body: '{"jsonrpc":"2.0","id":"text","method":"odd"}' });
    node.behave((_asked, response) => void response.destroy());
    await request(gateway.rpcUrl, { body: call() });
    await eventually(() => ofKind(spans(), SpanKind.SERVER).length).toBe(4);
    expect(
      ofKind(spans(), SpanKind.SERVER).map(({ name, attributes, status }) => [
        name,
        attributes['rpc.jsonrpc.error_code'],
        attributes['error.type'],
        status.code,
      ]),
    ).toEqual([
      ['eth_getBlock', -32000, 'node_error', SpanStatusCode.UNSET],
      ['eth_getBlock', -32602, 'invalid_params', SpanStatusCode.UNSET],
      ['unknown', -32601, 'method_not_found', SpanStatusCode.UNSET],
      ['eth_getBlock', -32603, 'no_upstream', SpanStatusCode.ERROR],
    ]);
    expect(ofKind(spans(), SpanKind.SERVER)[2]?.attributes).not.toHaveProperty(
      'rpc.jsonrpc.request_id',
    );
  });

  it('have a span for each call of a batch, and none for its notifications', async () => {
    const { gateway, spans } = await traced([await startFakeNode()]);
    const notification = '{"jsonrpc":"2.0","method":"eth_getBlock","params":["0x1",true]}';
    const body = `[${call(1)},${call(2)},${notification}]`;
    await request(gateway.rpcUrl, { body, headers });
    await eventually(() => spans().length).toBe(4);
    const servers = ofKind(spans(), SpanKind.SERVER);
    expect(servers.map(({ attributes }) => attributes['rpc.jsonrpc.request_id'])).toEqual([
      '1',
      '2',
    ]);
    for (const span of spans()) expect(span.spanContext().traceId).toBe(TRACE);
  });

  it('of calls over a WebSocket are separate and linked to the trace of the upgrade', async () => {
    const { gateway, spans } = await traced([await startFakeNode()]);
    const client = await connect(gateway.wsUrl, { traceparent: TRACEPARENT });
    for (const id of [1, 2]) {
      client.socket.send(call(id));
      await client.next();
    }
    await eventually(() => spans().length).toBe(4);
    const servers = ofKind(spans(), SpanKind.SERVER);
    for (const { links, parentSpanContext } of servers) {
      expect(parentSpanContext).toBeUndefined();
      expect(links).toMatchObject([{ context: { traceId: TRACE, spanId: SPAN } }]);
    }
    expect(new Set(servers.map((span) => span.spanContext().traceId)).size).toBe(2);
  });

  it('cover calls to a WebSocket upstream, which gets no traceparent', async () => {
    const node = await startFakeSocketNode(() => '1');
    const { gateway, spans } = await traced([node]);
    await request(gateway.rpcUrl, { body: call(), headers });
    await eventually(() => spans().length).toBe(2);
    expect(spans()[0]?.attributes).toMatchObject({ 'specgate.outcome': 'result' });
    expect(node.requests.map(({ text }) => text).join()).not.toContain(TRACE);
    expect(node.handshakes[0]?.headers).not.toHaveProperty('traceparent');
  });

  it('last until the end of a streamed result', async () => {
    const node = await startFakeNode();
    const { gateway, spans } = await traced([node]);
    const result = resultOf(MEGABYTES);
    node.behave(({ method }) => (method === 'eth_getBlock' ? result : undefined));
    await request(gateway.rpcUrl, { body: call(), headers });
    await eventually(() => spans().length).toBe(2);
    const outcomes = spans().map(({ attributes }) => attributes['specgate.outcome']);
    expect(outcomes.toSorted()).toEqual(['ok', 'stream']);
  });

  it('that are not sampled are passed to nodes as such', async () => {
    const { gateway, spans, sent } = await traced([await startFakeNode()], false);
    await request(gateway.rpcUrl, { body: call(), headers });
    expect(sent).toEqual([expect.stringMatching(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-00$`))]);
    expect(spans()).toEqual([]);
  });

  it('never contain the key, whatever the caller does with it', async () => {
    const node = await startFakeNode();
    const { gateway, spans, sent } = await traced([node]);
    const odd = JSON.stringify({ jsonrpc: '2.0', id: KEY, method: KEY, params: [KEY] });
    const known = JSON.stringify({
      jsonrpc: '2.0',
      id: KEY,
      method: 'eth_getBlock',
      params: [KEY],
    });
    const bearing = {
      ...headers,
      'x-request-id': KEY,
      tracestate: `a=${KEY}`,
      baggage: `k=${KEY}`,
    };
    for (const body of [odd, known, `[${odd},${known}]`, call()]) {
      await request(gateway.rpcUrl, { body, headers: bearing });
      await request(gateway.rpcUrl, { body, headers: { ...bearing, traceparent: KEY } });
    }
    const client = await connect(gateway.wsUrl, bearing);
    client.socket.send(odd);
    await client.next();
    await eventually(() => ofKind(spans(), SpanKind.SERVER).length).toBe(11);
    const recorded = spans().map(({ name, attributes, links, events, status, resource }) => ({
      name,
      attributes,
      links,
      events,
      status,
      resource: resource.attributes,
    }));
    expect(JSON.stringify([recorded, sent, node.requests])).not.toContain(KEY);
  });

  it('are flushed before the gateway has stopped', async () => {
    const exporter = new InMemorySpanExporter();
    const late = new BatchSpanProcessor(exporter, { scheduledDelayMillis: 600_000 });
    trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [late] }));
    onTestFinished(() => trace.disable());
    onTestFinished(() => late.shutdown());
    const node = await startFakeNode(() => '1');
    const gateway = await start(await configFor([node.url]), { tracing: openTracing('3.0.0') });
    await request(gateway.rpcUrl, { body: call() });
    expect(exporter.getFinishedSpans()).toEqual([]);
    await gateway.stop();
    expect(exporter.getFinishedSpans()).toHaveLength(2);
  });

  it('are not recorded or passed to nodes without an SDK', async () => {
    expect(openTracing('3.0.0')).toBeUndefined();
    const node = await startFakeNode();
    const sent: (string | undefined)[] = [];
    listenFor(node, sent);
    const gateway = await start(await configFor([node.url]));
    await request(gateway.rpcUrl, { body: call(), headers });
    expect(sent).toEqual([undefined]);
  });
});
