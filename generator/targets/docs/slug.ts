import { createHash } from 'node:crypto';

/** Longer names are cut, so that no file system refuses the file. */
const MAX_CHARACTERS = 80;

/**
 * Names files after methods and schemas, whatever they are called. A name that is a safe file name
 * stays; other characters become `~` and their code; a name that is cut, reserved, or equal to an
 * earlier one but for the case of letters gets a piece of its SHA-256 behind it.
 */
export function createSlugs(reserved: readonly string[] = []) {
  const taken = new Set(reserved);
  const slugs = new Map<string, string>();
  return (name: string): string => {
    const known = slugs.get(name);
    if (known !== undefined) return known;
    const plain = writeSlug(name);
    const cut = plain.slice(0, MAX_CHARACTERS);
    const isFree = cut !== '' && cut === plain && !taken.has(cut.toLowerCase());
    const slug = isFree ? cut : `${cut}~~${digest(name)}`;
    taken.add(slug.toLowerCase());
    slugs.set(name, slug);
    return slug;
  };
}

function writeSlug(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_.-]|^\./gu, (character) => {
    return `~${character.codePointAt(0)!.toString(16)}`;
  });
}

function digest(name: string): string {
  return createHash('sha256').update(name).digest('hex').slice(0, 10);
}
