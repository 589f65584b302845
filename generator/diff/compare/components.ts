import type { SchemaModel } from '../../model/model.ts';
import type { Change } from '../change.ts';
import { compareAnnotations } from '../schema/annotations.ts';
import type { Context } from './context.ts';

/** Changes of which schemas have a name, and of what they say beside the values they allow. */
export function compareComponents(context: Context): readonly Change[] {
  const { old, new: fresh } = context;
  const { pool } = context.containments;
  const removed = [...old.schemas.values()].filter(({ name }) => !fresh.schemas.has(name));
  const added = [...fresh.schemas.values()].filter(({ name }) => !old.schemas.has(name));
  const heirs = new Map<SchemaModel, SchemaModel>();
  for (const schema of removed) {
    const same = added.filter(
      (each) => pool.of('new', each.schema) === pool.of('old', schema.schema),
    );
    const rivals = removed.filter(
      (each) => pool.of('old', each.schema) === pool.of('old', schema.schema),
    );
    if (same.length === 1 && rivals.length === 1) heirs.set(schema, same[0]!);
  }
  const inherited = new Set(heirs.values());
  const toChange = (name: string, says: Omit<Change, 'subject' | 'methods'>): Change => ({
    subject: `schema "${name}"`,
    methods: [],
    ...says,
  });
  return [
    ...[...heirs].map(([was, is]) =>
      toChange(was.name, {
        kind: 'component-schema-renamed',
        what: `is called "${is.name}" now`,
        old: was.pointer,
        new: is.pointer,
        before: was.name,
        after: is.name,
      }),
    ),
    ...removed
      .filter((schema) => !heirs.has(schema))
      .map(({ name, pointer }) =>
        toChange(name, {
          kind: 'component-schema-removed',
          what: 'is gone',
          old: pointer,
          new: null,
          before: name,
        }),
      ),
    ...added
      .filter((schema) => !inherited.has(schema))
      .map(({ name, pointer }) =>
        toChange(name, {
          kind: 'component-schema-added',
          what: 'was added',
          old: null,
          new: pointer,
          after: name,
        }),
      ),
    ...[...old.schemas.values()].flatMap((schema): readonly Change[] => {
      const other = fresh.schemas.get(schema.name);
      if (other === undefined) return [];
      const subject = `schema "${schema.name}"`;
      return compareAnnotations(context, {
        old: schema,
        new: other,
        subject,
        methods: [],
        isParam: false,
      });
    }),
  ];
}
