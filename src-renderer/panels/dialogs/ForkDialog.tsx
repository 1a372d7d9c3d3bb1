/** A new run that goes on from the shown instant of a run. */

import { GitFork } from 'lucide-react'
import { useState } from 'react'
import type { NodeId } from '../../../src-engine/model/ids.ts'
import { nodeId } from '../../../src-engine/model/ids.ts'
import { asJson } from '../../state/blank-document.ts'
import { useDesigner, useRuns, useView } from '../../state/context.ts'
import { fork, shownSeq } from '../../state/debugging.ts'
import { openVersion } from '../../state/rerun.ts'
import { nodesAt } from '../../state/run-model.ts'
import { shownModel, shownUntil } from '../../state/runs-store.ts'
import { useShownDocument } from '../../state/selectors.ts'
import { debugWords as words } from '../../text/debug-words.ts'
import { fill } from '../../text/messages.ts'
import { Modal } from '../../ui/Modal.tsx'
import { clockWords } from '../../ui/time-words.ts'
import styles from './dialogs.module.css'
import { SendFooter } from './SendFooter.tsx'
import { useSending } from './use-sending.ts'
import { VersionChoice } from './VersionChoice.tsx'

export function ForkDialog() {
  const designer = useDesigner()
  const runId = useRuns((state) => state.current?.runId ?? null)
  const until = useRuns((state) => (state.current === null ? null : shownUntil(state.current)))
  const ended = useEndedSelection()
  const title = useShownDocument(({ nodes }) => (ended === null ? '' : (nodes[ended]?.title ?? ended)))
  const open = openVersion(designer)
  const [version, setVersion] = useState<'same' | 'open'>('same')
  const [isAnew, setAnew] = useState(ended !== null)
  const close = (): void => designer.view.getState().setDialog(null)
  const sending = useSending(async () => {
    if (runId === null) return
    const document = version === 'open' ? asJson(designer.document.getState().history.document) : null
    const from = isAnew ? ended : null
    await fork(designer, { runId, seq: shownSeq(designer), nodeId: from, input: null, document })
  }, close)
  if (runId === null || until === null) return null
  return (
    <Modal title={words.forkTitle} onClose={close} testId="fork-dialog" width={520}>
      <form
        className={styles['body']}
        onSubmit={(event) => {
          event.preventDefault()
          void sending.send()
        }}
      >
        <p>{Number.isFinite(until) ? fill(words.forkAt, { time: clockWords(until) }) : words.forkNow}</p>
        <p>{words.forkRest}</p>
        {ended !== null && (
          <label>
            <input
              type="checkbox"
              checked={isAnew}
              data-testid="fork-anew"
              onChange={(event) => setAnew(event.currentTarget.checked)}
            />{' '}
            {fill(words.forkFrom, { title })}
          </label>
        )}
        <VersionChoice value={version} open={open} onChange={setVersion} />
        <SendFooter
          sending={sending}
          label={words.forkAction}
          icon={GitFork}
          testId="fork-send"
          isFirst
          onClose={close}
        />
      </form>
    </Modal>
  )
}

/** The one selected step where it had ended at the shown instant; null for none. */
function useEndedSelection(): NodeId | null {
  const [id, another] = useView((state) => state.selection.nodes)
  const turns = useView((state) => state.turns)
  const isEnded = useRuns(({ current }) => {
    if (current === null || id === undefined) return false
    return (nodesAt(shownModel(current), turns).get(id)?.invocation?.finishedAt ?? null) !== null
  })
  return id === undefined || another !== undefined || !isEnded ? null : nodeId(id)
}
