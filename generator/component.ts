import { join } from 'node:path';
import { loadModel } from './document.ts';
import { createTextReader } from './files/text.ts';
import { renderTargets } from './output/render.ts';
import { updateFolder } from './output/update.ts';
import { loadTargets, targetNames } from './targets/index.ts';

/** A step of `@open-rpc/generator`. */
type Hook = (
  destination: string,
  source: string | undefined,
  component: {
    /** The component's name in the configuration: a target or "all". */
    readonly name: string;
    readonly language: string;
    /** Folder of the document, relative to the output folder. */
    readonly openRPCPath?: string;
  },
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

/** Writes the files of the target with the component's name to its folder; other files are kept. */
const writeTarget: Hook = async (destination, _source, { name, openRPCPath }) => {
  const names = targetNames.filter((each) => name === 'all' || each === name);
  if (names.length === 0) {
    throw new Error(
      `component "${name}": unknown target; expected "name" to be one of ${[...targetNames, 'all'].join(', ')}`,
    );
  }
  // The document that the generator passes has no references, and therefore no type names. The copy in
  // the folder has both.
  if (openRPCPath === undefined) {
    throw new Error(`component "${name}": openRPCPath is missing; set it to a folder such as "."`);
  }
  const model = await loadModel(join(destination, openRPCPath, 'openrpc.json'), createTextReader());
  const targets = await loadTargets(names);
  const files = await renderTargets(model, targets, { source: 'openrpc.json' });
  await updateFolder(destination, files, { isWhole: false });
};

/** The targets as a component of `@open-rpc/generator`. */
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

export default component;
