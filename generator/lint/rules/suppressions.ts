import { didYouMean, openrpc, rule } from '../rule.ts';

const SOURCE = openrpc(
  'specification-extensions',
  'x-lint-ignore is an extension of this linter; an exception needs a reason',
);

/** They examine how the entries were used, so they run last. */
export const suppressionRules = [
  rule('suppression-reason', ['error', 'error'], {
    title: 'Entries of x-lint-ignore name a rule and a reason',
    protects:
      'The reason shows later readers whether the exception is still needed. Without it the entry has no effect.',
    source: SOURCE,
    fix: 'write {rule, reason} and, for a part of the object, "at"',
    bad: `x-lint-ignore: [{ rule: info-version-semver }]
info: { title: Users, version: v2 }
methods: []`,
    good: `x-lint-ignore: [{ rule: info-version-semver, reason: versions are those of the product }]
info: { title: Users, version: v2 }
methods: []`,
    *check({ suppressions }) {
      for (const { pointer, problem } of suppressions.entries) {
        if (problem !== null) yield { pointer, message: problem };
      }
    },
  }),
  rule('suppression-unused', ['warning', 'error'], {
    title: 'Entries of x-lint-ignore suppress something',
    protects: 'An unneeded exception hides the next finding of its rule.',
    source: SOURCE,
    fix: 'remove the entry',
    bad: `x-lint-ignore: [{ rule: info-version-semver, reason: versions are those of the product }]
info: { title: Users, version: 2.0.0 }
methods: []`,
    good: `x-lint-ignore: [{ rule: info-version-semver, reason: versions are those of the product }]
info: { title: Users, version: v2 }
methods: []`,
    *check({ suppressions: { entries, used, active, known } }) {
      for (const entry of entries) {
        const { rule, pointer, problem } = entry;
        if (problem !== null || used.has(entry)) continue;
        if (active.has(rule)) yield { pointer, message: `"${rule}" reports nothing here` };
        if (known.includes(rule)) continue;
        yield { pointer, message: `unknown rule "${rule}"`, ...didYouMean(rule, known) };
      }
    },
  }),
];
