/** Has the shown run go on where its workflow was edited since: on which version? */

import { StepForward } from 'lucide-react'
import { useState } from 'react'
import { recordOfThrown } from '../../../src-engine/model/errors.ts'
import { useDesigner, useRuns, useView } from '../../state/context.ts'
import { openVersion, retry } from '../../state/rerun.ts'
import { useShownDocument } from '../../state/selectors.ts'
import { fill, reruns } from '../../text/messages.ts'
import { Button } from '../../ui/Button.tsx'
import { Modal } from '../../ui/Modal.tsx'
import styles from './dialogs.module.css'
import { VersionChoice } from './VersionChoice.tsx'

export function RetryDialog() {
  const designer = useDesigner()
  const run = useRuns((state) => state.current?.live.replay.run ?? null)
  const from = useView((state) => state.retryFrom)
  const node = useShownDocument(({ nodes }) => (from === null ? undefined : nodes[from]))
  const open = openVersion(designer)
  const [version, setVersion] = useState<'same' | 'open'>(open === 'edited' ? 'open' : 'same')
  const [problem, setProblem] = useState<string | null>(null)
  const close = (): void => designer.view.getState().setDialog(null)
  if (run === null) return null
  const send = async (): Promise<void> => {
    try {
      await retry(designer, { runId: run.id, nodeId: from, version })
      close()
    } catch (thrown) {
      const { message, hint } = recordOfThrown(thrown)
      setProblem(`${message} ${hint}`)
    }
  }
  const title = node?.title ?? designer.specs.get(node?.kind ?? '')?.title ?? from ?? ''
  return (
    <Modal title="Retry" onClose={close} testId="retry-dialog">
      <form
        className={styles['body']}
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
      >
        <p>{from === null ? reruns.retryFailed : fill(reruns.retryFrom, { title })}</p>
        <VersionChoice value={version} open={open} onChange={setVersion} />
        {problem !== null && (
          <p className={styles['problem']} role="alert">
            {problem}
          </p>
        )}
        <footer>
          <Button onClick={close}>Cancel</Button>
          <Button type="submit" kind="primary" icon={StepForward} data-focus testId="retry-send">
            Retry
          </Button>
        </footer>
      </form>
    </Modal>
  )
}
