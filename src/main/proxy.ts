import { isIPv4 } from 'node:net';
import type { Caller } from '../auth/caller.ts';
import { defaultLimits, type Limits } from '../config/limits.ts';
import type { DescribedService } from '../described/service.ts';
import { passingMethods, createProxyBackend, type ProxyMethod } from '../proxy/proxy-backend.ts';
import { ViolationLog, type SeenViolation } from '../proxy/violation-log.ts';
import { ByteBudget } from '../transport/byte-budget.ts';
import type { ListenAddress } from '../transport/listen.ts';
import { openUpstream } from '../upstream/open-upstream.ts';
import { defaultUpstreamLimits } from '../upstream/limits.ts';
import { wholeResults } from '../upstream/upstream.ts';
import { withTimeout } from '../upstream/with-timeout.ts';
import {
  anyone,
  describedErrors,
  runDescribed,
  serveDescribed,
  type DescribedOptions,
  type DescribedServer,
} from './described-server.ts';

interface ProxySettings {
  readonly address: ListenAddress;
  /** An http, https, ws or wss URL. */
  readonly upstream: URL;
  /** Sent to the upstream with every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** Origins of web pages that may call, in addition to those of this machine. */
  readonly origins?: readonly string[];
  /** Whether to respond to contract violations with an error instead of forwarding them. */
  readonly fails: boolean;
}

export interface RunningProxy extends DescribedServer {
  readonly log: ViolationLog;
}

interface ProxyListeners {
  onStarted(server: RunningProxy): void;
  /** Called once for each kind of violation. */
  onViolation(violation: SeenViolation): void;
}

/** Runs a proxy in front of a server until a signal; resolves to the exit code. */
export function runProxy(
  service: DescribedService,
  settings: ProxySettings,
  { onStarted, onViolation }: ProxyListeners,
): Promise<number> {
  return runDescribed(
    (onError) => startProxy(service, settings, { onViolation, onError }),
    onStarted,
  );
}

/** @throws StartError if the address cannot be listened on, TypeError if a header is invalid */
export async function startProxy(
  service: DescribedService,
  { address, upstream: url, headers, origins = [], fails }: ProxySettings,
  {
    onViolation,
    onError,
    limits = defaultLimits,
  }: Pick<ProxyListeners, 'onViolation'> & { onError(error: unknown): void; limits?: Limits },
): Promise<RunningProxy> {
  const log = new ViolationLog(onViolation);
  const opened = openUpstream({ url, headers });
  // Any server is accepted, so the verification always succeeds.
  await opened.start({
    verify: () => Promise.resolve(undefined),
    onReady: () => undefined,
    onDropped: (message) =>
      log.add(null, 'response', { pointer: '', keyword: 'response', message }),
  });
  const call = withTimeout(wholeResults(opened.call), defaultUpstreamLimits.call_deadline_ms);
  const upstream = wholeResults(call);
  const methods = passingMethods(service.methods, { log, fails });
  const backend = createProxyBackend({ upstream, errors: describedErrors, log, fails });
  const stopping = new AbortController();
  // No caller waits for a notification: the message that contains it is released while it is still pending,
  // so its bytes are counted here.
  const notified = new ByteBudget(() => limits);
  const options: DescribedOptions<ProxyMethod, Caller> = {
    methods,
    backend,
    toCaller: () => anyone,
    // Otherwise, any page that a developer opens could call the server with the headers of the proxy.
    allowsOrigin: (origin) => origins.includes(origin) || isOfThisMachine(origin),
    onError,
    observe({ method, outcome }) {
      const message = notForwarded[outcome];
      if (message === undefined || (fails && method !== null)) return;
      log.add(method, 'request', { pointer: '', keyword: outcome, message });
    },
    notify({ request, caller, context }) {
      const method = methods.get(request.method);
      if (request.invalid !== null || method === undefined) return;
      // A copy: a part of the message would keep all of it in memory.
      const rawParams = Buffer.from(request.params ?? '[]');
      if (method.validateParams(JSON.parse(rawParams.toString())).length > 0) return;
      const held = notified.open(caller.accountId);
      if (!held.add(rawParams.length + method.name.length)) {
        const message = 'too many bytes of pending notifications; not forwarded';
        return log.add(null, 'request', { pointer: '', keyword: 'notification', message });
      }
      const { requestId } = context;
      const call = { method, params: [], rawParams, requestId, streams: false };
      const forwarded = Promise.resolve(backend(call, caller, stopping.signal)).catch(onError);
      void forwarded.finally(() => held.release());
    },
  };
  const server = await serveDescribed(service, options, address).catch(async (error: unknown) => {
    await opened.close();
    throw error;
  });
  return {
    ...server,
    log,
    async stop() {
      await server.stop();
      stopping.abort();
      await opened.close();
    },
  };
}

/** Whether a web page was loaded from this machine. Its origin may be `null`. */
function isOfThisMachine(origin: string): boolean {
  const host = URL.canParse(origin) ? new URL(origin).hostname : '';
  const isLoopback = host === '[::1]' || (isIPv4(host) && host.startsWith('127.'));
  return isLoopback || /^(?:.+\.)?localhost$/.test(host);
}

/** Requests that are never forwarded: servers could read them differently, or they exceed a limit. */
const notForwarded: Readonly<Record<string, string>> = {
  parse_error: 'invalid JSON; not forwarded',
  invalid_request: 'not a JSON-RPC 2.0 request; not forwarded',
  batch_too_large: 'batch too large; not forwarded',
  invalid_params: 'duplicate member name in params; not forwarded',
};
