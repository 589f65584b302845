import { reportAt, type Change } from '../change.ts';
import { compareAnnotations } from '../schema/annotations.ts';
import { matchByKey, matchRenamed, type Context } from './context.ts';

/** Lists the changes to the names and annotations of component schemas. */
export function compareComponents(context: Context): readonly Change[] {
  const lists = [context.old, context.new].map(({ schemas }) => [...schemas.values()]);
  const matched = matchByKey(lists[0]!, lists[1]!, ({ name }) => name);
  const { renamed, removed, added } = matchRenamed(matched, (side, { schema }) =>
    context.containments.pool.of(side, schema),
  );
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
    ...removed.map(({ name, pointer }) =>
      report(name, pointer, null)('component-schema-removed', 'was removed'),
    ),
    ...added.map(({ name, pointer }) =>
      report(name, null, pointer)('component-schema-added', 'was added'),
    ),
    ...matched.kept.flatMap((pair) => {
      const subject = `schema "${pair.old.name}"`;
      return compareAnnotations({ models: context, ...pair, subject, methods: [], isParam: false });
    }),
  ];
}
