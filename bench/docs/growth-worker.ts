/** Builds the site of a document with as many linked methods as its argument says; prints a Growth. */
import { gzipSync } from 'node:zlib';
import { buildSite } from '../../bin/docs/build-site.ts';
import { loadDocument } from '../../generator/document.ts';
import type { Growth } from './growth.ts';
import { linkedDocument } from './linked-document.ts';

const methods = Number(process.argv[2]);
const text = linkedDocument(methods);
const read = (name: string) => Promise.resolve({ name, url: `file:///${name}`, text });
const { model } = await loadDocument('linked.json', { read });
const files = await buildSite(model, { source: 'linked.json' });
// Before the pages are weighed.
const { userCPUTime, maxRSS } = process.resourceUsage();

const pages = [...files].filter(([path]) => /^methods\/.*\.html$/.test(path));
const growth: Growth = {
  methods,
  document_bytes: text.length,
  files: files.size,
  site_bytes: [...files.values()].reduce((sum, { length }) => sum + length, 0),
  page_bytes: Math.max(...pages.map(([, bytes]) => gzipSync(bytes).length)),
  cpu_ms: userCPUTime / 1000,
  rss_bytes: maxRSS * 1024,
};
console.log(JSON.stringify(growth));
