/** The log of the whole run, live: what each step prints, in the order in which it came. */

import { Play, ScrollText } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { LogLine } from '../../../src-engine/model/attempt.ts'
import { nodeId as asNodeId } from '../../../src-engine/model/ids.ts'
import type { JsonValue } from '../../../src-engine/model/json.ts'
import { useDesigner, useRuns } from '../../state/context.ts'
import type { OpenRun } from '../../state/runs-store.ts'
import { shownModel, shownUntil } from '../../state/runs-store.ts'
import { useShownDocument } from '../../state/selectors.ts'
import { titleOfStep } from '../../state/step-title.ts'
import { empty } from '../../text/messages.ts'
import { EmptyState, RunFirst } from '../../ui/EmptyState.tsx'
import { clockWords } from '../../ui/time-words.ts'
import styles from './LogPanel.module.css'

interface Entry {
  readonly nodeId: string
  readonly line: LogLine
}

/** The newest lines; older ones are with their steps. */
const shownMax = 500

export function LogPanel() {
  const current = useRuns((state) => state.current)
  const { specs } = useDesigner()
  const document = useShownDocument()
  const entries = useMemo(() => (current === null ? [] : entriesOf(current)), [current])
  const list = useRef<HTMLOListElement>(null)
  const [sticks, setSticks] = useState(true)
  useEffect(() => {
    if (sticks && list.current !== null) list.current.scrollTop = list.current.scrollHeight
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- more lines are a reason to scroll
  }, [entries, sticks])
  if (current === null)
    return (
      <EmptyState icon={Play} text={empty.noRun}>
        <RunFirst />
      </EmptyState>
    )
  if (entries.length === 0) return <EmptyState icon={ScrollText} text={empty.log} />
  return (
    <ol
      className={styles['log']}
      data-testid="run-log"
      ref={list}
      onScroll={(event) => {
        const { scrollTop, scrollHeight, clientHeight } = event.currentTarget
        setSticks(scrollHeight - scrollTop - clientHeight < 24)
      }}
    >
      {entries.map(({ nodeId, line }, index) => (
        // Lines only ever grow at the end.
        <li key={index} data-level={line.level}>
          <time>{clockWords(line.at)}</time>
          <b title={nodeId}>{titleOfStep(document, specs, asNodeId(nodeId))}</b>
          <span>{line.text}</span>
        </li>
      ))}
    </ol>
  )
}

function entriesOf(current: OpenRun): readonly Entry[] {
  const { replay } = shownModel(current)
  const entries: Entry[] = []
  const logged = new Set<string>()
  for (const { invocationId, log } of replay.attempts) {
    const nodeId = replay.invocations.get(invocationId)?.nodeId ?? ''
    if (log?.kind !== 'inline') continue
    logged.add(invocationId)
    // The engine wrote it as an array of lines.
    const lines = JSON.parse(log.json) as JsonValue as unknown as readonly LogLine[]
    entries.push(...lines.map((line) => ({ nodeId, line })))
  }
  for (const [invocationId, lines] of current.liveLines) {
    const invocation = [...replay.invocations.values()].find(({ id }) => id === invocationId)
    if (invocation === undefined || (logged.has(invocationId) && invocation.finishedAt !== null)) continue
    entries.push(...lines.map((line) => ({ nodeId: invocation.nodeId, line })))
  }
  const until = shownUntil(current)
  return entries
    .filter(({ line }) => line.at <= until)
    .toSorted((a, b) => a.line.at - b.line.at)
    .slice(-shownMax)
}
