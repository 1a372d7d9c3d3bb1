/** The measured processes as one file each, the way the app ships: types stripped, modules joined. */

import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build } from 'vite'
import { engineEntries, engineOutput, plainBuiltins, plainSsh } from '../bin/engine-bundle.mjs'

const root = resolve(import.meta.dirname, '..')
/** Below the root, so that the native module is found. */
const cache = join(root, 'node_modules/.cache/sagasmith-bench')

/** Bundles `bench/NAME.ts`; returns the file to run. */
export async function bundleChild(name: 'child' | 'redis-child' = 'child'): Promise<string> {
  const outDir = join(cache, name, 'main')
  // The version is read two levels above, as in the app.
  mkdirSync(cache, { recursive: true })
  copyFileSync(join(root, 'package.json'), join(cache, 'package.json'))
  rmSync(outDir, { recursive: true, force: true })
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [plainSsh(), plainBuiltins()],
    ssr: { noExternal: true, external: ['better-sqlite3', 'bullmq'] },
    build: {
      ssr: true,
      outDir,
      target: 'node24',
      minify: false,
      rolldownOptions: {
        input: {
          [name]: join(root, `bench/${name}.ts`),
          // Heartbeats come from a thread of their own here too.
          'heartbeat-worker': engineEntries['heartbeat-worker'],
        },
        output: engineOutput,
      },
    },
  })
  return join(outDir, `${name}.js`)
}
