import { z } from 'zod';
import { defaultLimits, type LimitName } from './limits.ts';
import { configSchema } from './schema.ts';

/** The keywords of JSON Schema that the configuration's schema has. */
export interface JsonSchema {
  title?: string;
  description?: string;
  default?: unknown;
  type?: string;
  pattern?: string;
  format?: string;
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  additionalProperties?: JsonSchema | boolean;
  anyOf?: JsonSchema[];
}

/** Any string may contain `${NAME}`, so strings with variables are valid too. */
const WITH_VARIABLE = '\\$\\{\\w+\\}';

/** Returns the JSON Schema of a configuration file (draft-07, which editors support). */
export function configJsonSchema(): JsonSchema {
  const schema = z.toJSONSchema(configSchema, {
    io: 'input',
    target: 'draft-7',
    override({ jsonSchema }) {
      const schema = jsonSchema as JsonSchema;
      if (schema.type !== 'string') return;
      if (schema.pattern === undefined && schema.format === undefined) return;
      const { pattern, format } = schema;
      delete schema.pattern;
      delete schema.format;
      const own = pattern === undefined ? { format: format! } : { pattern };
      schema.anyOf = [own, { pattern: WITH_VARIABLE }];
    },
  }) as JsonSchema;
  for (const [name, limit] of Object.entries(schema.properties?.['limits']?.properties ?? {})) {
    limit.default = defaultLimits[name as LimitName];
  }
  return { ...schema, title: 'Configuration of specgate serve' };
}

/** Returns the text of specgate.schema.json. */
export function renderJsonSchema(): string {
  return `${JSON.stringify(configJsonSchema(), null, 2)}\n`;
}

export function settingsAt(path: readonly PropertyKey[]): readonly string[] {
  let schema: JsonSchema | undefined = configJsonSchema();
  for (const step of path) {
    if (schema === undefined) break;
    const { items, properties, additionalProperties }: JsonSchema = schema;
    if (typeof step === 'number') schema = items;
    else schema = properties?.[String(step)] ?? (additionalProperties as JsonSchema | undefined);
  }
  return Object.keys(schema?.properties ?? {});
}
