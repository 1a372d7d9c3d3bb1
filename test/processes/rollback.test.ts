/** Rollbacks from the command line: how a run ends, what is shown of it, and how people answer. */

import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { edgesOf } from '../engine/model/workflow-fixture.ts'
import { temporaryFolder } from '../engine/shell/shell-fixtures.ts'
import { told } from './sagasmith.ts'

const write = (path: string) => ({ kind: 'write-file', parameters: { path, content: 'x' } })

/** Books and pays, then fails; a payment is given back by what reads a file. */
const failing = {
  nodes: {
    book: { ...write('booked'), title: 'Book', compensation: { task: write('freed') } },
    pay: {
      ...write('paid'),
      title: 'Pay',
      compensation: {
        task: { kind: 'read-file', parameters: { path: 'refund' } },
        retry: { maxAttempts: 1 },
      },
    },
    mail: { ...write('mailed'), title: 'Mail', compensation: { impossible: 'it was read' } },
    ship: { kind: 'stop', title: 'Ship', parameters: { status: 'failed', message: 'No van.' } },
  },
  edges: edgesOf('book>pay', 'pay>mail', 'mail>ship'),
}

/** A run that has come to its end, from the command line. */
async function scene(parts: { readonly nodes: object; readonly edges: object } = failing) {
  const folder = temporaryFolder()
  const at = (name: string): string => join(folder, name)
  const document = { format: 'sagasmith.workflow', schemaVersion: 1, id: 'w', title: 'Order', ...parts }
  writeFileSync(at('w.json'), JSON.stringify(document))
  const sagasmith = (...args: readonly string[]) => told(at('d'), ...args)
  const run = await sagasmith('run', at('w.json'))
  return { at, sagasmith, run, id: /COMPENSATION_FAILED.*  (\S+)/.exec(run.out)?.[1] ?? '' }
}

test('a rollback that fails ends the command with words; its step is tried again, and the rest undone', async () => {
  const { at, sagasmith, run, id } = await scene()
  expect(run.code).toBe(1)
  expect(run.err).toContain('No van.')
  expect(run.err).toContain('What undoes a step has failed')
  const { out: shown } = await sagasmith('runs', 'show', id)
  expect(shown).toMatch(/✗ Pay +could not be undone: .+\n• Book +recorded\n/)
  expect(shown).toMatch(/Left behind\n! Pay +failed: .+\n! Mail +impossible: it was read\n/)
  const other = await sagasmith('runs', 'undo', id, 'retry', '--step', 'book')
  expect(other).toMatchObject({ code: 2, err: expect.stringContaining('These have failed: pay.') })
  expect(existsSync(at('freed'))).toBe(false)
  writeFileSync(at('refund'), 'x')
  const undone = await sagasmith('runs', 'undo', id, 'retry', '--step', 'pay', '--reason', 'the bank is back')
  expect(undone).toMatchObject({ code: 0, out: expect.stringContaining('COMPENSATED') })
  expect(existsSync(at('freed'))).toBe(true)
  const lines = (await sagasmith('runs', 'show', id, '--json')).out.trimEnd().split('\n')
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({
    type: 'rollback',
    entries: [{ nodeId: 'pay', state: 'done', attempts: 2 }, { nodeId: 'book' }],
    leftBehind: [{ reason: 'impossible' }],
  })
})

test('a replayed dead letter has the rollback go on; whoever waits for the run sees its end', async () => {
  const { at, sagasmith, id } = await scene()
  writeFileSync(at('refund'), 'x')
  const replayed = await sagasmith('dlq', 'replay', `${id}/pay~undo:file_not_found`)
  expect(replayed).toMatchObject({ code: 0, out: expect.stringContaining(`The rollback of ${id} goes on`) })
  expect((await sagasmith('runs', 'wait', id)).out).toContain('COMPENSATED')
  expect(existsSync(at('freed'))).toBe(true)
})

test('a rollback is given up as a whole', async () => {
  const { at, sagasmith, id } = await scene()
  const left = await sagasmith('runs', 'undo', id, 'abandon', '--json')
  expect(left.code).toBe(0)
  expect(JSON.parse(left.out)).toMatchObject({ type: 'run.abandon', status: 'ABANDONED' })
  expect(existsSync(at('freed'))).toBe(false)
})

test('a run that succeeded is undone on demand, and the command waits for that', async () => {
  const nodes = { book: { ...write('b2'), compensation: { task: write('undone') } }, free: { kind: 'noop' } }
  const { at, sagasmith, run } = await scene({ nodes, edges: edgesOf('book>free') })
  expect(run.code).toBe(0)
  const id = /SUCCEEDED.*  (\S+)/.exec(run.out)?.[1] ?? ''
  const undone = await sagasmith('runs', 'compensate', id)
  expect(undone).toMatchObject({ code: 0, out: expect.stringContaining('COMPENSATED') })
  expect(existsSync(at('undone'))).toBe(true)
})
