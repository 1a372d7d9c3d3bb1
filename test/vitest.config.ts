/** One vitest configuration for every room's tests. */
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import type { Plugin } from 'vitest/config'
import { defineConfig } from 'vitest/config'
import type { ProjectPlan } from './projects.ts'
import { projects } from './projects.ts'

const root = resolve(import.meta.dirname, '..')

/**
 * Importing the real `electron` package outside Electron starts a download, so tests get the stand-in.
 * The alias is textual: it costs nothing where nobody imports `electron`.
 */
const resolveOptions = { alias: { electron: resolve(root, 'test/double/electron.mjs') } }

/** What the engine starts as threads and processes of its own is bundled; see there. */
const bundledEntries: Plugin = {
  name: 'sagasmith:bundled-entries',
  enforce: 'pre',
  resolveId: (source, importer) =>
    source.endsWith('/entry-file.ts') && importer?.startsWith(resolve(root, 'src-engine')) === true
      ? resolve(root, 'test/support/entry-file.ts')
      : null,
  // Vitest keeps what it made of a file, with where its imports lead: not to be taken for what leads elsewhere.
  configureVitest: ({ defineCacheKeyGenerator }) => defineCacheKeyGenerator(() => 'bundled entries'),
}

function toProject({ name, folders, testTimeoutMs, retries = 0, isSingleThreaded = false }: ProjectPlan) {
  return {
    root,
    resolve: resolveOptions,
    plugins: [bundledEntries],
    test: {
      name,
      include: folders.map((folder) => `${folder}/**/*.test.{ts,tsx}`),
      environment: 'node',
      // V8 has 16 MB for new objects, and runs through them whenever that is full. The engine and its stories make
      // them by the million: with more room a tenth of the processor's time is saved.
      execArgv: ['--max-semi-space-size=64', ...(isSingleThreaded ? ['--single-threaded'] : [])],
      // Half of the time of small files goes into loading the engine anew for each of them. Files of one worker
      // share their modules instead, so a test leaves nothing behind in one: what it sets, it sets back.
      isolate: false,
      testTimeout: testTimeoutMs,
      hookTimeout: testTimeoutMs,
      retry: retries,
      // What is polled for comes in milliseconds, or, when all cores are busy, in seconds.
      expect: { poll: { timeout: 60_000, interval: 10 } },
      restoreMocks: true,
      unstubGlobals: true,
      unstubEnvs: true,
    },
  }
}

export default defineConfig({
  root,
  test: {
    projects: projects.map(toProject),
    // By default one core would be left idle, which on two cores is half of the machine.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // A filter that matches nothing is a mistake, never a success.
    passWithNoTests: false,
  },
})
