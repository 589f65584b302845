import { readFileSync } from 'node:fs';

interface Document {
  readonly methods: readonly { readonly name: string }[];
}

/** Our document with its methods over and over, under other names: as large as public ones get. */
export function largeDocument(methodCount: number): string {
  const path = new URL('../../openrpc.json', import.meta.url);
  const document = JSON.parse(readFileSync(path, 'utf8')) as Document;
  const { methods } = document;
  return JSON.stringify({
    ...document,
    methods: Array.from({ length: methodCount }, (_, index) => {
      const method = methods[index % methods.length]!;
      return { ...method, name: `${method.name}_${index}` };
    }),
  });
}
