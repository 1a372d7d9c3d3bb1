/** One vitest configuration for every room's tests, cut into projects by how long they may take. */
import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'

const root = resolve(import.meta.dirname, '..')

/**
 * Importing the real `electron` package outside Electron starts a download, so tests get the stand-in.
 * The alias is textual: it costs nothing where nobody imports `electron`.
 */
const resolveOptions = { alias: { electron: resolve(root, 'test/double/electron.mjs') } }

interface ProjectPlan {
  readonly name: string
  readonly include: readonly string[]
  /** Milliseconds one test may take. */
  readonly testTimeout: number
}

const plans: readonly ProjectPlan[] = [
  {
    name: 'unit',
    include: ['test/engine/**', 'test/main/**', 'test/tidy/**', 'test/launcher/**'],
    testTimeout: 20_000,
  },
  { name: 'conformance', include: ['test/conformance/**'], testTimeout: 60_000 },
  { name: 'simulation', include: ['test/simulation/**', 'test/crash/**'], testTimeout: 300_000 },
  { name: 'renderer', include: ['test/renderer/**'], testTimeout: 20_000 },
]

function toProject(plan: ProjectPlan) {
  return {
    root,
    resolve: resolveOptions,
    test: {
      name: plan.name,
      include: plan.include.map((folder) => `${folder}/*.test.{ts,tsx}`),
      environment: 'node',
      testTimeout: plan.testTimeout,
      hookTimeout: plan.testTimeout,
      restoreMocks: true,
    },
  }
}

export default defineConfig({
  root,
  test: {
    projects: plans.map(toProject),
    // A filter that matches nothing is a mistake, never a success.
    passWithNoTests: false,
  },
})
