/** Mocks out of a run: each of its steps is to give again what it gave there, or to fail as it failed. */

import type { NodeId } from '../../src-engine/model/ids.ts'
import type { InvocationRecord } from '../../src-engine/model/invocation.ts'
import type { JsonValue } from '../../src-engine/model/json.ts'
import type { Payload } from '../../src-engine/model/payload.ts'
import { isFleeting } from '../../src-engine/model/payload.ts'
import type { NodeMock } from '../../src-engine/model/workflow.ts'
import { outputPort } from '../../src-engine/model/workflow.ts'
import { recordMocks } from '../commands/mocks.ts'
import { fill } from '../text/messages.ts'
import { mockWords as words } from '../text/mock-words.ts'
import type { Designer } from './designer.ts'
import { attempt } from './designer.ts'
import { shownModel } from './runs-store.ts'
import { lineOfRun } from './site-lines.ts'

/** Characters of an output that a document keeps: larger ones are for files. */
const outputCharsMax = 256 * 1024

/** The mock that a step's end amounts to; null for one that hasn't ended, or was stopped from outside. */
export function mockOfEnd(
  { status, ports, error }: Pick<InvocationRecord, 'status' | 'ports' | 'error'>,
  output: JsonValue,
): NodeMock | null {
  if (status === 'FAILED' || status === 'TIMEOUT') {
    return error === null ? null : { error: { code: error.code, message: error.message } }
  }
  if (status !== 'SUCCESS') return null
  const [port, another] = ports ?? []
  const isUsual = port === undefined || another !== undefined || port === outputPort
  return isUsual ? { output } : { output, port }
}

/** Writes the shown run's ends into the chosen set, or into one that is made for them. */
export async function recordShownRun(designer: Designer): Promise<void> {
  const { current } = designer.runs.getState()
  if (current === null) return
  const { mockSet, setMockSet, announce, toast } = designer.view.getState()
  const set = mockSet ?? words.firstSet
  const { nodes } = designer.document.getState().history.document
  const mocks = new Map<NodeId, NodeMock>()
  let left = 0
  await attempt(designer, async () => {
    for (const { invocation } of shownModel(current).nodes.values()) {
      if (invocation === null || nodes[invocation.nodeId] === undefined) continue
      // What opens a body is its own work: only what stands in it is answered for.
      if (invocation.path !== '') continue
      const json = await jsonOf(designer, current.runId, invocation.output)
      const mock = json === null ? null : mockOfEnd(invocation, JSON.parse(json) as JsonValue)
      if (json === null) left += 1
      else if (mock !== null) mocks.set(invocation.nodeId, mock)
    }
    designer.document.getState().edit(recordMocks(set, mocks))
    setMockSet(set)
    const said = fill(words.recorded, { count: mocks.size, set })
    announce(said)
    toast({ tone: 'good', message: said, hint: left === 0 ? null : fill(words.left, { count: left }) })
  })
}

/** The text of an output; null for one that is too large, sealed or gone. */
async function jsonOf(designer: Designer, runId: string, payload: Payload | null): Promise<string | null> {
  if (payload === null) return 'null'
  if (payload.kind === 'inline') return payload.json
  if (payload.kind === 'sealed' || payload.bytes > outputCharsMax) return null
  const line = lineOfRun(designer, runId)
  // What isn't kept may be there still, or not.
  if (isFleeting(payload))
    return line.call('payloads.get', { payload }).then(
      ({ json }) => json,
      () => null,
    )
  return (await line.call('payloads.get', { payload })).json
}
