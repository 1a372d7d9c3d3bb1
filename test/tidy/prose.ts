/** Rules about files that are not source: changelog, lock, and words that must not leave a workplace. */
import type { Finding } from './source-file.ts'

/** Any text file of the tree. */
export interface TextFile {
  readonly path: string
  readonly text: string
}

/** Glues a word together, so that this folder doesn't find its own examples. */
export function spell(...parts: readonly string[]): string {
  return parts.join('')
}

/** Places that exist on one machine only, and hosts that only one network can reach. */
const localWords: readonly { readonly pattern: RegExp; readonly what: string }[] = [
  { pattern: new RegExp(spell(String.raw`(^|[^\w.~/-])/wo`, 'rk/')), what: 'a path of one machine' },
  { pattern: new RegExp(spell('/tmp/scr', 'atch')), what: 'a path of one machine' },
  { pattern: new RegExp(spell('/(root|home/[a-z]+)/\\.', '(npm|cache)')), what: 'a path of one machine' },
  { pattern: new RegExp(spell('"resolved": ', '"http')), what: 'the host of a package registry' },
  {
    pattern: new RegExp(spell('registry', String.raw`\.npmjs\.org`)),
    what: 'the host of a package registry',
  },
]

/** Text that means nothing to anybody outside. */
export function checkLocalWords(files: readonly TextFile[]): readonly Finding[] {
  return files.flatMap(({ path, text }) => {
    if (!localWords.some(({ pattern }) => pattern.test(text))) return []
    return text.split('\n').flatMap((line, index) =>
      localWords
        .filter(({ pattern }) => pattern.test(line))
        .map(({ what }) => ({
          rule: 'local-words',
          path,
          line: index + 1,
          message: `names ${what}: write it for people who have only this repository`,
        })),
    )
  })
}

/** The changelog has a chapter for the version that package.json names. */
export function checkChangelog(changelog: string, version: string): readonly Finding[] {
  const headings = changelog.split('\n').filter((line) => line.startsWith('## '))
  if (headings.some((line) => line.startsWith(`## [${version}]`))) return []
  const message = `has no heading "## [${version}]", which is package.json's version: add it`
  return [{ rule: 'changelog', path: 'CHANGELOG.md', line: 1, message }]
}

interface LockedPackage {
  readonly version?: string
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

/** Where Node would look for a package from inside another one, nearest first. */
function lookups(from: string, name: string): readonly string[] {
  const parts = from === '' ? [] : from.split('/node_modules/')
  const folders = parts.map((_, index) => parts.slice(0, parts.length - index).join('/node_modules/'))
  return [...folders, ''].map((folder) => `${folder}${folder === '' ? '' : '/'}node_modules/${name}`)
}

/**
 * The lock names every platform's optional packages. npm leaves out those that the registry at hand does
 * not carry, and `npm ci` then refuses the lock everywhere.
 */
export function checkLock(packages: Readonly<Record<string, LockedPackage>>): readonly Finding[] {
  return Object.entries(packages).flatMap(([path, { optionalDependencies }]) =>
    Object.keys(optionalDependencies ?? {})
      .filter((name) => !lookups(path, name).some((place) => packages[place] !== undefined))
      .map((name) => ({
        rule: 'lock',
        path: 'package-lock.json',
        line: 1,
        message: `${path} wants ${name}, which the lock lacks: add it in the version ${path} names`,
      })),
  )
}
