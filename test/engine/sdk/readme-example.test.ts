/** The library's example, as the README shows it. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { defineWorkflow, openSagasmith } from '../../../src-engine/index.ts'

const directory = mkdtempSync(join(tmpdir(), 'sagasmith-sdk-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const greeting = defineWorkflow({
  id: 'greeting',
  title: 'Greeting',
  nodes: {
    greet: { kind: 'transform', parameters: { expression: '"Hello " & run.input.name' } },
    shout: { kind: 'transform', parameters: { expression: '$uppercase(input)' } },
  },
  edges: [['greet', 'shout']],
})

test('a workflow defined in code runs in this process', async () => {
  const engine = await openSagasmith({ directory })
  const run = await engine.run(greeting, { name: 'Ada' }, { requestId: 'first' })
  expect(await run.result()).toEqual({ status: 'SUCCEEDED', output: 'HELLO ADA', error: null })
  const again = await engine.run(greeting, { name: 'Ada' }, { requestId: 'first' })
  expect(again.id).toBe(run.id)
  await engine.close()
})

test('a finished run is found again after a restart', async () => {
  const first = await openSagasmith({ directory })
  const { id } = await first.run(greeting, { name: 'Grace' })
  await first.find(id).result()
  await first.close()
  const second = await openSagasmith({ directory })
  expect(await second.find(id).result()).toMatchObject({ status: 'SUCCEEDED', output: 'HELLO GRACE' })
  await second.close()
})

test('a second engine on the same directory is refused by name', async () => {
  const engine = await openSagasmith({ directory })
  await expect(openSagasmith({ directory })).rejects.toMatchObject({
    code: 'data_directory_in_use',
    message: expect.stringContaining(`process ${process.pid}`),
  })
  await engine.close()
})
