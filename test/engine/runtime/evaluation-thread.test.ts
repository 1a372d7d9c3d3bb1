/** The expression worker's way of dying must never leave a step waiting. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { createEvaluationThread } from '../../../src-engine/runtime/expressions/evaluation-thread.ts'
import { systemClock } from '../../../src-engine/runtime/system-ports.ts'

const folder = mkdtempSync(join(tmpdir(), 'sagasmith-worker-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const request = { sources: ['1'], scope: {}, now: 0, seed: 's' }

test.for([
  { title: 'ends without a word before it is ready', code: 'process.exit(0)' },
  {
    title: 'ends without a word under a request',
    code: `import { parentPort } from 'node:worker_threads'
      parentPort.on('message', () => process.exit(0))
      parentPort.postMessage({ kind: 'ready' })`,
  },
])('a worker that $title fails the expression', async ({ code }, { task }) => {
  const file = join(folder, `${task.id}.mjs`)
  writeFileSync(file, code)
  const thread = createEvaluationThread({ clock: systemClock, entry: pathToFileURL(file) })
  await expect(thread.evaluate(request)).rejects.toMatchObject({ code: 'expression_failed' })
  await thread.close()
})
