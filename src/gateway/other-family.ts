import type { Protocol } from './protocol.ts';

interface FamilyNetwork {
  readonly name: string;
  readonly family: string;
}

const MAX_LISTED = 3;

/**
 * Returns a function that describes where to find a method that only another family offers. The
 * function returns undefined for all other names.
 */
export function describeOtherFamily(
  { methods, serviceMethods }: Pick<Protocol, 'methods' | 'serviceMethods'>,
  { family, networks }: { readonly family: string; readonly networks: readonly FamilyNetwork[] },
): (method: string) => string | undefined {
  const families = new Map(
    [...Object.values(methods), ...serviceMethods].map((row) => [row.name, row.family]),
  );
  return (method) => {
    const owner = families.get(method) ?? null;
    if (owner === null || owner === family) return undefined;
    const names = networks.filter((network) => network.family === owner).map(({ name }) => name);
    if (names.length === 0) return `it is a method of ${owner} networks`;
    const listed = names.slice(0, MAX_LISTED).join(', ');
    return names.length === 1 ? `network ${listed} has it` : `the networks ${listed} have it`;
  };
}
