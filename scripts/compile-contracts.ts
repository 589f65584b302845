/**
 * Compiles the development chain's contracts into src/devnet/evm/artifacts.json:
 * `node scripts/compile-contracts.ts`. The output is the same on every machine.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** The parts of a contract that the history uses: creation bytecode, and the selector of each function. */
export interface Artifact {
  readonly bytecode: string;
  readonly selectors: Readonly<Record<string, string>>;
}

interface CompilerOutput {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly contracts: Record<
    string,
    Record<
      string,
      { evm: { bytecode: { object: string }; methodIdentifiers: Record<string, string> } }
    >
  >;
}

interface Compiler {
  compile(input: string): string;
}

const devnetFolder = new URL('../src/devnet/', import.meta.url);

export const evmContracts = new URL('evm/contracts/', devnetFolder);
export const archiveContracts = new URL('archive/contracts/', devnetFolder);
export const artifactsFile = new URL('evm/artifacts.json', devnetFolder);

function readSources(folder: URL): Record<string, { content: string }> {
  const names = readdirSync(folder).filter((name) => name.endsWith('.sol'));
  return Object.fromEntries(
    names.sort().map((name) => [name, { content: readFileSync(new URL(name, folder), 'utf8') }]),
  );
}

function prefixValues(record: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, `0x${value}`]));
}

/**
 * Compiles every contract of a folder. Interfaces and abstract contracts, which have no bytecode,
 * are left out.
 *
 * @param evmVersion the instruction set to target, by its name in solc (`prague`, `homestead`).
 * @throws Error with the compiler's messages when a contract does not compile.
 */
export function compileContracts(folder: URL, evmVersion: string): Record<string, Artifact> {
  // Loaded here, because loading the compiler takes a second, and some importers never compile.
  const compiler = createRequire(import.meta.url)('solc') as Compiler;
  const input = {
    language: 'Solidity',
    sources: readSources(folder),
    settings: {
      evmVersion,
      optimizer: { enabled: true, runs: 200 },
      // Without it the bytecode would end in a hash of the sources' names and settings.
      metadata: { appendCBOR: false, bytecodeHash: 'none' },
      outputSelection: { '*': { '*': ['evm.bytecode.object', 'evm.methodIdentifiers'] } },
    },
  };
  const output = JSON.parse(compiler.compile(JSON.stringify(input))) as CompilerOutput;
  const fatal = output.errors?.filter(({ severity }) => severity === 'error') ?? [];
  if (fatal.length > 0) throw new Error(fatal.map((error) => error.formattedMessage).join('\n'));
  const artifacts = Object.values(output.contracts)
    .flatMap((contracts) => Object.entries(contracts))
    .filter(([, { evm }]) => evm.bytecode.object !== '')
    .map(([name, { evm }]): [string, Artifact] => [
      name,
      {
        bytecode: `0x${evm.bytecode.object}`,
        selectors: prefixValues(evm.methodIdentifiers),
      },
    ]);
  return Object.fromEntries(artifacts);
}

/** Returns the text of artifacts.json. */
export function renderArtifacts(): string {
  return `${JSON.stringify(compileContracts(evmContracts, 'prague'), null, 2)}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(artifactsFile, renderArtifacts());
}
