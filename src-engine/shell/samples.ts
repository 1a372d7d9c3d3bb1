/** The workflows that come with Sagasmith. Opening one copies it with its data into the workspace. */

import { existsSync } from 'node:fs'
import { copyFile, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { SagasmithError } from '../model/errors.ts'
import { isJsonObject } from '../model/json.ts'
import type { SampleEntry } from '../protocol/api.ts'

export interface Samples {
  readonly list: () => Promise<readonly SampleEntry[]>
  /** The path of the sample's copy in the workspace; what is there already is left as it is. */
  readonly copy: (name: string) => Promise<string>
}

/** Samples of a folder (null: this installation has none), copied to `<workspace>/samples/<name>/`. */
export function createSamples(folder: string | null, workspace: string): Samples {
  return {
    list: async () => {
      if (folder === null) return []
      const files = (await readdir(folder)).filter((name) => name.endsWith('.json'))
      const names = files.map((name) => name.replace(/\.json$/, ''))
      return Promise.all(names.toSorted(byOrder).map((name) => describe(join(folder, `${name}.json`), name)))
    },
    copy: async (name) => {
      const source = folder === null ? null : join(folder, `${name}.json`)
      if (folder === null || source === null || !existsSync(source)) {
        throw new SagasmithError('file_not_found', { message: `There is no sample “${name}”.` })
      }
      const target = join(workspace, 'samples', name)
      // The data first: a workflow file that is there can be run.
      if (existsSync(join(folder, 'data'))) await copyMissing(join(folder, 'data'), join(target, 'data'))
      await copyMissingFile(source, join(target, `${name}.json`))
      return join(target, `${name}.json`)
    },
  }
}

/** What a newcomer should see first comes first; all others follow by their names. */
const order = ['orders', 'order-saga', 'inbox', 'log-summary']

function byOrder(left: string, right: string): number {
  const [a, b] = [left, right].map((name) => (order.includes(name) ? order.indexOf(name) : order.length))
  return (a ?? 0) - (b ?? 0) || left.localeCompare(right, 'en')
}

async function describe(path: string, name: string): Promise<SampleEntry> {
  const read: unknown = JSON.parse(await readFile(path, 'utf8'))
  const document = isJsonObject(read) ? read : {}
  const text = (key: string, fallback: string): string => {
    const value = document[key]
    return typeof value === 'string' ? value : fallback
  }
  return { name, title: text('title', name), description: text('description', ''), document }
}

async function copyMissing(from: string, to: string): Promise<void> {
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const paths = [join(from, entry.name), join(to, entry.name)] as const
    if (entry.isDirectory()) await copyMissing(...paths)
    else await copyMissingFile(...paths)
  }
}

async function copyMissingFile(from: string, to: string): Promise<void> {
  if (existsSync(to)) return
  await mkdir(dirname(to), { recursive: true })
  const temporary = `${to}.tmp`
  try {
    await copyFile(from, temporary)
    await rename(temporary, to)
  } finally {
    await rm(temporary, { force: true })
  }
}
