import { join } from 'node:path';
import { loadModel } from './document.ts';
import { createTextReader } from './files/text.ts';
import { renderTargets } from './output/render.ts';
import { updateFolder } from './output/update.ts';
import { loadTargets, targetNames, type TargetName } from './targets/index.ts';

/** The argument that `@open-rpc/generator` passes to the hooks of a component. */
export interface ComponentContext {
  /** The component's name in the configuration: a target or "all". */
  readonly name: string;
  readonly language: string;
  /** Folder of the document, relative to the output folder. */
  readonly openRPCPath?: string;
}

/** A step of `@open-rpc/generator`. */
export type Hook = (
  destination: string,
  source: string | undefined,
  component: ComponentContext,
) => Promise<void>;

/** A component of `@open-rpc/generator` 1.22, the default export of its module. */
export interface Component {
  readonly hooks: {
    readonly beforeCopyStatic: readonly Hook[];
    readonly afterCopyStatic: readonly Hook[];
    readonly beforeCompileTemplate: readonly Hook[];
    readonly afterCompileTemplate: readonly Hook[];
    readonly templateFiles: Readonly<Record<string, readonly never[]>>;
  };
  staticPath(): undefined;
}

/**
 * Writes the files of the target with the component's name to the component's folder. Other files in
 * it are kept.
 */
const writeTarget: Hook = async (destination, _source, { name, openRPCPath }) => {
  const isTarget = (targetNames as readonly string[]).includes(name);
  if (!isTarget && name !== 'all') {
    throw new Error(
      `component "${name}": unknown target; expected "name" to be one of ${[...targetNames, 'all'].join(', ')}`,
    );
  }
  // The document that the generator passes has no references, and therefore no type names. The copy
  // in the folder does.
  if (openRPCPath === undefined) {
    throw new Error(`component "${name}": openRPCPath is missing; set it to a folder such as "."`);
  }
  const model = await loadModel(join(destination, openRPCPath, 'openrpc.json'), createTextReader());
  const targets = await loadTargets(isTarget ? [name as TargetName] : targetNames);
  const files = await renderTargets(model, targets, { source: 'openrpc.json' });
  await updateFolder(destination, files, { isWhole: false });
};

const component: Component = {
  hooks: {
    beforeCopyStatic: [],
    afterCopyStatic: [],
    beforeCompileTemplate: [],
    afterCompileTemplate: [writeTarget],
    // Required for each language that a configuration may name.
    templateFiles: { typescript: [], javascript: [] },
  },
  staticPath: () => undefined,
};

/** The targets as a component of `@open-rpc/generator`. */
export default component;
