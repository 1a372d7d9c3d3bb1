/** The band above a copy of a cluster's run: where it came from, when, and what can be done with it. */

import { ArrowDownToLine } from 'lucide-react'
import type { PulledRun } from '../../src-engine/model/pulled-run.ts'
import styles from '../clusters/Clusters.module.css'
import { useDesigner, useSites } from '../state/context.ts'
import { bringHere, forgetCopy } from '../state/teleport.ts'
import { fill } from '../text/messages.ts'
import { teleportWords as words } from '../text/teleport-words.ts'
import { Button } from '../ui/Button.tsx'
import { instantWords } from '../ui/time-words.ts'
import { useSlowClock } from '../ui/use-clock.ts'

export function PulledBand({ run }: { readonly run: PulledRun }) {
  const designer = useDesigner()
  const { cluster, pulledAt, isFile = false } = run.origin
  const copy = isFile ? words.copyFile : words.copy
  const now = useSlowClock()
  const colour = useSites((state) => state.clusters?.find(({ name }) => name === cluster)?.colour ?? 'grey')
  const { setDialog } = designer.view.getState()
  return (
    <section
      className={styles['band']}
      data-colour={colour}
      data-copy
      data-testid="pulled-run"
      aria-label={`${copy} ${cluster}`}
    >
      <ArrowDownToLine size={14} aria-hidden />
      <span className={styles['about']}>
        {copy} <strong>{cluster}</strong>, {fill(words.asOf, { time: instantWords(pulledAt, now) })}
      </span>
      {run.isSnapshot && <span className={styles['mark']}>{words.snapshot}</span>}
      <span className={styles['spring']} />
      <span className={styles['ways']}>
        <Button isSmall kind="primary" testId="replay-run" onClick={() => setDialog('replay')}>
          {words.replay}
        </Button>
        {!isFile && <WaysBack run={run} />}
        <Button
          isSmall
          testId="forget-copy"
          onClick={() => void forgetCopy(designer, run).then(() => designer.canvas.current?.focus())}
        >
          {words.forget}
        </Button>
      </span>
    </section>
  )
}

/** Where it came from can be asked: it goes on there, or the rest of it here. */
function WaysBack({ run }: { readonly run: PulledRun }) {
  const designer = useDesigner()
  const isPulling = useSites((state) => state.pulling !== null)
  const { setDialog } = designer.view.getState()
  return (
    <>
      <Button isSmall testId="resume-there" onClick={() => setDialog('resume')}>
        {words.resume}
      </Button>
      <Button isSmall testId="run-here" onClick={() => setDialog('here')}>
        {words.here}
      </Button>
      <Button
        isSmall
        testId="bring-again"
        disabled={isPulling}
        onClick={() => void bringHere(designer, run.runId, run.origin.cluster)}
      >
        {words.again}
      </Button>
    </>
  )
}
