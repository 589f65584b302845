import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const root = fileURLToPath(new URL('../..', import.meta.url));

export interface Step {
  readonly name: string;
  readonly id?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly shell?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Action {
  readonly name: string;
  readonly description: string;
  readonly inputs: Readonly<Record<string, { description: string; default: string }>>;
  readonly outputs: Readonly<Record<string, { description: string; value: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

export const action = parse(readFileSync(join(root, 'action.yml'), 'utf8')) as Action;

export interface Ran {
  /** Exit code by the name of the step. */
  readonly codes: Readonly<Record<string, number | null>>;
  readonly log: string;
  /** What went to the files of the job's summary and the step's outputs. */
  readonly summary: string;
  readonly output: string;
}

/**
 * Runs the shell steps of the action as GitHub does: each in a bash that stops at an error, with the
 * variables of the runner and the inputs in its environment. All of them run, whatever the others give.
 */
export function runAction(workspace: string, inputs: Readonly<Record<string, string>>): Ran {
  const files = mkdtempSync(join(tmpdir(), 'specgate-action-'));
  const [summary, output] = [join(files, 'summary'), join(files, 'output')];
  for (const file of [summary, output]) writeFileSync(file, '');
  try {
    const codes: Record<string, number | null> = {};
    let log = '';
    for (const { name, run, env = {} } of action.runs.steps) {
      if (run === undefined) continue;
      const script = join(files, 'step.sh');
      writeFileSync(script, run);
      const { status, stdout, stderr } = spawnSync(
        'bash',
        ['--noprofile', '--norc', '-eo', 'pipefail', script],
        {
          cwd: workspace,
          encoding: 'utf8',
          timeout: 60_000,
          env: {
            PATH: process.env['PATH'],
            NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
            HOME: files,
            GITHUB_ACTIONS: 'true',
            GITHUB_WORKSPACE: workspace,
            GITHUB_ACTION_PATH: root,
            GITHUB_STEP_SUMMARY: summary,
            GITHUB_OUTPUT: output,
            ...Object.fromEntries(
              Object.entries(env).map(([key, text]) => [key, evaluate(text, inputs)]),
            ),
          },
        },
      );
      codes[name] = status;
      log += `${stdout}${stderr}`;
    }
    return {
      codes,
      log,
      summary: readFileSync(summary, 'utf8'),
      output: readFileSync(output, 'utf8'),
    };
  } finally {
    rmSync(files, { recursive: true, force: true });
  }
}

/** `${{ inputs.x }}`, the only expression that steps put into their environment. */
function evaluate(text: string, inputs: Readonly<Record<string, string>>): string {
  const name = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(text)?.[1];
  if (name === undefined) throw new Error(`the test cannot evaluate ${text}`);
  const given = inputs[name] ?? action.inputs[name]!.default;
  return given.startsWith('${{') ? '' : given;
}

/** Runs git in a folder, as someone, whatever the machine's configuration is. */
export function git(folder: string, ...args: readonly string[]): string {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.org'];
  const env = { PATH: process.env['PATH'], GIT_CONFIG_GLOBAL: '/dev/null', HOME: folder };
  const options = { cwd: folder, encoding: 'utf8', env } as const;
  return execFileSync('git', [...identity, ...args], options).trim();
}
