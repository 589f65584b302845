import { Option } from 'commander';

export type OutputFormat = 'text' | 'json';

/** The output format of a verb. */
export function formatOption(): Option {
  return new Option('-f, --format <format>', 'output format')
    .choices(['text', 'json'])
    .default('text');
}
