import type { Violation } from '../../common/validators-runtime/violations.js';
import type { DescribedMethod } from '../described/service.ts';
import type { ProxyMethod } from './proxy-backend.ts';
import type { ViolationLog } from './violation-log.ts';

/** Names of unknown methods are cut in reports. */
const MAX_NAME_CHARACTERS = 100;

/**
 * Returns the methods of a document for a proxy, and one for any other name. Violations in params are
 * logged; unless `fails` is set, they are not returned, so that the calls continue.
 */
export function passingMethods(
  described: readonly DescribedMethod[],
  { log, fails }: { readonly log: ViolationLog; readonly fails: boolean },
): ReadonlyMap<string, ProxyMethod> {
  const logAll = (name: string, violations: readonly Violation[]): readonly Violation[] => {
    for (const violation of violations) log.add(name, 'request', violation);
    return fails ? violations : [];
  };
  const methods = described.map((method): [string, ProxyMethod] => [
    method.name,
    {
      name: method.name,
      described: method,
      ...(method.takesNames || !fails ? { paramNames: method.paramNames } : {}),
      validateParams: (params) => logAll(method.name, method.validateParams(params)),
    },
  ]);
  return new MethodsOfAnyName(methods, (name) => {
    const message = 'method not found in the document';
    log.add(name, 'request', { pointer: '', keyword: 'method', message });
  });
}

/** Has a method for every name; calls of unknown methods are logged. */
class MethodsOfAnyName extends Map<string, ProxyMethod> {
  readonly #logUnknown: (name: string) => void;

  constructor(methods: readonly [string, ProxyMethod][], logUnknown: (name: string) => void) {
    super(methods);
    this.#logUnknown = logUnknown;
  }

  override get(name: string): ProxyMethod {
    const known = super.get(name);
    if (known !== undefined) return known;
    const validateParams = (): readonly Violation[] => {
      this.#logUnknown(name.slice(0, MAX_NAME_CHARACTERS));
      return [];
    };
    return { name, described: null, paramNames: [], validateParams };
  }
}
