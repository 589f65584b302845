import type { SchemaModel } from '../../model/model.ts';
import { reportAt, type Change } from '../change.ts';
import { compareAnnotations } from '../schema/annotations.ts';
import { matchByKey, type Both, type Context } from './context.ts';

/** Changes of the names of component schemas and of their annotations. */
export function compareComponents(context: Context): readonly Change[] {
  const lists = [context.old, context.new].map(({ schemas }) => [...schemas.values()]);
  const { removed, added, kept } = matchByKey(lists[0]!, lists[1]!, ({ name }) => name);
  const renamed = findRenamed(context, removed, added);
  const isRenamed = (schema: SchemaModel) =>
    renamed.some((pair) => pair.old === schema || pair.new === schema);
  const report = (name: string, old: string | null, fresh: string | null) =>
    reportAt({ subject: `schema "${name}"`, methods: [], old, new: fresh });
  return [
    ...renamed.map(({ old: { name, pointer }, new: fresh }) =>
      report(name, pointer, fresh.pointer)(
        'component-schema-renamed',
        `was renamed to "${fresh.name}"`,
        name,
        fresh.name,
      ),
    ),
    ...removed
      .filter((schema) => !isRenamed(schema))
      .map(({ name, pointer }) =>
        report(name, pointer, null)('component-schema-removed', 'was removed'),
      ),
    ...added
      .filter((schema) => !isRenamed(schema))
      .map(({ name, pointer }) =>
        report(name, null, pointer)('component-schema-added', 'was added'),
      ),
    ...kept.flatMap((pair) => {
      const subject = `schema "${pair.old.name}"`;
      return compareAnnotations({ models: context, ...pair, subject, methods: [], isParam: false });
    }),
  ];
}

/** A removed and an added schema that allow the same values, if no other does. */
function findRenamed(
  { containments: { pool } }: Context,
  removed: readonly SchemaModel[],
  added: readonly SchemaModel[],
): readonly Both<SchemaModel>[] {
  return removed.flatMap((schema) => {
    const node = pool.of('old', schema.schema);
    const same = added.filter((each) => pool.of('new', each.schema) === node);
    const rivals = removed.filter((each) => pool.of('old', each.schema) === node);
    return same.length === 1 && rivals.length === 1 ? [{ old: schema, new: same[0]! }] : [];
  });
}
