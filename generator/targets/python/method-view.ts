import { pythonString } from '../../../common/escape/python.ts';
import { onOneLine } from '../../../common/escape/text.ts';
import { splitPointer } from '../../../common/json/pointer.ts';
import type { ErrorModel, MethodModel, Model, ParamModel } from '../../model/model.ts';
import { describeThrown } from '../client-view/errors.ts';
import {
  aboutOf,
  costText,
  creditsOf,
  readResultCases,
  type ResultCase,
  textsOf,
} from '../client-view/methods.ts';
import { classCase, nameParameters } from './names.ts';
import { docstring } from './docstring.ts';
import { isLiteral, plainLiteral, pythonLiteral } from './literal.ts';
import { ANY, NONE, printType, type PythonType, unionOf } from './types/python-type.ts';
import type { TypeWriter } from './types/type-writer.ts';

interface Parameter {
  readonly name: string;
  readonly type: PythonType;
  readonly param: ParamModel;
  readonly hasDefault: boolean;
}

interface Signature {
  readonly types: readonly string[];
  readonly result: string;
}

const WIDTH = 100;
const OMIT: PythonType = { text: 'Omit' };

/** Returns the view of a method; its texts are Python code. */
export function viewMethod(
  method: MethodModel,
  identifier: string,
  context: {
    readonly model: Model;
    readonly types: TypeWriter;
    readonly classNames: ReadonlyMap<ErrorModel, string>;
  },
) {
  const { model, types, classNames } = context;
  const parameters = parametersOf(method, types);
  const names = parameters.map(({ name }) => name);
  const result = resultOf(method, types);
  const cases = casesOf(method, parameters, types);
  const plain: Signature = {
    types: parameters.map(({ type }) => printType(type)),
    // Type checkers require the general result to include that of every overload.
    result: printType(unionOf([result, ...cases.map((each) => each.type)])),
  };
  const overloads = cases.map(({ signature }) => signature);
  const timeout = freeName('timeout', names);
  const answer = freeName('result', names);
  const doc = documentMethod(method, describeThrown(method, model, classNames), { names, timeout });
  const call = `self._call(ROUTES[${pythonString(method.name)}], ${tupleOf(names)}, ${timeout})`;
  const header = (start: string, signature: Signature): string =>
    writeHeader(`    ${start} ${identifier}`, signature, {
      timeout,
      parameters,
      isNamed: method.paramStructure === 'by-name',
    });
  const write = (start: string, value: string): string =>
    [
      ...[...overloads, ...(overloads.length > 0 ? [plain] : [])].map(
        (each) => `    @overload\n${header(start, each)} ...\n\n`,
      ),
      `${header(start, plain)}\n${doc}`,
      // Notifications return it too: `with_response` and batches replace the result of `_call`.
      `        ${answer}: ${plain.result} = ${value}\n        return ${answer}\n`,
    ].join('');
  const credits = creditsOf(method);
  return {
    identifier,
    name: pythonString(method.name),
    result: plain.result,
    route: writeRoute(method, credits),
    credits: plainLiteral(credits),
    isPriced: credits !== null,
    blocking: write('def', call),
    asyncio: write('async def', `await ${call}`),
    types: [...parameters.map(({ type }) => type), result, ...cases.map(({ type }) => type)],
  };
}

function parametersOf(method: MethodModel, types: TypeWriter): readonly Parameter[] {
  const names = nameParameters(method);
  const isNamed = method.paramStructure === 'by-name';
  const lastRequired = method.params.findLastIndex(({ required }) => required);
  return method.params.map((param, index) => {
    const own = types.typeOf(param.schema, method.typeName + classCase(param.name));
    const isAny = 'text' in own && own.text === 'Any';
    return {
      name: names.get(param)!,
      type: param.required || isAny ? own : unionOf([own, OMIT]),
      param,
      // Python allows no default before a parameter without one: callers pass OMIT there.
      hasDefault: !param.required && (isNamed || index > lastRequired),
    };
  });
}

function resultOf(method: MethodModel, types: TypeWriter): PythonType {
  if (method.result === null) return NONE;
  const { schema, summary, description } = method.result;
  const type = types.typeOf(schema, method.resultType);
  if ('ref' in type && type.ref === method.resultType) return type;
  const declared = { ref: types.declare(schema, method.resultType, description || summary) };
  // Type checkers treat a function that returns Never as one that does not return.
  return types.isNever(declared) ? ANY : declared;
}

/** Returns the results that depend on a param's literal value, or on whether it is omitted. */
function casesOf(
  method: MethodModel,
  parameters: readonly Parameter[],
  types: TypeWriter,
): readonly { readonly signature: Signature; readonly type: PythonType }[] {
  return readResultCases(method).flatMap((each) => {
    const deciding = decide(each, parameters);
    if (deciding === null) return [];
    const type = types.typeOf(each.schema, `${method.typeName}Case`);
    const signature = {
      types: parameters.map((own, index) => deciding.get(index) ?? printType(own.type)),
      result: printType(type),
    };
    return [{ signature, type }];
  });
}

/** Returns the types of the params of a case by position; null if Python cannot express it. */
function decide(
  { when }: ResultCase,
  parameters: readonly Parameter[],
): ReadonlyMap<number, string> | null {
  const deciding = new Map<number, string>();
  for (const [pointer, values] of when) {
    const [first = '', ...deeper] = splitPointer(pointer);
    const parameter = parameters[Number(first)];
    if (parameter === undefined) return null;
    const literals = deeper.length === 0 ? values.filter((value) => value !== null) : [];
    const isTyped = literals.length > 0 && literals.every(isLiteral);
    const isOmitted = values.includes(null) && !parameter.param.required;
    if (!isTyped && !isOmitted) return null;
    const types = isTyped ? [`Literal[${literals.map(pythonLiteral).join(', ')}]`] : [];
    deciding.set(Number(first), [...types, ...(isOmitted ? ['Omit'] : [])].join(' | '));
  }
  return deciding;
}

function writeHeader(
  start: string,
  { types, result }: Signature,
  how: {
    readonly timeout: string;
    readonly parameters: readonly Parameter[];
    readonly isNamed: boolean;
  },
): string {
  const { parameters, isNamed } = how;
  const canOmit = types.map(
    (type, index) => parameters[index]!.hasDefault && /\bOmit\b|^Any$/.test(type),
  );
  const own = types.map((type, index) => {
    const isLast = isNamed || canOmit.slice(index).every(Boolean);
    const fallback = canOmit[index] === true && isLast ? ' = OMIT' : '';
    return `${parameters[index]!.name}: ${type}${fallback}`;
  });
  const timeout = `${how.timeout}: float | None = None`;
  const list = isNamed ? ['self', '*', ...own, timeout] : ['self', ...own, '*', timeout];
  const line = `${start}(${list.join(', ')}) -> ${result}:`;
  if (line.length <= WIDTH) return line;
  return `${start}(\n${list.map((each) => `        ${each},\n`).join('')}    ) -> ${result}:`;
}

function writeRoute(
  { name, params, paramStructure, result, extensions }: MethodModel,
  credits: number | null,
): string {
  const names = params.map((param) => pythonString(param.name));
  const members = [
    pythonString(name),
    tupleOf(names),
    pythonString(paramStructure),
    ...(credits === null ? [] : [`credits=${plainLiteral(credits)}`]),
    ...(extensions['x-read-only'] === true ? ['reads=True'] : []),
    ...(result === null ? ['notification=True'] : []),
  ];
  return `Route(${members.join(', ')})`;
}

function tupleOf(items: readonly string[]): string {
  return items.length === 1 ? `(${items[0]},)` : `(${items.join(', ')})`;
}

/** Returns a name that differs from the method's parameters. */
function freeName(wanted: string, taken: readonly string[]): string {
  let name = wanted;
  while (taken.includes(name)) name = `call_${name}`;
  return name;
}

function documentMethod(
  method: MethodModel,
  thrown: ReturnType<typeof describeThrown>,
  { names, timeout }: { readonly names: readonly string[]; readonly timeout: string },
): string {
  const { deprecated, params, result, externalDocs } = method;
  const [summary, description] = textsOf(method);
  const link = externalDocs?.['url'];
  const raised = thrown.map((each) => `${each.names.join(', ') || 'RpcError'}: ${each.what}`);
  const returned = result === null ? [] : [aboutOf(result)];
  return docstring(
    [
      summary,
      deprecated ? 'Deprecated.' : '',
      description,
      costText(method),
      section('Args', [
        ...params.flatMap((param, index) => {
          const about = aboutOf(param);
          return about === '' ? [] : [`${names[index]}: ${about}`];
        }),
        `${timeout}: Timeout of this call in seconds. Replaces the client's.`,
      ]),
      section('Returns', returned),
      section('Raises', raised),
      typeof link === 'string' ? `See ${onOneLine(link)}` : '',
    ],
    '        ',
  );
}

function section(title: string, lines: readonly string[]): string {
  const kept = lines.filter((line) => line !== '');
  return kept.length === 0 ? '' : [`${title}:`, ...kept.map((line) => `    ${line}`)].join('\n');
}
