// Writes the reference page of the lint rules from their table; a test tells when it is out of date.
import { writeFile } from 'node:fs/promises';
import { formatFiles } from '../generator/format/format.ts';
import { renderRulesPage } from '../generator/lint/page.ts';

const page = new URL('../docs-site/content/toolchain/lint-rules.md', import.meta.url);

const formatted = await formatFiles(new Map([['lint-rules.md', renderRulesPage()]]));
await writeFile(page, formatted.get('lint-rules.md')!);
