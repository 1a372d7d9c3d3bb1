/** Where an entry is from, as people call it. Pure. */

import { nodeIdOf, stepPlaceOf } from '../../../../src-engine/model/ids.ts'
import type { LogEntry } from '../../../../src-engine/protocol/history.ts'
import type { SpecsByKind } from '../../../rules/connection.ts'
import { titleOfTold } from '../../../state/step-title.ts'
import { logWords as words } from '../../../text/log-words.ts'

export interface LogPlace {
  readonly title: string
  /** Of the step; null for what is about none. */
  readonly id: string | null
  /** Which of the step's turns, as in its id; empty where it has but one. */
  readonly turn: string
}

type Entry = Pick<LogEntry, 'invocationId' | 'nodeId' | 'runId' | 'nodeTitle' | 'taskKind'>

export function placeOf(entry: Entry, specs: SpecsByKind): LogPlace {
  const { invocationId, nodeId, runId } = entry
  const id = invocationId === null ? nodeId : nodeIdOf(invocationId)
  if (id === null) return { title: runId === null ? words.noRun : words.aWholeRun, id, turn: '' }
  const turn = invocationId === null ? '' : stepPlaceOf(invocationId).slice(id.length)
  return { title: titleOfTold(entry, specs, id), id, turn }
}
