import type { Model } from '../../model/model.ts';

/** npm allows 214 characters; PyPI takes the same form without the scope. */
export const PACKAGE_NAME =
  /^(?=.{1,214}$)(?:@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$/;

/** A longer name derived from a title loses its filler words, then its last words. */
const MAX_CHARACTERS = 40;

const FILLERS = new Set(
  'a an and api by docs documentation for in json jsonrpc of on openrpc reference rpc spec specification the to with'.split(
    ' ',
  ),
);

/** Returns the name of the npm package: the one that was asked for, or one derived from the title. */
export function packageName({ packageName: wanted, info }: Pick<Model, 'packageName' | 'info'>) {
  return wanted ?? nameOfTitle(info.title);
}

/** Returns the name without the scope of npm. */
export function unscopedName(model: Pick<Model, 'packageName' | 'info'>): string {
  return packageName(model).replace(/^@.*\//, '');
}

/** Returns "node-service-client" for "Node Service". */
export function nameOfTitle(title: string): string {
  const words = title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '' && word !== 'client');
  const whole = joinName(words);
  if (whole.length <= MAX_CHARACTERS) return whole;
  const specific = words.filter((word) => !FILLERS.has(word));
  // Each word takes at least one character, so further words would never be kept.
  const kept = (specific.length === 0 ? words : specific).slice(0, MAX_CHARACTERS);
  while (kept.length > 1 && joinName(kept).length > MAX_CHARACTERS) kept.pop();
  return `${kept[0]!.slice(0, MAX_CHARACTERS)}${joinName(kept).slice(kept[0]!.length)}`;
}

function joinName(words: readonly string[]): string {
  return [...(words.length === 0 ? ['rpc'] : words), 'client'].join('-');
}

/** Returns the document's version as semver: "2.0.0" for "2", "0.0.0" for an invalid version. */
export function packageVersion(version: string): string {
  const match = /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?(-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/.exec(
    version,
  );
  if (match === null) return '0.0.0';
  const numbers = [match[1], match[2], match[3]].map((part) => String(BigInt(part ?? '0')));
  return `${numbers.join('.')}${match[4] ?? ''}`;
}
