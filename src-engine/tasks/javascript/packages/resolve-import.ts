/**
 * Where an import leads, by the rules of Node: beside the file, in the nearest `node_modules` that has the package, by its
 * `exports`, else its `module` or `main`. Nothing outside of the folder is read, wherever links lead.
 */

import { readFile, realpath, stat } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import type { JsonObject, JsonValue } from '../../../model/json.ts'
import { isJsonObject } from '../../../model/json.ts'
import { parseJson } from '../../json-text.ts'

/** Files of packages below a folder. */
export interface PackageFiles {
  /** Where the code is as if it were a file. */
  readonly start: string
  /** The version of an installed package; null for one that isn't. */
  readonly versionOf: (name: string) => Promise<string | null>
  /** The file that is meant; null for none. */
  readonly resolve: (
    specifier: string,
    from: { readonly path: string; readonly mode: 'import' | 'require' },
  ) => Promise<string | null>
  /** Null for a file that doesn't say. */
  readonly kindOf: (path: string) => Promise<'esm' | 'cjs' | 'json' | null>
  /** How errors name a file. */
  readonly idOf: (path: string) => string
}

/** `@scope/name` or `name` of what is imported; null for a path. */
export const packageNameOf = (specifier: string): string | null =>
  /^(@[\w.~-]+\/[\w.~-]+|[\w~-][\w.~-]*)(?:\/|$)/.exec(specifier)?.[1] ?? null

/** Those of a folder; one without any when it isn't there. */
export async function openPackageFiles(folder: string): Promise<PackageFiles> {
  const root = await realpath(folder).catch(() => resolve(folder))
  return new Files(root)
}

interface PackageFolder {
  readonly path: string
  readonly manifest: JsonObject
}

type Mode = 'import' | 'require'

class Files implements PackageFiles {
  readonly start: string
  readonly #root: string
  readonly #manifests = new Map<string, Promise<JsonObject | null>>()

  constructor(root: string) {
    this.#root = root
    this.start = join(root, 'code.js')
  }

  async versionOf(name: string): Promise<string | null> {
    const version = (await this.#installed(name, this.start))?.manifest['version']
    return typeof version === 'string' ? version : null
  }

  async resolve(
    specifier: string,
    { path, mode }: { readonly path: string; readonly mode: Mode },
  ): Promise<string | null> {
    if (/^\.{1,2}(\/|$)/.test(specifier)) return this.#fileAt(resolve(dirname(path), specifier))
    if (specifier.startsWith('#')) return this.#inner(specifier, path, mode)
    const name = packageNameOf(specifier)
    const found = name === null ? null : await this.#installed(name, path)
    if (name === null || found === null) return null
    const subpath = `.${specifier.slice(name.length)}`
    const { exports } = found.manifest
    if (exports !== undefined && exports !== null) {
      const target = targetOf(isSubpaths(exports) ? exports : { '.': exports }, subpath, mode)
      return target === null ? null : this.#within(resolve(found.path, target))
    }
    if (subpath !== '.') return this.#fileAt(resolve(found.path, subpath))
    const { main, module } = found.manifest
    const entry = [mode === 'import' ? module : null, main].find((one) => typeof one === 'string')
    return this.#fileAt(resolve(found.path, entry ?? 'index.js'))
  }

  async kindOf(path: string): Promise<'esm' | 'cjs' | 'json' | null> {
    if (path.endsWith('.json')) return 'json'
    if (path.endsWith('.mjs')) return 'esm'
    if (path.endsWith('.cjs')) return 'cjs'
    const type = (await this.#owner(path))?.manifest['type']
    if (type === 'module') return 'esm'
    return type === 'commonjs' ? 'cjs' : null
  }

  idOf(path: string): string {
    return relative(this.#root, path).split(sep).join('/')
  }

  /** `#name`: an import of the package's own. */
  async #inner(specifier: string, path: string, mode: Mode): Promise<string | null> {
    const owner = await this.#owner(path)
    const imports = owner?.manifest['imports']
    if (owner === null || !isJsonObject(imports)) return null
    const target = targetOf(imports, specifier, mode)
    if (target === null) return null
    return target.startsWith('.')
      ? this.#within(resolve(owner.path, target))
      : this.resolve(target, { path: join(owner.path, 'package.json'), mode })
  }

  /** The package that a file is of. */
  async #owner(path: string): Promise<PackageFolder | null> {
    for (const folder of this.#above(path)) {
      const manifest = await this.#manifestOf(folder)
      if (manifest !== null) return { path: folder, manifest }
    }
    return null
  }

  async #installed(name: string, path: string): Promise<PackageFolder | null> {
    for (const folder of this.#above(path)) {
      const place = join(folder, 'node_modules', name)
      const manifest = await this.#manifestOf(place)
      if (manifest !== null) return { path: place, manifest }
    }
    return null
  }

  /** The folders from that of a file up to the root. */
  #above(path: string): readonly string[] {
    const folders = []
    for (let folder = dirname(path); this.#isWithin(folder); folder = dirname(folder)) folders.push(folder)
    return folders
  }

  #manifestOf(folder: string): Promise<JsonObject | null> {
    const known = this.#manifests.get(folder)
    if (known !== undefined) return known
    const read = this.#readManifest(join(folder, 'package.json'))
    this.#manifests.set(folder, read)
    return read
  }

  async #readManifest(path: string): Promise<JsonObject | null> {
    const file = await this.#within(path)
    if (file === null) return null
    const read = parseJson(await readFile(file, 'utf8'))
    return read.ok && isJsonObject(read.value) ? read.value : null
  }

  /** As CommonJS and bundlers complete it. */
  async #fileAt(path: string): Promise<string | null> {
    for (const ending of ['', '.js', '.mjs', '.cjs', '.json', '/index.js', '/index.mjs', '/index.cjs']) {
      const found = await this.#within(path + ending)
      if (found !== null) return found
    }
    return null
  }

  /** The file behind links; null where none is, or it is outside. */
  async #within(path: string): Promise<string | null> {
    try {
      const real = await realpath(path)
      return this.#isWithin(real) && (await stat(real)).isFile() ? real : null
    } catch {
      // Not there: the next place may have it.
      return null
    }
  }

  #isWithin(path: string): boolean {
    return path === this.#root || path.startsWith(this.#root.endsWith(sep) ? this.#root : this.#root + sep)
  }
}

const isSubpaths = (exports: JsonValue): exports is JsonObject =>
  isJsonObject(exports) && Object.keys(exports).every((key) => key.startsWith('.'))

/** What a table of `exports` or `imports` has for a path: the same path, else the longest pattern that fits. */
function targetOf(table: JsonObject, subpath: string, mode: Mode): string | null {
  if (Object.hasOwn(table, subpath)) return conditional(table[subpath], mode)
  const patterns = Object.keys(table).filter((key) => key.includes('*'))
  const fitting = patterns
    .map((key) => ({ key, part: partOf(subpath, key) }))
    .filter(({ part }) => part !== null)
    .toSorted((a, b) => b.key.indexOf('*') - a.key.indexOf('*'))
  const [first] = fitting
  if (first === undefined) return null
  return conditional(table[first.key], mode)?.replaceAll('*', () => first.part ?? '') ?? null
}

/** What stands for the star. */
function partOf(subpath: string, pattern: string): string | null {
  const [before = '', after = ''] = pattern.split('*')
  const fits = subpath.startsWith(before) && subpath.endsWith(after)
  return fits && subpath.length >= pattern.length
    ? subpath.slice(before.length, subpath.length - after.length)
    : null
}

/** There is no Node in the sandbox: what is made for browsers comes nearest. */
function conditional(target: JsonValue | undefined, mode: Mode): string | null {
  if (typeof target === 'string') return target
  if (Array.isArray(target)) {
    return target.map((one: JsonValue) => conditional(one, mode)).find((one) => one !== null) ?? null
  }
  if (!isJsonObject(target)) return null
  for (const [condition, value] of Object.entries(target)) {
    if (!['default', 'browser', mode].includes(condition)) continue
    const found = conditional(value, mode)
    if (found !== null) return found
  }
  return null
}
