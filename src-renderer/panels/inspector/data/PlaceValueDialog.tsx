/** Which field is to read the value: the way for the keyboard; the mouse drags. */

import { nodeId } from '../../../../src-engine/model/ids.ts'
import { useDesigner, useDocument, useView } from '../../../state/context.ts'
import { dataWords as words } from '../../../text/data-words.ts'
import { fill } from '../../../text/messages.ts'
import { Modal } from '../../../ui/Modal.tsx'
import styles from './Data.module.css'
import type { FieldPlace } from './fields-of-node.ts'
import { fieldsToFill } from './fields-of-node.ts'

export function PlaceValueDialog() {
  const designer = useDesigner()
  const dragged = useView((state) => state.valueToPlace)
  const id = useView((state) => state.selection.nodes[0])
  const node = useDocument(({ history }) => history.document.nodes[nodeId(id ?? '')])
  const { setValueToPlace, setPanels, giveField, announce } = designer.view.getState()
  if (dragged === null || node === undefined) return null
  const places = fieldsToFill(node, designer.specs.get(node.kind))
  const choose = ({ path, title }: FieldPlace): void => {
    setValueToPlace(null)
    setPanels({ inspectorTab: 'parameters' })
    giveField({ field: path, dragged })
    announce(fill(words.taken, { field: title, expression: dragged.expression }))
  }
  return (
    <Modal title={words.intoField} testId="place-value" onClose={() => setValueToPlace(null)}>
      <code className={styles['expression']}>{dragged.expression}</code>
      {places.length === 0 && <p className={styles['none']}>{words.noField}</p>}
      <div className={styles['fields']}>
        {places.map((place, index) => (
          <button
            key={place.path}
            type="button"
            data-focus={index === 0 ? '' : undefined}
            onClick={() => choose(place)}
            onKeyDown={(event) => {
              const step = event.key === 'ArrowDown' ? 'nextElementSibling' : 'previousElementSibling'
              if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
              const next = event.currentTarget[step]
              if (next instanceof HTMLElement) next.focus()
              event.preventDefault()
            }}
          >
            {place.title}
            <small>{place.now}</small>
          </button>
        ))}
      </div>
    </Modal>
  )
}
