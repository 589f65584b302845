/** Linting of documents that exist only in a test. */
import { parse } from 'yaml';
import { bundleDraft, draftOf } from '../../../generator/bundle/bundle.ts';
import { parseSource } from '../../../generator/source/parse.ts';
import { runRules } from '../../../generator/lint/run-rules.ts';
import { lintDocument } from '../../../generator/lint/lint.ts';
import type { LintConfig } from '../../../generator/lint/schema.ts';
import { activeRules } from '../../../generator/lint/settings.ts';
import { readerOf, type Document } from '../support/document.ts';

type Files = Readonly<Record<string, unknown>>;

/** What the rules find in doc.json, which is written out or given with the files it refers to. */
export async function lint(document: Document, config: LintConfig = {}, files: Files = {}) {
  const reader = readerOf({ 'doc.json': document, ...files });
  const active = activeRules(config);
  const { diagnostics } = await lintDocument('doc.json', { reader, active });
  return diagnostics.map((each) => ({ ...each, ...each.location }));
}

/** What the rules find, as "rule pointer". */
export async function briefly(...of: Parameters<typeof lint>): Promise<readonly string[]> {
  return (await lint(...of)).map(({ code, pointer }) => `${code} ${pointer}`);
}

/**
 * What one rule finds, with the levels of strict, as "pointer: message". Whether the document follows
 * the meta-schema is not looked at, which takes most of the time.
 */
export async function lintBy(rule: string, document: Document): Promise<readonly string[]> {
  const { read } = readerOf({ 'doc.json': document });
  const source = parseSource(await read('doc.json'));
  const bundle = await bundleDraft(draftOf(source), { read });
  const found = runRules({ ...bundle, original: source.value }, activeRules({ extends: 'strict' }));
  return found.filter((finding) => finding.code === rule).map(formatFinding);
}

export function formatFinding({
  pointer,
  message,
}: {
  readonly pointer: string | null;
  readonly message: string;
}): string {
  return `${pointer}: ${message}`;
}

/** A part of a document in YAML with what every document has to have put in. */
export function complete(fragment: string): Document {
  const part = parse(fragment) as Document;
  const methods = (part['methods'] ?? []) as readonly Document[];
  return {
    openrpc: '1.3.2',
    info: { title: 'Test', version: '1.0.0' },
    ...part,
    methods: methods.map((method) => ({ params: [], ...method })),
  };
}
