/** Undoing a step that started a run: that run is found and waited for, whatever became of the step's result. */

import { expect, test } from 'vitest'
import { endUndoOfChild } from '../../../../src-engine/core/saga/undo-child.ts'
import { childRunId, childRunOf } from '../../../../src-engine/model/child-run.ts'
import { invocationId } from '../../../../src-engine/model/ids.ts'
import type { InvocationRecord } from '../../../../src-engine/model/invocation.ts'
import type { RunRecord } from '../../../../src-engine/model/run.ts'
import { failed } from '../run-scene.ts'
import { chain, endUndo, undoRecord } from './saga-scene.ts'

test('the run of a step is known also while the result is held back', () => {
  const id = invocationId('run-1/call')
  const common = { id, taskKind: 'sub-workflow', failureCount: 2, wait: null, error: null }
  const of = (status: string) => childRunOf({ ...common, status } as unknown as InvocationRecord)
  expect([of('SUCCESS'), of('OUTPUT_QUARANTINED')]).toEqual([childRunId(id, 2), childRunId(id, 2)])
  expect(of('RUNNING')).toBeNull()
})

test('that the run had ended, told once more, is no end of its rollback', async () => {
  const scene = chain(['a', 'b'])
  await scene.start()
  await scene.end('a')
  await scene.end('b', failed('csv_invalid', false))
  const child = childRunId(invocationId('run-1/a'), 0)
  await endUndo(scene, 'a', {
    kind: 'calls',
    child: { runId: child, waits: true },
    output: { kind: 'inline', json: 'null' },
    versions: [],
  } as never)
  expect(undoRecord(scene, 'a')).toMatchObject({ status: 'WAITING', wait: { kind: 'run', runId: child } })
  const run = { id: child, status: 'SUCCEEDED' } as RunRecord
  const told = (isUndoable: boolean) =>
    scene.decide((state, context) =>
      endUndoOfChild(state, context, { step: invocationId('run-1/a'), run, isUndoable }),
    )
  expect(await told(true)).toBeNull()
  await told(false)
  expect(undoRecord(scene, 'a').status).toBe('SUCCESS')
  expect(scene.state.run.status).toBe('COMPENSATED')
})
