import type { MethodModel, Model } from '../../model/model.ts';
import { createAjv } from '../../violations/create-ajv.ts';
import { expectedBy } from '../../violations/facts.ts';
import { checkParams, checkResult } from '../../../common/validators-runtime/check.js';
import type { CompiledValidator } from '../../../common/validators-runtime/violations.js';
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
  const validatorsOf = ({ paramStructure, params, result }: MethodModel) => ({
    validateParams: checkParams(
      paramStructure,
      params.map(({ name, required, schema }) => [
        name,
        required,
        compiled(schema),
        expectedBy(schema, component),
      ]),
      facts,
    ),
    validateResult: result === null ? null : checkResult(compiled(result.schema), facts),
  });
  return new Map(model.methods.map((method) => [method.name, validatorsOf(method)]));
}
