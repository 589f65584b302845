import type { Rule } from './rule.ts';
import { documentation } from './rules/documentation.ts';
import { errors } from './rules/errors.ts';
import { exampleAnswers } from './rules/example-answers.ts';
import { exampleParams } from './rules/example-params.ts';
import { extensions } from './rules/extensions.ts';
import { keywords } from './rules/keywords.ts';
import { links } from './rules/links.ts';
import { markdownRules } from './rules/markdown.ts';
import { metadata } from './rules/metadata.ts';
import { methods } from './rules/methods.ts';
import { naming } from './rules/naming.ts';
import { patterns } from './rules/patterns.ts';
import { references } from './rules/references.ts';
import { satisfiability } from './rules/satisfiability.ts';
import { suppressionRules } from './rules/suppressions.ts';
import { values } from './rules/values.ts';

/** Every rule, by what it is about. */
const families: Readonly<Record<string, readonly Omit<Rule, 'family'>[]>> = {
  Document: metadata,
  References: references,
  Methods: methods,
  Errors: errors,
  Examples: [...exampleParams, ...exampleAnswers],
  Links: links,
  Names: naming,
  'What schemas allow': [...satisfiability, ...values],
  'How schemas are written': [...keywords, ...patterns],
  Documentation: [...documentation, ...markdownRules],
  Extensions: [...extensions, ...suppressionRules],
};

/** The table of rules. */
export const rules: readonly Rule[] = Object.entries(families).flatMap(([family, rows]) =>
  rows.map((row) => ({ ...row, family })),
);
