import type { DescribedMethod } from '../described/service.ts';
import type { Violation } from '../rpc/call.ts';
import type { ProxyMethod } from './proxy-backend.ts';
import type { ViolationLog } from './violation-log.ts';

/**
 * The methods of a document as a proxy lets them through. What is wrong with params is noted; unless
 * it `fails` calls, no violation is told, so that the call goes on, and so does a method the document
 * does not have.
 */
export function passingMethods(
  described: readonly DescribedMethod[],
  { log, fails }: { readonly log: ViolationLog; readonly fails: boolean },
): ReadonlyMap<string, ProxyMethod> {
  const note = (name: string, violations: readonly Violation[]): readonly Violation[] => {
    for (const violation of violations) log.add(name, 'request', violation);
    return fails ? violations : [];
  };
  const methods = described.map((method): [string, ProxyMethod] => [
    method.name,
    {
      name: method.name,
      described: method,
      ...(method.takesNames || !fails ? { paramNames: method.paramNames } : {}),
      validateParams: (params) => note(method.name, method.validateParams(params)),
    },
  ]);
  return fails ? new NotingMap(methods, log) : new PassingMap(methods, log);
}

const MOST_NAME = 100;

class NotingMap extends Map<string, ProxyMethod> {
  readonly #log: ViolationLog;

  constructor(methods: readonly [string, ProxyMethod][], log: ViolationLog) {
    super(methods);
    this.#log = log;
  }

  override get(name: string): ProxyMethod | undefined {
    const method = super.get(name);
    if (method === undefined) {
      const message = 'the document has no such method';
      this.#log.add(name.slice(0, MOST_NAME), 'request', {
        pointer: '',
        keyword: 'method',
        message,
      });
    }
    return method;
  }
}

/** Has a method for every name. */
class PassingMap extends NotingMap {
  override get(name: string): ProxyMethod {
    return super.get(name) ?? { name, described: null, paramNames: [], validateParams: () => [] };
  }
}
