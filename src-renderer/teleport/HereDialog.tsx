/** The rest of a copy's run is done on this computer: what really happens then, told before it does. */

import { useState } from 'react'
import type { NodeId } from '../../src-engine/model/ids.ts'
import type { PulledRun } from '../../src-engine/model/pulled-run.ts'
import type { HerePreview } from '../../src-engine/protocol/teleport.ts'
import styles from '../panels/dialogs/push/Push.module.css'
import { useDesigner, useDocument, useRuns } from '../state/context.ts'
import { useShownDocument } from '../state/selectors.ts'
import { titleOfStep } from '../state/step-title.ts'
import type { Choice } from '../state/teleport.ts'
import { lookAtHere, lookAtHereCancelling, runHere } from '../state/teleport.ts'
import { fill } from '../text/messages.ts'
import { teleportWords as words } from '../text/teleport-words.ts'
import { Button } from '../ui/Button.tsx'
import { Modal } from '../ui/Modal.tsx'
import { ChoiceFields } from './ChoiceFields.tsx'
import { hereLines } from './here-lines.ts'
import { useChoice } from './use-choice.ts'
import { useSending } from './use-sending.ts'
import { useTeleport } from './use-teleport.ts'

export function HereDialog() {
  const run = useRuns(({ current }) => current?.pulled ?? null)
  return run === null ? null : <Dialog run={run} />
}

function Dialog({ run }: { readonly run: PulledRun }) {
  const designer = useDesigner()
  const chosen = useChoice(run)
  const { choice } = chosen
  const [cancels, setCancels] = useState(false)
  const { value: preview, error } = useTeleport(cancels ? lookAtHereCancelling : lookAtHere, run, choice)
  const close = (): void => designer.view.getState().setDialog(null)
  const { problem, isSent, send } = useSending(
    () => runHere(designer, run, { ...choice, there: cancels ? 'cancel' : 'leave' }),
    close,
  )
  return (
    <Modal
      title={fill(words.hereTitle, { title: run.workflowTitle })}
      onClose={close}
      testId="here-dialog"
      width={600}
    >
      <div className={styles['dialog']} data-short>
        <ChoiceFields state={chosen} otherwise={words.failedSteps} />
        <label className={styles['choice']}>
          <input
            type="checkbox"
            data-testid="cancel-there"
            checked={cancels}
            onChange={({ currentTarget }) => setCancels(currentTarget.checked)}
          />
          {fill(words.cancelThere, { name: run.origin.cluster })}
        </label>
        <div className={styles['plan']} data-testid="here-plan">
          {error !== null && <p role="alert">{`${error.message} ${error.hint}`}</p>}
          {preview === null && error === null && (
            <output>{fill(words.asking, { name: run.origin.cluster })}</output>
          )}
          {preview !== null && <Plan preview={preview} version={choice.version} />}
        </div>
        <div className={styles['end']}>
          {problem !== null && (
            <p className={styles['failed']} role="alert">
              {problem}
            </p>
          )}
          <footer>
            <Button onClick={close}>{words.close}</Button>
            <Button
              kind="danger"
              testId="here-confirm"
              disabled={isSent || preview === null || preview.refusal !== null}
              onClick={() => void send()}
            >
              {words.confirmHere}
            </Button>
          </footer>
        </div>
      </div>
    </Modal>
  )
}

function Plan({ preview, version }: { readonly preview: HerePreview; readonly version: Choice['version'] }) {
  const { specs } = useDesigner()
  const shown = useShownDocument()
  const open = useDocument(({ history }) => history.document)
  const { nodes } = version === 'open' ? open : shown
  const nameOf = (id: NodeId): string => titleOfStep({ nodes }, specs, id)
  const { refusal } = preview
  if (refusal !== null) {
    return (
      <div role="alert" data-testid="here-refused">
        <h3>{words.refused}</h3>
        <p>{`${refusal.message} ${refusal.hint}`}</p>
      </div>
    )
  }
  return hereLines(preview, nameOf).map((line) => <p key={line}>{line}</p>)
}
