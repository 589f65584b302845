// A value that matches no branch of a oneOf or anyOf fails all of them. What helps is what is wrong
// with the branch that was meant: the validators note how many errors each branch gave.

/** Errors of a validator with those of every union replaced by the nearest branch's. */
export function nearestErrors(errors, end = errors.length, start = 0) {
  const kept = [];
  let index = end;
  while (index > start) {
    const error = errors[index - 1];
    index -= 1;
    const branches = error.params?.branches;
    if (branches === undefined) {
      kept.push(error);
      continue;
    }
    const first = index - branches.reduce((sum, count) => sum + count, 0);
    kept.push(...unionErrors(error, branchErrors(errors, branches, first)).reverse());
    index = first;
  }
  return kept.reverse();
}

function branchErrors(errors, counts, first) {
  let from = first;
  return counts.map((count) => {
    from += count;
    return nearestErrors(errors, from, from - count);
  });
}

function unionErrors(union, branches) {
  if (union.params.passing !== null) return [union];
  const ranked = branches
    .filter((branch) => branch.length > 0)
    .map((branch) => ({ branch, distance: distanceOf(branch, union.instancePath) }))
    .sort((a, b) => a.distance - b.distance);
  const [best, second] = ranked;
  const isClear = best !== undefined && best.distance < (second?.distance ?? Infinity);
  if (isClear && best.distance < WRONG_KIND) return best.branch;
  return [{ ...union, alternatives: branches.flatMap(([first]) => first ?? []) }];
}

const WRONG_KIND = 1e9;

// Keywords that say the value is another kind of thing than the branch is about.
const KIND = new Set(['type', 'const', 'enum', 'pattern', 'format', 'false schema']);

// A branch is far when the value is of another kind altogether or another constant tells the
// branches apart, nearer when it breaks a rule of the whole, nearest when only its members differ.
function distanceOf(branch, path) {
  let distance = 0;
  for (const error of branch) {
    const depth = error.instancePath.slice(path.length).split('/').length - 1;
    if (depth === 0) distance += KIND.has(error.keyword) ? WRONG_KIND : 10;
    else if (depth === 1 && (error.keyword === 'const' || error.keyword === 'enum')) distance += 50;
    else distance += 1;
  }
  return distance;
}
