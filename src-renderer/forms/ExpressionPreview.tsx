/** The value that an expression gives on the data of the shown run. */

import { useEffect, useState } from 'react'
import { nodeId as toNodeId } from '../../src-engine/model/ids.ts'
import { runMachine } from '../../src-engine/model/run-status.ts'
import type { OutputOf } from '../../src-engine/protocol/api.ts'
import { asJson } from '../state/blank-document.ts'
import { useDesigner, useRuns } from '../state/context.ts'
import { lineOfRun } from '../state/site-lines.ts'
import { preview } from '../text/messages.ts'
import { useForm } from './form-context.ts'
import styles from './forms.module.css'

/** Asked for when typing pauses. */
const previewDelayMs = 250
const shownCharsMax = 220

export function ExpressionPreview({
  text,
  mode,
}: {
  readonly text: string
  readonly mode: 'expression' | 'template'
}) {
  const { nodeId: ofNode, isPreviewed = true } = useForm()
  const nodeId = isPreviewed ? ofNode : null
  const result = usePreview({ text, mode, nodeId })
  if (nodeId === null || result === null) return null
  if (result.kind === 'no-data')
    return (
      <p className={styles['preview']} data-kind="none">
        {preview.noData}
      </p>
    )
  if (result.kind === 'problem')
    return (
      <p className={styles['preview']} data-kind="problem">
        {result.message}
      </p>
    )
  const json = JSON.stringify(result.value, null, 1)?.replaceAll(/\s*\n\s*/g, ' ') ?? 'nothing'
  return (
    <p
      className={styles['preview']}
      data-kind="value"
      title={json.slice(0, 2_000)}
      data-testid="expression-preview"
    >
      <b>=</b> {json.length > shownCharsMax ? `${json.slice(0, shownCharsMax)}…` : json}
    </p>
  )
}

type Preview = OutputOf<'expressions.preview'>

function usePreview(asked: {
  readonly text: string
  readonly mode: 'expression' | 'template'
  readonly nodeId: string | null
}): Preview | null {
  const designer = useDesigner()
  const { text, mode, nodeId } = asked
  const runId = useRuns((state) => state.current?.runId ?? state.list[0]?.run.id ?? null)
  // What a run gives changes while it is under way; its end is when to look again.
  const isFinal = useRuns((state) => {
    const run = state.current?.live.replay.run
    return run !== null && run !== undefined && runMachine.final.has(run.status)
  })
  const [result, setResult] = useState<Preview | null>(null)
  useEffect(() => {
    if (nodeId === null) return undefined
    let isStale = false
    const cancel = designer.ambient.after(previewDelayMs, () => {
      const document = asJson(designer.document.getState().history.document)
      const line = runId === null ? designer.connection : lineOfRun(designer, runId)
      line
        .call('expressions.preview', { document, nodeId: toNodeId(nodeId), text, mode, runId })
        .then((answer) => {
          if (!isStale) setResult(answer)
        })
        .catch(() => undefined)
    })
    return () => {
      isStale = true
      cancel()
    }
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- a run's end is a reason to look again
  }, [designer, text, mode, nodeId, runId, isFinal])
  return result
}
