/** A menu of registered commands at a place; arrow keys and letters go through it, Escape leaves. */

import type { KeyboardEvent } from 'react'
import { useLayoutEffect, useRef, useState } from 'react'
import { commandOf } from '../commands/registry.ts'
import { useDesigner } from '../state/context.ts'
import type { Designer } from '../state/designer.ts'
import styles from './CommandMenu.module.css'
import { currentItem, menuItemsOf, walkMenu } from './menu-keys.ts'
import { rule } from './menu-rule.ts'
import { useKeyWords } from './use-key-map.ts'

/** From the edges of the window. */
const margin = 8

interface CommandMenuProps {
  /** Ids of commands, and rules; what may not run now is left out. */
  readonly entries: readonly string[]
  /** In pixels of the window. */
  readonly at: { readonly x: number; readonly y: number }
  readonly label: string
  readonly testId: string
  /** Puts the keyboard back where it was, then takes the menu away. */
  readonly onClose: () => void
  /** Called after `onClose`. */
  readonly onChoose: (id: string) => void
}

export function CommandMenu({ entries, at: wanted, label, testId, onClose, onChoose }: CommandMenuProps) {
  const designer = useDesigner()
  const box = useRef<HTMLDivElement>(null)
  const [at, setAt] = useState(wanted)
  const [shown] = useState(() => shownEntries(designer, entries))
  useLayoutEffect(() => {
    const { width = 0, height = 0 } = box.current?.getBoundingClientRect() ?? {}
    setAt({
      x: Math.max(margin, Math.min(wanted.x, window.innerWidth - width - margin)),
      y: Math.max(margin, Math.min(wanted.y, window.innerHeight - height - margin)),
    })
    menuItemsOf(box.current)[0]?.focus()
  }, [wanted])
  const choose = (id: string): void => {
    onClose()
    onChoose(id)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation()
    if (event.key === 'Escape' || event.key === 'Tab') onClose()
    else if (!walk(menuItemsOf(box.current), event.key)) return
    event.preventDefault()
  }
  return (
    <>
      <div
        className={styles['backdrop']}
        onPointerDown={onClose}
        onContextMenu={(event) => {
          event.preventDefault()
          onClose()
        }}
      />
      <div
        ref={box}
        className={styles['menu']}
        style={{ left: at.x, top: at.y }}
        role="menu"
        tabIndex={-1}
        aria-label={label}
        data-testid={testId}
        onKeyDown={onKeyDown}
      >
        {shown.map((id, index) =>
          // Lines have no identity but their place.
          id === rule ? <hr key={index} /> : <Entry key={id} id={id} onChoose={() => choose(id)} />,
        )}
      </div>
    </>
  )
}

function Entry({ id, onChoose }: { readonly id: string; readonly onChoose: () => void }) {
  const command = commandOf(id)
  const keys = useKeyWords(command)
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      data-testid={`menu-${id}`}
      onClick={onChoose}
      onPointerMove={(event) => event.currentTarget.focus()}
    >
      <span>{command.title}</span>
      {keys !== undefined && <kbd>{keys}</kbd>}
    </button>
  )
}

/** What may run now, with lines only between groups. */
function shownEntries(designer: Designer, entries: readonly string[]): readonly string[] {
  const able = entries.filter((id) => id === rule || commandOf(id).isEnabled(designer))
  return able.filter((id, index) => {
    if (id !== rule) return true
    return (
      able.slice(0, index).some((one) => one !== rule) &&
      able[index + 1] !== undefined &&
      able[index + 1] !== rule
    )
  })
}

/** Moves the keyboard within the menu; false for a key that means nothing there. */
function walk(items: readonly HTMLElement[], key: string): boolean {
  if (walkMenu(items, key)) return true
  if (!/^\p{L}$/u.test(key)) return false
  const current = currentItem(items)
  const order = items.map((_, offset) => (current + 1 + offset) % items.length)
  const next = order.find((index) => items[index]?.textContent?.toLowerCase().startsWith(key.toLowerCase()))
  if (next !== undefined) items[next]?.focus()
  return true
}
