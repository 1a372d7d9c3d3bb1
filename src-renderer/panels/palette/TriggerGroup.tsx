/** What can start a workflow, in the palette: to click, or to drag anywhere onto the canvas. */

import type { TriggerSpec } from '../../../src-engine/model/trigger-spec.ts'
import { addTriggerOf, triggerMediaType } from '../../canvas/triggers/add-trigger.ts'
import { useDesigner } from '../../state/context.ts'
import { useReadOnly } from '../../state/selectors.ts'
import { triggers as words } from '../../text/trigger-words.ts'
import { TaskIcon } from '../../ui/TaskIcon.tsx'
import styles from './Palette.module.css'

export function TriggerGroup({ specs }: { readonly specs: readonly TriggerSpec[] }) {
  const designer = useDesigner()
  const isReadOnly = useReadOnly()
  if (specs.length === 0) return null
  return (
    <section aria-label={words.title}>
      <h3>{words.title}</h3>
      <ul>
        {specs.map(({ kind, title, description, icon }) => (
          <li key={kind}>
            <button
              type="button"
              className={styles['item']}
              data-testid={`palette-trigger-${kind}`}
              title={description}
              disabled={isReadOnly}
              draggable={!isReadOnly}
              onDragStart={(event) => {
                event.dataTransfer.setData(triggerMediaType, kind)
                event.dataTransfer.effectAllowed = 'copy'
              }}
              onClick={() => addTriggerOf(designer, kind)}
            >
              <span className={styles['tile']}>
                <TaskIcon name={icon} size={15} strokeWidth={1.9} aria-hidden />
              </span>
              {title}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
