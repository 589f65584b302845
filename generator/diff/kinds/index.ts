import { contractKinds } from './contract-kinds.ts';
import type { Kind } from './kind.ts';
import { methodKinds } from './method-kinds.ts';
import { memberKinds } from './member-kinds.ts';
import { lifetimeKinds } from './lifetime-kinds.ts';
import { paramKinds } from './param-kinds.ts';
import { planKinds } from './plan-kinds.ts';
import { schemaKinds } from './schema-kinds.ts';
import { serviceKinds } from './service-kinds.ts';
import { unsatisfiableKinds } from './unsatisfiable-kinds.ts';

/** The kinds of changes, by what they are about. */
export const kindGroups = [
  { title: 'Methods', kinds: [...methodKinds, ...lifetimeKinds] },
  { title: 'Parameters', kinds: paramKinds },
  { title: 'Schemas', kinds: [...schemaKinds, ...memberKinds, ...unsatisfiableKinds] },
  { title: 'Prices, transports, errors', kinds: contractKinds },
  { title: 'The service', kinds: serviceKinds },
  { title: 'Plans, limits, extensions', kinds: planKinds },
];

/** The id of a kind: that of a row. */
export type KindId = (typeof kindGroups)[number]['kinds'][number]['id'];

export const kinds: readonly Kind<KindId>[] = kindGroups.flatMap((group) => [...group.kinds]);

const byId = new Map(kinds.map((kind) => [kind.id, kind]));

export function kindOf(id: KindId): Kind<KindId> {
  return byId.get(id)!;
}
