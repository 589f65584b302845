import { type Diagnostic, DocumentError, unusable } from '../../common/diagnostic.ts';
import type { BeyondNumber } from './beyond-numbers.ts';
import { TOO_DEEP } from './depth.ts';
import type { RepeatedName } from './repeated-names.ts';
import type { Position, SourceText } from './source.ts';

/** @throws DocumentError for names that stand in an object twice */
export function refuseRepeated(
  { name: file }: SourceText,
  repeated: readonly RepeatedName[],
  positionOf: (offset: number) => Position,
): void {
  if (repeated.length === 0) return;
  throw new DocumentError(
    repeated.map(({ name, pointer, offset, firstOffset }) => {
      const first = positionOf(firstOffset);
      const message = `${JSON.stringify(name)} is in this object already (at ${first.line}:${first.column})`;
      const fix = 'keep one of them: readers of JSON differ in which one counts';
      return unusable({ file, ...positionOf(offset), pointer }, { message, fix });
    }),
  );
}

/** @throws DocumentError for numbers that cannot be held, and would silently become infinite */
export function refuseBeyond(
  source: SourceText,
  beyond: readonly BeyondNumber[],
  positionOf: (offset: number) => Position,
): void {
  if (beyond.length === 0) return;
  const fix = 'write one below 1.8e308, or leave the bound out';
  throw new DocumentError(
    beyond.map(({ written, offset }) => {
      const message = `${shorten(written)} cannot be represented in JSON`;
      return unusable(
        { file: source.name, ...positionOf(offset), pointer: null },
        { message, fix },
      );
    }),
  );
}

function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 37)}…` : text;
}

export function tooDeep(source: SourceText, position: Position): DocumentError {
  return new DocumentError([unusable({ file: source.name, ...position, pointer: null }, TOO_DEEP)]);
}

export function syntaxProblem(source: SourceText, message: string, position: Position): Diagnostic {
  const fix = 'correct the syntax there';
  return unusable({ file: source.name, ...position, pointer: null }, { message, fix });
}

/** A message of another's as the end of a sentence. */
export function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
