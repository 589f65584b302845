/** Runs vectors against a client and returns the outcome of each call. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { PlacedVector, Seen, VectorCall, VectorOptions } from './format.ts';
import type { VectorServer } from './server.ts';

/** The part of a client package that vectors need. */
export interface ClientPackage {
  createClient(options: object): {
    request(
      request: { method: string; params?: unknown },
      options?: { signal?: AbortSignal; timeoutMs?: number },
    ): Promise<unknown> & { withResponse(): Promise<Response> };
    close(): void;
  };
  http(options: object): unknown;
  webSocket(options: object): unknown;
  readonly exactJson: { parse(text: string): unknown };
}

interface Response {
  readonly result: unknown;
  readonly credits: number | null;
  readonly requestId: string | null;
  readonly status: number | null;
}

/** How a call ended. */
export interface Ended {
  readonly response?: Response;
  readonly error?: unknown;
  readonly elapsedMs: number;
}

export interface RunResult {
  readonly ended: readonly Ended[];
  /** The indices of the calls, in the order in which they ended. */
  readonly order: readonly number[];
  readonly seen: Seen;
}

let runs = 0;

/** Runs one vector; `more` are options for its transport that are not the vector's. */
export async function runVector(
  vector: PlacedVector,
  { server, sdk, more = {} }: { server: VectorServer; sdk: ClientPackage; more?: object },
): Promise<RunResult> {
  const path = `/${vector.file}/${vector.index}/${(runs += 1)}`;
  const transport = makeTransport(sdk, {
    ...vector,
    url: (vector.transport === 'http' ? server.http : server.ws) + path,
    more,
  });
  const { timeoutMs, retries, backoffMs, maxBackoffMs } = vector.options;
  const client = sdk.createClient({ transport, timeoutMs, retries, backoffMs, maxBackoffMs });
  const seenUrl = `${server.http}/seen${path}`;
  const ended: Promise<Ended>[] = [];
  const order: number[] = [];
  for (const [index, call] of vector.calls.entries()) {
    const ready = call.afterCall === undefined ? undefined : ended[call.afterCall];
    const made = make(client, { call, ready, parse: sdk.exactJson.parse, seenUrl });
    ended.push(made);
    void made.then(() => order.push(index));
  }
  const all = await Promise.all(ended);
  client.close();
  const seen = (await (await fetch(seenUrl)).json()) as Seen;
  return { ended: all, order, seen };
}

function makeTransport(
  sdk: ClientPackage,
  { transport, options, url, more }: PlacedVector & { url: string; more: object },
): unknown {
  const { timeoutMs: _, retries: _r, backoffMs: _b, maxBackoffMs: _m, bigint, ...own } = options;
  const all = { url, ...own, ...(bigint === true ? { json: sdk.exactJson } : {}), ...more };
  return transport === 'http' ? sdk.http(all) : sdk.webSocket(all);
}

async function make(
  client: ReturnType<ClientPackage['createClient']>,
  how: {
    readonly call: VectorCall;
    readonly ready: Promise<Ended> | undefined;
    readonly parse: (text: string) => unknown;
    readonly seenUrl: string;
  },
): Promise<Ended> {
  const { method, params, paramsText, afterMs, timeoutMs } = how.call;
  if (how.ready !== undefined) await how.ready;
  if (afterMs !== undefined) await sleep(afterMs);
  const signal = abortSignalOf(how.call, how.seenUrl);
  const started = performance.now();
  const elapsedMs = (): number => performance.now() - started;
  try {
    const call: VectorOptions & { signal?: AbortSignal } = {
      ...(signal === undefined ? {} : { signal }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    };
    const given = paramsText === undefined ? params : how.parse(paramsText);
    const response = await client.request({ method, params: given }, call).withResponse();
    return { response, elapsedMs: elapsedMs() };
  } catch (error) {
    return { error, elapsedMs: elapsedMs() };
  }
}

function abortSignalOf(
  { abortAfterMs, abortAfterRequests }: VectorCall,
  seenUrl: string,
): AbortSignal | undefined {
  if (abortAfterMs === undefined && abortAfterRequests === undefined) return undefined;
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  if (abortAfterRequests !== undefined) {
    void fetch(`${seenUrl}?requests=${abortAfterRequests}`).then(() =>
      setTimeout(abort, abortAfterMs ?? 0),
    );
  } else if (abortAfterMs === 0) {
    abort();
  } else {
    setTimeout(abort, abortAfterMs);
  }
  return controller.signal;
}
