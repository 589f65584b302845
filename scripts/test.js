// `npm test`: what can be told of the sources without running them (style, types, whether what was
// generated fits the document) beside the tests, which leave a part of the machine to it. Arguments
// are those of vitest. Ends with 0 when nothing at all is wrong.
import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { text } from 'node:stream/consumers';

const CHECKS = ['lint', 'typecheck', 'specgate -- check'];
/** Tests that look at the clock come first. */
const LOW_PRIORITY = 10;

const codeOf = (child) => new Promise((resolve) => child.once('close', resolve));

/** Runs a script of package.json; what it says is printed when it has ended. */
async function check(name) {
  const child = spawn(`npm run -s ${name} 2>&1`, { shell: true, stdio: ['ignore', 'pipe', 2] });
  setPriority(child.pid, LOW_PRIORITY);
  const code = codeOf(child);
  const told = await text(child.stdout);
  return { name, told, isClean: (await code) === 0 };
}

const vitest = spawn('vitest', ['run', ...process.argv.slice(2)], { stdio: 'inherit' });
const [tests, ...checks] = await Promise.all([codeOf(vitest), ...CHECKS.map(check)]);
for (const { name, told, isClean } of checks) {
  process.stdout.write(`\nnpm run -s ${name}: ${isClean ? 'clean' : 'failed'}\n${told}`);
}
process.exitCode = tests === 0 && checks.every(({ isClean }) => isClean) ? 0 : 1;
