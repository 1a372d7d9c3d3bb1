/** What an expression gives at a node, on the data at hand: the shown run's, else the newest one's, and mocks. */

import { useEffect, useState } from 'react'
import { nodeId as toNodeId } from '../../src-engine/model/ids.ts'
import { runMachine } from '../../src-engine/model/run-status.ts'
import type { OutputOf } from '../../src-engine/protocol/api.ts'
import { asJson } from '../state/blank-document.ts'
import { useDesigner, useRuns, useView } from '../state/context.ts'
import type { Designer } from '../state/designer.ts'
import { useNodePlace } from '../state/selectors.ts'
import { lineOfRun } from '../state/site-lines.ts'
import type { EndSeen } from './schema-fields.ts'

export type Preview = OutputOf<'expressions.preview'>

export interface Previewed {
  readonly text: string
  readonly mode: 'expression' | 'template'
  /** Null asks nothing. */
  readonly nodeId: string | null
  /** What of the step's own end it may read, too; nothing where absent. */
  readonly sees?: EndSeen | null
}

/** Asked for when typing pauses. */
const typingPauseMs = 250

/** Null until there is an answer, and where nothing is asked. */
export function usePreview(
  { text, mode, nodeId, sees = null }: Previewed,
  pauseMs = typingPauseMs,
): Preview | null {
  const designer = useDesigner()
  const path = useNodePlace(nodeId ?? '')
  const mocks = useView((state) => state.mockSet)
  const runId = useRuns((state) => state.current?.runId ?? state.list[0]?.run.id ?? null)
  // What a run gives changes while it is under way; its end, and that of each step, is when to look again.
  const progress = useRuns(progressOf)
  const [result, setResult] = useState<Preview | null>(null)
  useEffect(() => {
    if (nodeId === null) return undefined
    let isStale = false
    const cancel = designer.ambient.after(pauseMs, () => {
      previewOf(designer, { text, mode, nodeId, path, mocks, runId, sees })
        .then((answer) => {
          if (!isStale) setResult(answer)
        })
        .catch(() => undefined)
    })
    return () => {
      isStale = true
      cancel()
    }
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- what a run does is a reason to look again
  }, [designer, text, mode, nodeId, runId, path, mocks, sees, progress, pauseMs])
  return nodeId === null ? null : result
}

/** Changes whenever a step of the shown run has come to something new. */
function progressOf({ current }: ReturnType<Designer['runs']['getState']>): string {
  const replay = current?.live.replay
  const run = replay?.run
  if (run === null || run === undefined) return ''
  return runMachine.final.has(run.status) ? run.status : `${replay?.attempts.length ?? 0}`
}

export interface PreviewRequest extends Previewed {
  readonly nodeId: string
  readonly path: string
  readonly mocks: string | null
  readonly runId: OutputRunId
}

type OutputRunId = NonNullable<ReturnType<Designer['runs']['getState']>['current']>['runId'] | null

/** One question to the engine that has the run. */
export function previewOf(designer: Designer, asked: PreviewRequest): Promise<Preview> {
  const { nodeId, runId, text, mode, path, mocks, sees = null } = asked
  const document = asJson(designer.document.getState().history.document)
  const line = runId === null ? designer.connection : lineOfRun(designer, runId)
  return line.call('expressions.preview', {
    document,
    nodeId: toNodeId(nodeId),
    text,
    mode,
    runId,
    path,
    mocks,
    ...(sees === null ? {} : { sees }),
  })
}

/** Where the data of a node's previews come from, now. */
export function dataAtHand(designer: Designer): Pick<PreviewRequest, 'mocks' | 'runId'> {
  const { current, list } = designer.runs.getState()
  return { mocks: designer.view.getState().mockSet, runId: current?.runId ?? list[0]?.run.id ?? null }
}
