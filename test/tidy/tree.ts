/** Reads the repository's own files, leaving out what git ignores. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { TextFile } from './prose.ts'

/** The repository's folder. */
const root = resolve(import.meta.dirname, '../..')

const ignored = new Set([
  '.git',
  '.cache',
  'node_modules',
  'out',
  'release',
  'test-results',
  'playwright-report',
])
const textName =
  /\.(ts|tsx|mjs|cjs|js|json|jsonc|css|html|md|sql|lua|svg|csv|log|txt|yml|yaml)$|^[^.]+$|^\.[a-z]+rc/

function pathsBelow(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (ignored.has(entry.name) || path === 'resources/samples/out') return []
    return entry.isDirectory() ? pathsBelow(path) : [path]
  })
}

/** Every text file of the tree. */
export function readTree(): readonly TextFile[] {
  return pathsBelow('')
    .filter((path) => textName.test(path.slice(path.lastIndexOf('/') + 1)))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}

/** Whether a file is source code of this project. */
export function isSource(path: string): boolean {
  return /^(src-[a-z]+|test|bench|bin)\/.*\.(ts|tsx|mjs)$/.test(path) || path === 'electron.vite.config.ts'
}
