import { severities, type Severity } from '../../common/diagnostic.ts';
import { isAtOrBelow, splitPointer } from '../../common/json/pointer.ts';

/** The severity of what a rule finds; "off" to not report it. */
export type Level = Severity | 'off';

type OptionValue = string | number | boolean | readonly string[];

/** Options of a rule, by name. */
export type Options = Readonly<Record<string, OptionValue>>;

/** A level, or a level and options. A level alone keeps the options. */
export type Setting = Level | readonly [level: Level, options: Options];

/** Settings by the id of a rule of lint, or of a kind of change. */
export type Settings = Readonly<Record<string, Setting>>;

/** Settings for a part of a document. */
export interface Override {
  /** JSON pointers to parts, or names of methods; "*" is any token, or any part of a name. */
  readonly at: string | readonly string[];
  readonly rules: Settings;
}

/** Settings, and exceptions from them; later ones win. */
export interface Levels {
  readonly rules?: Settings | undefined;
  readonly overrides?: readonly Override[] | undefined;
}

/** Where something was found. */
export interface Place {
  /** Names of the methods that it affects; none for the service as a whole. */
  readonly methods: readonly string[];
  /** Pointers into the document, or into the two that are compared. */
  readonly pointers: readonly string[];
}

/** The level and options that apply to a rule. */
export interface Applied {
  readonly level: Level;
  readonly options: Options;
}

/** The level and options that apply to a rule at each place. */
export interface RuleLevels {
  /** What applies without overrides, then what each override sets. */
  readonly all: readonly [whole: Applied, ...overrides: Applied[]];
  /** With several methods, the highest level that applies to one of them. */
  at(place: Place): Applied;
}

/** Applies settings to a rule, whose level and options without settings are those of `base`. */
export function levelsOf(id: string, base: Applied, levels: Levels): RuleLevels {
  const apply = (setting: Setting, below: Applied): Applied =>
    typeof setting === 'string'
      ? { level: setting, options: below.options }
      : { level: setting[0], options: { ...base.options, ...setting[1] } };
  const own = settingOf(levels.rules, id);
  const whole = own === null ? base : apply(own, base);
  const overrides = (levels.overrides ?? []).flatMap(({ at, rules }) => {
    const setting = settingOf(rules, id);
    if (setting === null) return [];
    // A setting with options applies as the same object at each place.
    const fixed = typeof setting === 'string' ? null : apply(setting, whole);
    return [{ covers: matcherOf(at), setting, fixed }];
  });
  const levelFor = (method: string | null, pointers: readonly string[]) =>
    overrides
      .filter(({ covers }) => covers(method, pointers))
      .reduce((known, { setting, fixed }) => fixed ?? apply(setting, known), whole);
  return {
    all: [whole, ...overrides.map(({ setting, fixed }) => fixed ?? apply(setting, whole))],
    at({ methods, pointers }) {
      if (overrides.length === 0) return whole;
      const found = methods.map((method) => levelFor(method, pointers));
      return found.toSorted(byLevel)[0] ?? levelFor(null, pointers);
    },
  };
}

/** The levels, highest first. */
const levelNames: readonly Level[] = [...severities, 'off'];

function byLevel(a: Applied, b: Applied): number {
  return levelNames.indexOf(a.level) - levelNames.indexOf(b.level);
}

function settingOf(settings: Settings | undefined, id: string): Setting | null {
  return settings !== undefined && Object.hasOwn(settings, id) ? settings[id]! : null;
}

type Covers = (method: string | null, pointers: readonly string[]) => boolean;

function matcherOf(at: string | readonly string[]): Covers {
  const patterns = [at].flat();
  const isPointer = (pattern: string) => pattern === '' || pattern.startsWith('/');
  const places = patterns.filter(isPointer).map(splitPointer);
  const names = patterns.filter((pattern) => !isPointer(pattern));
  return (method, pointers) =>
    (method !== null && names.some((name) => matchesName(name, method))) ||
    pointers.some((pointer) => places.some((place) => isAtOrBelow(pointer, place)));
}

/** Returns whether a name matches a pattern, in which "*" is any text. */
function matchesName(pattern: string, name: string): boolean {
  const [first = '', ...parts] = pattern.split('*');
  const last = parts.pop();
  if (last === undefined) return name === pattern;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const part of parts) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}
