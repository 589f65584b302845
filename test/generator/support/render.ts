import { pathToFileURL } from 'node:url';
import { renderTargets } from '../../../generator/output/render.ts';
import { loadTargets } from '../../../generator/targets/index.ts';
import { target as validators } from '../../../generator/targets/validators/target.ts';
import type { Rendered, Target } from '../../../generator/targets/target.ts';
import { modelOf, type Document } from './document.ts';
import { temporaryFolder } from './folder.ts';

const targets = await loadTargets();

/** Renders the named targets (or all) for a document, formatted. */
export async function renderLaidOut(document: Document, ...names: string[]): Promise<Rendered> {
  return renderTargets(await modelOf(document), chosen(names), { source: 'doc.json' });
}

/** Like `render`, unformatted: formatting takes most of the time. */
export async function render(document: Document, ...names: string[]): Promise<Rendered> {
  const model = await modelOf(document);
  const parts = await Promise.all(
    chosen(names).map((target) => target.render(model, { source: 'doc.json' })),
  );
  return new Map(parts.flatMap((files) => [...files]));
}

function chosen(names: readonly string[]): readonly Target[] {
  return targets.filter(({ name }) => names.length === 0 || names.includes(name));
}

export interface Violation {
  readonly pointer: string;
  readonly param: string | null;
  readonly keyword: string;
  readonly expected: string;
  readonly message: string;
}

type Validators = Readonly<Record<string, (value?: unknown) => readonly Violation[]>>;

/** The validators of a document, written to a folder of their own and imported from there. */
export async function validatorsOf(
  document: Document,
): Promise<{ readonly validateParams: Validators; readonly validateResult: Validators }> {
  // Unformatted: formatting takes most of the time.
  const files = await validators.render(await modelOf(document), { source: 'doc.json' });
  const folder = temporaryFolder([...files]);
  const module = `${pathToFileURL(folder).href}/validators.js`;
  return (await import(/* @vite-ignore */ module)) as Awaited<ReturnType<typeof validatorsOf>>;
}
