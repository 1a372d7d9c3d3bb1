/** Above the canvas: one sentence on what the shown run does or waits for, and what follows. */

import { Activity } from 'lucide-react'
import { useEffect } from 'react'
import { nodeId, type RunId } from '../../../src-engine/model/ids.ts'
import type { InvocationRecord } from '../../../src-engine/model/invocation.ts'
import type { WorkflowNode } from '../../../src-engine/model/workflow.ts'
import type { WhyWaiting } from '../../../src-engine/protocol/why-waiting.ts'
import { useDesigner, useRuns, useView } from '../../state/context.ts'
import type { Designer } from '../../state/designer.ts'
import { shownModel, shownUntil } from '../../state/runs-store.ts'
import { useShownDocument } from '../../state/selectors.ts'
import { explain } from '../../text/live-words.ts'
import { useSecondClock } from '../../ui/use-clock.ts'
import { useLiveAnswer } from '../../ui/use-live-answer.ts'
import styles from './ExplainStrip.module.css'
import { explainRun, headlineOf, usualOf } from './explain-run.ts'

/** Nothing while no run is shown, or it has ended. */
export function ExplainStrip() {
  const headline = useRuns(({ current }) =>
    current === null ? null : (headlineOf(shownModel(current))?.run.invocation ?? null),
  )
  const isNow = useRuns(({ current }) => current !== null && shownUntil(current) === Number.POSITIVE_INFINITY)
  if (headline === null) return null
  // Only what a limit holds up has to be asked for; the events tell all else.
  if (isNow && headline.status === 'CONCURRENCY_CONTROLLED') return <Asked record={headline} />
  return <Sentence why={null} />
}

function Asked({ record: { id, runId, nodeId: node } }: { readonly record: InvocationRecord }) {
  const { answer } = useLiveAnswer('runs.why', { runId, nodeId: node })
  return <Sentence why={answer?.waiting.find((one) => one.invocationId === id) ?? null} />
}

function Sentence({ why }: { readonly why: WhyWaiting | null }) {
  const designer = useDesigner()
  // Its step and the clock draw it again: not each event of a busy run.
  const { current } = designer.runs.getState()
  const list = useRuns((state) => state.list)
  const isFollowing = useView((state) => state.isFollowing)
  const nodes = useShownDocument((document) => document.nodes)
  const now = useSecondClock()
  const until = current === null ? now : shownUntil(current)
  const workflow = current?.live.replay.run?.workflowId
  const explained =
    current === null
      ? null
      : explainRun({
          model: shownModel(current),
          now: Number.isFinite(until) ? until : now,
          titleOf: (id) => titleOf(nodes[nodeId(id)], id, designer.specs),
          triesOf: (id) => nodes[nodeId(id)]?.retry?.maxAttempts ?? 1,
          why,
          usualMs: usualOf(list.map(({ run }) => run).filter((run) => run.workflowId === workflow)),
        })
  useSpoken(current?.runId ?? null, explained?.spoken ?? null)
  if (explained === null) return null
  return (
    <button
      type="button"
      className={styles['strip']}
      data-testid="explain"
      data-beside={isFollowing || undefined}
      title={explain.show}
      onClick={() => {
        designer.view.getState().select({ nodes: [nodeId(explained.nodeId)] })
        designer.canvas.current?.reveal(explained.nodeId)
      }}
    >
      <Activity size={13} strokeWidth={2.2} aria-hidden />
      <span>{explained.text}</span>
    </button>
  )
}

function titleOf(node: WorkflowNode | undefined, id: string, specs: Designer['specs']): string {
  return node?.title ?? specs.get(node?.kind ?? '')?.title ?? id
}

/** A state must last this long to be spoken of: a fast run would have a reader of screens talk for minutes. */
const quietMs = 1_500

function useSpoken(run: RunId | null, spoken: string | null): void {
  const designer = useDesigner()
  useEffect(() => {
    if (run === null || spoken === null) return undefined
    return designer.ambient.after(quietMs, () => designer.view.getState().announce(spoken))
  }, [designer, run, spoken])
}
