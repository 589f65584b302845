import { isNode, LineCounter, visit, type Document } from 'yaml';
import { parseExact, printBigInts } from '../../common/json/exact.ts';
import type { Json } from '../../common/json/value.ts';
import { resolveAliases } from './aliases.ts';
import { locateYaml } from './locate-yaml.ts';
import {
  findRepeatedInYaml,
  findNotInJson,
  pointerTooDeep,
  refuse,
  refuseRepeated,
  syntaxProblem,
  tooDeep,
  type OnRepeated,
} from './problems.ts';
import type { Position, SourceText } from './source.ts';
import { parseTree, type YamlError } from './yaml-tree.ts';

/**
 * Parses the YAML text of a document, as JSON.
 *
 * @throws DocumentError for every syntax error and every tag that JSON does not have, or for repeated
 *   names, numbers out of range, a second document, circular aliases, or nesting that is too deep
 */
export function parseYaml(source: SourceText, text: string, onRepeated?: OnRepeated): Json {
  const lines = new LineCounter();
  const positionOf = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const { tree, errors } = withinStack(source, () => parseTree(text, lines));
  const overflow = errors.find(({ message }) => /call stack/i.test(message));
  if (overflow !== undefined) throw tooDeep(source, positionOf(overflow.offset));
  const [tags, others] = [errors.filter(isAboutTag), errors.filter((each) => !isAboutTag(each))];
  const syntax = others.filter((error) => !isEmptyDocument(error, text));
  refuse(source, syntax.map(describeError), positionOf);
  refuse(source, tags.map(tagProblem), positionOf);
  refuseRepeated(source, findRepeatedInYaml(tree, positionOf), { positionOf, onRepeated });
  refuse(source, findNotInJson(tree), positionOf);
  const value = withinStack(source, () => {
    try {
      resolveAliases(tree);
      // Through JSON text, so that aliases become copies and nothing but JSON is left.
      return parseExact(printBigInts(tree.toJS()) ?? 'null');
    } catch (error) {
      if (!(error instanceof RangeError)) refuse(source, [aliasProblem(tree, error)], positionOf);
      throw error;
    }
  });
  const pointer = pointerTooDeep(value);
  if (pointer !== null) throw tooDeep(source, locateYaml(tree, pointer, lines));
  return value;
}

// The YAML library recurses: deep nesting overflows the stack.
function withinStack<T>(source: SourceText, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep(source, { line: 1, column: 1 });
    throw error;
  }
}

/** Explains why a tree with valid syntax is not JSON: circular aliases, or too many of them. */
function aliasProblem(tree: Document, error: unknown) {
  let offset: number | undefined;
  visit(tree, {
    Alias(_, alias, path) {
      const target = alias.resolve(tree);
      if (target === undefined || !path.some((each) => isNode(each) && each === target)) return;
      offset = alias.range?.[0] ?? 0;
      return visit.BREAK;
    },
  });
  if (offset !== undefined) {
    return {
      message: 'this alias refers to a node that contains it, which JSON cannot express',
      fix: 'move the schema to components.schemas and refer to it by $ref',
      offset,
    };
  }
  const reason = (error as Error).message.split('\n')[0]!;
  const message = `cannot be converted to JSON: ${reason.charAt(0).toLowerCase()}${reason.slice(1)}`;
  return { message, fix: 'replace the aliases with their values', offset: 0 };
}

/** A line without content: the mark of a document's start or end, a comment, or nothing. */
const EMPTY_LINE = /^(?:---|\.\.\.)?(?:(?:^|[ \t])[ \t]*#.*|[ \t]*)$/;

/**
 * Checks for a second document that is empty (YAML 1.2.2, 9.1.4): tools that concatenate files leave a
 * "---" at the end.
 */
function isEmptyDocument({ code, offset }: YamlError, text: string): boolean {
  if (code !== 'MULTIPLE_DOCS') return false;
  const rest = text.slice(offset).split(/\r?\n/);
  return rest.every((line) => EMPTY_LINE.test(line));
}

function isAboutTag({ code }: YamlError): boolean {
  return code === 'TAG_RESOLVE_FAILED';
}

function tagProblem({ message, offset }: YamlError) {
  const tag = message.replace(/^Unresolved tag: /, '').replace(/^tag:yaml\.org,2002:/, '!!');
  const fix = 'remove the tag, or write the value as in JSON';
  return { message: `this value with the tag ${tag} cannot be represented in JSON`, fix, offset };
}

function describeError({ code, message, offset }: YamlError) {
  if (code !== 'MULTIPLE_DOCS') return syntaxProblem('YAML', message, offset);
  return {
    message: 'expected one YAML document, but a second one begins here',
    fix: 'put each in its own file, or remove the "---" before it',
    offset,
  };
}
