const SCRIPT = '<script>alert(1)</script>';
const BREAKOUT = `"><img src=x onerror=alert(1)>'>{{constructor}}{{{this}}}`;
const MARKDOWN = [
  '[click](javascript:alert(1))',
  '[tab](java\tscript:alert(1))',
  '[data](data:text/html,<script>alert(1)</script>)',
  '[vb](vbscript:alert(1))',
  '[protocol](//evil.example/x)',
  '![image](https://evil.example/pixel.png)',
  '<https://evil.example/"onmouseover="alert(1)>',
  '<a href="javascript:alert(1)">raw</a>',
  '<iframe src="https://evil.example"></iframe>',
  `\`\`\`"><script>alert(1)</script>\n${SCRIPT}\n\`\`\``,
  `\`${SCRIPT}\``,
  `| a | |\n| ---: | :-: |\n| ${SCRIPT} | b |`,
  `# ${SCRIPT}`,
  '[ref]: javascript:alert(1)\n\n[ref]',
].join('\n\n');

const nasty = `${SCRIPT}${BREAKOUT}`;

const schema = {
  title: nasty,
  description: MARKDOWN,
  type: 'object',
  required: [nasty],
  properties: {
    [nasty]: { type: 'string', description: nasty, pattern: nasty, enum: [nasty], default: nasty },
    __proto__: { type: 'string' },
  },
  patternProperties: { [nasty]: { const: nasty } },
  examples: [{ [nasty]: nasty }],
  format: nasty,
};

/** A document that tries to get script into whatever is made of it, from every text it has. */
export const hostileDocument = {
  openrpc: '1.3.2',
  info: {
    title: nasty,
    version: '1.0.0',
    description: MARKDOWN,
    license: { name: nasty, url: 'javascript:alert(1)' },
    contact: { name: nasty, url: 'javascript:alert(1)' },
  },
  servers: [{ name: nasty, summary: nasty, url: 'javascript:alert(1)' }],
  methods: [
    {
      name: nasty,
      summary: nasty,
      description: MARKDOWN,
      tags: [{ name: nasty, description: nasty }],
      externalDocs: { url: 'javascript:alert(1)', description: nasty },
      params: [
        {
          name: nasty,
          summary: nasty,
          required: true,
          schema: { $ref: '#/components/schemas/Bad' },
        },
      ],
      result: { name: nasty, schema },
      errors: [{ code: 1, message: nasty, data: nasty }],
      examples: [
        {
          name: nasty,
          description: MARKDOWN,
          params: [{ name: nasty, value: { [nasty]: nasty } }],
          result: { name: nasty, value: `</script>${nasty}` },
          'x-network': nasty,
        },
      ],
      'x-credits': 1,
      'x-stability': nasty,
      'x-sunset': nasty,
      'x-network-family': nasty,
      'x-transports': { supported: [nasty] },
    },
    { name: '../../etc/passwd', params: [], result: { name: 'r', schema: true } },
    { name: 'index', params: [], result: { name: 'r', schema: true } },
  ],
  components: { schemas: { Bad: schema }, errors: { E: { code: 2, message: nasty } } },
  'x-errors': [
    {
      name: nasty,
      error: 'E',
      code: 2,
      reason: nasty,
      message: nasty,
      cause: nasty,
      fix: MARKDOWN,
      data: schema,
    },
  ],
  'x-plans': [{ name: nasty, creditsPerDay: 1, callsPerSecond: 1, forwarding: true }],
  'x-service-methods': [
    {
      name: nasty,
      answer: nasty,
      summary: nasty,
      description: MARKDOWN,
      result: {},
      example: nasty,
    },
  ],
  'x-decisions': [{ id: nasty, question: nasty, decision: MARKDOWN, methods: [nasty] }],
};
