import { parseExact, printExact } from '../../common/json/exact.ts';
import type { Json, JsonObject } from '../../common/json/value.ts';
import { isObject } from '../../common/json/value.ts';
import { isSame } from '../../generator/containment/canonical.ts';
import type { Contract, VerifiedMethod } from '../../generator/verify/contract.ts';
import { isFinal } from '../../generator/verify/final-results.ts';
import type { Variation } from './defect.ts';
import { errorOf, FINALIZED, type Call, type Steps, type Value } from './reference.ts';

const onCall = (
  name: string,
  change: (call: Steps['call'], contract: Contract) => (each: Call) => Value,
): Variation => ({ name, change: ({ call }, contract) => ({ call: change(call, contract) }) });

const isNull = (value: Value): boolean => 'result' in value && value.result === 'null';

/** Servers that give valid but wrong answers, or wrong errors. */
export function answerDefects(contract: Contract): readonly Variation[] {
  const shown = contract.methods.filter(
    ({ examples }) =>
      new Set(examples.flatMap(({ result, isExact }) => (isExact ? (result ?? []) : []))).size > 1,
  );
  const withNull = contract.methods.some(({ examples }) =>
    examples.some(({ result }) => result === 'null'),
  );
  const withError = contract.methods.some(({ examples }) =>
    examples.some(
      ({ error, params }) =>
        error !== undefined && contract.methods.length > 0 && params !== undefined,
    ),
  );
  const withWide = contract.methods.some(({ examples }) =>
    examples.some(({ result }) => /[[:,]\d{17,}/.test(result ?? '')),
  );
  return [
    ...[3, 5, 7].flatMap((count, index) =>
      shown.slice(index, index + 1).map((method) => everyNth(method, count)),
    ),
    ...shown
      .filter(({ immutable }) => immutable !== null)
      .slice(0, 3)
      .map(finalResultChanges),
    ...shown.slice(0, 2).map((method) => lastParamIgnored(method)),
    ...contract.methods.flatMap(memberIgnored).slice(0, 2),
    ...(withNull ? [errorInsteadOfNull] : []),
    ...(withError ? [nullInsteadOfError] : []),
    ...(withWide ? [roundedIntegers] : []),
    ...defaultIgnored(contract),
    ...errorDefects(contract),
  ];
}

/** Every nth answer of a method is that of another example. */
function everyNth({ name, examples }: VerifiedMethod, count: number): Variation {
  const results = [...new Set(examples.flatMap(({ result }) => result ?? []))];
  return {
    name: `every ${count === 3 ? '3rd' : `${count}th`} result of ${name} belongs to another call`,
    change: ({ call }) => {
      let calls = 0;
      return {
        call(each) {
          const value = call(each);
          if (each.method.name !== name || 'error' in value) return value;
          calls += 1;
          const other = results.find((result) => result !== value.result);
          return calls % count === 0 && other !== undefined ? { result: other } : value;
        },
      };
    },
  };
}

/** Every third result that no example shows is that of an example: only repeated calls differ. */
function finalResultChanges({ name, examples }: VerifiedMethod): Variation {
  const others = examples.flatMap(({ result }) => (result === 'null' ? [] : (result ?? [])));
  return {
    name: `every 3rd final result of ${name} is another one`,
    change: ({ call }) => {
      let calls = 0;
      return {
        call(each) {
          const value = call(each);
          if (each.method.name !== name || isShown(each) || 'error' in value) return value;
          if (!isFinal(each, { result: parseExact(value.result) }, BigInt(FINALIZED))) return value;
          calls += 1;
          return calls % 3 === 0 ? { result: others[0]! } : value;
        },
      };
    },
  };
}

function lastParamIgnored({ name, examples }: VerifiedMethod): Variation {
  const first = examples.find(({ result }) => result !== undefined && result !== 'null')!;
  return onCall(
    `the params of ${name} are ignored`,
    (call) => (each) => (each.method.name === name ? { result: first.result! } : call(each)),
  );
}

/** A member of a param, such as a filter, counts as left out. */
function memberIgnored({ name, examples }: VerifiedMethod): readonly Variation[] {
  const exact = examples.filter((each) => each.isExact && each.result !== undefined);
  for (const { params } of exact.filter((each) => Array.isArray(each.params))) {
    for (const [index, param] of (params as readonly Json[]).entries()) {
      for (const key of isObject(param) ? Object.keys(param) : []) {
        const strip = (values: readonly Json[]): readonly Json[] =>
          values.map((each, at) => (at === index && isObject(each) ? without(each, key) : each));
        const stripped = strip(params as readonly Json[]);
        if (examples.some((each) => isSame(each.params, stripped))) continue;
        return [
          onCall(
            `${key} of ${name} is ignored`,
            (call) => (each) =>
              each.method.name === name && Array.isArray(each.params)
                ? call({ ...each, params: strip(each.params as readonly Json[]) })
                : call(each),
          ),
        ];
      }
    }
  }
  return [];
}

const errorInsteadOfNull = onCall('an error instead of null', (call, contract) => (each) => {
  const value = call(each);
  const code =
    [...each.method.errorCodes].find((each) => each < -32_700 || each > -32_600) ?? -32_000;
  return isNull(value) ? { error: errorOf(contract, code, 'node_error').error } : value;
});

const nullInsteadOfError = onCall('null instead of an error', (call) => (each) => {
  const value = call(each);
  return 'error' in value ? { result: 'null' } : value;
});

const roundedIntegers = onCall('integers beyond 2^53 lose digits', (call) => (each) => {
  const value = call(each);
  return 'error' in value ? value : { result: JSON.stringify(JSON.parse(value.result)) };
});

/** An omitted param counts as another value than its default. */
function defaultIgnored({ methods, resolve }: Contract): readonly Variation[] {
  for (const method of methods) {
    for (const [index, { schema, required }] of method.params.entries()) {
      const resolved = resolve(schema).schema;
      const hasDefault = isObject(resolved) && resolved['default'] !== undefined;
      const has = method.examples.some(
        ({ params }) => Array.isArray(params) && params.length >= index,
      );
      if (required || !hasDefault || !has || method.paramStructure === 'by-name') continue;
      const name = `the default of ${method.name} ${method.params[index]!.name} is not applied`;
      return [
        onCall(name, (call) => (each) => {
          const params = each.params as readonly Json[];
          if (each.method.name !== method.name || params.length > index) return call(each);
          const last = resolved['enum'];
          const other = Array.isArray(last) ? (last.at(-1) as Json) : 'earliest';
          const filled = [
            ...params,
            ...Array.from({ length: index - params.length }, () => null),
            other,
          ];
          return call({ ...each, params: filled });
        }),
      ];
    }
  }
  return [];
}

function errorDefects(contract: Contract): readonly Variation[] {
  const target = contract.methods.find(({ params }) => params.some(({ required }) => required))!;
  const onRefused = (name: string, change: (error: JsonObject) => Value): Variation => ({
    name,
    change: ({ reply }) => ({
      reply(request, transport) {
        const answer = reply(request, transport);
        const isRefused =
          answer !== undefined && 'error' in answer.value && answer.value.error.code === -32_602;
        if (!isRefused) return answer;
        const { error } = answer.value as unknown as { error: JsonObject };
        return { ...answer, value: change(error) };
      },
    }),
  });
  const asValue = (error: JsonObject): Value => ({ error: error as never });
  const catalog = contract.errors.some(({ code, data }) => code === -32_602 && data !== null);
  const hasCodes = [...target.errorCodes].length > 0;
  return [
    onRefused('-32603 for invalid params', (error) => asValue({ ...error, code: -32_603 })),
    onRefused('-32600 for invalid params', (error) => asValue({ ...error, code: -32_600 })),
    onRefused('null for invalid params', () => ({ result: 'null' })),
    onRefused('an error without a message', (error) => asValue(without(error, 'message'))),
    onRefused('an error code as a text', (error) =>
      asValue({ ...error, code: String(error['code']) }),
    ),
    onRefused('a text instead of an error', (error) => asValue(error['message'] as never)),
    ...(catalog
      ? [
          onRefused('an undeclared reason', (error) =>
            asValue({ ...error, data: { reason: 'other' } }),
          ),
          onRefused('an error without its data', (error) => asValue(without(error, 'data'))),
        ]
      : []),
    onCall(
      `valid params of ${target.name} are refused`,
      (call) => (each) =>
        each.method.name === target.name
          ? { error: errorOf(contract, -32_602, 'invalid_params').error }
          : call(each),
    ),
    ...(hasCodes
      ? [
          onCall(
            `an undeclared error of ${target.name}`,
            (call) => (each) =>
              each.method.name === target.name && !isShown(each)
                ? { error: { code: -31_999, message: 'undeclared' } }
                : call(each),
          ),
        ]
      : []),
  ];
}

function without(error: JsonObject, key: string): JsonObject {
  return Object.fromEntries(Object.entries(error).filter(([name]) => name !== key));
}

function isShown({ method, params }: Call): boolean {
  const text = printExact(params);
  return method.examples.some((example) => printExact(example.params) === text);
}
