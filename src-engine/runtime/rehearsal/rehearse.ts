/** Rehearses a workflow: a run of its own for each way in which a step can go wrong, on mocks and in memory. */

import type { NodeId } from '../../model/ids.ts'
import type { SagaCoverage } from '../../model/saga-coverage.ts'
import { sagaCoverage } from '../../model/saga-coverage.ts'
import type { WorkflowDocument } from '../../model/workflow.ts'
import type { Rehearsal, RehearsalCell, RehearsedEnd } from '../../protocol/rehearsal.ts'
import { cellsOf, stepsOf } from './cells.ts'
import type { Played } from './play.ts'
import { play } from './play.ts'
import type { RehearsalOptions } from './rehearsal-options.ts'
import type { Mishap } from './rehearsed-host.ts'
import type { Story } from './story.ts'
import { violationsIn } from './violations.ts'

/** Throws `rehearsal_without_end`, and what a start throws. */
export async function rehearse(options: RehearsalOptions): Promise<Rehearsal> {
  const { document, host, told, signal } = options
  const coverage = sagaCoverage(document, host.specsByKind)
  const mishaps = cellsOf(document, host.specsByKind, coverage)
  const calm = await play(options, null)
  const cells: RehearsalCell[] = []
  for (const mishap of mishaps) {
    signal.throwIfAborted()
    const cell = calm.came.has(mishap.nodeId)
      ? cellOf(mishap, await play(options, mishap), { document, coverage })
      : unreached(mishap)
    cells.push(cell)
    told(cell, mishaps.length)
  }
  return {
    calm: endOf(calm, { document, coverage }),
    cells,
    mocked: [...calm.mocked],
    unreached: [...stepsOf(mishaps)].filter((id) => !calm.came.has(id)),
    violations: cells.reduce((sum, { violations }) => sum + violations.length, 0),
  }
}

const unreached = ({ nodeId, mode }: Mishap): RehearsalCell => ({
  nodeId,
  mode,
  reached: false,
  status: null,
  asks: [],
  undone: [],
  stays: [],
  error: null,
  violations: [],
})

type Known = { readonly document: WorkflowDocument; readonly coverage: SagaCoverage }

const cellOf = ({ nodeId, mode }: Mishap, played: Played, known: Known): RehearsalCell => ({
  nodeId,
  mode,
  reached: true,
  ...endOf(played, known),
})

function endOf({ run, asks, story }: Played, { document, coverage }: Known): RehearsedEnd {
  const { status, error } = run
  const undoings = story.undoings.filter((undoing) => undoing.status === 'SUCCESS')
  const undone = undoings.sort((a, b) => (a.began ?? 0) - (b.began ?? 0)).map((undoing) => undoing.nodeId)
  const violations = violationsIn({ document, coverage, story, status })
  const stays = status === 'SUCCEEDED' ? [] : effectsThatStay(story, coverage)
  return { status, asks, undone, stays, error, violations }
}

function effectsThatStay({ steps, undoings }: Story, { effects }: SagaCoverage): readonly NodeId[] {
  const undone = new Set(undoings.flatMap(({ of, status }) => (status === 'SUCCESS' ? [of] : [])))
  const done = steps.filter(({ id, status }) => status === 'SUCCESS' && !undone.has(id))
  const staying = new Set(done.map(({ nodeId }) => nodeId))
  return effects.flatMap(({ nodeId }) => (staying.has(nodeId) ? [nodeId] : []))
}
