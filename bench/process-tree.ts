// CPU time of programs that are not Node or have several processes; from /proc, which Linux has.
import { existsSync, readdirSync, readFileSync } from 'node:fs';

const NS_PER_US = 1000;

export const canMeterTrees = existsSync('/proc/self/schedstat');

/** CPU time of a process and its descendants in microseconds. */
export function cpuOfTree_us(pid: number): number {
  const children = childrenByParent();
  const tree = [pid];
  for (const parent of tree) tree.push(...(children.get(parent) ?? []));
  return tree.reduce((sum, each) => sum + cpuOf_us(each), 0);
}

function childrenByParent(): ReadonlyMap<number, readonly number[]> {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    // The name of the program, in parentheses, may contain spaces.
    const parent = Number(/.*\) \S (\d+)/.exec(read(`/proc/${name}/stat`))?.[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  return children;
}

function cpuOf_us(pid: number): number {
  const threads = existsSync(`/proc/${pid}/task`) ? readdirSync(`/proc/${pid}/task`) : [];
  return threads.reduce((sum, thread) => {
    const [onCpu_ns] = read(`/proc/${pid}/task/${thread}/schedstat`).split(' ');
    return sum + Number(onCpu_ns) / NS_PER_US;
  }, 0);
}

/** Returns '' for a process that has ended in the meantime. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
