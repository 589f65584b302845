// `npm test`: runs the tests and, in parallel, the linter, the type checker and the drift check.
// Arguments are passed to vitest. Exits with 0 when all of them succeed.
import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { text } from 'node:stream/consumers';

// The tests occupy all cores: threads of the compiler would only repeat work.
const CHECKS = ['lint', 'typecheck -- --singleThreaded', 'specgate -- check'];
/** Priority of the checks, below that of the tests, which take longer. */
const LOW_PRIORITY = 10;

const codeOf = (child) => new Promise((resolve) => child.once('close', resolve));

/** Runs a script of package.json and collects its output. */
async function check(name) {
  const child = spawn(`npm run -s ${name} 2>&1`, { shell: true, stdio: ['ignore', 'pipe', 2] });
  setPriority(child.pid, LOW_PRIORITY);
  const code = codeOf(child);
  const output = await text(child.stdout);
  return { name, output, isClean: (await code) === 0 };
}

const vitest = spawn('vitest', ['run', ...process.argv.slice(2)], { stdio: 'inherit' });
const [tests, ...checks] = await Promise.all([codeOf(vitest), ...CHECKS.map(check)]);
for (const { name, output, isClean } of checks) {
  process.stdout.write(`\nnpm run -s ${name}: ${isClean ? 'clean' : 'failed'}\n${output}`);
}
process.exitCode = tests === 0 && checks.every(({ isClean }) => isClean) ? 0 : 1;
