/** The documents of this window: one tab each, in the order in which a person put them. */

import { House, Plus, ShieldAlert, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { runCommand } from '../../commands/registry.ts'
import { useDesigner, useTabs, useTrust } from '../../state/context.ts'
import { closeTab, showTab } from '../../state/tabs/tabs.ts'
import type { Tab } from '../../state/tabs/tabs-store.ts'
import { fill } from '../../text/messages.ts'
import { restrictedWords } from '../../text/restricted-words.ts'
import { tabWords as words } from '../../text/tab-words.ts'
import { useInSight } from '../../ui/use-in-sight.ts'
import styles from './TabStrip.module.css'
import { placeAt } from './tab-places.ts'

/** The wheel's own button. */
const middleButton = 1

export function TabStrip() {
  const designer = useDesigner()
  const tabs = useTabs((state) => state.tabs)
  const active = useTabs((state) => state.active)
  const list = useRef<HTMLUListElement>(null)
  const drag = useTabDrag(list)
  useInSight(list, `[data-tab="${CSS.escape(active ?? '')}"]`)
  if (tabs.length === 0) return null
  return (
    <nav className={styles['strip']} aria-label={words.label} data-testid="tabs">
      <button
        type="button"
        className={styles['home']}
        aria-label="Start page"
        title="Start page"
        aria-current={active === null ? 'page' : undefined}
        data-testid="home-button"
        onClick={() => runCommand(designer, 'file.home')}
      >
        <House size={14} aria-hidden />
      </button>
      <ul className={styles['list']} ref={list}>
        {tabs.map((tab) => (
          <TabItem key={tab.id} tab={tab} isActive={tab.id === active} drag={drag} />
        ))}
      </ul>
      <button
        type="button"
        className={styles['home']}
        aria-label={words.add}
        title={words.add}
        data-testid="tab-new"
        onClick={() => runCommand(designer, 'file.new')}
      >
        <Plus size={15} aria-hidden />
      </button>
    </nav>
  )
}

function TabItem(props: { readonly tab: Tab; readonly isActive: boolean; readonly drag: TabDrag }) {
  const designer = useDesigner()
  const { tab, isActive, drag } = props
  const { id, title, path, isDirty } = tab
  const name = title.trim() === '' ? words.untitled : title
  const isRestricted = useTrust(({ restricted }) => restricted.has(id))
  const told = [name, ...(isRestricted ? [restrictedWords.tab] : []), ...(isDirty ? [words.edited] : [])]
  const offset = drag.dragged?.id === id ? drag.dragged.offset : 0
  return (
    <li
      className={styles['tab']}
      data-tab={id}
      data-active={isActive}
      data-dragged={drag.dragged?.id === id || undefined}
      style={offset === 0 ? {} : { translate: `${offset}px 0` }}
      title={path ?? `${name}: ${words.unsaved}`}
      onAuxClick={(event) => {
        if (event.button === middleButton) void closeTab(designer, id)
      }}
      {...drag.handlers(id)}
    >
      <button
        type="button"
        className={styles['name']}
        aria-current={isActive ? 'page' : undefined}
        aria-label={told.join(', ')}
        data-dirty={isDirty}
        onClick={() => void showTab(designer, id)}
      >
        {isRestricted && <ShieldAlert size={12} aria-hidden data-testid="tab-restricted" />}
        {name}
      </button>
      <button
        type="button"
        className={styles['close']}
        aria-label={fill(words.close, { title: name })}
        onClick={() => void closeTab(designer, id)}
      >
        {isDirty && <span className={styles['dot']} aria-hidden />}
        <X size={13} aria-hidden />
      </button>
    </li>
  )
}

interface Dragged {
  readonly id: string
  readonly from: number
  readonly offset: number
}

type TabDrag = ReturnType<typeof useTabDrag>

/** A move shorter than this is a click. */
const dragFromPx = 5

/** Dragging a tab along the strip moves it past the others. */
function useTabDrag(list: React.RefObject<HTMLUListElement | null>) {
  const designer = useDesigner()
  const [dragged, setDragged] = useState<Dragged | null>(null)
  const start = useRef<{ readonly id: string; x: number } | null>(null)
  const end = (): void => {
    start.current = null
    setDragged(null)
  }
  const handlers = (id: string): React.DOMAttributes<HTMLLIElement> => ({
    onPointerDown: (event) => {
      const isClose = event.target instanceof Element && event.target.closest(`.${styles['close']}`) !== null
      if (event.button === 0 && !isClose) start.current = { id, x: event.clientX }
    },
    onPointerMove: (event) => {
      const begun = start.current
      if (begun === null || begun.id !== id) return
      const offset = event.clientX - begun.x
      if (dragged === null && Math.abs(offset) < dragFromPx) return
      event.currentTarget.setPointerCapture(event.pointerId)
      const boxes = [...(list.current?.children ?? [])].map((one) => one.getBoundingClientRect())
      const { tabs, move } = designer.tabs.getState()
      const at = tabs.findIndex((tab) => tab.id === id)
      const to = placeAt(
        boxes.map(({ left, width }) => ({ left, width })),
        at,
        event.clientX,
      )
      if (to === at) return setDragged({ id, from: at, offset })
      // It stands elsewhere now, and is still under the pointer.
      const shift = (boxes[to]?.width ?? 0) * (to > at ? 1 : -1)
      begun.x += shift
      move(id, to)
      setDragged({ id, from: to, offset: event.clientX - begun.x })
    },
    onPointerUp: end,
    onPointerCancel: end,
  })
  return { dragged, handlers }
}
