import { join } from 'node:path';
import { loadModel } from './document.ts';
import { createTextReader } from './files/text.ts';
import { renderTargets } from './output/render.ts';
import { updateFolder } from './output/update.ts';
import { loadTargets, targetNames, type TargetName } from './targets/index.ts';

/** What `@open-rpc/generator` passes to the hooks of a component of its configuration. */
export interface ComponentContext {
  /** The component's name in the configuration: a target's, or "all". */
  readonly name: string;
  readonly language: string;
  /** Folder, below the output's, that holds the document; undefined for none. */
  readonly openRPCPath?: string;
}

/** A step of `@open-rpc/generator`, called with the folder that is written to. */
export type Hook = (
  destination: string,
  source: string | undefined,
  component: ComponentContext,
) => Promise<void>;

/** A component of `@open-rpc/generator` 1.22: what the default export of its module has to be. */
export interface Component {
  readonly hooks: {
    readonly beforeCopyStatic: readonly Hook[];
    readonly afterCopyStatic: readonly Hook[];
    readonly beforeCompileTemplate: readonly Hook[];
    readonly afterCompileTemplate: readonly Hook[];
    readonly templateFiles: Readonly<Record<string, readonly never[]>>;
  };
  /** Nothing is copied as it stands. */
  staticPath(): undefined;
}

/**
 * Writes what the target of the component's name makes of the document into the component's folder;
 * other files in it stay.
 */
const writeTarget: Hook = async (destination, _source, { name, openRPCPath }) => {
  const isTarget = (targetNames as readonly string[]).includes(name);
  if (!isTarget && name !== 'all') {
    throw new Error(
      `component "${name}": unknown target; expected "name" to be one of ${[...targetNames, 'all'].join(', ')}`,
    );
  }
  // The generator passes the document without its references, and so without the names of types; the
  // copy it puts into the folder has them.
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
    // A list for each language a configuration may name, or the generator stops there.
    templateFiles: { typescript: [], javascript: [] },
  },
  staticPath: () => undefined,
};

/** The targets as a component of `@open-rpc/generator`. */
export default component;
