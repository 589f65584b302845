// A value that matches no branch of a oneOf or anyOf has the errors of all branches. Only those of the
// branch it was meant to match help. The validators record how many errors each branch reported.

/** Replaces the errors of every union by those of the branch that fits best. */
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
    // A branch may have more errors than a call may have arguments.
    for (const each of unionErrors(error, branchErrors(errors, branches, first)).reverse()) {
      kept.push(each);
    }
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
const RULE = 10;

// An error of one of these keywords means that the value is of a different kind than the branch.
const KIND = new Set(['type', 'const', 'enum', 'pattern', 'format', 'false schema']);

// A branch is farthest when the value is of a different kind, far when a discriminating constant
// differs, nearer when a rule of the whole value fails, and nearest when only members are wrong, however
// many they are.
function distanceOf(branch, path) {
  let distance = 0;
  let members = 0;
  for (const error of branch) {
    const depth = error.instancePath.slice(path.length).split('/').length - 1;
    if (depth === 0) distance += KIND.has(error.keyword) ? WRONG_KIND : RULE;
    else if (depth === 1 && (error.keyword === 'const' || error.keyword === 'enum')) distance += 50;
    else members += 1;
  }
  return distance + (members < RULE ? members : RULE - 1 / members);
}
