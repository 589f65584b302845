import { pythonString } from '../../../common/escape/python.ts';
import { splitPointer } from '../../../common/json/pointer.ts';
import type { Json } from '../../../common/json/value.ts';
import type { MethodModel, ParamModel } from '../../model/model.ts';
import { creditsOf } from '../client/credits.ts';
import type { ErrorClass } from '../client/error-classes.ts';
import { readResultCases, type ResultCase } from '../client/result-cases.ts';
import { classCase } from './casing.ts';
import { isLiteral, plainLiteral, pythonLiteral } from './literal.ts';
import { documentMethod } from './method-doc.ts';
import { nameParameters } from './names.ts';
import { ANY, printType, type PythonType, unionOf } from './types/python-type.ts';
import type { TypeWriter } from './types/type-writer.ts';

/** What the templates are told of a method; all Python as text. */
export interface MethodView {
  readonly identifier: string;
  /** The wire's name as a literal. */
  readonly name: string;
  /** The type of the result, whatever the params. */
  readonly result: string;
  readonly route: string;
  readonly credits: string;
  readonly isPriced: boolean;
  /** The method of each kind of client, with what decides its result, and its docstring. */
  readonly blocking: string;
  readonly asyncio: string;
  /** Every type the signatures name. */
  readonly types: readonly PythonType[];
}

interface Parameter {
  readonly name: string;
  readonly type: PythonType;
  readonly param: ParamModel;
  readonly hasDefault: boolean;
}

interface Signature {
  readonly parameters: readonly { readonly name: string; readonly type: string }[];
  readonly result: string;
}

const WIDTH = 100;
const OMIT: PythonType = { text: 'Omit' };

/** Writes a method as the templates need it. */
export function viewMethod(
  method: MethodModel,
  identifier: string,
  { types, classes }: { readonly types: TypeWriter; readonly classes: readonly ErrorClass[] },
): MethodView {
  const parameters = parametersOf(method, types);
  const result = resultOf(method, types);
  const cases = casesOf(method, parameters, types);
  const plain: Signature = {
    parameters: parameters.map(({ name, type }) => ({ name, type: printType(type) })),
    // What decides for less than all values must not give what is beyond what all give.
    result: printType(unionOf([result, ...cases.flatMap((each) => each.types)])),
  };
  const overloads = cases.map(({ signature }) => signature);
  const timeout = freeName('timeout', parameters);
  const answer = freeName('result', parameters);
  const doc = documentMethod(method, classes, {
    names: parameters.map(({ name }) => name),
    timeout,
  });
  const args = parameters.map(({ name }) => name);
  const call = `self._call(ROUTES[${pythonString(method.name)}], ${tupleOf(args)}, ${timeout})`;
  const write = (start: string, body: string): string =>
    [
      ...[...overloads, ...(overloads.length > 0 ? [plain] : [])].map(
        (each) => `    @overload\n${header(start, each)} ...\n\n`,
      ),
      `${header(start, plain)}\n${doc}${body}`,
    ].join('');
  const header = (start: string, signature: Signature): string =>
    writeHeader(`    ${start} ${identifier}`, signature, {
      timeout,
      parameters,
      isNamed: method.paramStructure === 'by-name',
    });
  // Of a notification too: on a view of the client a call gives something else.
  const bodyOf = (made: string): string =>
    `        ${answer}: ${plain.result} = ${made}\n        return ${answer}\n`;
  const credits = creditsOf(method);
  return {
    identifier,
    name: pythonString(method.name),
    result: plain.result,
    route: writeRoute(method, credits),
    credits: plainLiteral(credits),
    isPriced: credits !== null,
    blocking: write('def', bodyOf(call)),
    asyncio: write('async def', bodyOf(`await ${call}`)),
    types: [...parameters.map(({ type }) => type), result, ...cases.flatMap((each) => each.types)],
  };
}

function parametersOf(method: MethodModel, types: TypeWriter): readonly Parameter[] {
  const names = nameParameters(method);
  const isNamed = method.paramStructure === 'by-name';
  const lastRequired = method.params.findLastIndex(({ required }) => required);
  return method.params.map((param, index) => {
    const own = types.typeOf(param.schema, method.typeName + classCase(param.name));
    return {
      name: names.get(param)!,
      type: param.required ? own : optional(own),
      param,
      // Python has none before a parameter without: OMIT is passed there.
      hasDefault: !param.required && (isNamed || index > lastRequired),
    };
  });
}

function optional(type: PythonType): PythonType {
  return 'text' in type && type.text === 'Any' ? type : unionOf([type, OMIT]);
}

function resultOf(method: MethodModel, types: TypeWriter): PythonType {
  if (method.result === null) return { text: 'None' };
  const { schema, summary, description } = method.result;
  const type = types.typeOf(schema, method.resultType);
  if ('ref' in type && type.ref === method.resultType) return type;
  const declared = { ref: types.declare(schema, method.resultType, description || summary) };
  // Python takes what gives Never for something that does not return.
  return types.isNever(declared) ? ANY : declared;
}

interface CaseView {
  readonly signature: Signature;
  readonly types: readonly PythonType[];
}

/**
 * The results that params decide (`x-result-cases`), as far as Python's types can tell: by the
 * literal value of a parameter, or by one that is left out.
 */
function casesOf(
  method: MethodModel,
  parameters: readonly Parameter[],
  types: TypeWriter,
): readonly CaseView[] {
  return readResultCases(method).flatMap((each) => {
    const deciding = decide(each, parameters);
    if (deciding === null) return [];
    const result = types.typeOf(each.schema, `${method.typeName}Case`);
    const signature = {
      parameters: parameters.map(({ name, type }, index) => ({
        name,
        type: deciding.get(index) ?? printType(type),
      })),
      result: printType(result),
    };
    return [{ signature, types: [result] }];
  });
}

/** By position the type of the parameters a case looks at; null where that is not to be told. */
function decide(
  { when }: ResultCase,
  parameters: readonly Parameter[],
): ReadonlyMap<number, string> | null {
  const deciding = new Map<number, string>();
  for (const [pointer, values] of when) {
    const [first = '', ...deeper] = splitPointer(pointer);
    const parameter = parameters[Number(first)];
    if (parameter === undefined) return null;
    const type = deeper.length === 0 ? literalType(values, parameter) : null;
    const isLeftOut = values.includes(null) && !parameter.param.required;
    if (type === null && !isLeftOut) return null;
    deciding.set(Number(first), type ?? 'Omit');
  }
  return deciding;
}

function literalType(values: readonly Json[], { param }: Parameter): string | null {
  const literals = values.filter((value) => value !== null);
  if (literals.length === 0 || !literals.every(isLiteral)) return null;
  const text = `Literal[${literals.map(pythonLiteral).join(', ')}]`;
  return values.includes(null) && !param.required ? `${text} | Omit` : text;
}

function writeHeader(
  start: string,
  { parameters, result }: Signature,
  how: {
    readonly timeout: string;
    readonly parameters: readonly Parameter[];
    readonly isNamed: boolean;
  },
): string {
  const mayOmit = parameters.map(
    ({ type }, index) => how.parameters[index]!.hasDefault && /\bOmit\b|^Any$/.test(type),
  );
  const own = parameters.map(({ name, type }, index) => {
    const isLast = how.isNamed || mayOmit.slice(index).every(Boolean);
    return `${name}: ${type}${mayOmit[index] === true && isLast ? ' = OMIT' : ''}`;
  });
  const timeout = `${how.timeout}: float | None = None`;
  const list = how.isNamed ? ['self', '*', ...own, timeout] : ['self', ...own, '*', timeout];
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

/** A name of our own in a method, beside those of its parameters. */
function freeName(wanted: string, parameters: readonly Parameter[]): string {
  const taken = new Set(parameters.map(({ name }) => name));
  let name = wanted;
  while (taken.has(name)) name = `call_${name}`;
  return name;
}
