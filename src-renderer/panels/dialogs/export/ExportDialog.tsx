/** Before a workflow is handed over: which secrets stand in it in plain text, and what becomes of them. */

import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { fieldPathText } from '../../../../src-engine/model/field-hints.ts'
import type { PlainSecret } from '../../../../src-engine/model/plain-secrets.ts'
import { secretReference } from '../../../../src-engine/model/secret.ts'
import { useDesigner, useView } from '../../../state/context.ts'
import type { Designer } from '../../../state/designer.ts'
import { exportAnswered, exportMaterial } from '../../../state/export-files.ts'
import type { ExportWish } from '../../../state/export-wish.ts'
import { fieldTab } from '../../../state/field-tab.ts'
import { shownDocument } from '../../../state/selectors.ts'
import { exportWords as words } from '../../../text/export-words.ts'
import { Button } from '../../../ui/Button.tsx'
import { Modal } from '../../../ui/Modal.tsx'
import styles from '../dialogs.module.css'
import own from './Export.module.css'

export function ExportDialog() {
  const wish = useView((state) => state.exporting)
  return wish === null ? null : <Asked wish={wish} />
}

function Asked({ wish }: { readonly wish: ExportWish }) {
  const designer = useDesigner()
  // What is behind the dialog can't be edited meanwhile.
  const [{ found }] = useState(() => exportMaterial(designer))
  const close = (): void => designer.view.getState().askExport(null)
  return (
    <Modal title={words.title} onClose={close} testId="export-dialog" width={560}>
      <div className={styles['body']}>
        <p>{words.lead(found.length)}</p>
        <ul className={own['list']} aria-label={words.list} data-testid="export-secrets">
          {found.map((secret) => (
            <Found
              key={`${fieldPathText(secret.path)}:${secret.title}`}
              secret={secret}
              onOpen={() => {
                close()
                goTo(designer, secret)
              }}
            />
          ))}
        </ul>
        <p className={styles['aside']}>
          {found.some(({ slot }) => slot !== null) && `${words.slots} `}
          {words.here}
        </p>
        <footer>
          <Button onClick={close}>Cancel</Button>
          <Button
            kind="danger"
            testId="export-as-it-is"
            onClick={() => void exportAnswered(designer, wish, 'as-it-is')}
          >
            {words.asItIs}
          </Button>
          <Button
            kind="primary"
            data-focus
            testId="export-without"
            onClick={() => void exportAnswered(designer, wish, 'without-secrets')}
          >
            {words.without}
          </Button>
        </footer>
      </div>
    </Modal>
  )
}

function Found({ secret, onOpen }: { readonly secret: PlainSecret; readonly onOpen: () => void }) {
  const designer = useDesigner()
  const { nodeId, title, slot } = secret
  const node = nodeId === null ? undefined : shownDocument(designer).nodes[nodeId]
  const owner =
    node === undefined ? words.workflow : (node.title ?? designer.specs.get(node.kind)?.title ?? nodeId)
  const what = (
    <>
      <KeyRound size={14} aria-hidden />
      <span>
        <b>{owner}</b>
        <small>{title}</small>
      </span>
    </>
  )
  return (
    <li>
      {node === undefined ? (
        <span className={own['what']}>{what}</span>
      ) : (
        <button type="button" className={own['what']} onClick={onOpen}>
          {what}
        </button>
      )}
      <span className={own['becomes']}>
        <small>{slot === null ? words.leftOut : words.becomes}</small>
        {slot !== null && <code>{secretReference(slot)}</code>}
      </span>
    </li>
  )
}

/** To the field where it stands. */
function goTo({ view, canvas }: Designer, { nodeId, path }: PlainSecret): void {
  if (nodeId === null) return
  const field = fieldPathText(path.slice(2))
  view.getState().select({ nodes: [nodeId] })
  canvas.current?.reveal(nodeId)
  view.getState().setPanels({ isInspectorOpen: true, inspectorTab: fieldTab(field) })
  view.getState().wishField(field)
}
