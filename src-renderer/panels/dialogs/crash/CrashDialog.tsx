/** Kills the worker of the shown run at a moment of choice, and stays to show what becomes of it. */

import { Skull } from 'lucide-react'
import { useId, useState } from 'react'
import type { RunId } from '../../../../src-engine/model/ids.ts'
import type { CrashMoment } from '../../../../src-engine/protocol/crash.ts'
import { crashMoments } from '../../../../src-engine/protocol/crash.ts'
import { useDesigner, useRuns } from '../../../state/context.ts'
import { leftAlone, mayCrash } from '../../../state/crash.ts'
import { lineOfRun } from '../../../state/site-lines.ts'
import { crashWords as words } from '../../../text/crash-words.ts'
import { fill } from '../../../text/messages.ts'
import { Modal } from '../../../ui/Modal.tsx'
import { useLiveAnswer } from '../../../ui/use-live-answer.ts'
import dialogs from '../dialogs.module.css'
import { SendFooter } from '../SendFooter.tsx'
import { useSending } from '../use-sending.ts'
import { CrashReport } from './CrashReport.tsx'

export function CrashDialog() {
  const runId = useRuns((state) => state.current?.runId ?? null)
  const cluster = useRuns(leftAlone)
  if (runId === null) return null
  return cluster === null ? <CrashOf runId={runId} /> : <NotThere cluster={cluster} />
}

function NotThere({ cluster }: { readonly cluster: string }) {
  const designer = useDesigner()
  const close = (): void => designer.view.getState().setDialog(null)
  return (
    <Modal title={words.title} onClose={close} testId="crash-dialog" width={620}>
      <div className={dialogs['body']}>
        <p data-testid="crash-not-there">{fill(words.notThere, { name: cluster })}</p>
      </div>
    </Modal>
  )
}

function CrashOf({ runId }: { readonly runId: RunId }) {
  const designer = useDesigner()
  const [moment, setMoment] = useState<CrashMoment>('after-effect')
  const [round, setRound] = useState(0)
  const { answer, refresh } = useLiveAnswer('runs.crashReport', { runId })
  const isPossible = useRuns(mayCrash)
  const report = answer?.report ?? null
  const close = (): void => designer.view.getState().setDialog(null)
  return (
    <Modal title={words.title} onClose={close} testId="crash-dialog" width={620}>
      <div className={dialogs['body']}>
        {report === null && <p>{words.lead}</p>}
        {report !== null && <CrashReport report={report} />}
        {isPossible && (
          <CrashForm
            // What was sent is over: another one can be sent.
            key={round}
            runId={runId}
            isFirst={report === null}
            moment={moment}
            onMoment={setMoment}
            onSent={() => {
              setRound((before) => before + 1)
              refresh()
            }}
            onClose={close}
          />
        )}
      </div>
    </Modal>
  )
}

function CrashForm(props: {
  readonly runId: RunId
  readonly isFirst: boolean
  readonly moment: CrashMoment
  readonly onMoment: (moment: CrashMoment) => void
  readonly onSent: () => void
  readonly onClose: () => void
}) {
  const { runId, isFirst, moment, onMoment, onSent, onClose } = props
  const designer = useDesigner()
  const name = useId()
  const sending = useSending(async () => {
    await lineOfRun(designer, runId).call('runs.crash', { runId, moment, by: null })
  }, onSent)
  return (
    <form
      className={dialogs['form']}
      onSubmit={(event) => {
        event.preventDefault()
        void sending.send()
      }}
    >
      <fieldset className={dialogs['choice']} data-testid="crash-moments">
        <legend>{words.moment}</legend>
        {crashMoments.map((one) => (
          <label key={one}>
            <input
              type="radio"
              name={name}
              checked={moment === one}
              data-focus={moment === one || undefined}
              onChange={() => onMoment(one)}
            />
            <span>
              {words.moments[one]} <small>{words.momentHints[one]}</small>
            </span>
          </label>
        ))}
      </fieldset>
      <p className={dialogs['aside']}>
        {words.notEngine} {words.real}
      </p>
      <SendFooter
        sending={sending}
        label={isFirst ? words.action : words.again}
        icon={Skull}
        isDangerous
        testId="crash-send"
        onClose={onClose}
      />
    </form>
  )
}
