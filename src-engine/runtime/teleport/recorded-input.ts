/** What arrived at a step when it was recorded, from the records of those before it. */

import type { NodeInput } from '../../core/node-input.ts'
import { arrivalsOf, nodeInput } from '../../core/node-input.ts'
import { decisionOf } from '../../core/run-state.ts'
import type { ScopeInput } from '../../core/scope-input.ts'
import { placeOf } from '../../core/scope-path.ts'
import type { JsonValue } from '../../model/json.ts'
import type { Payload } from '../../model/payload.ts'
import type { PayloadStore } from '../payload-store.ts'
import { storedItem } from '../surroundings.ts'
import type { RecordedStep, Recording } from './recording.ts'
import { stepKey } from './recording.ts'

const nothing: Payload = { kind: 'inline', json: 'null' }

/** The value that arrived; undefined for a step that its workflow doesn't have. */
export async function recordedInput(
  payloads: PayloadStore,
  recording: Recording,
  { record }: RecordedStep,
): Promise<JsonValue | undefined> {
  const { path, nodeId, dispatch } = record
  const given = dispatch?.input ?? null
  if (given !== null) return payloads.value(given)
  const node = recording.workflow.nodeById.get(nodeId)
  if (node === undefined) return undefined
  const recordOf = (id: typeof nodeId) => recording.steps.get(stepKey(id, path))?.record
  const input = nodeInput(
    {
      scopeInput: scopeInput(recording, path),
      arrived: arrivalsOf(node, record),
      isTaken: (edge) => {
        const from = recordOf(edge.from.id)
        return from !== undefined && decisionOf(from, edge) === 'taken'
      },
      record: (from) => recordOf(from.id),
    },
    node,
  )
  return valueOfInput(payloads, input)
}

/** The containers' records have let go of it: their events tell it. */
function scopeInput({ run, steps }: Recording, path: string): ScopeInput {
  if (path === '') return { kind: 'single', payload: run.input }
  const { container, parent, index } = placeOf(path)
  const around = steps.get(stepKey(container, parent))
  const items = around?.items ?? null
  if (items !== null) return { kind: 'item', items, index }
  return { kind: 'single', payload: around?.turns.get(index) ?? nothing }
}

/** What a node gets, as a value. */
async function valueOfInput(payloads: PayloadStore, input: NodeInput): Promise<JsonValue> {
  if (input.kind === 'single') return payloads.value(input.payload)
  if (input.kind === 'item') return storedItem(payloads, input.items, input.index)
  const members: Record<string, JsonValue> = {}
  for (const { nodeId, payload } of input.parts) members[nodeId] = await payloads.value(payload)
  return members
}
