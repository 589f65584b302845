/** Content codings that answers may be sent in (RFC 9110, section 8.4.1; RFC 7932). */
export type Coding = 'br' | 'gzip';

/** What a caller makes of an answer's coding. */
export interface Acceptance {
  /** The one it likes best, unless it likes its answers as they are better; undefined: none. */
  readonly coding: Coding | undefined;
  /** Whether it takes no answer as it is, however small. */
  readonly isDue: boolean;
}

/** Liked equally, the first is chosen: it takes less time, and makes less of it. */
const codings: readonly Coding[] = ['br', 'gzip'];

const NONE: Acceptance = { coding: undefined, isDue: false };

/**
 * Reads an Accept-Encoding header (RFC 9110, section 12.5.3). Where the caller refuses everything we
 * have, the header is disregarded, as section 12.1 allows: an answer was paid for.
 */
export function readAcceptEncoding(header: string | undefined): Acceptance {
  if (header === undefined || header === '') return NONE;
  const weights = weightsOf(header);
  const others = weights.get('*');
  // Answers as they are can be refused by name, or by refusing all that has no name.
  const asItIs = weights.get('identity') ?? (others === 0 ? 0 : undefined);
  let coding: Coding | undefined;
  let best = asItIs ?? 0;
  for (const each of codings) {
    const weight = weights.get(each) ?? others ?? 0;
    if (weight === 0 || weight < best || (coding !== undefined && weight === best)) continue;
    coding = each;
    best = weight;
  }
  return { coding, isDue: coding !== undefined && asItIs === 0 };
}

/** What each coding is worth to the caller, 0 to 1; one that is written wrongly is left out. */
function weightsOf(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const item of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim());
    const weight = weightIn(parameters);
    if (name !== '' && weight !== undefined) weights.set(name === 'x-gzip' ? 'gzip' : name, weight);
  }
  return weights;
}

function weightIn(parameters: readonly string[]): number | undefined {
  if (parameters.length === 0) return 1;
  const [, digits] = /^q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.exec(parameters[0]!) ?? [];
  return parameters.length === 1 && digits !== undefined ? Number(digits) : undefined;
}
