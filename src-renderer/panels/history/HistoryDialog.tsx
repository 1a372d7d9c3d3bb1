/** The document's past: what was saved, published or named, each with what has changed since, and the way back. */

import { CloudUpload, Flag, RotateCcw, Save, Trash2 } from 'lucide-react'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { versionChanges } from '../../../src-engine/model/version-changes.ts'
import type { WorkflowDocument } from '../../../src-engine/model/workflow.ts'
import { DiffCanvas } from '../../canvas/diff/DiffCanvas.tsx'
import { diffGraph } from '../../canvas/diff/diff-graph.ts'
import type { HistoryEntry } from '../../state/checkpoints.ts'
import { listHistory, readEntry, restoreVersion, setCheckpoint } from '../../state/checkpoints.ts'
import { useDesigner, useDocument } from '../../state/context.ts'
import { attempt } from '../../state/designer.ts'
import { canEdit } from '../../state/selectors.ts'
import { historyWords as words } from '../../text/history-words.ts'
import { fill } from '../../text/messages.ts'
import { Button } from '../../ui/Button.tsx'
import controls from '../../ui/controls.module.css'
import { IconButton } from '../../ui/IconButton.tsx'
import { Modal } from '../../ui/Modal.tsx'
import { instantWords } from '../../ui/time-words.ts'
import { useSlowClock } from '../../ui/use-clock.ts'
import { ChangeList } from '../dialogs/push/ChangeList.tsx'
import push from '../dialogs/push/Push.module.css'
import styles from './History.module.css'

const icons = { named: Flag, saved: Save, published: CloudUpload }

export function HistoryDialog() {
  const designer = useDesigner()
  const title = useDocument((state) => state.history.document.title)
  const [entries, setEntries] = useState<readonly HistoryEntry[] | null>(null)
  const [picked, setPicked] = useState<HistoryEntry | null>(null)
  const close = (): void => designer.view.getState().setDialog(null)
  const load = useCallback(() => {
    void attempt(designer, () => listHistory(designer)).then((found) => {
      if (found === null) return
      setEntries(found)
      setPicked((before) => found.find(({ id }) => id === before?.id) ?? found[0] ?? null)
    })
  }, [designer])
  useEffect(() => load(), [load])
  return (
    <Modal title={fill(words.title, { title })} onClose={close} testId="history-dialog" width={1180}>
      <div className={styles['dialog']}>
        <div className={styles['side']}>
          <NameForm onSet={load} />
          <EntryList
            entries={entries ?? []}
            isLoaded={entries !== null}
            picked={picked}
            onPick={setPicked}
            onRemoved={load}
          />
        </div>
        {picked === null ? (
          <p className={styles['none']}>{entries === null ? words.asking : words.pick}</p>
        ) : (
          <Look key={picked.id} entry={picked} onClose={close} />
        )}
      </div>
    </Modal>
  )
}

function NameForm({ onSet }: { readonly onSet: () => void }) {
  const designer = useDesigner()
  const [name, setName] = useState('')
  const set = async (): Promise<void> => {
    if (!(await setCheckpoint(designer, name.trim()))) return
    setName('')
    onSet()
  }
  return (
    <form
      className={styles['name']}
      onSubmit={(event) => {
        event.preventDefault()
        if (name.trim() !== '') void set()
      }}
    >
      <label>
        {words.name}
        <input
          className={controls['field']}
          data-testid="checkpoint-name"
          maxLength={200}
          placeholder={words.placeholder}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      </label>
      <Button type="submit" icon={Flag} testId="checkpoint-set" disabled={name.trim() === ''}>
        {words.keep}
      </Button>
    </form>
  )
}

function EntryList(props: {
  readonly entries: readonly HistoryEntry[]
  readonly isLoaded: boolean
  readonly picked: HistoryEntry | null
  readonly onPick: (entry: HistoryEntry) => void
  readonly onRemoved: () => void
}) {
  const designer = useDesigner()
  const now = useSlowClock()
  const workflowId = useDocument((state) => state.history.document.id)
  const remove = async (id: string): Promise<void> => {
    await attempt(designer, () => designer.connection.call('checkpoints.remove', { workflowId, id }))
    props.onRemoved()
  }
  if (props.isLoaded && props.entries.length === 0) return <p className={styles['empty']}>{words.none}</p>
  return (
    <ul className={styles['list']} aria-label={words.list}>
      {props.entries.map((entry) => {
        const Icon = icons[entry.kind]
        return (
          <li key={entry.id} data-kind={entry.kind}>
            <button
              type="button"
              className={styles['entry']}
              aria-pressed={entry.id === props.picked?.id}
              data-testid="history-entry"
              onClick={() => props.onPick(entry)}
            >
              <Icon size={14} aria-hidden />
              <span>{entry.kind === 'named' ? entry.name : words[entry.kind]}</span>
              <small>{instantWords(entry.at, now)}</small>
            </button>
            {entry.kind === 'named' && (
              <IconButton
                icon={Trash2}
                label={`${words.remove}: ${entry.name}`}
                onClick={() => void remove(entry.id)}
              />
            )}
          </li>
        )
      })}
    </ul>
  )
}

function Look({ entry, onClose }: { readonly entry: HistoryEntry; readonly onClose: () => void }) {
  const designer = useDesigner()
  const now = useSlowClock()
  const after = useDocument((state) => state.history.document)
  const [before, setBefore] = useState<WorkflowDocument | 'asking' | 'failed'>('asking')
  useEffect(() => {
    readEntry(designer, entry)
      .then(setBefore)
      .catch(() => setBefore('failed'))
  }, [designer, entry])
  if (before === 'asking') return <p className={styles['none']}>{words.asking}</p>
  if (before === 'failed') return <p className={styles['none']}>{words.failed}</p>
  return (
    <div className={styles['look']}>
      <Difference before={before} after={after} />
      <footer>
        <Button
          kind="primary"
          icon={RotateCcw}
          testId="history-restore"
          disabled={!canEdit(designer)}
          onClick={() => {
            restoreVersion(designer, before, instantWords(entry.at, now))
            onClose()
          }}
        >
          {words.restore}
        </Button>
      </footer>
    </div>
  )
}

function Difference({
  before,
  after,
}: {
  readonly before: WorkflowDocument
  readonly after: WorkflowDocument
}) {
  const { specs } = useDesigner()
  const [selected, setSelected] = useState<string | null>(null)
  const changes = useMemo(() => versionChanges(before, after, specs), [before, after, specs])
  const graph = useMemo(() => diffGraph(before, after, changes), [before, after, changes])
  return (
    <div className={styles['difference']}>
      <div className={push['picture']}>
        <DiffCanvas
          graph={graph}
          label={words.canvas}
          words={words.marks}
          selected={selected}
          onSelect={setSelected}
        />
      </div>
      <div className={push['words']} data-testid="history-words">
        <h3>{words.since}</h3>
        {changes.length === 0 && <p>{words.same}</p>}
        <ChangeList view={{ changes, before, after }} selected={selected} onSelect={setSelected} />
      </div>
    </div>
  )
}
