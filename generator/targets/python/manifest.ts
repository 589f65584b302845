import { onOneLine } from '../../../common/escape/text.ts';
import { tomlString } from '../../../common/escape/toml.ts';
import type { Model } from '../../model/model.ts';
import { packageVersion, unscopedName } from '../client-view/package.ts';

const RELEASES: ReadonlyMap<string, string> = new Map([
  ['alpha', 'a'],
  ['beta', 'b'],
  ['rc', 'rc'],
]);

/** SPDX expressions that build backends accept (PEP 639). */
const SPDX =
  /^(?:0BSD|Apache-2\.0|BSD-[23]-Clause|CC0-1\.0|ISC|MIT|MPL-2\.0|Unlicense|[AL]?GPL-[23]\.0-(?:only|or-later))$/;

/** Converts a version to PEP 440: "3.1.0-rc.2" to "3.1.0rc2", "1.0.0-next.4" to "1.0.0.dev4". */
function pythonVersion(version: string): string {
  const [release = '', ...rest] = packageVersion(version).split('-');
  if (rest.length === 0) return release;
  const [, word = '', number = '0'] = /^([a-z]*)\D*(\d*)/i.exec(rest.join('-')) ?? [];
  return `${release}${RELEASES.get(word.toLowerCase()) ?? '.dev'}${Number(number)}`;
}

/** Renders pyproject.toml without the banner. */
export function renderManifest(model: Model, module: string): string {
  const { info } = model;
  const license = info.license?.['name'];
  const name = unscopedName(model);
  return `[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[project]
name = ${tomlString(name)}
version = ${tomlString(pythonVersion(info.version))}
description = ${tomlString(onOneLine(`Typed JSON-RPC client for ${info.title}`))}
readme = "README.md"
requires-python = ">=3.11"
dependencies = []
keywords = ["json-rpc", "client", "openrpc"]
classifiers = ["Programming Language :: Python :: 3", "Typing :: Typed"]
${typeof license === 'string' && SPDX.test(license) ? `license = ${tomlString(license)}\n` : ''}
[tool.setuptools.packages.find]
where = ["src"]

[tool.setuptools.package-data]
${module} = ["py.typed"]
`;
}
