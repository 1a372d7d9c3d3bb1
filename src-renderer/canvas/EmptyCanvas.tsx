/** A canvas without nodes: a few tasks to begin with, one click each, and the way to all others. */

import { Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import { runCommand } from '../commands/registry.ts'
import { countOf } from '../rules/found-once.ts'
import { useDesigner } from '../state/context.ts'
import { useReadOnly, useShownDocument } from '../state/selectors.ts'
import { beginning } from '../text/messages.ts'
import { TaskIcon } from '../ui/TaskIcon.tsx'
import styles from './EmptyCanvas.module.css'
import { addNearSelection } from './placement.ts'

/** What most workflows begin with. */
const firstKinds = ['http-request', 'read-file', 'shell-command', 'transform', 'map', 'wait-signal']

export function EmptyCanvas() {
  const isEmpty = useShownDocument(({ nodes }) => countOf(nodes) === 0)
  const isReadOnly = useReadOnly()
  const isDragging = useDragging()
  return isEmpty && !isReadOnly ? <Beginning isDragging={isDragging} /> : null
}

function Beginning({ isDragging }: { readonly isDragging: boolean }) {
  const designer = useDesigner()
  const kinds = firstKinds.flatMap((kind) => designer.specs.get(kind) ?? [])
  return (
    <div className={styles['beginning']} data-dragging={isDragging || undefined} data-testid="empty-canvas">
      <h2>{beginning.title}</h2>
      <p>{isDragging ? beginning.drop : beginning.lead}</p>
      <ul>
        {kinds.map((spec) => (
          <li key={spec.kind}>
            <button
              type="button"
              data-category={spec.category}
              data-testid={`begin-${spec.kind}`}
              title={spec.description}
              onClick={() => addNearSelection(designer, spec)}
            >
              <span className={styles['tile']}>
                <TaskIcon name={spec.icon} size={17} strokeWidth={1.9} />
              </span>
              {spec.title}
            </button>
          </li>
        ))}
      </ul>
      <button type="button" className={styles['all']} onClick={() => runCommand(designer, 'canvas.quickAdd')}>
        <Search size={14} aria-hidden /> {beginning.all} <kbd>A</kbd>
      </button>
    </div>
  )
}

/** Whether something is being dragged over the page: then the canvas is to be seen, and to be hit. */
function useDragging(): boolean {
  const [isDragging, setDragging] = useState(false)
  useEffect(() => {
    const begin = (): void => setDragging(true)
    const end = (): void => setDragging(false)
    const ends = ['dragend', 'drop'] as const
    document.addEventListener('dragstart', begin)
    for (const event of ends) document.addEventListener(event, end)
    return () => {
      document.removeEventListener('dragstart', begin)
      for (const event of ends) document.removeEventListener(event, end)
    }
  }, [])
  return isDragging
}
