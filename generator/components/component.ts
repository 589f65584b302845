import { join } from 'node:path';
import { loadModel } from '../document.ts';
import { createTextReader } from '../files/text.ts';
import { renderTargets } from '../output/render.ts';
import { updateFolder } from '../output/update.ts';
import { targets } from '../targets/index.ts';
import type { TargetName } from '../targets/names.ts';

/** What `@open-rpc/generator` tells the hooks of a component of its configuration. */
export interface ComponentContext {
  readonly language: string;
  /** Folder, below the output's, that it has put the document in; undefined for none. */
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
 * Our targets as a component of `@open-rpc/generator`: writes what they make of the document into the
 * component's folder, what is there already left alone.
 */
export function createComponent(names: readonly TargetName[]): Component {
  const chosen = targets.filter(({ name }) => (names as readonly string[]).includes(name));

  return {
    hooks: {
      beforeCopyStatic: [],
      afterCopyStatic: [],
      beforeCompileTemplate: [],
      afterCompileTemplate: [
        async (destination, _source, { openRPCPath }) => {
          // The document that is handed over has lost its references and with them all names of
          // types; the one that was put into the folder before has them.
          if (openRPCPath === undefined) throw new Error(`${names.join()}: openRPCPath is needed`);
          const model = await loadModel(
            join(destination, openRPCPath, 'openrpc.json'),
            createTextReader(),
          );
          const files = await renderTargets(model, chosen, { source: 'openrpc.json' });
          await updateFolder(destination, files, { isWhole: false });
        },
      ],
      // A list for each language a configuration may name, or the generator stops there.
      templateFiles: { typescript: [], javascript: [] },
    },
    staticPath: () => undefined,
  };
}
