import { cutText, listNames } from './expected.js';
import { TooManyCallsError, validateBounded } from './helpers.js';
import { nearestName } from './nearest-name.js';
import { nullRemover } from './nulls.js';
import { violationsOf } from './violations.js';

const VALID = Object.freeze([]);

/** No more params are checked after this many violations: a method may have any number of params. */
const MAX_VIOLATIONS = 100;

/** Returns the check of a method's result. `validate` is null when any value is valid. */
export function checkResult(validate, facts) {
  if (validate === null) return () => VALID;
  return (value) => {
    const errors = errorsOf(validate, value);
    if (errors === null) return VALID;
    return violationsOf(errors, { facts, value, label: 'result', pointer: '', param: null });
  };
}

/**
 * Returns the check of a method's `params`, an array or an object as `structure` allows: their number,
 * names and schemas. Missing params count as an empty array. `nulls` lists the nulls that mean "absent";
 * `withoutNulls` of the check drops them.
 */
export function checkParams(structure, params, facts, nulls) {
  // JSON arrays have no holes: null stands for an omitted parameter before a required one.
  const lastRequired = params.findLastIndex(([, isRequired]) => isRequired);

  const names = params.map(([name]) => name);
  const known = new Set(names);
  const normalize = nulls === undefined ? (value) => value : nullRemover(nulls, names);

  function checkOne(index, value, pointer) {
    const [name, , validate] = params[index];
    const errors = validate === null ? null : errorsOf(validate, value);
    if (errors === null) return VALID;
    return violationsOf(errors, { facts, value, label: name, pointer, param: name });
  }

  function checkPosition(index, values) {
    const [, isRequired] = params[index];
    if (index >= values.length) return isRequired ? [missing(params[index], `/${index}`)] : VALID;
    const isSkipped = !isRequired && index < lastRequired && values[index] === null;
    return isSkipped ? VALID : checkOne(index, values[index], `/${index}`);
  }

  function checkName(index, values) {
    const [name, isRequired] = params[index];
    if (Object.hasOwn(values, name)) return checkOne(index, values[name], pointerTo(name));
    return isRequired ? [missing(params[index], pointerTo(name))] : VALID;
  }

  function checkArray(values) {
    let found = VALID;
    for (let index = 0; index < params.length && found.length < MAX_VIOLATIONS; index += 1) {
      const violations = checkPosition(index, values);
      if (violations.length > 0) found = found.concat(violations);
    }
    return values.length > params.length ? [...found, tooMany(params, values.length)] : found;
  }

  function checkObject(values) {
    let found = VALID;
    for (let index = 0; index < params.length && found.length < MAX_VIOLATIONS; index += 1) {
      const violations = checkName(index, values);
      if (violations.length > 0) found = found.concat(violations);
    }
    const unknown = Object.keys(values).find((key) => !known.has(key));
    return unknown === undefined ? found : [...found, unknownName(unknown, names)];
  }

  function check(given = VALID) {
    const value = normalize(given);
    if (Array.isArray(value)) {
      return structure === 'by-name' ? [wrongStructure(structure)] : checkArray(value);
    }
    const isObject = typeof value === 'object' && value !== null;
    return isObject && structure !== 'by-position'
      ? checkObject(value)
      : [wrongStructure(structure)];
  }

  return Object.assign(check, { withoutNulls: normalize });
}

function errorsOf(validate, value) {
  try {
    return validateBounded(validate, value);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    // Otherwise the value or a recursive schema is nested too deeply for the stack.
    const keyword = error instanceof TooManyCallsError ? 'complexity' : 'depth';
    return [{ instancePath: '', schemaPath: `/${keyword}`, keyword, params: {} }];
  }
}

function missing([name, , , words], pointer) {
  const expected = words === null ? null : cutText(words);
  const what = expected === null ? 'missing' : `missing; expected ${expected}`;
  return {
    pointer,
    param: name,
    keyword: 'required',
    expected: expected ?? 'a value',
    message: `${name}: ${what}`,
  };
}

function tooMany(params, length) {
  const expected = `at most ${params.length} parameter${params.length === 1 ? '' : 's'}`;
  const message = `params: expected ${expected}, got ${length}`;
  return { pointer: `/${params.length}`, param: null, keyword: 'maxItems', expected, message };
}

function unknownName(name, names) {
  const suggestion = nearestName(name, names);
  const expected = names.length === 0 ? 'no parameters' : cutText(`one of ${listNames(names)}`);
  const hint = suggestion === null ? `expected ${expected}` : `did you mean "${suggestion}"?`;
  const message = `params.${name.slice(0, 40)}: unknown; ${hint}`;
  const keyword = 'additionalProperties';
  return { pointer: pointerTo(name), param: null, keyword, expected, message };
}

const STRUCTURES = {
  'by-position': 'a positional array of parameters',
  'by-name': 'an object of parameters by name',
  either: 'parameters as a positional array or as an object by name',
};

function wrongStructure(structure) {
  const expected = STRUCTURES[structure];
  return {
    pointer: '',
    param: null,
    keyword: 'type',
    expected,
    message: `params: expected ${expected}`,
  };
}

function pointerTo(name) {
  return `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
