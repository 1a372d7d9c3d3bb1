/** Scenes of runs that can be undone. */

import type { AttemptEnd } from '../../../../src-engine/core/finish-attempt.ts'
import { SagasmithError } from '../../../../src-engine/model/errors.ts'
import type { InvocationRecord } from '../../../../src-engine/model/invocation.ts'
import type { InvocationStatus } from '../../../../src-engine/model/invocation-status.ts'
import type { JsonObject } from '../../../../src-engine/model/json.ts'
import { edgesOf } from '../../model/workflow-fixture.ts'
import type { Scene } from '../run-scene.ts'
import { sceneOf, succeeded } from '../run-scene.ts'

const noop = { kind: 'noop', parameters: {} }

/** A node that something undoes; its effect is one that nobody may repeat unasked. */
export const undo = (more: JsonObject = {}): JsonObject => ({
  kind: 'noop',
  sideEffect: 'idempotent',
  compensation: { task: noop },
  ...more,
})

/** A scene for a document with these parts. */
export const sagaOf = (parts: JsonObject): Scene => sceneOf(parts)

/** Steps one after the other, all of them undone but for those in `plain`. */
export function chain(ids: readonly string[], parts: JsonObject = {}, plain: readonly string[] = []): Scene {
  const nodes = Object.fromEntries(
    ids.map((id) => [id, plain.includes(id) ? { kind: 'noop', sideEffect: 'idempotent' } : undo()]),
  )
  const edges = edgesOf(...ids.slice(1).map((id, index) => `${ids[index]}>${id}`))
  return sceneOf({ nodes, edges, ...parts })
}

const undos = (scene: Scene): readonly InvocationRecord[] =>
  [...scene.state.invocations.values()].filter(({ role }) => role === 'compensation')

/** The newest compensation of a step. */
export function undoRecord(scene: Scene, node: string): InvocationRecord {
  const [id = node, path = ''] = node.split('@')
  const record = undos(scene).findLast((found) => found.nodeId === id && found.path === path)
  if (record === undefined) throw new SagasmithError('invocation_not_found')
  return record
}

/** By step, where the newest compensation of each is. */
export const undoStatuses = (scene: Scene): Record<string, InvocationStatus> =>
  Object.fromEntries(
    undos(scene)
      .map(
        (record) =>
          [record.path === '' ? record.nodeId : `${record.nodeId}@${record.path}`, record.status] as const,
      )
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )

/** The steps whose compensations wait for a rollback, in the order of their places. */
export const recordedOf = (scene: Scene): readonly string[] =>
  undos(scene)
    .flatMap(({ nodeId, wait, status }) =>
      status === 'WAITING' && wait?.kind === 'rollback' ? [{ nodeId, place: wait.place }] : [],
    )
    .sort((a, b) => a.place - b.place)
    .map(({ nodeId }) => nodeId)

/** The attempt of a compensation ends. */
export const endUndo = (scene: Scene, node: string, end: AttemptEnd = succeeded()) =>
  scene.endId(undoRecord(scene, node).id, end)
