/** Tasks that people made, on a cluster: what is pushed has all of them in it, and runners need no files. */

import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../engine/shell/shell-fixtures.ts'
import { startRedisCluster } from '../support/redis-servers.ts'
import { startRunner } from './runner-processes.ts'
import { sagasmith } from './sagasmith.ts'

const greet = `import { defineTask } from 'sagasmith'

export default defineTask({
  kind: 'acme.greet',
  version: '1',
  title: 'Greet',
  parameters: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
  run: ({ parameters }) => ({ said: 'Good day ' + parameters.name }),
  compensate: ({ output, log }) => {
    log('taking back: ' + output.said)
    return 'unsaid ' + output.said
  },
})
`

const head = { format: 'sagasmith.workflow', schemaVersion: 1 }
const link = (from: string, to: string) => ({
  from: { node: from, port: 'out' },
  to: { node: to, port: 'in' },
})

test('a code task and a saved task that are pushed run on a runner that has neither, and are taken back there', async () => {
  const cluster = await startRedisCluster()
  onTestFinished(cluster.stop)
  const address = `redis://${cluster.servers.map(({ host, port }) => `${host}:${port}`).join(',')}`
  const data = temporaryFolder()
  const there = temporaryFolder()
  mkdirSync(join(data, 'tasks'), { recursive: true })
  writeFileSync(join(data, 'tasks', 'greet.task.ts'), greet)

  // The second task is made of a configured step, as people do.
  const made = join(data, 'made.json')
  const louder = { kind: 'transform', title: 'Louder', parameters: { expression: '$uppercase(input.said)' } }
  writeFileSync(made, JSON.stringify({ ...head, id: 'made', title: 'Made', nodes: { louder }, edges: {} }))
  expect(await sagasmith(data, 'tasks', 'save', made, 'louder', '--kind', 'acme.louder')).toMatchObject({
    code: 0,
  })

  const order = join(data, 'order.json')
  const taken = { input: '{{ original.input }}', output: '{{ original.output }}' }
  const nodes = {
    greet: {
      kind: 'acme.greet',
      parameters: { name: 'Ada' },
      compensation: { task: { kind: 'acme.greet.undo', parameters: taken } },
    },
    louder: { kind: 'acme.louder', parameters: {} },
  }
  const edges = { a: link('greet', 'louder') }
  writeFileSync(order, JSON.stringify({ ...head, id: 'order', title: 'Order', nodes, edges }))
  await startRunner(address, [], { SAGASMITH_DATA: there })
  const preview = await sagasmith(data, 'push', order, '--cluster', address, '--preview')
  expect(preview).toMatchObject({ code: 0, lines: [{ type: 'workflow.preview', missingKinds: [] }] })
  expect((await sagasmith(data, 'push', order, '--cluster', address, '--yes')).code).toBe(0)
  const done = await sagasmith(data, 'run', order, '--store', address)
  expect(done.code).toBe(0)
  expect(done.lines.at(-1)).toMatchObject({ output: 'GOOD DAY ADA' })
  expect(readdirSync(there)).not.toContain('tasks')

  // What can't go on is taken back by the task's own code, of which the runner has no file either.
  const failing = join(data, 'failing.json')
  const stop = { kind: 'stop', parameters: { status: 'failed', message: 'Nobody is there.' } }
  const stopped = { nodes: { ...nodes, stop }, edges: { ...edges, b: link('louder', 'stop') } }
  writeFileSync(failing, JSON.stringify({ ...head, id: 'failing', title: 'Failing', ...stopped }))
  const undone = await sagasmith(data, 'run', failing, '--store', address)
  const runId = undone.lines.flatMap((line) => (typeof line['runId'] === 'string' ? [line['runId']] : []))[0]
  const shown = await sagasmith(data, 'runs', 'show', runId ?? 'none', '--cluster', address)
  expect(shown.text).toContain('"COMPENSATED"')
  const logs = await sagasmith(data, 'logs', 'taking back', '--cluster', address)
  expect(logs.text).toContain('taking back: Good day Ada')
})
