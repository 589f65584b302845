import type { Target } from './target.ts';

/** Every target that writes code: its name, and the folder that holds all of it. */
const rows = {
  types: () => import('./types/target.ts'),
  validators: () => import('./validators/target.ts'),
  methods: () => import('./methods/target.ts'),
  errors: () => import('./errors/target.ts'),
  server: () => import('./server/target.ts'),
  client: () => import('./client/target.ts'),
  python: () => import('./python/target.ts'),
} satisfies Readonly<Record<string, () => Promise<{ readonly target: Target }>>>;

export type TargetName = keyof typeof rows;

/** The names of the targets, in the order they are written in. */
export const targetNames = Object.keys(rows) as readonly TargetName[];

/** Loads the named targets, by default all of them: their libraries are large. */
export async function loadTargets(
  names: readonly TargetName[] = targetNames,
): Promise<readonly Target[]> {
  return Promise.all(names.map(async (name) => (await rows[name]()).target));
}
