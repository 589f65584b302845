import type { DescribedService } from '../described/service.ts';
import { passingMethods } from '../proxy/passing-methods.ts';
import { createProxyBackend } from '../proxy/proxy-backend.ts';
import { ViolationLog, type SeenViolation } from '../proxy/violation-log.ts';
import type { ListenAddress } from '../transport/listen.ts';
import { openUpstream } from '../upstream/open-upstream.ts';
import { defaultUpstreamLimits } from '../upstream/limits.ts';
import { wholeResults } from '../upstream/upstream.ts';
import { withTimeout } from '../upstream/with-timeout.ts';
import { createLogger } from './logger.ts';
import { anyone, frontErrors, serveDescribed, type DescribedServer } from './serve-described.ts';
import { runUntilSignal } from './until-signal.ts';

export interface ProxySettings {
  readonly address: ListenAddress;
  /** http, https, ws or wss. */
  readonly upstream: URL;
  /** Sent to the upstream with every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** Answer what breaks the document by an error, instead of passing it on. */
  readonly fails: boolean;
}

export interface RunningProxy extends DescribedServer {
  readonly log: ViolationLog;
}

export interface ProxyListeners {
  onStarted(server: RunningProxy): void;
  /** Hears of each kind of violation once. */
  onViolation(violation: SeenViolation): void;
}

/** Stands between callers and a server until a signal; resolves to the exit code. */
export function runProxy(
  service: DescribedService,
  settings: ProxySettings,
  { onStarted, onViolation }: ProxyListeners,
): Promise<number> {
  const logger = createLogger('warn');
  const onFault = (fault: unknown): void => logger.error({ err: fault }, 'a fault of the proxy');
  return runUntilSignal(() => startProxy(service, settings, { onViolation, onFault }), {
    onStarted,
    onFault,
    onStopFailure: onFault,
  });
}

/** What a proxy cannot pass on, whatever it was told: no server could read it in one way. */
const notPassed: Readonly<Record<string, string>> = {
  parse_error: 'this is no JSON; it was not passed on',
  invalid_request: 'this is no request of JSON-RPC 2.0; it was not passed on',
  batch_too_large: 'the batch is too large; it was not passed on',
  invalid_params: 'an object in params names a member twice; it was not passed on',
};

/** Throws StartError when the address cannot be had, TypeError for a header HTTP does not allow. */
export async function startProxy(
  service: DescribedService,
  { address, upstream: url, headers, fails }: ProxySettings,
  { onViolation, onFault }: Pick<ProxyListeners, 'onViolation'> & { onFault(fault: unknown): void },
): Promise<RunningProxy> {
  const log = new ViolationLog(onViolation);
  const opened = openUpstream({ url, headers });
  // Any server will do: what it is, the document tells.
  await opened.start({ verify: () => Promise.resolve(undefined), onReady: () => undefined });
  const upstream = withTimeout(wholeResults(opened.call), defaultUpstreamLimits.call_deadline_ms);
  const methods = passingMethods(service.methods, { log, fails });
  const backend = createProxyBackend({
    upstream: wholeResults(upstream),
    errors: frontErrors,
    log,
    fails,
  });
  const signal = new AbortController();
  const server = await serveDescribed(
    service,
    {
      methods,
      backend,
      toCaller: () => anyone,
      onFault,
      observe({ method, outcome }) {
        const message = notPassed[outcome];
        if (message === undefined || (fails && method !== null)) return;
        log.add(method, 'request', { pointer: '', keyword: outcome, message });
      },
      notify({ request, caller, context }) {
        const method = methods.get(request.method);
        if (request.invalid !== null || method === undefined) return;
        const rawParams = request.params ?? Buffer.from('[]');
        const params: unknown = JSON.parse(rawParams.toString());
        if (method.validateParams(params).length > 0) return;
        const { requestId } = context;
        const call = { method, params: [], rawParams, requestId, streams: false };
        void backend(call, caller, signal.signal).catch((fault: unknown) => onFault(fault));
      },
    },
    address,
  ).catch(async (error: unknown) => {
    await opened.close();
    throw error;
  });
  return {
    ...server,
    log,
    async stop() {
      await server.stop();
      signal.abort();
      await opened.close();
    },
  };
}
