/** A runner of a campaign doesn't outlive it. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { programOf } from '../support/program.ts'
import type { ScenePlace } from './scene.ts'

test('ends with whoever started it, also before its store has answered', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'sagasmith-runner-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const silent = createServer()
  onTestFinished(() => void silent.close())
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  writeFileSync(join(directory, 'password'), '')
  const place: ScenePlace = {
    ...{ directory, durability: 'fast', claimTtlMs: 30_000, stepMs: 20 },
    nodes: [{ host: '127.0.0.1', port: (silent.address() as AddressInfo).port }],
  }
  const child = await programOf('test/redis/runner-child.ts')
  const runner = spawn(process.execPath, [child, JSON.stringify(place)], {
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  onTestFinished(() => void runner.kill('SIGKILL'))
  await once(silent, 'connection')
  const said = text(runner.stderr)
  runner.stdin.end()
  expect(await once(runner, 'exit')).toEqual([1, null])
  // It would have more to say when it had waited for the answer.
  expect(await said).toBe('')
})
