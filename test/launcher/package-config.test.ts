/** What the installers of the three systems are told: each has its own, ties our files and links to the app, and no other's code. */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { workflowFileEndings } from '../../src-engine/model/workflow-file.ts'
import { deepLinkScheme } from '../../src-engine/protocol/deep-link.ts'

const root = join(import.meta.dirname, '../..')

interface SystemBuild {
  readonly target: readonly string[]
  readonly files: readonly string[]
}
interface Build {
  readonly appId: string
  readonly icon: string
  readonly files: readonly string[]
  readonly npmRebuild: boolean
  readonly asarUnpack: readonly string[]
  readonly fileAssociations: readonly { readonly ext: string; readonly role: string }[]
  readonly protocols: readonly { readonly schemes: readonly string[] }[]
  readonly electronFuses: Readonly<Record<string, boolean>>
  readonly linux: SystemBuild
  readonly mac: SystemBuild
  readonly win: SystemBuild
}
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly main: string
  readonly dependencies: Readonly<Record<string, string>>
  readonly build: Build
}
const { build } = manifest

describe.for([
  ['linux', ['AppImage', 'deb'], 'linux'],
  ['mac', ['dmg'], 'darwin'],
  ['win', ['nsis'], 'win32'],
] as const)('%s', ([system, targets, platform]) => {
  const { target, files } = build[system]

  test('has its installers', () => expect(target).toEqual(targets))

  test('has the one SQLite of its own, and what the files of all systems leave out stays out', () => {
    // Only `!` lines would take the whole project along.
    expect(files.some((line) => !line.startsWith('!'))).toBe(true)
    const only = `!node_modules/better-sqlite3/prebuilds/!(${platform}-\${arch}.node)`
    expect(files.filter((line) => line.includes('prebuilds'))).toEqual([only])
    expect(existsSync(join(root, `node_modules/better-sqlite3/prebuilds/${platform}-x64.node`))).toBe(true)
  })
})

test('our files and our links open the app on every system', () => {
  // `.json` is everybody's: a system must not be told that it is ours.
  expect(build.fileAssociations.map(({ ext }) => ext)).toEqual(['sagasmith'])
  expect(workflowFileEndings).toContain(`.${build.fileAssociations[0]?.ext}`)
  expect(build.protocols.flatMap(({ schemes }) => schemes)).toEqual([deepLinkScheme])
})

test('what is packed is what was built, with nothing beside it that could be run instead', () => {
  expect(build.files).toEqual(expect.arrayContaining(['out/**', '!out/**/*.map', 'package.json']))
  expect(Object.keys(manifest.dependencies)).toEqual(['better-sqlite3'])
  expect(build.npmRebuild).toBe(false)
  expect(build.asarUnpack).toEqual(['node_modules/better-sqlite3/prebuilds/**'])
  expect(existsSync(join(root, build.icon))).toBe(true)
  expect(build.electronFuses).toEqual({
    runAsNode: false,
    enableCookieEncryption: true,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
    grantFileProtocolExtraPrivileges: false,
  })
})
