/** A client package, packed by npm and installed into an empty project. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const bin = join(root, 'node_modules/.bin');
const TIMEOUT_MS = 60_000;

export interface Project extends AsyncDisposable {
  readonly folder: string;
  /** The package's folder in it. */
  readonly installed: string;
  readonly tarball: Uint8Array;
  write(file: string, text: string): Promise<void>;
  /** Runs a program in the folder; returns its output, with stderr if it fails. */
  run(program: string, ...args: readonly string[]): Promise<string>;
}

/** Packs the client of openrpc.json and installs it into a new project, without a network. */
export async function installClient(): Promise<Project> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'specgate-partner-')));
  const execute = async (cwd: string, program: string, args: readonly string[]) => {
    const path = [bin, dirname(process.execPath), process.env['PATH']].join(delimiter);
    try {
      const options = { cwd, timeout: TIMEOUT_MS, env: { ...process.env, PATH: path } };
      return (await run(program, args, options)).stdout;
    } catch (error) {
      const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
      return `${stdout}${stderr}` || String(error);
    }
  };
  await cp(join(root, 'generated/client'), join(folder, 'package'), { recursive: true });
  const packed = await execute(join(folder, 'package'), 'npm', ['pack', '--json', '--offline']);
  const [{ filename, name }] = JSON.parse(packed.slice(packed.indexOf('['))) as [
    { filename: string; name: string },
  ];
  const tarball = join(folder, 'package', filename);
  const project = join(folder, 'project');
  await mkdir(project);
  await writeFile(join(project, 'package.json'), '{ "private": true, "type": "module" }\n');
  await execute(project, 'npm', ['install', tarball, '--offline', '--no-audit', '--no-fund']);
  return {
    folder: project,
    installed: join(project, 'node_modules', name),
    tarball: await readFile(tarball),
    write: (file, text) => writeFile(join(project, file), text),
    run: (program, ...args) => execute(project, program, args),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
