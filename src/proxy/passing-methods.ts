import type { Violation } from '../../common/validators-runtime/violations.js';
import type { DescribedMethod } from '../described/service.ts';
import type { ProxyMethod } from './proxy-backend.ts';
import type { ViolationLog } from './violation-log.ts';

/**
 * The methods of a document as a proxy lets them through, and those the document does not have. What
 * is wrong with params is noted; unless it `fails` calls, no violation is told, so that they go on.
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
  return new MethodsOfAnyName(methods, (name) => {
    const message = 'the document has no such method';
    log.add(name, 'request', { pointer: '', keyword: 'method', message });
  });
}

/** Longer than any method is called. */
const MOST_NAME = 100;

/** Has a method for every name; calls of one that the document lacks are noted. */
class MethodsOfAnyName extends Map<string, ProxyMethod> {
  readonly #note: (name: string) => void;

  constructor(methods: readonly [string, ProxyMethod][], note: (name: string) => void) {
    super(methods);
    this.#note = note;
  }

  override get(name: string): ProxyMethod {
    const known = super.get(name);
    if (known !== undefined) return known;
    const validateParams = (): readonly Violation[] => {
      this.#note(name.slice(0, MOST_NAME));
      return [];
    };
    return { name, described: null, paramNames: [], validateParams };
  }
}
