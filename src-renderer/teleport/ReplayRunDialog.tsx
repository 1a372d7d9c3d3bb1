/** A copy of a run is run again on what was recorded: what came out as it did, and what didn't. */

import { useMemo, useState } from 'react'
import type { PulledRun } from '../../src-engine/model/pulled-run.ts'
import { versionChanges } from '../../src-engine/model/version-changes.ts'
import { DiffCanvas } from '../canvas/diff/DiffCanvas.tsx'
import type { FieldChange } from '../canvas/diff/field-change.ts'
import { fieldChanges } from '../canvas/diff/field-change.ts'
import { replayGraph } from '../canvas/diff/replay-graph.ts'
import styles from '../panels/dialogs/push/Push.module.css'
import { useDesigner, useRuns } from '../state/context.ts'
import type { Replayed } from '../state/teleport.ts'
import { replay } from '../state/teleport.ts'
import { runStyle } from '../status/status-style.ts'
import { fill } from '../text/messages.ts'
import { verdictWords, teleportWords as words } from '../text/teleport-words.ts'
import { Button } from '../ui/Button.tsx'
import { Modal } from '../ui/Modal.tsx'
import { ChoiceFields } from './ChoiceFields.tsx'
import { StepVerdicts } from './StepVerdicts.tsx'
import { useChoice } from './use-choice.ts'
import { useTeleport } from './use-teleport.ts'

const markWords = {
  same: verdictWords.same,
  changed: verdictWords.differs,
  added: verdictWords.new,
  removed: verdictWords.gone,
  failed: verdictWords.failed,
}

export function ReplayRunDialog() {
  const run = useRuns(({ current }) => current?.pulled ?? null)
  return run === null ? null : <Dialog run={run} />
}

function Dialog({ run }: { readonly run: PulledRun }) {
  const designer = useDesigner()
  const chosen = useChoice(run)
  const { value: replayed, error } = useTeleport(replay, run, chosen.choice)
  const { setDialog } = designer.view.getState()
  return (
    <Modal
      title={fill(words.replayTitle, { title: run.workflowTitle })}
      onClose={() => setDialog(null)}
      testId="replay-dialog"
      width={1120}
    >
      <div className={styles['dialog']}>
        <ChoiceFields state={chosen} otherwise={words.allSteps} />
        <div className={styles['look']} data-status={replayed === null ? 'asking' : 'known'}>
          {error !== null && (
            <p className={styles['failed']} role="alert">{`${error.message} ${error.hint}`}</p>
          )}
          {replayed === null && error === null && (
            <output className={styles['wait']}>{words.replaying}</output>
          )}
          {replayed !== null && <Look replayed={replayed} />}
        </div>
        <div className={styles['end']}>
          <footer>
            <Button testId="replay-resume" onClick={() => setDialog('resume')}>
              {words.resume}
            </Button>
            <Button kind="primary" data-focus onClick={() => setDialog(null)}>
              {words.close}
            </Button>
          </footer>
        </div>
      </div>
    </Modal>
  )
}

function Look({ replayed }: { readonly replayed: Replayed }) {
  const { specs } = useDesigner()
  const [selected, setSelected] = useState<string | null>(null)
  const { report } = replayed
  const graph = useMemo(() => replayGraph(replayed, replayed.report.steps, specs), [replayed, specs])
  const changes = useMemo(
    () => versionChanges(replayed.before, replayed.after, specs).filter(({ what }) => what === 'node'),
    [replayed, specs],
  )
  const fieldsOf = (node: string): readonly FieldChange[] =>
    changes.filter(({ id }) => id === node).flatMap((change) => fieldChanges(change, replayed, specs))
  return (
    <>
      <div className={styles['picture']}>
        <DiffCanvas
          graph={graph}
          label={words.canvas}
          words={markWords}
          selected={selected}
          onSelect={setSelected}
        />
      </div>
      <div className={styles['words']} data-testid="replay-words">
        <p className={styles['lead']}>{words.replayLead}</p>
        {report.isSame && <p data-testid="replay-same">{words.isSame}</p>}
        {report.end.recorded !== report.end.replayed && (
          <p data-testid="replay-end">
            {fill(words.ends, {
              recorded: runStyle[report.end.recorded].label,
              replayed: runStyle[report.end.replayed].label,
            })}
          </p>
        )}
        <h3>{words.steps}</h3>
        <StepVerdicts steps={report.steps} fieldsOf={fieldsOf} selected={selected} onSelect={setSelected} />
      </div>
    </>
  )
}
