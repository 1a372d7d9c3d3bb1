/** The rest of a copy's run is done on this computer: what really happens then, told before it does. */

import { useState } from 'react'
import { recordOfThrown } from '../../src-engine/model/errors.ts'
import type { NodeId } from '../../src-engine/model/ids.ts'
import type { PulledRun } from '../../src-engine/model/pulled-run.ts'
import type { HerePreview } from '../../src-engine/protocol/teleport.ts'
import styles from '../panels/dialogs/push/Push.module.css'
import { useDesigner, useDocument, useRuns } from '../state/context.ts'
import { useShownDocument } from '../state/selectors.ts'
import type { Choice } from '../state/teleport.ts'
import { isOpenHere, lookAtHere, lookAtHereCancelling, runHere } from '../state/teleport.ts'
import { fill } from '../text/messages.ts'
import { teleportWords as words } from '../text/teleport-words.ts'
import { Button } from '../ui/Button.tsx'
import { Modal } from '../ui/Modal.tsx'
import { hereLines } from './here-lines.ts'
import { StepSelect } from './StepSelect.tsx'
import { useTeleport } from './use-teleport.ts'
import { VersionSelect } from './VersionSelect.tsx'

export function HereDialog() {
  const run = useRuns(({ current }) => current?.pulled ?? null)
  return run === null ? null : <Dialog run={run} />
}

function Dialog({ run }: { readonly run: PulledRun }) {
  const designer = useDesigner()
  const mayChoose = isOpenHere(designer, run)
  const [choice, setChoice] = useState<Choice>({ version: mayChoose ? 'open' : 'same', nodeId: null })
  const [cancels, setCancels] = useState(false)
  const { value: preview, error } = useTeleport(cancels ? lookAtHereCancelling : lookAtHere, run, choice)
  const [problem, setProblem] = useState<string | null>(null)
  const [isSent, setSent] = useState(false)
  const close = (): void => designer.view.getState().setDialog(null)
  const confirm = async (): Promise<void> => {
    setSent(true)
    setProblem(null)
    try {
      await runHere(designer, run, { ...choice, there: cancels ? 'cancel' : 'leave' })
      close()
    } catch (thrown) {
      const { message, hint } = recordOfThrown(thrown)
      setProblem(`${message} ${hint}`)
      setSent(false)
    }
  }
  return (
    <Modal
      title={fill(words.hereTitle, { title: run.workflowTitle })}
      onClose={close}
      testId="here-dialog"
      width={600}
    >
      <div className={styles['dialog']} data-short>
        <VersionSelect
          value={choice.version}
          mayChoose={mayChoose}
          onChange={(version) => setChoice({ version, nodeId: null })}
        />
        <StepSelect
          choice={choice}
          otherwise={words.failedSteps}
          onChange={(nodeId) => setChoice({ ...choice, nodeId })}
        />
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
              onClick={() => void confirm()}
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
  const nameOf = (id: NodeId): string => nodes[id]?.title ?? specs.get(nodes[id]?.kind ?? '')?.title ?? id
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
