import type { MethodModel, Model } from '../../model/model.ts';
import { createAjv } from '../../violations/create-ajv.ts';
import { expectedBy } from '../../violations/facts.ts';
import { checkParams, checkResult } from '../../../common/validators-runtime/check.js';
import type { CompiledValidator } from '../../../common/validators-runtime/violations.js';
import { createNullFinder } from '../../model/absent-nulls.ts';
import { nullsForCheck } from './nulls.ts';
import { planSchemas } from './plan.ts';
import type { Schema } from '../../../common/json/value.ts';

/**
 * Compiles the validators of every method, by name, without generating code. They report the same as
 * the generated ones. `validateResult` is null for a notification.
 *
 * @throws Error when Ajv cannot compile a schema
 */
export function createValidators(model: Model) {
  const plan = planSchemas(model);
  const ajv = createAjv(plan.used, { ownProperties: true });
  const facts = Object.fromEntries(plan.facts);
  const compiled = (schema: Schema): CompiledValidator | null => {
    const id = plan.idOf(schema);
    return id === null ? null : (ajv.getSchema(id) as CompiledValidator);
  };
  const component = (name: string): Schema | undefined => model.schemas.get(name)?.schema;
  const findNulls = createNullFinder(model);
  const validatorsOf = (method: MethodModel) => ({
    validateParams: checkParams(
      method.paramStructure,
      method.params.map(({ name, required, schema }) => [
        name,
        required,
        compiled(schema),
        expectedBy(schema, component),
      ]),
      facts,
      nullsForCheck(findNulls(method)),
    ),
    validateResult:
      method.result === null ? null : checkResult(compiled(method.result.schema), facts),
  });
  return new Map(model.methods.map((method) => [method.name, validatorsOf(method)]));
}
