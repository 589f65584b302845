import { nearestName } from '../../../common/validators-runtime/nearest-name.js';
import { openrpc, rule } from '../rule.ts';

const SOURCE = openrpc(
  'specification-extensions',
  'x-lint-ignore is an extension of this linter; an exception is worth what its reason is',
);

const reason = rule({
  id: 'suppression-reason',
  levels: { recommended: 'error', strict: 'error' },
  title: 'Entries of x-lint-ignore name a rule and a reason',
  protects:
    'An exception without a reason outlives everyone who knew it. Such an entry has no effect.',
  source: SOURCE,
  fix: 'write {rule, reason}, and "at" where it is about a part',
  bad: `
x-lint-ignore: [{ rule: info-version-semver }]
info: { title: Users, version: v2 }
methods: []`,
  good: `
x-lint-ignore: [{ rule: info-version-semver, reason: versions are those of the product }]
info: { title: Users, version: v2 }
methods: []`,
  *check({ suppressions }) {
    for (const { pointer, fault } of suppressions.entries) {
      if (fault !== null) yield { pointer, message: fault };
    }
  },
});

const unused = rule({
  id: 'suppression-unused',
  levels: { recommended: 'warning', strict: 'error' },
  title: 'Entries of x-lint-ignore are of use',
  protects: 'An exception that is no longer needed hides the next finding of its rule.',
  source: SOURCE,
  fix: 'remove the entry',
  bad: `
x-lint-ignore: [{ rule: info-version-semver, reason: versions are those of the product }]
info: { title: Users, version: 2.0.0 }
methods: []`,
  good: `
x-lint-ignore: [{ rule: info-version-semver, reason: versions are those of the product }]
info: { title: Users, version: v2 }
methods: []`,
  *check({ suppressions: { entries, used, active, known } }) {
    for (const entry of entries) {
      const { rule, pointer, fault } = entry;
      if (fault !== null || used.has(entry)) continue;
      if (active.has(rule)) yield { pointer, message: `"${rule}" finds nothing here` };
      if (known.includes(rule)) continue;
      const meant = nearestName(rule, known);
      const fix = meant === null ? {} : { fix: `did you mean "${meant}"?` };
      yield { pointer, message: `there is no rule "${rule}"`, ...fix };
    }
  },
});

/** They look at what became of the entries: they come after all other rules. */
export const suppressionRules = [reason, unused];
