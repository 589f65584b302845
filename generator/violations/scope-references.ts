import type { Ajv } from 'ajv';
import { _Code } from 'ajv/dist/compile/codegen/code.js';
import type { ValueScope } from 'ajv/dist/compile/codegen/index.js';

type ScopeReferences = ValueScope['scopeRefs'];

/**
 * Makes Ajv declare the values that a compiled schema refers to, such as patterns, in linear time. Ajv
 * itself copies the declarations so far for each of them.
 */
export function declareInLinearTime({ scope }: Ajv): void {
  const original: ScopeReferences = scope.scopeRefs.bind(scope);
  scope.scopeRefs = (scopeName, values) => {
    if (values === undefined) return original(scopeName);
    const names = Object.values(values).flatMap((each) => [...(each?.values() ?? [])]);
    return new _Code(
      names
        .map((name) => `const ${name.str} = ${scopeName.str}${String(name.scopePath)};`)
        .join(''),
    );
  };
}
