/**
 * What the packages of a step are made of: the files that its code leads to, and where each of their imports leads. It
 * is worked out here, from text alone; the sandbox gets texts, and reads no file. Nothing of a package runs outside of it.
 */

import { readFile } from 'node:fs/promises'
import { SagasmithError } from '../../../model/errors.ts'
import { throwIfAborted } from '../../abort.ts'
import { namesTaken, specifiersIn } from './read-imports.ts'
import type { PackageFiles } from './resolve-import.ts'
import { openPackageFiles, packageNameOf } from './resolve-import.ts'

/** A file of a package. */
export interface PackageModule {
  readonly kind: 'esm' | 'cjs' | 'json'
  readonly text: string
  /** Where what it imports is. What isn't there is missing here, and only matters when it is asked for. */
  readonly imports: Readonly<Record<string, string>>
  /** What others import of it by name; of a CommonJS file nobody can tell that without running it. */
  readonly names: readonly string[]
}

/** Files by where they are, and where the imports of the code lead. */
export interface PackageGraph {
  /** As the step names them. */
  readonly packages: readonly string[]
  readonly entries: Readonly<Record<string, string>>
  readonly modules: Readonly<Record<string, PackageModule>>
}

/** What a runner lets code import. */
export interface AllowedPackages {
  /** Their names; none for a runner that allows none. */
  readonly allowed: readonly string[]
  /** The folder whose `node_modules` has them. */
  readonly folder: string
}

/** All files together: the sandbox has a small heap, and a line that they go through. */
const textBytesMax = 5_000_000
const filesMax = 2_000

/** Throws `package_not_available`, `package_too_large`. `wanted` are names with their versions: `lodash@4.17.21`. */
export async function packageGraph(
  {
    code,
    wanted,
    signal,
  }: { readonly code: string; readonly wanted: readonly string[]; readonly signal: AbortSignal },
  { allowed, folder }: AllowedPackages,
): Promise<PackageGraph> {
  const names = new Set<string>()
  for (const one of wanted) {
    const { name } = nameAndVersion(one)
    if (!allowed.includes(name)) throw notAllowed(name, allowed)
    names.add(name)
  }
  const files = await openPackageFiles(folder)
  for (const one of wanted) await checkVersion(one, files, folder)
  const walk = new Walk(files, signal)
  const own = specifiersIn(code).filter((specifier) => names.has(packageNameOf(specifier) ?? ''))
  const entries = await walk.follow(own, { path: files.start, mode: 'import' })
  walk.noteNames(code, entries)
  await walk.toItsEnd()
  return { packages: wanted, entries, modules: walk.modules() }
}

/** A name and a version: `@scope/name@1.2.3`. */
function nameAndVersion(wanted: string): { readonly name: string; readonly version: string } {
  const at = wanted.lastIndexOf('@')
  return { name: wanted.slice(0, at), version: wanted.slice(at + 1) }
}

async function checkVersion(wanted: string, files: PackageFiles, folder: string): Promise<void> {
  const { name, version } = nameAndVersion(wanted)
  const here = await files.versionOf(name)
  if (here === version) return
  throw new SagasmithError('package_not_available', {
    message:
      here === null
        ? `“${name}” is not installed in ${folder}.`
        : `The step wants “${name}” in version ${version}, and ${here} is installed in ${folder}.`,
    hint:
      here === null
        ? `Install it there: npm install --ignore-scripts --save-exact ${wanted}`
        : `Install that version, or have the step name ${name}@${here}: it is another version of the workflow then.`,
    details: { package: name, wanted: version, here },
  })
}

function notAllowed(name: string, allowed: readonly string[]): SagasmithError {
  const those = allowed.length === 0 ? 'it allows none' : `it allows ${allowed.join(', ')}`
  return new SagasmithError('package_not_available', {
    message: `This runner doesn’t allow code to import “${name}”: ${those}.`,
    hint: `Add ${name} to its setting script_packages if you trust it, or have the step run by a runner that allows it.`,
    details: { package: name, allowed },
  })
}

interface Importer {
  readonly path: string
  readonly mode: 'import' | 'require'
}

interface Met {
  readonly kind: PackageModule['kind']
  readonly text: string
  imports: Readonly<Record<string, string>>
  readonly names: Set<string>
}

/** From file to file. */
class Walk {
  readonly #files: PackageFiles
  readonly #signal: AbortSignal
  readonly #met = new Map<string, Met>()
  readonly #open: { readonly id: string; readonly path: string }[] = []
  #bytes = 0

  constructor(files: PackageFiles, signal: AbortSignal) {
    this.#files = files
    this.#signal = signal
  }

  /** Where imports lead; the files are met. */
  async follow(specifiers: readonly string[], from: Importer): Promise<Readonly<Record<string, string>>> {
    const found: [string, string][] = []
    for (const specifier of specifiers) {
      const path = await this.#files.resolve(specifier, from)
      if (path !== null) found.push([specifier, await this.#meet(path)])
    }
    return Object.fromEntries(found)
  }

  /** Reads what was met until nothing new is. */
  async toItsEnd(): Promise<void> {
    for (let next = this.#open.pop(); next !== undefined; next = this.#open.pop()) {
      throwIfAborted(this.#signal)
      const met = this.#met.get(next.id)
      if (met === undefined || met.kind === 'json') continue
      const mode = met.kind === 'esm' ? 'import' : 'require'
      met.imports = await this.follow(specifiersIn(met.text), { path: next.path, mode })
      this.noteNames(met.text, met.imports)
    }
  }

  /** What a text takes of its imports by name. */
  noteNames(text: string, imports: Readonly<Record<string, string>>): void {
    for (const { specifier, names } of namesTaken(text)) {
      const met = this.#met.get(imports[specifier] ?? '')
      for (const name of names) met?.names.add(name)
    }
  }

  modules(): Readonly<Record<string, PackageModule>> {
    return Object.fromEntries(
      [...this.#met].map(([id, { names, ...module }]) => [id, { ...module, names: [...names] }]),
    )
  }

  async #meet(path: string): Promise<string> {
    const id = this.#files.idOf(path)
    if (this.#met.has(id)) return id
    const [text, kind] = await Promise.all([readFile(path, 'utf8'), this.#files.kindOf(path)])
    this.#bytes += Buffer.byteLength(text)
    if (this.#bytes > textBytesMax || this.#met.size === filesMax) throw tooLarge()
    this.#met.set(id, {
      kind: kind ?? (hasModuleSyntax.test(text) ? 'esm' : 'cjs'),
      // As bundlers do: there is no process to ask.
      text: text.replaceAll(/\bprocess\.env\.NODE_ENV\b/g, '"production"'),
      imports: {},
      names: new Set(),
    })
    this.#open.push({ id, path })
    return id
  }
}

const hasModuleSyntax = /^[ \t]*(?:export\s*[{*]|export\s+\w|import\s*["'{*]|import\s+\w)/m

function tooLarge(): SagasmithError {
  return new SagasmithError('package_too_large', {
    message: `The packages of the code have more than ${filesMax} files or ${textBytesMax} bytes that it leads to.`,
    hint: 'Import the part that is needed (lodash-es/chunk.js), or use a “Script” in Node.js.',
    details: { filesMax, bytesMax: textBytesMax },
  })
}
