import { createContainments } from '../../containment/containment.ts';
import type { Model } from '../../model/model.ts';
import { listed, type Change } from '../change.ts';
import { createSchemaComparer, type SchemaChange } from '../schema/compare.ts';
import { componentAt, pathOf } from '../schema/place.ts';
import { joinPointer, splitPointer } from '../../../common/json/pointer.ts';
import { compareComponents } from './components.ts';
import type { Context } from './context.ts';
import { compareErrors } from './errors.ts';
import { compareMethods } from './methods.ts';
import { comparePlans } from './plans.ts';
import { compareServers } from './servers.ts';
import { compareService } from './service.ts';

/**
 * Returns all changes between two documents except those of the version. Sunset dates are compared with
 * `today` (YYYY-MM-DD). `isExact`: wide integers of the models are bigints.
 */
export function compareModels(
  models: { readonly old: Model; readonly new: Model },
  { today, isExact }: { readonly today: string; readonly isExact: boolean },
): readonly Change[] {
  const schemasOf = (model: Model) =>
    new Map([...model.schemas].map(([name, { schema }]) => [name, schema]));
  const components = { old: schemasOf(models.old), new: schemasOf(models.new) };
  const containments = createContainments(components, { isExact });
  const schemas = createSchemaComparer(models, containments);
  const context: Context = { ...models, containments, schemas, today };
  return [
    ...compareMethods(context),
    ...compareErrors(context),
    ...compareServers(context),
    ...comparePlans(context),
    ...compareComponents(context),
    ...compareService(context),
    ...schemas.changes().map(createToChange()),
  ];
}

/** Returns a function that describes each list of roots only once, because many findings share a list. */
function createToChange(): (change: SchemaChange) => Change {
  const known = new Map<readonly string[], ReturnType<typeof describeRoots>>();
  return ({ roots, named, ...finding }) => {
    const described = known.get(roots) ?? describeRoots(roots);
    known.set(roots, described);
    const place = withoutMember(named ?? finding, finding.member?.name);
    const subject = subjectOf(place, described.text);
    return { ...finding, subject, methods: described.methods };
  };
}

/** Returns the place of the schema that has the member, because the text already names the member. */
function withoutMember(place: Place, name: string | undefined): Place {
  if (name === undefined) return place;
  const end = joinPointer('/properties', name);
  const parent = (pointer: string) =>
    pointer.endsWith(end) ? pointer.slice(0, -end.length) : pointer;
  return { old: parent(place.old), new: parent(place.new) };
}

type Place = Pick<SchemaChange, 'old' | 'new'>;

function subjectOf(place: Place, roots: string): string {
  const [old, fresh] = [componentAt(place.old), componentAt(place.new)];
  const component = old === null ? null : fresh;
  if (component === null) {
    const path = pathOf(tokensBelow(place.new) ?? tokensBelow(place.old) ?? []);
    return `${roots}${path === '' ? '' : `, ${path}`}`;
  }
  return `schema "${component.name}"${component.path === '' ? '' : `, ${component.path}`} (${roots})`;
}

/**
 * Returns 'eth_call, parameter "call"' for one root, 'result of eth_call, eth_getLogs and 3 more' for
 * several.
 */
function describeRoots(roots: readonly string[]) {
  const names = roots.map((root) => root.split('\n') as [method: string, role: string]);
  const text = [...Map.groupBy(names, ([, role]) => role)].map(([role, all]) => {
    const methods = all.map(([method]) => method);
    if (methods.length > 1) return `${role} of ${listed(methods)}`;
    return methods[0] === '' ? role : `${methods[0]}, ${role}`;
  });
  const methods = new Set(names.map(([method]) => method).filter((name) => name !== ''));
  return { text: text.join('; '), methods: [...methods] };
}

/** Returns the tokens below the schema of a parameter, a result or a row of the error catalog. */
function tokensBelow(pointer: string): readonly string[] | null {
  const tokens = splitPointer(pointer);
  const from = tokens[0] === 'x-errors' ? tokens.indexOf('data') : tokens.indexOf('schema');
  return from < 0 ? null : tokens.slice(from + 1);
}
