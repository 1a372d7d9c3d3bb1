/** What comes from others: named exactly, known by its fingerprint, and never run by being installed. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const read = (name: string): string => readFileSync(join(root, name), 'utf8')

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
  readonly build: Readonly<Record<string, unknown>>
}

interface LockedPackage {
  readonly version?: string
  readonly integrity?: string
  readonly dev?: boolean
  readonly optional?: boolean
  readonly devOptional?: boolean
  readonly hasInstallScript?: boolean
}

const manifest = JSON.parse(read('package.json')) as Manifest
const locked = Object.entries(
  (JSON.parse(read('package-lock.json')) as { readonly packages: Readonly<Record<string, LockedPackage>> })
    .packages,
).filter(([path]) => path !== '')

/** Names of the packages for which something holds. */
const those = (holds: (found: LockedPackage) => boolean): readonly string[] =>
  locked.filter(([, found]) => holds(found)).map(([path]) => path.replace('node_modules/', ''))

test('every package that is asked for is pinned exactly', () => {
  const wanted = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })
  expect(wanted.length).toBeGreaterThan(40)
  expect(wanted.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([])
})

test('every package is locked with its version, and with its fingerprint where this machine may have it', () => {
  expect(those(({ version }) => version === undefined)).toEqual([])
  // Packages of other platforms stand in the lock by name and version; npm fills in the rest where they exist.
  const mayBeAbsent = ({ optional, devOptional }: LockedPackage): boolean =>
    optional === true || devOptional === true
  expect(those((found) => found.integrity === undefined && !mayBeAbsent(found))).toEqual([])
})

test('no package runs a script by being installed, and what ships has none', () => {
  expect(read('.npmrc').split('\n')).toContain('ignore-scripts=true')
  expect(those((found) => found.hasInstallScript === true && found.dev !== true)).toEqual([])
  expect(Object.keys(manifest.dependencies)).toEqual(['better-sqlite3'])
})

test('the app looks for no update and fetches none', () => {
  expect(manifest.build).not.toHaveProperty('publish')
  expect(those(() => true).filter((name) => name.includes('updater'))).toEqual([])
})
