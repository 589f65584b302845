import { Option } from 'commander';

export type OutputFormat = 'text' | 'json';

/** How a verb tells what it found. */
export function formatOption(): Option {
  return new Option('-f, --format <format>', 'how to tell it')
    .choices(['text', 'json'])
    .default('text');
}
