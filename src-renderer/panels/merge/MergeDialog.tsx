/** What was changed here and in the file, side by side: one of the two is chosen for each. */

import { useMemo, useState } from 'react'
import type { JsonValue } from '../../../src-engine/model/json.ts'
import type { WorkflowDocument } from '../../../src-engine/model/workflow.ts'
import type { Conflict, Side } from '../../merge/merge-documents.ts'
import { mergeDocuments } from '../../merge/merge-documents.ts'
import { useDesigner, useDocument } from '../../state/context.ts'
import type { OpenFile } from '../../state/document-store.ts'
import { saveAs } from '../../state/files.ts'
import { applyMerge, versionsOf } from '../../state/follow-disk.ts'
import { diskWords as words } from '../../text/disk-words.ts'
import { fill } from '../../text/messages.ts'
import { Button } from '../../ui/Button.tsx'
import { Modal } from '../../ui/Modal.tsx'
import styles from './Merge.module.css'

export function MergeDialog() {
  const disk = useDocument((state) => state.disk)
  return disk === null ? null : <Merge file={disk} key={disk.etag} />
}

function Merge({ file }: { readonly file: OpenFile }) {
  const designer = useDesigner()
  const document = useDocument((state) => state.history.document)
  const [choices, setChoices] = useState<ReadonlyMap<string, Side>>(new Map())
  const close = (): void => designer.view.getState().setDialog(null)
  const conflicts = useMemo(() => {
    const state = designer.document.getState()
    return mergeDocuments({ ...versionsOf(state, file), mine: document }).conflicts
  }, [designer, file, document])
  const chooseAll = (side: Side): void => setChoices(new Map(conflicts.map(({ key }) => [key, side])))
  return (
    <Modal
      title={fill(words.title, { title: document.title })}
      onClose={close}
      testId="conflict-dialog"
      width={860}
    >
      <form
        className={styles['body']}
        onSubmit={(event) => {
          event.preventDefault()
          close()
          applyMerge(designer, file, choices)
        }}
      >
        <p>{words.lead}</p>
        <div className={styles['heads']}>
          <Button isSmall kind="quiet" onClick={() => chooseAll('mine')}>
            {words.allMine}
          </Button>
          <Button isSmall kind="quiet" testId="all-theirs" onClick={() => chooseAll('theirs')}>
            {words.allTheirs}
          </Button>
        </div>
        <div className={styles['rows']}>
          {conflicts.map((conflict) => (
            <Row
              key={conflict.key}
              conflict={conflict}
              title={titleOf(conflict.path, document, file.document)}
              side={choices.get(conflict.key) ?? 'mine'}
              onChoose={(side) => setChoices(new Map([...choices, [conflict.key, side]]))}
            />
          ))}
        </div>
        <footer>
          <Button
            kind="quiet"
            onClick={() => {
              close()
              void saveAs(designer)
            }}
          >
            {words.saveAs}
          </Button>
          <Button type="submit" kind="primary" testId="merge-apply" data-focus>
            {words.apply}
          </Button>
        </footer>
      </form>
    </Modal>
  )
}

function Row(props: {
  readonly conflict: Conflict
  readonly title: readonly [string, string]
  readonly side: Side
  readonly onChoose: (side: Side) => void
}) {
  const { conflict, side, onChoose } = props
  const [name, field] = props.title
  return (
    <fieldset className={styles['row']} data-testid="merge-row">
      <legend>
        <b>{name}</b> <code>{field}</code>
      </legend>
      {(['mine', 'theirs'] as const).map((one) => (
        <label
          key={one}
          aria-label={`${words[one]}: ${textOf(conflict[one])}`}
          className={styles['side']}
          data-chosen={side === one}
        >
          <input
            type="radio"
            name={conflict.key}
            checked={side === one}
            data-testid={`merge-${one}`}
            onChange={() => onChoose(one)}
          />
          <span>
            <small>{words[one]}</small>
            <samp>{textOf(conflict[one])}</samp>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

/** More isn't compared by eye. */
const charsMax = 600

function textOf(value: JsonValue | undefined): string {
  if (value === undefined) return words.gone
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  return text.length > charsMax ? `${text.slice(0, charsMax)} …` : text
}

/** What a conflict is about, and which field of it. */
function titleOf(
  [part = '', id = '', ...rest]: readonly string[],
  mine: WorkflowDocument,
  theirs: WorkflowDocument,
): readonly [string, string] {
  const kind = words.parts[part]
  if (kind === undefined) return [words.document, [part, id, ...rest].filter((one) => one !== '').join('.')]
  const nameIn = ({ nodes }: WorkflowDocument): string | undefined =>
    Object.entries(nodes).find(([key]) => key === id)?.[1].title
  const name = part === 'nodes' ? (nameIn(mine) ?? nameIn(theirs) ?? id) : id
  return [`${kind} ${name}`, rest.length === 0 ? words.whole : rest.join('.')]
}
