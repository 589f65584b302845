import type { Target } from './target.ts';

/** Registers every code target: its name and the module that describes it. */
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

/** Target names in output order. */
export const targetNames = Object.keys(rows) as readonly TargetName[];

/** Loads the named targets, by default all. Loaded on demand because their libraries are large. */
export async function loadTargets(
  names: readonly TargetName[] = targetNames,
): Promise<readonly Target[]> {
  return Promise.all(names.map(async (name) => (await rows[name]()).target));
}
