/** Rollbacks from the command line: how a run ends, what is shown of it, and how people answer. */

import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { edgesOf } from '../engine/model/workflow-fixture.ts'
import { temporaryFolder } from '../engine/shell/shell-fixtures.ts'

const cli = resolve(import.meta.dirname, '../../src-engine/shell/cli.ts')

const write = (path: string) => ({ kind: 'write-file', parameters: { path, content: 'x' } })

/** Books and pays, then fails; a payment is given back by what reads a file. */
function scene() {
  const folder = temporaryFolder()
  const at = (name: string): string => join(folder, name)
  const nodes = {
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
  }
  const parts = { nodes, edges: edgesOf('book>pay', 'pay>mail', 'mail>ship') }
  const document = { format: 'sagasmith.workflow', schemaVersion: 1, id: 'w', title: 'Order', ...parts }
  writeFileSync(at('w.json'), JSON.stringify(document))
  const sagasmith = (...args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args, '--data', at('d')], {
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '1' },
    })
    return { code: status, out: stdout, err: stderr }
  }
  const run = sagasmith('run', at('w.json'))
  return { at, sagasmith, run, id: /COMPENSATION_FAILED.*  (\S+)/.exec(run.out)?.[1] ?? '' }
}

test('a rollback that fails ends the command with words; its step is tried again, and the rest undone', () => {
  const { at, sagasmith, run, id } = scene()
  expect(run.code).toBe(1)
  expect(run.err).toContain('No van.')
  expect(run.err).toContain('What undoes a step has failed')
  const shown = sagasmith('runs', 'show', id).out
  expect(shown).toMatch(/✗ Pay +could not be undone: .+\n• Book +recorded\n/)
  expect(shown).toMatch(/Left behind\n! Pay +failed: .+\n! Mail +impossible: it was read\n/)
  expect(shown).toContain(`sagasmith runs undo ${id} retry|skip|abandon`)
  expect(sagasmith('runs', 'wait', id)).toMatchObject({ code: 1, out: expect.stringContaining('FAILED') })
  expect(sagasmith('runs', 'undo', id, 'maybe').code).toBe(2)
  const other = sagasmith('runs', 'undo', id, 'retry', '--step', 'book')
  expect(other).toMatchObject({ code: 2, err: expect.stringContaining('These have failed: pay.') })

  const again = sagasmith('runs', 'undo', id, 'retry')
  expect(again).toMatchObject({ code: 1, out: expect.stringContaining('COMPENSATION_FAILED') })
  expect(existsSync(at('freed'))).toBe(false)

  writeFileSync(at('refund'), 'x')
  const undone = sagasmith('runs', 'undo', id, 'retry', '--step', 'pay', '--reason', 'the bank is back')
  expect(undone).toMatchObject({ code: 0, out: expect.stringContaining('COMPENSATED') })
  expect(existsSync(at('freed'))).toBe(true)
  expect(sagasmith('runs', 'show', id).out).toMatch(/↩ Pay +undone \(3 attempts\)\n↩ Book +undone\n/)
})

test('what failed is passed over, or the whole rollback is given up; the list says who and why', () => {
  const passed = scene()
  const skipped = passed.sagasmith('runs', 'undo', passed.id, 'skip', '--reason', 'Refunded by phone.')
  expect(skipped.code).toBe(0)
  expect(existsSync(passed.at('freed'))).toBe(true)
  const shown = passed.sagasmith('runs', 'show', passed.id)
  expect(shown.out).toMatch(/- Pay +passed over.*\n/)
  expect(shown.out).toMatch(/! Pay +skipped: Refunded by phone\. \(.+\)\n/)
  const late = passed.sagasmith('runs', 'undo', passed.id, 'retry')
  expect(late).toMatchObject({ code: 1, err: expect.stringContaining('it is COMPENSATED') })

  const dropped = scene()
  const left = dropped.sagasmith('runs', 'undo', dropped.id, 'abandon', '--json')
  expect(left.code).toBe(0)
  expect(JSON.parse(left.out)).toMatchObject({ type: 'run.abandon', status: 'ABANDONED' })
  expect(existsSync(dropped.at('freed'))).toBe(false)
  const lines = dropped.sagasmith('runs', 'show', dropped.id, '--json').out.trimEnd().split('\n')
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({
    type: 'rollback',
    undone: [],
    leftBehind: [{ reason: 'abandoned' }, { reason: 'abandoned' }, { reason: 'impossible' }],
  })
})

test('a run that succeeded is undone on demand, and the command waits for that', () => {
  const { at, sagasmith } = scene()
  const edges = edgesOf('book>free')
  const nodes = { book: { ...write('b2'), compensation: { task: write('undone') } }, free: { kind: 'noop' } }
  const document = { format: 'sagasmith.workflow', schemaVersion: 1, id: 'v', title: 'V', nodes, edges }
  writeFileSync(at('v.json'), JSON.stringify(document))
  const { out, code } = sagasmith('run', at('v.json'))
  expect(code).toBe(0)
  const id = /SUCCEEDED.*  (\S+)/.exec(out)?.[1] ?? ''
  expect(sagasmith('runs', 'show', id).out).toContain(`Undo it all: sagasmith runs compensate ${id}`)
  const undone = sagasmith('runs', 'compensate', id)
  expect(undone).toMatchObject({ code: 0, out: expect.stringContaining('COMPENSATED') })
  expect(existsSync(at('undone'))).toBe(true)
})
