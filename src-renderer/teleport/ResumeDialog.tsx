/** A copy's run goes on where it came from: what begins anew, what is pushed for it, or why it can't. */

import type { NodeId } from '../../src-engine/model/ids.ts'
import type { PulledRun } from '../../src-engine/model/pulled-run.ts'
import type { ResumePreview } from '../../src-engine/protocol/teleport.ts'
import styles from '../panels/dialogs/push/Push.module.css'
import { PushFooter } from '../panels/dialogs/push/PushFooter.tsx'
import { checkLines } from '../panels/dialogs/push/push-checks.ts'
import { useDesigner, useRuns } from '../state/context.ts'
import { useShownDocument } from '../state/selectors.ts'
import { titleOfStep } from '../state/step-title.ts'
import { lookAtResume, resumeThere, siteNamed } from '../state/teleport.ts'
import { fill } from '../text/messages.ts'
import { teleportWords as words } from '../text/teleport-words.ts'
import { Modal } from '../ui/Modal.tsx'
import { ChoiceFields } from './ChoiceFields.tsx'
import { useChoice } from './use-choice.ts'
import { useSending } from './use-sending.ts'
import { useTeleport } from './use-teleport.ts'

export function ResumeDialog() {
  const run = useRuns(({ current }) => current?.pulled ?? null)
  return run === null ? null : <Dialog run={run} />
}

function Dialog({ run }: { readonly run: PulledRun }) {
  const designer = useDesigner()
  const chosen = useChoice(run)
  const { choice } = chosen
  const { value: preview, error } = useTeleport(lookAtResume, run, choice)
  const name = run.origin.cluster
  const site = siteNamed(designer, name)
  const close = (): void => designer.view.getState().setDialog(null)
  const { problem, isSent, send } = useSending(() => resumeThere(designer, run, choice), close)
  const isAllowed = preview !== null && preview.refusal === null
  return (
    <Modal
      title={fill(words.resumeTitle, { title: run.workflowTitle, name })}
      onClose={close}
      testId="resume-dialog"
      width={600}
    >
      <div className={styles['dialog']} data-colour={site?.colour} data-short>
        <ChoiceFields state={chosen} otherwise={words.failedSteps} />
        <div className={styles['plan']} data-testid="resume-plan">
          {error !== null && <p role="alert">{`${error.message} ${error.hint}`}</p>}
          {preview === null && error === null && <output>{fill(words.asking, { name })}</output>}
          {preview !== null && <Plan preview={preview} />}
        </div>
        <PushFooter
          cluster={site}
          isForRun
          isKnown={isAllowed ? false : null}
          isSent={isSent}
          problem={problem}
          keys={[]}
          label={preview?.push?.known === false ? words.confirmPush : words.confirm}
          onPush={() => void send()}
          onClose={close}
        />
      </div>
    </Modal>
  )
}

function Plan({ preview: { push, again, refusal } }: { readonly preview: ResumePreview }) {
  const { specs } = useDesigner()
  const nodes = useShownDocument((document) => document.nodes)
  const nameOf = (id: NodeId): string => titleOfStep({ nodes }, specs, id)
  if (refusal !== null) {
    return (
      <div role="alert" data-testid="resume-refused">
        <h3>{words.refused}</h3>
        <p>{`${refusal.message} ${refusal.hint}`}</p>
      </div>
    )
  }
  return (
    <>
      <p>{words.resumeLead}</p>
      <p>{fill(words.beginsAnew, { steps: again.map(nameOf).join(', ') })}</p>
      <p>{push !== null && !push.known ? words.pushed : words.noPush}</p>
      {push !== null && (
        <ul className={styles['checks']}>
          {checkLines(push).map(({ text, tone }) => (
            <li key={text} data-tone={tone}>
              {text}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
