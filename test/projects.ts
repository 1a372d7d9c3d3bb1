/** The cuts of the test suite: which folders run together, and how long one of their tests may take. */

/** One vitest project. */
export interface ProjectPlan {
  readonly name: string
  /** Folders below the root; their `*.test.ts(x)` files at any depth belong to the project. */
  readonly folders: readonly string[]
  /**
   * Milliseconds one test may take. Far more than any takes: it is there to end what hangs, and a machine that
   * is busy with other things may be twenty times as slow.
   */
  readonly testTimeoutMs: number
  /**
   * Further tries of a failed test. Only where real processes and servers meet a machine that may be busy with
   * other things; the summary names whatever needed them, for that is to be mended.
   */
  readonly retries?: number
  /**
   * Whether V8 does all of its work on the thread that it is for. Its helpers win time where cores are idle, and none is:
   * with them the escapes take nearly twice as much of a core, code that is tried in a sandbox three times as much, all
   * else a little more or the same.
   */
  readonly isSingleThreaded?: boolean
}

/** All projects; a test file outside them would never run, and the tidy test says so. */
export const projects: readonly ProjectPlan[] = [
  {
    name: 'unit',
    folders: ['test/engine', 'test/main', 'test/tidy', 'test/launcher', 'test/parity'],
    testTimeoutMs: 180_000,
    isSingleThreaded: true,
  },
  // Real processes by the dozen: too slow for the quick check, part of every full run.
  {
    name: 'processes',
    folders: ['test/processes', 'test/books'],
    testTimeoutMs: 300_000,
    retries: 1,
    isSingleThreaded: true,
  },
  { name: 'conformance', folders: ['test/conformance'], testTimeoutMs: 180_000 },
  {
    name: 'simulation',
    folders: ['test/simulation', 'test/crash', 'test/bench'],
    testTimeoutMs: 1_200_000,
    retries: 1,
  },
  // Minutes of faults on a cluster of real servers: part of every full run.
  { name: 'redis', folders: ['test/redis'], testTimeoutMs: 1_200_000, retries: 1 },
  { name: 'renderer', folders: ['test/renderer'], testTimeoutMs: 180_000 },
]

/** Folders of Playwright's projects. */
export const endToEndFolders: readonly string[] = ['test/e2e/browser', 'test/e2e/desktop']
