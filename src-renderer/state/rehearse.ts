/** From Rehearse to its matrix: what keeps it from beginning, what each run starts with, what came of it. */

import { recordOfThrown } from '../../src-engine/model/errors.ts'
import type { JsonObject } from '../../src-engine/model/json.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import type { Rehearsal } from '../../src-engine/protocol/rehearsal.ts'
import { asksForInput, isRunnable } from './begin-run.ts'
import { chosenMocks } from './chosen-mocks.ts'
import type { Designer } from './designer.ts'
import { openedDocument } from './follow-runs.ts'
import type { CellPlace } from './rehearsal-store.ts'

/** The matrix needs more room than the list of problems. */
const roomyHeight = 320

/** Rehearses the open document; asks for the input first when it has a form. */
export async function beginRehearsal(designer: Designer): Promise<void> {
  if (!isRunnable(designer)) return
  if (asksForInput(designer)) designer.view.getState().setDialog('rehearse')
  else await rehearse(designer, {})
}

/** Rehearses the open document with an input, and shows what comes of it; what is refused is shown too. */
export async function rehearse(designer: Designer, input: JsonObject): Promise<void> {
  const { rehearsal, view, connection } = designer
  const { document } = designer.document.getState().history
  const { panels, setPanels, announce } = view.getState()
  setPanels({
    isBottomOpen: true,
    bottomTab: 'rehearsal',
    bottomHeight: Math.max(panels.bottomHeight, roomyHeight),
  })
  const mine = { status: 'running', document } as const
  rehearsal.getState().setPhase(mine, null)
  // A later rehearsal took its place: what this one says is of no interest any more.
  const isLate = (): boolean => rehearsal.getState().phase !== mine
  try {
    const result = await connection.call('rehearsal.run', {
      ...openedDocument(designer),
      input,
      mocks: chosenMocks(designer),
    })
    if (isLate()) return
    rehearsal.getState().setPhase({ status: 'done', document, result }, worthALook(result))
    announce(`Rehearsed. Rules broken: ${result.violations}.`)
  } catch (thrown) {
    if (!isLate())
      rehearsal.getState().setPhase({ status: 'failed', document, error: recordOfThrown(thrown) }, null)
  }
}

/** The cell to begin with: a broken rule, else where a person decides, else where something stays. Pure. */
export function worthALook({ cells }: Pick<Rehearsal, 'cells'>): CellPlace | null {
  const found =
    cells.find(({ violations }) => violations.length > 0) ??
    cells.find(({ asks }) => asks.length > 0) ??
    cells.find(({ stays }) => stays.length > 0) ??
    cells.find(({ reached }) => reached) ??
    cells[0]
  return found === undefined ? null : { nodeId: found.nodeId, mode: found.mode }
}

/** Whether both would be rehearsed alike: moving cards, notes and names change nothing. Pure. */
export function isSameRehearsal(left: WorkflowDocument, right: WorkflowDocument): boolean {
  return (
    left.id === right.id &&
    left.nodes === right.nodes &&
    left.edges === right.edges &&
    left.settings === right.settings &&
    left.sagaScopes === right.sagaScopes &&
    left.input === right.input
  )
}
