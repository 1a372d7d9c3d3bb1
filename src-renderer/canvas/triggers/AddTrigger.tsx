/** The way to add a trigger: the last card of the edge, and the choice of kinds that it opens. */

import { Plus, Zap } from 'lucide-react'
import type { KeyboardEvent, RefObject } from 'react'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { triggerSpecs } from '../../../src-engine/triggers/specs.ts'
import { useDesigner, useTriggers } from '../../state/context.ts'
import { triggers as words } from '../../text/trigger-words.ts'
import { menuItemsOf, walkMenu } from '../../ui/menu-keys.ts'
import { TaskIcon } from '../../ui/TaskIcon.tsx'
import styles from './AddTrigger.module.css'
import { addTriggerOf } from './add-trigger.ts'

const windowGap = 12
const openerGap = 8
const kinds = Object.values(triggerSpecs)

export function AddTrigger({ isFirst }: { readonly isFirst: boolean }) {
  const designer = useDesigner()
  const isOpen = useTriggers((state) => state.isAdding)
  const { setAdding } = designer.triggers.getState()
  const opener = useRef<HTMLButtonElement>(null)
  const close = (): void => {
    setAdding(false)
    opener.current?.focus()
  }
  return (
    <div className={styles['add']} data-first={isFirst || undefined}>
      <button
        ref={opener}
        type="button"
        className={styles['opener']}
        data-stop=""
        data-testid="edge-add"
        aria-label={words.add}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        title={words.add}
        onClick={() => setAdding(!isOpen)}
      >
        {isFirst ? <Zap size={15} aria-hidden /> : <Plus size={15} aria-hidden />}
        <span>{words.add}</span>
      </button>
      {isOpen && <Kinds opener={opener} onClose={close} />}
    </div>
  )
}

interface KindsProps {
  readonly opener: RefObject<HTMLButtonElement | null>
  readonly onClose: () => void
}

/** In front of everything, beside what opened it, and inside of the window. */
function Kinds({ opener, onClose }: KindsProps) {
  const designer = useDesigner()
  const box = useRef<HTMLDivElement>(null)
  const menu = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const [element, from] = [box.current, opener.current?.getBoundingClientRect()]
    if (element === null || from === undefined) return
    element.showPopover()
    const top = Math.min(from.top, window.innerHeight - element.offsetHeight - windowGap)
    element.style.left = `${from.right + openerGap}px`
    element.style.top = `${Math.max(windowGap, top)}px`
    menu.current?.querySelector('button')?.focus()
  }, [opener])
  useEffect(() => {
    const onPress = (event: PointerEvent): void => {
      const target = event.target instanceof Element ? event.target : null
      if (target?.closest(`.${styles['add'] ?? ''}`) === null) designer.triggers.getState().setAdding(false)
    }
    document.addEventListener('pointerdown', onPress, { capture: true })
    return () => document.removeEventListener('pointerdown', onPress, { capture: true })
  }, [designer])
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') onClose()
    else if (!walkMenu(menuItemsOf(menu.current), event.key)) return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div ref={box} className={styles['menu']} popover="manual">
      <p>{words.addLead}</p>
      <div
        ref={menu}
        role="menu"
        tabIndex={-1}
        aria-label={words.kinds}
        data-testid="trigger-kinds"
        onKeyDown={onKeyDown}
      >
        {kinds.map(({ kind, title, description, icon }) => (
          <button
            key={kind}
            type="button"
            role="menuitem"
            data-testid={`trigger-kind-${kind}`}
            onClick={() => addTriggerOf(designer, kind)}
          >
            <span className={styles['tile']}>
              <TaskIcon name={icon} size={16} strokeWidth={1.9} />
            </span>
            <span>
              <b>{title}</b>
              <small>{description}</small>
            </span>
          </button>
        ))}
      </div>
    </div>
  )
}
