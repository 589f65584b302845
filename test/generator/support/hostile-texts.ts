/** Documents each of whose texts tries to become code of whatever is written from them. */
import { array, constantFrom, oneof, sample } from 'fast-check';
import type { Document } from './document.ts';

/** What code of a text would leave behind: a member of a global object, or a file. */
export const CANARY = 'specgateCanary';

/** Each does nothing but leave the canary, in one of the languages that are written. */
const PAYLOADS = [
  `__import__("builtins").${CANARY} = 1`,
  `globalThis.${CANARY} = 1;`,
  `touch ${CANARY};`,
  `<script>globalThis.${CANARY} = 1</script><img src=x onerror=alert(1)>`,
];

/** What ends a line, a string, a comment, a block of code or an element, or hides what is there. */
const ENDS = [
  ['\n', '\r', '\r\n', '\f', '\v', '\u0085', '\u2028', '\u2029', '\u001c', '\u001d', '\u001e'],
  [
    '\0',
    '\u001b[2J',
    '\u007f',
    '\ufeff',
    '\u202e',
    '\u2066',
    '\u{e0041}',
    '\ud800',
    '\ud800\udb40\udc41',
  ],
  ['"', "'", '`', '"""', "'''", '\\', '\\"', "\\'", '${', '$(', '`$(', '}', '")', "')", '"]', ']('],
  [
    '*/',
    '/*',
    '/**',
    '//',
    '#',
    ';',
    '-->',
    '<!--',
    '</script>',
    '"><',
    '```',
    '~~~',
    '|',
    '@',
    '{@',
  ],
  [
    '{{this}}',
    '{{{this}}}',
    '%s',
    '\u0000wide 0',
    '&&',
    '\n\n',
    '\n#',
    '\r#',
    // An example that doctest runs, and what reStructuredText acts on.
    '\n>>> ',
    '\n\n- >>> ',
    '\n\n.. raw:: html\n\n   ',
    '\n\n* .. include:: ',
    '`a <javascript:b>`_',
    ':download:`a`',
    // Links to files, and code that a cell of a table ends.
    '[a](../../b)',
    '[a]: ../b',
    '|`a|',
    '\nfrom typing import (',
    ',',
    '²',
    // Part of identifiers of JavaScript, not of Python.
    '\u200c',
    '\u200d',
    '\u30fb',
    '__proto__',
  ],
].flat();

/** A text with every end in it, each with a payload behind; `turn` decides which comes first, and which. */
function wholeText(turn: number): string {
  return ENDS.map((_, index) => {
    const at = (index + turn) % ENDS.length;
    return `${ENDS[at]!}${PAYLOADS[(at + turn) % PAYLOADS.length]!}`;
  }).join('');
}

const part = oneof(
  { weight: 3, arbitrary: constantFrom(...ENDS) },
  { weight: 2, arbitrary: constantFrom(...PAYLOADS) },
  { weight: 1, arbitrary: constantFrom('a word', ' ', 'A', '-o', 'x') },
);

const someText = array(part, { minLength: 1, maxLength: 8 }).map((parts) => parts.join(''));

/** A member of a dictionary, which is code where a comment above one of its lines has ended. */
const quietText = `a\r"k": setattr(__import__("builtins"), "${CANARY}", 1),\r# b`;

/**
 * Descriptions that look like the start of a comment, beside names that end one and are code behind it;
 * names come from the same texts, so each has both.
 */
const commentTexts = ['/**', `*/ b: 1 }; globalThis.${CANARY} = 1; type More = { //`];

/** More than a document has. */
const TEXTS = 200;

/**
 * Returns documents with hostile texts in every string: some with the terminators of all languages, one
 * with only a carriage return, two with comments, and `count` random ones from `seed`.
 */
export function hostileDocuments(seed: number, count: number): readonly Document[] {
  const whole = PAYLOADS.map(
    (_, turn) => (slot: number) => wholeText(turn + slot * PAYLOADS.length),
  );
  const texts = array(someText, { minLength: TEXTS, maxLength: TEXTS });
  const byChance = sample(texts, { seed, numRuns: count });
  return [
    ...whole,
    () => quietText,
    ...[0, 1].map((turn) => (slot: number) => commentTexts[(slot + turn) % 2]!),
    ...byChance.map((list) => (slot: number) => list[slot % TEXTS]!),
  ].map(documentFrom);
}

/** A document that has something wherever a text is read; the texts are asked for by their number. */
function documentFrom(textOf: (slot: number) => string): Document {
  let slot = 0;
  const text = () => textOf(slot++);
  // Two of a kind may not be called the same, a name has to have a letter, and no half of a surrogate
  // pair: a document with one in the name of a member is refused.
  const name = () => `${text().toWellFormed()}k${slot}`;
  const pattern = () => text().replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
  const keys = [name(), name(), name(), name()];
  const reference = (index: number) => ({
    $ref: `#/components/schemas/${pointerToken(keys[index]!)}`,
  });
  const object = () => {
    const required = name();
    return {
      title: text(),
      description: text(),
      type: 'object',
      required: [required, name()],
      properties: {
        [required]: { type: 'string', description: text(), pattern: pattern() },
        [name()]: {
          type: 'string',
          title: text(),
          enum: [text(), `${text()}!`, { [name()]: text() }],
        },
        [name()]: { const: text(), description: text() },
        [name()]: {
          type: 'array',
          items: { type: 'object', description: text(), properties: { [name()]: reference(1) } },
        },
        plain: { type: 'integer', description: text() },
      },
      patternProperties: { [pattern().toWellFormed()]: { description: text() } },
      additionalProperties: { type: 'string', description: text() },
      default: { [name()]: text() },
      examples: [text()],
    };
  };
  const method = (more: object) => {
    const called = name();
    const [first, second] = [name(), name()];
    return {
      name: called,
      summary: text(),
      description: text(),
      tags: [{ name: text(), summary: text(), description: text() }],
      externalDocs: { url: text(), description: text() },
      params: [
        { name: first, summary: text(), required: true, schema: reference(0) },
        {
          name: second,
          description: text(),
          schema: { type: 'string', description: text(), default: text(), 'x-expected': text() },
        },
      ],
      result: { name: name(), description: text(), schema: object() },
      errors: [{ code: -1 - slot, message: text(), data: text() }],
      examples: [
        {
          name: text(),
          description: text(),
          params: [
            { name: first, value: { [name()]: text() } },
            {
              name: second,
              value: [text(), ',', text(), JSON.parse('{"__proto__":1}') as unknown],
            },
          ],
          result: { name: text(), value: { [name()]: [text()] } },
          'x-network': text(),
        },
      ],
      servers: [{ name: text(), url: `https://a.example/${text()}` }],
      'x-credits': 1,
      'x-stability': text(),
      'x-sunset': text(),
      'x-not-found': text(),
      'x-transports': { supported: ['http', 'websocket'] },
      ...more,
    };
  };
  const inError = name();
  const members = object();
  return {
    openrpc: '1.3.2',
    info: {
      title: text(),
      version: text(),
      description: text(),
      termsOfService: text(),
      license: { name: text(), url: text() },
      contact: { name: text(), url: text() },
    },
    servers: [
      { name: 'one-http', summary: text(), url: `https://b.example/${text()}` },
      { name: 'one-ws', summary: text(), url: `wss://b.example/${text()}` },
      { name: text(), summary: text(), url: text() },
      { name: text(), url: '-odump.txt' },
    ],
    methods: [
      method({ 'x-network-family': 'evm', 'x-read-only': true, paramStructure: 'by-position' }),
      method({ 'x-network-family': 'svm' }),
      method({ 'x-network-family': text(), paramStructure: 'by-name', deprecated: true }),
      method({
        paramStructure: 'by-position',
        'x-result-cases': [{ when: { '/1': [text(), null] }, schema: reference(0) }],
      }),
      { name: 'overload', params: [], result: { name: 'r', schema: reference(2) } },
    ],
    components: {
      schemas: {
        [keys[0]!]: object(),
        [keys[1]!]: { description: text(), type: 'string', enum: [text(), `${text()}!`] },
        [keys[2]!]: {
          title: text(),
          oneOf: [
            reference(1),
            { title: text(), type: 'object', properties: { [name()]: reference(3) } },
          ],
        },
        [keys[3]!]: { const: text(), description: text() },
        frozenset: { type: 'string', description: text() },
        __all__: { type: 'string', description: text() },
        'x²': { type: 'string', description: text() },
      },
      errors: { [inError]: { code: 9, message: text() } },
    },
    'x-errors': [
      {
        name: name(),
        error: inError,
        code: 9,
        reason: text(),
        origin: text(),
        message: text(),
        cause: text(),
        fix: text(),
        data: {
          ...members,
          properties: { ...members.properties, property: { description: text() }, after: {} },
        },
      },
    ],
    'x-plans': [{ name: text(), creditsPerDay: 1, callsPerSecond: 1, forwarding: true }],
    'x-decisions': [{ id: text(), question: text(), decision: text(), methods: [text()] }],
  };
}

function pointerToken(key: string): string {
  return encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));
}
